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

  document.addEventListener("morphed", look);
  look();
})();
