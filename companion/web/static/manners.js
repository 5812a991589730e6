/* What a phone does by itself: its screen stays on while a match is played, it shakes when it is
   somebody's turn who holds it, and says so in the title. A wall has a clock.

   It must not know what is played: [data-awake] is there while a match is, [data-mine] while this
   phone's seat is waited for. Browsers keep a screen on only where the pages come by HTTPS or from
   the same computer; then it is let go while the page is hidden, so it is asked for again. They let
   a phone shake once it was tapped. A page that is hidden is not kept fresh; of a phone that plays
   along its turn is asked after now and then, for the title in a row of tabs. */
(function () {
  "use strict";

  var KEPT = "rappelwacht-vibrates";
  var SHAKES_MS = [90, 70, 90];
  var ASK_MS = 5000;
  var SIGN = "\u25cf "; // a full circle
  var usual = document.title;
  var button = document.getElementById("vibrates");
  var lock = null, asking = false, mine = false, on = kept(), tapped = false, timer = 0;

  function kept() {
    try { return localStorage.getItem(KEPT) !== "no"; } catch (fault) { return true; }
  }

  function keep() {
    try { localStorage.setItem(KEPT, on ? "yes" : "no"); } catch (fault) { /* till it is closed */ }
  }

  function hidden() { return document.visibilityState === "hidden"; }

  // --- a clock on the wall -------------------------------------------------------------------------

  var clock = document.getElementById("clock");

  function tick() {
    clock.textContent = new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }

  if (clock) { tick(); setInterval(tick, 1000); }

  // --- the screen stays on -----------------------------------------------------------------------

  function awake() {
    var wanted = Boolean(document.querySelector("[data-awake]")) && !hidden();
    if (!wanted && lock) { lock.release(); lock = null; }
    if (!wanted || lock || asking || !navigator.wakeLock) return;
    asking = true;
    navigator.wakeLock.request("screen").then(function (given) {
      asking = false;
      lock = given;
      given.addEventListener("release", function () { if (lock === given) lock = null; });
      awake(); // perhaps it is wanted no more
    }, function () { asking = false; }); // a battery that is nearly empty; a page that was just left
  }

  // --- somebody's turn ---------------------------------------------------------------------------

  function tell(now) {
    var words = document.querySelector('template[data-words="your-turn"]');
    var title = now && words ? SIGN + words.content.textContent.trim() + " \u2013 Rappelwacht" : usual;
    if (document.title !== title) document.title = title;
    if (now && !mine && on && tapped && navigator.vibrate) navigator.vibrate(SHAKES_MS);
    mine = now;
  }

  function look() {
    awake();
    if (!hidden()) tell(Boolean(document.querySelector("[data-mine]")));
  }

  function ask() { // while nobody looks
    clearTimeout(timer);
    var part = document.querySelector("[data-awake][data-seat]");
    if (!hidden() || !part || !window.fetch) return;
    timer = setTimeout(function () {
      fetch("/api/view/" + part.getAttribute("data-live"), { cache: "no-store", credentials: "same-origin" })
        .then(function (answer) { return answer.ok ? answer.json() : null; })
        .then(function (found) { if (found && hidden()) tell(/<section [^>]*data-mine/.test(found.html)); },
              function () { /* it is asked again */ })
        .then(ask);
    }, ASK_MS);
  }

  // --- names of a few letters ----------------------------------------------------------------------

  /* A field takes no more letters than it may have, as people count them: nothing is refused later. */
  document.addEventListener("input", function (event) {
    var field = event.target, most = parseInt(field.getAttribute("data-letters"), 10);
    if (!most || event.isComposing) return;
    var text = field.value.replace(/^\s+/, "");
    var all = window.Intl && Intl.Segmenter
      ? Array.from(new Intl.Segmenter().segment(text), function (one) { return one.segment; }) : Array.from(text);
    if (all.length > most) field.value = all.slice(0, most).join("");
  });

  // --- the switch --------------------------------------------------------------------------------

  function show() { if (button) button.setAttribute("aria-pressed", String(on)); }

  if (button && navigator.vibrate) {
    button.hidden = false;
    show();
    button.addEventListener("click", function () {
      on = !on;
      keep();
      show();
      if (on) navigator.vibrate(SHAKES_MS);
    });
  }

  document.addEventListener("click", function () { tapped = true; }, true);
  document.addEventListener("morphed", look);
  document.addEventListener("visibilitychange", function () { look(); ask(); });
  mine = Boolean(document.querySelector("[data-mine]")); // no news to whoever opens the page now
  tell(mine);
  awake();
})();
