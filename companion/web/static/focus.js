/* Keeps the focus where the next thing is, for keys and screen readers; and has these told what
   happens, each moment once: politely, but for fouls, which interrupt.

   What somebody used last may go away, or be switched off once its
   answer has come; then the focus goes to what the page asks for ([data-asked]), or to the first thing
   that can be done (#play), or to the headline. It is never taken from anything that still has it. */
(function () {
  "use strict";

  var USED = "button, a[href], input, select, textarea, summary, [tabindex='0']";
  var last = null; // what had the focus, unless somebody left it on purpose

  function usable(one) {
    var fold = one.closest("details:not([open])"); // what is in one has a size all the same
    return one.isConnected && !one.disabled && one.getClientRects().length > 0 &&
           !one.closest("[inert]") && (!fold || one.parentNode === fold);
  }

  function first(within) {
    var all = within.matches(USED) ? [within] : Array.from(within.querySelectorAll(USED));
    return all.find(usable) || null;
  }

  /* Returns where keys do what is asked for: in a picture perhaps only pointers can. */
  function place(asked) {
    var keys = document.getElementById(asked.getAttribute("data-keys"));
    return (keys && first(keys)) || first(asked);
  }

  /* Returns what the page asks for now: a mark may be for one phase alone. */
  function asked() {
    var found = null;
    Array.from(document.querySelectorAll("main [data-asked]")).some(function (one) {
      var phase = one.getAttribute("data-asked");
      if (phase && !document.querySelector("[data-live].phase-" + phase)) return false;
      found = place(one);
      return Boolean(found);
    });
    return found;
  }

  function next() {
    var play = document.getElementById("play");
    var can = play ? Array.from(play.querySelectorAll(USED)).filter(usable) : [];
    return asked() || can.find(function (one) { return one.nodeName !== "SUMMARY"; }) ||
           document.getElementById("headline");
  }

  document.addEventListener("focusin", function (event) {
    last = event.target.closest("main") ? event.target : null;
  });

  /* Beside the live part things go away by themselves, such as a hand that has put its barrel down. */
  document.addEventListener("focusout", function (event) {
    var left = event.target;
    if (event.relatedTarget || left !== last || left.closest("[data-live]")) return;
    setTimeout(function () { if (last === left && !usable(left)) settle(); }, 0);
  });

  document.addEventListener("pointerdown", function (event) {
    if (last && !last.contains(event.target)) last = null;
  }, true);

  function settle() {
    var now = document.activeElement;
    if (last && last.isConnected && last.getAttribute("aria-busy") === "true") return; // it is answered soon
    if (last && !(now && now !== document.body && usable(now))) go();
  }

  function go() {
    var goal = next();
    if (goal) goal.focus({ preventScroll: true });
  }

  window.rappel.goOn = go;
  window.rappel.settle = settle;

  document.addEventListener("morphed", settle);

  // --- what is told ----------------------------------------------------------------------------

  document.addEventListener("moment", function (event) {
    var moment = event.detail;
    var place = document.getElementById(moment.kind === "foul" ? "alarmed" : "announced");
    if (!place || moment.late) return;
    var same = place.textContent === moment.sentence; // said again, it would not be noticed
    place.textContent = same ? moment.sentence + "\u00a0" : moment.sentence;
  });
})();
