/* Lets this phone be the barrel in the own hand: what it feels goes to the table, which alone judges.

   Where a browser does not tell what it feels (phone_sensor.js), fingers shake as before. */
(function () {
  "use strict";

  var BATCH_MS = 100, MOST = 64, AGAIN_MS = 2000;
  var key = document.getElementById("phone"), gives = document.getElementById("gives");
  var hands = window.hands, rappel = window.rappel, phone = window.phone;
  if (!key || !hands) return;
  var on = false, rows = [], sending = false, laid = 0, was = null;

  function turn(wanted, why) {
    on = wanted;
    rows = [];
    if (!on) phone.end();
    key.setAttribute("aria-pressed", String(on));
    hands.phone("off", why ? hands.words("phone-" + why) : "");
  }

  key.addEventListener("click", function () {
    if (on) return turn(false);
    phone.begin({
      says: function (word) { turn(true, word); },
      fails: function (word) { turn(false, word); },
      feels: function (row) { if (!on) turn(true); rows.push(row); }
    });
  });

  /* To record how a hand moves it, this page is left: never in the middle of a match. */
  function offer() { gives.hidden = !on || !phone.lying() || Boolean(document.querySelector("[data-awake]")); }

  setInterval(function () {
    offer();
    var lying = phone.lying(), handle = on && lying ? hands.mine() : null;
    if (!on || !lying || sending) return;
    if (handle === null && was !== null) hands.phone("off");
    was = handle;
    if (handle === null) rows = [];
    if (!rows.length) return;
    sending = true;
    var batch = { barrel: handle, down: lying.down, up: lying.up, felt: rows.splice(0).slice(-MOST), flips: hands.flips() };
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
    if (felt.pose !== "left") laid = 0;
    else if (!laid || performance.now() > laid + AGAIN_MS) { // still in hand: it was refused, or got lost
      laid = performance.now();
      hands.lay(handle);
    }
    if (felt.pose === "turned") hands.flip(handle);
  }
})();
