/* The Wi-Fi that somebody chose, or typed the name of, goes with the key to care.js. */
(function () {
  "use strict";

  var form = document.getElementById("wifi-home"), go = document.getElementById("wifi-go");

  function put() {
    var chosen = form.querySelector("input[name=ssid]:checked"), said = { key: form.elements.key.value };
    if (chosen && chosen.value) said.ssid = chosen.value;
    else said.name = form.elements.name.value;
    go.setAttribute("data-body", JSON.stringify(said));
  }

  form.addEventListener("submit", function (event) { event.preventDefault(); go.click(); });
  form.elements.name.addEventListener("input", function () {
    form.querySelector('input[name=ssid][value=""]').checked = true;
  });
  form.addEventListener("input", put);
  form.addEventListener("change", put);
  put();
})();
