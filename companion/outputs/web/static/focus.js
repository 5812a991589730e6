/* Keeps the focus where the next thing is, for keys and screen readers; and has these told what
   happens, each moment once: politely, but for fouls, which interrupt.

   It must not know any game. What somebody used last may go away, or be switched off until an
   answer comes; then the focus goes to what the page asks for ([data-asked]), or to the first thing
   that can be done (#play), or to the headline. It is never taken from anything that still has it. */
(function () {
  "use strict";

  var USED = "button, a[href], input, select, textarea, summary, [tabindex='0']";
  var last = null; // what had the focus, unless somebody left it on purpose

  function usable(one) {
    return one.isConnected && !one.disabled && one.getClientRects().length > 0 && !one.closest("[inert]");
  }

  function first(within) {
    var all = within.matches(USED) ? [within] : Array.from(within.querySelectorAll(USED));
    return all.find(usable) || null;
  }

  /* Returns what the page asks for now: a mark may be for one phase alone. */
  function asked() {
    var found = null;
    Array.from(document.querySelectorAll("[data-live] [data-asked]")).some(function (one) {
      var phase = one.getAttribute("data-asked");
      if (phase && !one.closest(".phase-" + phase)) return false;
      found = first(one);
      return Boolean(found);
    });
    return found;
  }

  function next() {
    var play = document.getElementById("play");
    return asked() || (play && first(play)) || document.getElementById("headline");
  }

  document.addEventListener("focusin", function (event) {
    last = event.target.closest("[data-live]") ? event.target : null;
  });

  document.addEventListener("pointerdown", function (event) {
    if (last && !last.contains(event.target)) last = null;
  }, true);

  document.addEventListener("morphed", function () {
    var now = document.activeElement;
    if (now && now !== document.body && usable(now)) return;
    if (!last) return;
    var place = next();
    if (place) place.focus({ preventScroll: true });
  });

  // --- what is told ----------------------------------------------------------------------------

  document.addEventListener("moment", function (event) {
    var moment = event.detail;
    var place = document.getElementById(moment.kind === "foul" ? "alarmed" : "announced");
    if (!place || moment.late) return;
    var same = place.textContent === moment.sentence; // said again, it would not be noticed
    place.textContent = same ? moment.sentence + "\u00a0" : moment.sentence;
  });
})();
