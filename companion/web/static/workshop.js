"use strict";
// Lights up what a button's press has changed; everything else of this page works by act and live.
(function () {
  const LIT_MS = 1200;
  const counts = {};

  function look() {
    document.querySelectorAll("[data-presses]").forEach(function (one) {
      const now = one.getAttribute("data-presses");
      const before = counts[one.id];
      counts[one.id] = now;
      if (before === undefined || before === now) return;
      one.classList.add("lit");
      setTimeout(function () { one.classList.remove("lit"); }, LIT_MS);
    });
  }

  // A button that carries what somebody typed takes it before act.js reads the wish: a code as it
  // is, grams as mg.
  document.addEventListener("click", function (event) {
    const button = event.target.closest ? event.target.closest("[data-typed]") : null;
    if (!button) return;
    const typed = document.getElementById(button.getAttribute("data-typed")).value;
    const wish = JSON.parse(button.getAttribute("data-wish"));
    if ("code" in wish) wish.code = typed.trim();
    else wish.known_mg = Math.round(1000 * typed.trim().replace(",", ".")) || 0;
    button.setAttribute("data-wish", JSON.stringify(wish));
  }, true);

  document.addEventListener("morphed", look);
  look();
})();
