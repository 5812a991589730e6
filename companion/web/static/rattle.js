/* Makes stones audible, and visible for those who do not hear: every knock is a short dry tick.

   window.rattle: play and thump. Ticks are computed once,
   each a few pitches that fade and a burst of noise; window.loudspeaker (sounds.js) plays them. */
(function () {
  "use strict";

  var TICKS = 12; // from soft to hard, no two alike, so that stones do not sound like a machine
  var TICK_S = 0.04;
  var SHELL_HZ = [1150, 1740, 2600, 3500, 4800, 6700];
  var SWINGS = 14; // after so many each has faded: it is dry like wood; a tin would have 80
  var FOOT = [[170, 0.4, 40], [520, 0.4, 60], [930, 0.4, 90], [1600, 0.2, 140]]; // on a table
  var WINDOW_MS = 2600; // that the meter shows
  var LATE_MS = 25; // the first knock waits so long, so that none is skipped
  var context = null, out = null, ticks = [], thud = null;
  var knocks = [], painting = false;

  // --- sound -----------------------------------------------------------------------------------

  window.loudspeaker.need(function (found, opened) {
    context = found;
    out = opened;
    for (var i = 0; i < TICKS; i += 1) ticks.push(tick(i / (TICKS - 1)));
    thud = struck(0.16, FOOT, [0.3, 420]);
  });

  /* Returns something that is struck: what it rings at, each as [Hz, how loud, how soon it fades],
     and the noise of the blow itself, as [how loud, how soon it fades]. */
  function struck(seconds, rings, blow) {
    var rate = context.sampleRate;
    var buffer = context.createBuffer(1, Math.round(seconds * rate), rate);
    var data = buffer.getChannelData(0);
    for (var i = 0; i < data.length; i += 1) {
      var t = i / rate;
      var sum = blow[0] * (Math.random() * 2 - 1) * Math.exp(-t * blow[1]);
      for (var k = 0; k < rings.length; k += 1) {
        sum += rings[k][1] * Math.sin(2 * Math.PI * rings[k][0] * t) * Math.exp(-t * rings[k][2]);
      }
      data[i] = sum * Math.min(1, (seconds - t) * 200);
    }
    return buffer;
  }

  /* A steel ball against the shell of a barrel. All shells are alike: where it hits decides how
     much of each pitch is heard, and the harder it hits, the brighter it sounds, 0 to 1. */
  function tick(bright) {
    return struck(TICK_S, SHELL_HZ.map(function (hertz) {
      var where = Math.cos(2 * Math.PI * Math.random());
      var loud = hertz / 1500 * Math.exp(-hertz / (1800 + 2200 * bright)); // a soft blow is a long one
      return [hertz, loud * where, Math.PI * hertz / SWINGS];
    }), [0.1 + 0.2 * bright, 2000]);
  }

  function sound(buffer, atS, gain, rate, ear) {
    var source = context.createBufferSource();
    var level = context.createGain();
    source.buffer = buffer;
    source.playbackRate.value = rate;
    level.gain.value = gain;
    source.connect(level);
    if (ear && context.createStereoPanner) {
      var pan = context.createStereoPanner();
      pan.pan.value = ear;
      level.connect(pan);
      pan.connect(out);
    } else {
      level.connect(out);
    }
    source.start(atS);
  }

  /* Returns a tick that fits; one beside it does as well, for no stone hits twice alike. */
  function hardness(strength) {
    return Math.max(0, Math.min(TICKS - 1, Math.floor(strength * TICKS + Math.random() * 3 - 1.5)));
  }

  /* Lets one barrel be heard: knocks as [{at_ms, strength}] from now, at an ear from -1 to 1. */
  function play(heard, ear, seen) {
    var begun = performance.now() + LATE_MS;
    var running = context && context.state === "running";
    var beganS = running ? context.currentTime + LATE_MS / 1000 : 0;
    heard.forEach(function (one) {
      if (one.at_ms < -LATE_MS) return;
      var gain = 0.08 + 0.92 * Math.pow(one.strength, 1.3);
      if (running) {
        sound(ticks[hardness(one.strength)], beganS + Math.max(0, one.at_ms) / 1000, gain,
              0.97 + Math.random() * 0.06, ear * 0.6);
      }
      knocks.push({ at: begun + one.at_ms, strength: one.strength, ear: ear, seen: seen });
    });
    var before = document.getElementById("what-bars");
    if (before && knocks.length) before.hidden = true;
    knocks.sort(function (one, other) { return one.at - other.at; });
    if (!painting && knocks.length) { painting = true; requestAnimationFrame(paint); }
  }

  /* Something of wood: a barrel is set down. */
  function thump(afterMs) {
    if (!context || context.state !== "running") return;
    sound(thud, context.currentTime + (afterMs || 0) / 1000, 0.55, 0.95 + Math.random() * 0.1, 0);
  }

  // --- sight -----------------------------------------------------------------------------------

  window.addEventListener("resize", function () { draw(performance.now()); });

  function paint() {
    var now = performance.now();
    knocks.forEach(function (one) {
      if (one.seen && one.at <= now) { one.seen(one.strength); one.seen = null; }
    });
    knocks = knocks.filter(function (one) { return one.at > now - WINDOW_MS; });
    draw(now);
    painting = knocks.length > 0;
    if (painting) requestAnimationFrame(paint);
  }

  /* Each knock is a bar that wanders away from the middle: to the left what the left hand shakes. */
  function draw(now) {
    var canvas = document.getElementById("meter");
    if (!canvas) return;
    var scale = window.devicePixelRatio || 1;
    var wide = canvas.clientWidth, high = canvas.clientHeight;
    if (canvas.width !== Math.round(wide * scale) || canvas.height !== Math.round(high * scale)) {
      canvas.width = Math.round(wide * scale);
      canvas.height = Math.round(high * scale);
    }
    var pen = canvas.getContext("2d");
    var style = getComputedStyle(canvas);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, wide, high);
    pen.fillStyle = style.borderTopColor;
    pen.fillRect(wide / 2 - 0.5, 0, 1, high);
    pen.fillStyle = style.color;
    knocks.forEach(function (one) {
      if (one.at > now) return;
      var age = (now - one.at) / WINDOW_MS;
      var tall = 4 + one.strength * (high - 8);
      pen.globalAlpha = Math.max(0.15, 1 - age);
      pen.fillRect(wide / 2 + (one.ear < 0 ? -1 : 1) * (5 + age * (wide / 2 - 8)) - 2, high - tall, age < 0.02 ? 6 : 4, tall);
    });
    pen.globalAlpha = 1;
  }

  /* Who hears nothing is told where to look. */
  function hush() {
    var said = document.getElementById("watch-bars"), muted = document.getElementById("mute");
    if (said) said.hidden = muted.getAttribute("aria-pressed") !== "true" && loud.value !== "0";
  }

  var loud = document.getElementById("volume"); // whoever sets it hears how loud that is
  if (loud) loud.addEventListener("input", function () { play([{ at_ms: 0, strength: 0.6 }], 0); });
  ["click", "input"].forEach(function (name) { document.addEventListener(name, hush); });
  hush();
  draw(performance.now());
  window.rattle = { play: play, thump: thump };
})();
