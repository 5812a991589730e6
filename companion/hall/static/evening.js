/* Sends what people and a director tap in an evening, and tells why where it is refused.

   A button [data-post] posts to that address, [data-direct] what the director wants; where it says
   [data-sure], only a second tap does it. A result is tapped in the order in which people came in,
   and two people of a proposal are swapped by tapping one after the other; what was tapped stays
   while the page is renewed. */
(function () {
  "use strict";

  var SURE_MS = 5000;
  var orders = {}; // by match: who was tapped, in order
  var first = null; // who is to be swapped

  function send(path, body, done) {
    window.rappel.post(path, body).then(function (answer) {
      window.rappel.tell(answer.ok ? "" : (answer.body.error || {}).sentence);
      if (answer.ok && done) done();
    }, function () {
      window.rappel.tell(document.querySelector('template[data-words="unsent"]').content.textContent);
    });
  }

  function direct(body, done) { send("/api/director", body, done); }

  function next(element) {
    var path = element.getAttribute("data-next");
    return path && function () { location.replace(path); };
  }

  function sure(button) { // true: it was tapped for the second time
    var words = button.getAttribute("data-sure");
    if (!words || button.sure) return true;
    var usual = button.textContent;
    button.sure = true;
    button.textContent = words;
    setTimeout(function () { button.sure = false; button.textContent = usual; }, SURE_MS);
    return false;
  }

  // --- results -------------------------------------------------------------------------------------

  function mark(form) {
    var order = orders[form.getAttribute("data-result")] || [];
    var buttons = Array.from(form.querySelectorAll("[data-person]"));
    buttons.forEach(function (one) {
      var place = order.indexOf(one.getAttribute("data-person")) + 1;
      one.setAttribute("aria-pressed", place ? "true" : "false");
      if (place) one.setAttribute("data-place", place); else one.removeAttribute("data-place");
    });
    form.querySelector("button.main").disabled = order.length < buttons.length;
  }

  function placed(button) {
    var form = button.closest("[data-result]"), id = form.getAttribute("data-result");
    var order = orders[id] || (orders[id] = []), person = button.getAttribute("data-person");
    var at = order.indexOf(person);
    if (at < 0) order.push(person); else order.splice(at, 1);
    var rest = Array.from(form.querySelectorAll("[data-person]")).filter(function (one) {
      return order.indexOf(one.getAttribute("data-person")) < 0;
    });
    if (at < 0 && rest.length === 1) order.push(rest[0].getAttribute("data-person")); // who is left
    mark(form);
  }

  function entered(form) {
    var id = form.getAttribute("data-result");
    var places = (orders[id] || []).map(function (one) { return [one]; });
    var deed = { did: form.getAttribute("data-did"), match: Number(id), places: places, by: "director" };
    direct({ "do": "deed", deed: deed }, function () { delete orders[id]; });
  }

  // --- swapping ------------------------------------------------------------------------------------

  function swap(button) {
    var person = button.getAttribute("data-swap"), other = first;
    first = other && other !== person ? null : other === person ? null : person;
    choose();
    if (other && other !== person) direct({ "do": "swap", one: other, other: person });
  }

  function choose() {
    Array.from(document.querySelectorAll("[data-swap]")).forEach(function (one) {
      one.setAttribute("aria-pressed", one.getAttribute("data-swap") === first ? "true" : "false");
    });
  }

  // --- taps and forms ------------------------------------------------------------------------------

  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("button") : null;
    if (!button || button.disabled) return;
    if (button.hasAttribute("data-person")) placed(button);
    else if (button.hasAttribute("data-swap")) swap(button);
    else if (button.hasAttribute("data-clear")) {
      delete orders[button.closest("[data-result]").getAttribute("data-result")];
      mark(button.closest("[data-result]"));
    } else if (button.hasAttribute("data-post")) send(button.getAttribute("data-post"), {}, next(button));
    else if (button.hasAttribute("data-direct")) {
      event.preventDefault();
      if (sure(button)) direct(JSON.parse(button.getAttribute("data-direct")));
    }
  });

  document.addEventListener("submit", function (event) {
    var form = event.target, of = form.elements;
    if (form.hasAttribute("data-result")) entered(form);
    else if (form.id === "check-in") {
      send("/api/check-in", { name: of.name.value, animal: of.animal.value }, next(form));
    } else if (form.id === "let-in") {
      direct({ "do": "check-in", name: of.name.value }, function () { of.name.value = ""; });
    } else if (form.id === "choose") {
      direct({ "do": "choose", game: of.game.value, mode: of.mode.value, wanted: Number(of.wanted.value) });
    } else return;
    event.preventDefault();
  });

  document.addEventListener("morphed", function () {
    Array.from(document.querySelectorAll("[data-result]")).forEach(mark);
    choose();
  });
})();
