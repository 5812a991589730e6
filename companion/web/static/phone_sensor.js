/* Asks the browser how this phone is moved, and finds out where its screen is.

   Browsers tell motion only to pages that they trust, some only when asked by a tap, and some never.
   Signs and axes differ, so a phone lies on either side once.
   window.phone: begin, end and lying. What comes of it is told by the words of the page's templates
   (phone-…). */
(function () {
  "use strict";

  var KEPT = "rappelwacht-lying", SILENT_MS = 2500, LIES_MS = 1000, LIES = 0.3; // m/s²
  var rows = [], lying = kept(), up = null, told = 0, user = null;

  function kept() { try { return JSON.parse(localStorage.getItem(KEPT)); } catch (fault) { return null; } }

  /* Within a tap: whoever begins is told by says(word) what to do, by fails(word) why there is no
     motion, and by feels(row, real) of each [ms, x, y, z] once it is known where the screen is. */
  function begin(wanted) {
    var kind = window.DeviceMotionEvent;
    if (!window.isSecureContext || !kind) return wanted.fails(window.isSecureContext ? "no_sensor" : "untrusted");
    (kind.requestPermission ? kind.requestPermission() : Promise.resolve("granted")).then(function (answer) {
      if (answer !== "granted") return wanted.fails("not_allowed");
      end();
      user = wanted;
      window.addEventListener("devicemotion", feel);
      if (!lying) user.says("lay_up");
      setTimeout(function () { if (user === wanted && !told) { end(); wanted.fails("no_motion"); } }, SILENT_MS);
    }, function () { wanted.fails("not_allowed"); });
  }

  function end() {
    window.removeEventListener("devicemotion", feel);
    user = up = null;
    rows = [];
    told = 0;
  }

  function feel(event) {
    var force = event.accelerationIncludingGravity;
    if (!force || [force.x, force.y, force.z].some(function (part) { return typeof part !== "number"; })) return;
    var row = [event.timeStamp, force.x, force.y, force.z];
    told += 1;
    if (lying) return user.feels(row, event.isTrusted);
    rows.push(row);
    lie();
  }

  /* Finds out what it feels with its screen up, then down: where it lies still for a second. */
  function lie() {
    while (rows[0][0] < rows[rows.length - 1][0] - 1.1 * LIES_MS) rows.shift();
    var axes = [1, 2, 3].map(function (axis) { return rows.map(function (row) { return row[axis]; }); });
    var still = axes.every(function (felt) { return Math.max.apply(null, felt) - Math.min.apply(null, felt) < LIES; });
    if (!still || rows[rows.length - 1][0] - rows[0][0] < LIES_MS) return;
    var mean = axes.map(function (felt) { return felt.reduce(function (sum, part) { return sum + part; }, 0) / felt.length; });
    rows = [];
    if (!up) { up = mean; return user.says("lay_down"); }
    if (Math.hypot.apply(null, mean.map(function (part, axis) { return part + up[axis]; })) > 0.3 * Math.hypot.apply(null, up)) return;
    lying = { up: up, down: mean };
    try { localStorage.setItem(KEPT, JSON.stringify(lying)); } catch (fault) { /* till it is closed */ }
    user.says("lies");
  }

  window.phone = { begin: begin, end: end, lying: function () { return lying; } };
})();
