// Applies the chosen theme before the first paint. Without a choice the system's applies.
"use strict";
try {
  const theme = localStorage.getItem("agentstudio-theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage may be blocked; the system's theme applies.
}
