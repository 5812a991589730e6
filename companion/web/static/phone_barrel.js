/* Lets this phone be the barrel in the own hand: what it feels goes to the table, which alone judges.

   Browsers tell motion only to pages that they trust, some only when asked by a tap, and some never:
   then fingers shake as before. Signs and axes differ, so a phone lies on either side once. */
(function () {
  "use strict";

  var KEPT = "rappelwacht-lying", BATCH_MS = 100, MOST = 64, SILENT_MS = 2500, LIES_MS = 1000, LIES = 0.3; // m/s²
  var key = document.getElementById("phone"), hands = window.hands, rappel = window.rappel;
  if (!key || !hands) return;
  var on = false, rows = [], told = 0, lying = kept(), up = null, sending = false, left = false, was = null;

  function kept() { try { return JSON.parse(localStorage.getItem(KEPT)); } catch (fault) { return null; } }

  function turn(wanted, why) {
    on = wanted;
    rows = [];
    key.setAttribute("aria-pressed", String(on));
    window[on ? "addEventListener" : "removeEventListener"]("devicemotion", feel);
    hands.phone("off", why ? hands.words("phone-" + why) : "");
  }

  key.addEventListener("click", function () {
    var kind = window.DeviceMotionEvent;
    if (on || !window.isSecureContext || !kind) return turn(false, on ? "" : window.isSecureContext ? "no_sensor" : "untrusted");
    (kind.requestPermission ? kind.requestPermission() : Promise.resolve("granted")).then(function (answer) {
      if (answer !== "granted") return turn(false, "not_allowed");
      told = 0;
      turn(true, lying ? "" : "lay_up");
      setTimeout(function () { if (on && !told) turn(false, "no_motion"); }, SILENT_MS);
    }, function () { turn(false, "not_allowed"); });
  });

  function feel(event) {
    var force = event.accelerationIncludingGravity;
    if (!force || [force.x, force.y, force.z].some(function (part) { return typeof part !== "number"; })) return;
    told += 1;
    rows.push([event.timeStamp, force.x, force.y, force.z]);
    if (!lying) lie();
  }

  /* Finds out what it feels with its screen up, then down: where it lies still for a second. */
  function lie() {
    while (rows[0][0] < rows[rows.length - 1][0] - 1.1 * LIES_MS) rows.shift();
    var axes = [1, 2, 3].map(function (axis) { return rows.map(function (row) { return row[axis]; }); });
    var still = axes.every(function (felt) { return Math.max.apply(null, felt) - Math.min.apply(null, felt) < LIES; });
    if (!still || rows[rows.length - 1][0] - rows[0][0] < LIES_MS) return;
    var mean = axes.map(function (felt) { return felt.reduce(function (sum, part) { return sum + part; }, 0) / felt.length; });
    rows = [];
    if (!up) { up = mean; return hands.phone("off", hands.words("phone-lay_down")); }
    if (Math.hypot.apply(null, mean.map(function (part, axis) { return part + up[axis]; })) > 0.3 * Math.hypot.apply(null, up)) return;
    lying = { up: up, down: mean };
    try { localStorage.setItem(KEPT, JSON.stringify(lying)); } catch (fault) { /* till it is closed */ }
    hands.phone("off", hands.words("phone-lies"));
  }

  setInterval(function () {
    var handle = on && lying ? hands.mine() : null;
    if (!on || !lying || sending) return;
    if (handle === null && was !== null) hands.phone("off");
    was = handle;
    if (handle === null) rows = [];
    if (!rows.length) return;
    sending = true;
    var batch = { barrel: handle, down: lying.down, up: lying.up, felt: rows.splice(0).slice(-MOST) };
    rappel.post("/api/simulated/motion", batch).then(function (answer) {
      sending = false;
      if (!on) return;
      if (answer.ok) become(handle, answer.body); else hands.phone("off", (answer.body.error || {}).sentence);
    }, function () { sending = false; hands.phone("off"); }); // what is felt meanwhile is a gap
  }, BATCH_MS);

  function become(handle, felt) {
    hands.phone(felt.pose, "", handle, felt.number);
    hands.hear({ heard: [{ barrel: handle, knocks: felt.knocks }] });
    if (felt.knocks.length && navigator.vibrate) navigator.vibrate(Math.min(40, 8 + 2 * felt.knocks.length));
    if (felt.pose === "left" && !left) hands.lay(handle);
    left = felt.pose === "left";
    if (felt.pose === "turned") hands.flip(handle);
  }
})();
