/* Sends what people and a director tap in a tournament, and tells why where it is refused.

   A button [data-post] posts to that address, [data-direct] what the director wants; where it says
   [data-sure], only a second tap does it. A result is tapped in the order in which people came in;
   [data-equal] has whoever was tapped last share the place of those before. Two people of a
   proposal are swapped by tapping one after the other. What was tapped stays while the page is
   renewed. */
(function () {
  "use strict";

  var SURE_MS = 5000;
  var orders = {}; // by match: the places in order, of each those who share it
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

  function placeOf(order, person) { // 0: nobody has tapped that person yet
    var ahead = 0;
    for (var at = 0; at < order.length; at += 1) {
      if (order[at].indexOf(person) >= 0) return ahead + 1;
      ahead += order[at].length;
    }
    return 0;
  }

  function people(form) {
    return Array.from(form.querySelectorAll("[data-person]"));
  }

  function mark(form) {
    var order = orders[form.getAttribute("data-result")] || [], last = order[order.length - 1] || [];
    var missing = 0;
    people(form).forEach(function (one) {
      var place = placeOf(order, one.getAttribute("data-person"));
      one.setAttribute("aria-pressed", place ? "true" : "false");
      if (place) one.setAttribute("data-place", place); else { one.removeAttribute("data-place"); missing += 1; }
    });
    form.querySelector("button.main").disabled = missing > 0;
    var equal = form.querySelector("[data-equal]");
    equal.setAttribute("aria-pressed", last.length > 1 ? "true" : "false");
    equal.disabled = order.length < 2 && last.length < 2;
  }

  function placed(button) {
    var form = button.closest("[data-result]"), id = form.getAttribute("data-result");
    var order = orders[id] || (orders[id] = []), person = button.getAttribute("data-person");
    if (placeOf(order, person)) {
      orders[id] = order.map(function (place) {
        return place.filter(function (one) { return one !== person; });
      }).filter(function (place) { return place.length; });
    } else {
      order.push([person]);
      var rest = people(form).filter(function (one) {
        return !placeOf(order, one.getAttribute("data-person"));
      });
      if (rest.length === 1) order.push([rest[0].getAttribute("data-person")]); // who is left
    }
    mark(form);
  }

  function equalled(button) { // whoever was tapped last shares the place before, or does so no more
    var form = button.closest("[data-result]"), order = orders[form.getAttribute("data-result")] || [];
    var last = order.pop() || [];
    if (last.length > 1) order.push(last.slice(0, -1), last.slice(-1));
    else if (order.length) order.push(order.pop().concat(last));
    mark(form);
  }

  function entered(form) {
    var id = form.getAttribute("data-result"), places = orders[id] || [];
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
    else if (button.hasAttribute("data-equal")) equalled(button);
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
      var kept = !!of.kept && of.kept.checked;
      direct({ "do": "check-in", name: of.name.value, kept: kept }, function () { form.reset(); });
    } else if (form.id === "choose") {
      direct({ "do": "choose", game: of.game.value, mode: of.mode.value, wanted: Number(of.wanted.value) });
    } else return;
    event.preventDefault();
  });

  // --- the tables at one glance --------------------------------------------------------------------

  function minutes() {
    Array.from(document.querySelectorAll("[data-since]")).forEach(function (one) {
      var said = Math.max(0, Math.floor((Date.now() - one.getAttribute("data-since")) / 60000)) + " min";
      if (one.textContent !== said) one.textContent = said;
    });
  }

  document.addEventListener("keydown", function (event) { // arrows go from table to table
    var cell = event.target.nodeName === "SUMMARY" && event.target.closest(".cell");
    var on = { ArrowRight: "nextElementSibling", ArrowDown: "nextElementSibling",
               ArrowLeft: "previousElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    var other = cell && on && cell[on];
    if (!other) return;
    event.preventDefault();
    other.querySelector("summary").focus();
  });

  setInterval(minutes, 10000);
  minutes();

  document.addEventListener("morphed", function () {
    minutes();
    Array.from(document.querySelectorAll("[data-result]")).forEach(mark);
    choose();
  });
})();
