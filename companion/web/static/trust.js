/* Tries whether this device trusts the table by https, and goes there if it does. */
(function () {
  "use strict";

  var button = document.getElementById("try"), tried = document.getElementById("tried");

  if (!button || !window.fetch) return;
  button.addEventListener("click", function () {
    var there = button.getAttribute("data-there");
    button.setAttribute("aria-busy", "true");
    tried.hidden = true;
    fetch(there + "/trust/ok", { mode: "no-cors", cache: "no-store", credentials: "omit" }).then(function () {
      location.href = there + "/trust/over";
    }, function () { tried.hidden = false; }).then(function () { button.removeAttribute("aria-busy"); });
  });
})();
