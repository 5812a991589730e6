/* Folds that lie over the page - the menu, and what is not needed now - go away by themselves.

   Escape closes, and so does a tap elsewhere or on what leads on. */
(function () {
  "use strict";

  function over() { return Array.from(document.querySelectorAll("#menu[open], .more[open], .fold[open]")); }

  function close(fold) {
    if (!lies(fold)) return; // it has a place of its own, and covers nothing
    if (fold.contains(document.activeElement)) fold.querySelector("summary").focus({ preventScroll: true });
    fold.open = false;
  }

  function lies(fold) { return getComputedStyle(fold.querySelector(".drawer")).position !== "static"; }

  document.addEventListener("click", function (event) {
    over().forEach(function (fold) { if (!fold.contains(event.target)) close(fold); });
  });

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") over().forEach(close);
  });

  document.addEventListener("wished", function (event) { // what it brought about is seen on the page
    over().forEach(function (fold) { if (event.detail.ok && fold.contains(event.target)) close(fold); });
  });
})();
