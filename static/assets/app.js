// What the pages do beyond plain HTML: times in the person's zone, countdowns, the theme, forms
// that are sent once, the card in a dialog, and the live log. Everything here enhances markup
// that works without it. Elements are found by data attributes, never by class.
"use strict";
(() => {
  const ARM_AFTER = 700; // ms before Approve can be pressed on a card that just appeared
  const RETRY_MAX = 60_000; // ms, longest pause before the stream is opened again
  const NEAR_END = 160; // px from the end of the page within which new items are followed

  const all = (root, selector) => [
    ...(root.matches?.(selector) ? [root] : []),
    ...root.querySelectorAll(selector),
  ];

  // Times.

  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
  const dayAndClock = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

  function localTime(element) {
    const moment = new Date(element.dateTime);
    const today = moment.toDateString() === new Date().toDateString();
    element.textContent = (today ? clock : dayAndClock).format(moment);
    element.title = whole.format(moment);
  }

  function timeLeft(element) {
    const seconds = Math.floor((new Date(element.dataset.expires) - Date.now()) / 1000);
    element.classList.toggle("soon", seconds < 60);
    if (seconds <= 0) {
      element.textContent = "time is up";
      return;
    }
    const minutes = Math.floor(seconds / 60);
    const rest = String(seconds % 60).padStart(2, "0");
    element.textContent = minutes < 100 ? `${minutes}:${rest} left` : `${Math.floor(minutes / 60)} h left`;
  }

  // Theme: the system's, unless one was chosen.

  function themeToggle(button) {
    const themes = ["system", "light", "dark"];
    const current = () => document.documentElement.dataset.theme ?? "system";
    const label = () => {
      button.querySelector("[data-theme-label]").textContent = `Theme: ${current()}`;
    };
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      const next = themes[(themes.indexOf(current()) + 1) % themes.length];
      if (next === "system") {
        delete document.documentElement.dataset.theme;
      } else {
        document.documentElement.dataset.theme = next;
      }
      try {
        localStorage.setItem("agentstudio-theme", next);
      } catch {
        // Storage may be blocked; the choice lasts for this page.
      }
      label();
    });
  }

  function copyButton(button) {
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copied";
    });
  }

  // Forms that are sent once, however often the button is pressed.

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!("once" in form.dataset)) return;
    if (form.dataset.sent) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    form.dataset.sent = "true";
    if (form.closest("dialog")) form.closest("dialog").dataset.decided = "true";
  }, true);

  document.addEventListener("htmx:finally:request", (event) => {
    delete event.target.dataset?.sent; // when the answer replaced the form, this is a no-op
  });

  function arm(button) {
    button.disabled = true;
    setTimeout(() => { button.disabled = false; }, ARM_AFTER);
  }

  function composer(form) {
    const text = form.querySelector("textarea");
    text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      if (matchMedia("(pointer: coarse)").matches) return;
      event.preventDefault();
      form.requestSubmit();
    });
  }

  // Choices that a toolkit computes: the button takes the chosen one over into its field.

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-choose]");
    if (!button) return;
    const field = document.getElementById(button.dataset.choose);
    const { value } = button.parentElement.querySelector("select");
    const lines = "append" in button.dataset ? field.value.split("\n").filter((line) => line.trim()) : [];
    field.value = [...lines.filter((line) => line !== value), value].join("\n");
    field.focus();
  });

  // The card in a dialog. Cards that arrive while one is open wait for their turn.

  const dialog = document.getElementById("card-dialog");
  const queue = [];

  // openCard shows the card at url, or puts it in the queue. It answers whether that worked.
  async function openCard(url, onlyPending) {
    if (!dialog) return false;
    if (dialog.dataset.url) {
      if (dialog.dataset.url !== url && !queue.includes(url)) queue.push(url);
      return true;
    }
    dialog.dataset.url = url;
    const card = await loadCard(url).catch(() => null);
    if (!card || (onlyPending && !card.matches("[data-state=pending]"))) {
      nextCard();
      return false;
    }
    dialog.showModal();
    card.querySelector("[data-card-title]")?.focus();
    return true;
  }

  // nextCard empties the dialog and opens the card that waited longest, if any does.
  function nextCard() {
    delete dialog.dataset.url;
    delete dialog.dataset.decided;
    dialog.querySelector("[data-card-slot]").replaceChildren();
    if (queue.length === 0) return false;
    openCard(queue.shift(), true);
    return true;
  }

  async function loadCard(url) {
    const response = await fetch(url, { headers: { "HX-Request": "true" } });
    if (response.redirected) {
      location.reload(); // signed out: the page leads to sign-in
      return null;
    }
    const slot = dialog.querySelector("[data-card-slot]");
    slot.innerHTML = await response.text();
    htmx.process(slot);
    return slot.firstElementChild;
  }

  // cardChanged runs after an answer has replaced the card. In a conversation the log says what
  // was decided, so the dialog makes room; elsewhere, and when it went otherwise, it stays.
  function cardChanged(card) {
    if (!dialog?.dataset.decided || !dialog.contains(card)) return;
    const done = card.matches("[data-state=approved], [data-state=granted], [data-state=consumed], [data-state=denied]");
    if (done && !("reload" in dialog.dataset)) {
      dialog.close();
    } else {
      card.querySelector("[data-card-title]")?.focus();
    }
  }

  dialog?.addEventListener("close", () => {
    const decided = dialog.dataset.decided;
    if (nextCard()) return;
    if (decided && "reload" in dialog.dataset) {
      location.reload();
    } else if (!document.activeElement || document.activeElement === document.body) {
      document.getElementById("say")?.focus();
    }
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-card]");
    if (!link || !dialog || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    openCard(link.dataset.card, false).then((shown) => { if (!shown) location.href = link.href; });
  });

  // A page of few words in a dialog: the part of it that is marked for that. Its form is sent
  // as on the page itself, and whatever goes wrong leads to the page.

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-dialog]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    openPart(link.href).catch(() => false).then((shown) => { if (!shown) location.href = link.href; });
  });

  async function openPart(url) {
    const response = await fetch(url);
    if (!response.ok || response.redirected) return false;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const part = page.querySelector("[data-dialog-part]");
    if (!part) return false;
    const shown = document.createElement("dialog");
    shown.className = "card-dialog part-dialog";
    shown.setAttribute("aria-labelledby", part.getAttribute("aria-labelledby"));
    const close = document.createElement("form");
    close.method = "dialog";
    close.className = "dialog-close";
    close.innerHTML = '<button class="quiet" type="submit" aria-label="Close without saving">×</button>';
    shown.append(close, document.adoptNode(part));
    shown.addEventListener("close", () => shown.remove());
    document.body.append(shown);
    shown.showModal();
    shown.querySelector("h2")?.focus();
    return true;
  }

  document.addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return;
    if (event.target.closest("input, textarea, select")) return;
    const links = [...document.querySelectorAll("[data-rows] .row a")];
    const next = links[links.indexOf(document.activeElement) + step] ?? links[0];
    next?.focus();
  });

  // The live log: see the documentation of package views/chat.

  function place(element) {
    const present = element.id && document.getElementById(element.id);
    const target = document.getElementById(element.dataset.target);
    if (present) {
      present.replaceWith(element);
    } else if (target && !("piece" in element.dataset && !target.closest("[data-streaming]"))) {
      target.append(element);
    }
    if (element.isConnected) htmx.process(element);
    refreshCard(element);
    if (element.dataset.openCard) openCard(element.dataset.openCard, true);
  }

  // refreshCard shows what became of an open card that someone else decided.
  function refreshCard(element) {
    const open = dialog?.open && dialog.querySelector("[data-state=pending]");
    if (!open || dialog.dataset.decided || element.dataset.settles !== open.id) return;
    loadCard(dialog.dataset.url).catch(() => {});
  }

  function apply(html) {
    const page = document.documentElement;
    const follow = page.scrollHeight - page.clientHeight - page.scrollTop < NEAR_END;
    const template = document.createElement("template");
    template.innerHTML = html;
    document.querySelector("[data-hint]")?.remove();
    for (const element of [...template.content.children]) place(element);
    if (follow) page.scrollTop = page.scrollHeight;
  }

  function listen(log) {
    const notice = document.querySelector("[data-connection]");
    let last = "";
    let pause = 1000;
    let lost; // timer: a short gap is not worth a word
    const open = () => {
      const url = new URL(log.dataset.stream, location.href);
      if (last) url.searchParams.set("after", last);
      const source = new EventSource(url);
      for (const kind of ["log", "state", "card"]) {
        source.addEventListener(kind, (event) => {
          last = event.lastEventId || last;
          apply(event.data);
        });
      }
      source.addEventListener("open", () => {
        pause = 1000;
        clearTimeout(lost);
        notice.hidden = true;
      });
      source.addEventListener("error", () => {
        clearTimeout(lost);
        lost = setTimeout(() => { notice.hidden = false; }, 2000);
        if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
        setTimeout(open, pause);
        pause = Math.min(pause * 2, RETRY_MAX);
      });
    };
    open();
    document.documentElement.scrollTop = document.documentElement.scrollHeight;
  }

  // Everything in the page now, and everything that is added later.

  function enhance(root) {
    all(root, "time[data-local]").forEach(localTime);
    all(root, "[data-expires]").forEach(timeLeft);
    all(root, "[data-theme-toggle]").forEach(themeToggle);
    all(root, "[data-copy]").forEach(copyButton);
    all(root, "[data-arm]").forEach(arm);
    all(root, "[data-composer]").forEach(composer);
  }

  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      enhance(node);
      if (node.matches("[data-composer]")) node.querySelector("textarea").focus();
      if (node.matches("[data-state]")) cardChanged(node);
    }
  }).observe(document.body, { childList: true, subtree: true });

  enhance(document.body);
  document.querySelector("[data-tabs] [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  document.querySelectorAll("[data-stream]").forEach(listen);
  setInterval(() => document.querySelectorAll("[data-expires]").forEach(timeLeft), 1000);
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
