// Keeps the orders up to date: fetches the changing part of the page every two
// seconds, and marks the rows that are new or different.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const state = document.getElementById("live-state");
  const interval = 2000;
  let last = "";

  const contents = () =>
    new Map([...live.querySelectorAll("tr[id], li[id]")].map((row) => [row.id, row.innerHTML]));

  function replace(text) {
    const before = contents();
    live.innerHTML = text; // our own server's HTML, escaped there
    if (last === "") return;
    for (const [id, html] of contents()) {
      if (before.get(id) !== html) document.getElementById(id).classList.add("changed");
    }
  }

  function say(text, works) {
    state.classList.toggle("works", works);
    if (state.textContent !== text) state.textContent = text;
  }

  async function refresh() {
    try {
      const answer = await fetch(live.dataset.source);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const text = await answer.text();
      if (text !== last) replace(text);
      last = text;
      say("Live", true);
    } catch {
      say("Not live. Trying again…", false);
    }
    setTimeout(refresh, interval);
  }

  refresh();
})();
