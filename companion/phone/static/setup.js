/* The set-up page: whatever is changed is read by the server again, and a tap paints a field.

   It must not know which boards are good: the server says what is wrong. */
(function () {
  "use strict";

  var form = document.getElementById("setup");
  var checked = document.getElementById("checked");
  var asked = 0;
  var AGAIN_MS = 2000;

  function said() {
    var pairs = [];
    new FormData(form).forEach(function (value, name) {
      pairs.push(encodeURIComponent(name) + "=" + encodeURIComponent(value));
    });
    return pairs.join("&");
  }

  /* What was read before the last change must not begin a match: until the answer, no tap counts. */
  function wait() {
    Array.from(checked.querySelectorAll("[data-wish]")).forEach(function (one) {
      one.disabled = true;
    });
  }

  function look() {
    var mine = ++asked;
    wait();
    var brushes = document.getElementById("brushes");
    if (brushes) brushes.hidden = form.elements.board.value !== "own";
    return fetch("/setup/checked?" + said(), { credentials: "same-origin", cache: "no-store" })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      })
      .then(function (html) {
        if (mine !== asked) return; // a newer change is on its way
        var focused = document.activeElement && document.activeElement.id;
        checked.innerHTML = html;
        var again = focused && document.getElementById(focused);
        if (again) again.focus({ preventScroll: true });
      })
      .catch(function () {
        if (mine === asked) setTimeout(look, AGAIN_MS);
        var words = document.querySelector('template[data-words="unsent"]');
        if (words) window.rappel.tell(words.content.textContent.trim());
      });
  }

  function paint(field) {
    var index = parseInt(field.getAttribute("data-field"), 10);
    var brush = form.elements.brush.value;
    var list = brush.indexOf("entry-") === 0 ? form.elements.entries : form.elements.ring;
    var parts = list.value.split(" ");
    if (list === form.elements.ring) parts[index] = brush;
    else parts[parseInt(brush.slice(6), 10)] = String(index);
    list.value = parts.join(" ");
    look();
  }

  form.addEventListener("change", function (event) { if (event.target.name !== "brush") look(); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });

  function field(event) {
    return event.target.closest ? event.target.closest("#painting [data-field]") : null;
  }

  form.addEventListener("click", function (event) { if (field(event)) paint(field(event)); });
  form.addEventListener("keydown", function (event) {
    if (!field(event) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    paint(field(event));
  });

  form.addEventListener("wished", function (event) {
    if (event.detail.ok) location.assign("/"); else look();
  });
  document.addEventListener("visibilitychange", function () { if (!document.hidden) look(); });
})();
