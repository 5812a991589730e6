/* Says who sits at a seat, and erases people again. */
(function () {
  "use strict";

  var form = document.getElementById("who");

  function send(path, body, done) {
    window.rappel.post(path, body).then(function (answer) {
      if (answer.ok) done();
      else window.rappel.tell((answer.body.error || {}).sentence);
    }, function () {
      window.rappel.tell(document.querySelector('template[data-words="unsent"]').content.textContent);
    });
  }

  function onward() { location.replace(form.getAttribute("data-next")); }

  function sit(more) {
    more.seat = form.getAttribute("data-seat");
    send("/api/people", more, lend);
  }

  function lend() { // the hands of somebody at the table, to who is far away
    var hands = form.elements.hands;
    if (!hands || hands.options[hands.selectedIndex].defaultSelected) { onward(); return; }
    send("/api/people/hands", { seat: form.getAttribute("data-seat"), hands: hands.value }, onward);
  }

  function mark() { // for browsers that do not know :has
    Array.from(form.querySelectorAll(".animals label")).forEach(function (label) {
      label.classList.toggle("chosen", label.querySelector("input").checked);
    });
  }

  form.addEventListener("change", mark);
  form.addEventListener("submit", function (event) {
    var animal = form.querySelector("input[name=animal]:checked");
    var body = { name: form.elements.name.value, kept: form.elements.kept.checked };
    event.preventDefault();
    if (animal) body.animal = animal.value;
    sit(body);
  });
  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("[data-known], [data-forget]") : null;
    if (!button) return;
    if (button.hasAttribute("data-known")) { sit({ person: button.getAttribute("data-known") }); return; }
    var sure = button.getAttribute("data-sure");
    if (sure) { button.removeAttribute("data-sure"); button.textContent = sure; return; }
    send("/api/people/forget", JSON.parse(button.getAttribute("data-forget")), function () { location.reload(); });
  });
  mark();
})();
