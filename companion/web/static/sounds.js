/* The loudspeaker of a page: how loud it is, and what moments sound like where this phone speaks.

   It must not know any game: a moment's kind is all that its sound depends on. Sounds are computed;
   there are no files. window.loudspeaker: need, ready, now, out, quiet (rattle.js plays by it, too).
   Browsers allow sounds from the first touch on; until somebody needs them nothing is begun. */
(function () {
  "use strict";

  var CEILING = 0.95; // of what a loudspeaker can, however many stones knock at once
  var KEPT = "rappelwacht-volume";
  var USUAL = 0.7;
  var SOFT = 0.35; // beside a voice
  var context = null, out = null, hiss = null, needed = false, waiting = [];
  var volume = kept();

  function kept() {
    try {
      var found = JSON.parse(localStorage.getItem(KEPT));
      if (found && typeof found.loud === "number") return found;
    } catch (fault) { /* a phone that keeps nothing starts over */ }
    return { loud: USUAL, muted: false };
  }

  function keep() {
    try { localStorage.setItem(KEPT, JSON.stringify(volume)); } catch (fault) { /* as above */ }
    if (out) out.gain.value = gain();
  }

  function gain() { return volume.muted ? 0 : volume.loud * volume.loud; }

  function aloud() { return Boolean(window.rappel && window.rappel.aloud && window.rappel.aloud()); }

  function wake() {
    var Context = window.AudioContext || window.webkitAudioContext;
    if (!Context || !(needed || aloud())) return;
    if (!context) begin(new Context());
    if (context.state !== "running") context.resume(); // "interrupted", too: after a call
  }

  function begin(made) {
    context = made;
    var soft = context.createWaveShaper(); // thirteen stones at once shall not crackle
    soft.curve = Float32Array.from({ length: 257 }, function (_, i) {
      return CEILING * Math.sin(Math.PI * (i - 128) / 256);
    });
    out = context.createGain();
    out.gain.value = gain();
    out.connect(soft);
    soft.connect(context.destination);
    waiting.forEach(function (then) { then(context, out); });
    waiting = [];
  }

  // --- what sounds are made of -----------------------------------------------------------------

  /* A tone that swells at once and fades, perhaps gliding to another pitch. */
  function tone(hertz, atS, lastsS, loud, shape, toHertz) {
    var swing = context.createOscillator();
    swing.type = shape || "triangle";
    swing.frequency.setValueAtTime(hertz, atS);
    if (toHertz) swing.frequency.exponentialRampToValueAtTime(toHertz, atS + lastsS);
    swing.connect(faded(atS, lastsS, loud, 0.012));
    swing.start(atS);
    swing.stop(atS + lastsS);
  }

  /* Noise around a pitch: wood, paper, a drum. */
  function noise(hertz, atS, lastsS, loud, swellS) {
    var source = context.createBufferSource();
    var band = context.createBiquadFilter();
    source.buffer = hiss = hiss || hissing();
    source.loop = true;
    band.type = "bandpass";
    band.frequency.value = hertz;
    band.Q.value = 1.2;
    source.connect(band);
    band.connect(faded(atS, lastsS, loud, swellS || 0.003));
    source.start(atS);
    source.stop(atS + lastsS);
  }

  function faded(atS, lastsS, loud, swellS) {
    var level = context.createGain();
    level.gain.setValueAtTime(0.0001, atS);
    level.gain.exponentialRampToValueAtTime(loud * SOFT, atS + swellS);
    level.gain.exponentialRampToValueAtTime(0.0001, atS + lastsS);
    level.connect(out);
    return level;
  }

  function hissing() {
    var buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
    var data = buffer.getChannelData(0);
    for (var i = 0; i < data.length; i += 1) data[i] = Math.random() * 2 - 1;
    return buffer;
  }

  function wood(atS, hertz, loud) {
    noise(hertz * 4, atS, 0.05, loud);
    tone(hertz, atS, 0.09, loud, "sine");
  }

  // --- what moments sound like -----------------------------------------------------------------

  var SOUNDS = {
    dice: function (atS) { // they roll out
      [0, 0.07, 0.13, 0.22, 0.34, 0.5].forEach(function (after, i) {
        wood(atS + after, 420 + 90 * (i % 3), 0.9 - 0.1 * i);
      });
    },
    move: function (atS, lastsS) { // field by field
      var steps = Math.max(1, Math.round(lastsS / 0.3));
      for (var i = 0; i < steps; i += 1) wood(atS + i * lastsS / steps, 300, 0.7);
    },
    banish: function (atS) {
      tone(880, atS, 0.7, 0.6, "triangle", 150);
      wood(atS + 0.7, 120, 1);
    },
    bell: function (atS) { [659, 523].forEach(function (hertz, at) { tone(hertz, atS + 0.5 * at, 1.2, 0.35); }); },
    card: function (atS) { noise(3200, atS, 0.14, 0.8, 0.06); },
    trick: function (atS) {
      [0, 0.09, 0.18].forEach(function (after) { noise(2600, atS + after, 0.14, 0.6, 0.05); });
      tone(523, atS + 0.32, 0.35, 0.4);
    },
    reveal: function (atS) { // a roll on a drum, and there it is
      for (var i = 0; i < 14; i += 1) noise(240, atS + i * 0.05, 0.06, 0.15 + 0.05 * i);
      [659, 988].forEach(function (hertz) { tone(hertz, atS + 0.75, 0.6, 0.4); });
    },
    foul: function (atS) {
      tone(233, atS, 0.22, 0.7, "sawtooth");
      tone(175, atS + 0.24, 0.4, 0.7, "sawtooth");
    },
    win: function (atS) { // a fanfare
      [[523, 0, 0.2], [523, 0.18, 0.14], [523, 0.3, 0.14], [659, 0.44, 0.3], [523, 0.7, 0.2],
       [659, 0.88, 0.2], [784, 1.08, 0.9], [659, 1.08, 0.9], [523, 1.08, 0.9]].forEach(function (one) {
        tone(one[0], atS + one[1], one[2], 0.45, "sawtooth");
        tone(one[0] * 2, atS + one[1], one[2], 0.15);
      });
    }
  };

  document.addEventListener("moment", function (event) {
    var moment = event.detail;
    var sound = SOUNDS.hasOwnProperty(moment.kind) ? SOUNDS[moment.kind] : null;
    if (!sound || moment.late || !aloud() || !context || context.state !== "running") return;
    sound(context.currentTime + 0.02, moment.ms / 1000);
  });

  // --- how loud --------------------------------------------------------------------------------

  var mute = document.getElementById("mute"), loud = document.getElementById("volume");

  function tell() {
    mute.setAttribute("aria-pressed", String(volume.muted));
    loud.value = Math.round(volume.loud * 100);
  }

  if (mute && loud) {
    mute.addEventListener("click", function () { volume.muted = !volume.muted; keep(); tell(); });
    loud.addEventListener("input", function () {
      volume = { loud: loud.value / 100, muted: false };
      keep();
      tell();
    });
    tell();
  }

  ["pointerdown", "pointerup", "keydown", "click"].forEach(function (name) {
    document.addEventListener(name, wake, name !== "click"); // by then a tap has switched it on
  });

  window.loudspeaker = {
    need: function (then) { needed = true; if (context) then(context, out); else waiting.push(then); },
    voice: function () { return volume.muted ? 0 : Math.min(1, volume.loud / USUAL); } // as loud
  };
})();
