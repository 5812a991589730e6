/* Says aloud what happens, once somebody has tapped "This phone speaks": the sentences of moments,
   and the headline where it changed and stays.

   Only voices of the device itself speak, for others send each sentence
   to their maker; and only those of the page's language. A sentence is finished or not begun: what
   is late, or overtaken by a newer headline, is left out. window.rappel.speaks(): whether it is at
   something, which moments wait for.

   What browsers do to whoever speaks, and is seen to here: voices come late, and not every browser
   tells of it; before the first tap nobody may speak, on iOS not even after it unless the tap
   itself has begun; Chrome falls silent after 15 s of one sentence and forgets to tell the end of
   one that nobody holds; cancel() also takes what is said right after it. */
(function () {
  "use strict";

  var KEPT = "rappelwacht-speaks";
  var LATE_MS = 6000;
  var STAYS_MS = 500; // a headline that is overtaken sooner is nobody's
  var LONG = 150; // letters, about 10 s
  var BEGINS_MS = 4000, LETTER_MS = 160; // within which a sentence ends, or the device hangs
  var CALM_MS = 250; // after cancel()
  var VOICES_MS = [0, 100, 300, 1000, 3000]; // for browsers that do not tell of theirs

  var device = window.speechSynthesis;
  var button = document.getElementById("speaks");
  var note = document.getElementById("speaks-note");
  var on = kept(), woken = false, voice = null, known = false;
  var queue = [], current = null, calmAt = 0, hangs = false;
  var said = "", coming = "", staying = 0; // headlines

  if (!button) return;

  function kept() {
    try { return localStorage.getItem(KEPT) === "yes"; } catch (fault) { return false; }
  }

  function keep() {
    try { localStorage.setItem(KEPT, on ? "yes" : "no"); } catch (fault) { /* till it is closed */ }
  }

  function words(key) {
    var found = document.querySelector('template[data-words="' + key + '"]');
    return found ? found.content.textContent.trim() : "";
  }

  // --- whose voice -----------------------------------------------------------------------------

  function language(tag) { return tag.toLowerCase().split(/[-_]/)[0]; } // Android has de_DE

  function choose() {
    var tag = document.documentElement.lang;
    var all = device ? device.getVoices() : [];
    var own = all.filter(function (one) {
      return one.localService && language(one.lang) === language(tag);
    });
    voice = own.find(function (one) { return one.default; }) || own[0] || null;
    known = known || all.length > 0 || !device;
    tell();
  }

  function tell() {
    button.setAttribute("aria-pressed", String(on));
    var said = !on ? "" : !voice ? (known ? words("no-voice") : "") : woken ? "" : words("tap-to-speak");
    if (note && note.textContent !== said) note.textContent = said;
    if (note) note.hidden = !said;
  }

  // --- one sentence after another --------------------------------------------------------------

  /* Returns a sentence in parts that are short enough to be said in one go. */
  function parts(text) {
    var found = text.match(/[^.!?:;,]+[.!?:;,]*\s*|[.!?:;,]+\s*/g) || [];
    return found.reduce(function (short, one) {
      var last = short.length - 1;
      if (last >= 0 && short[last].length + one.length <= LONG) short[last] += one;
      else short.push(one);
      return short;
    }, []);
  }

  function say(text, isHeadline) {
    if (!on || !voice || !text || !loud()) return;
    queue.push({ text: text, at: Date.now(), headline: isHeadline, timer: 0 });
    next();
  }

  function outdated(one) { // what is to be done now stays true until it is something else
    return one.headline ? one.text !== headline() : Date.now() - one.at > LATE_MS;
  }

  function next() {
    if (!on || !woken || current) return;
    var wait = calmAt - Date.now();
    if (wait > 0) { setTimeout(next, wait); return; }
    var one = queue.shift();
    while (one && outdated(one)) one = queue.shift();
    if (!one || !voice) return;
    current = one;
    go(one, parts(one.text));
  }

  function go(one, left) {
    if (current !== one) return; // somebody wanted silence
    if (!left.length) { current = null; next(); return; }
    if (calmAt > Date.now()) { setTimeout(function () { go(one, left); }, calmAt - Date.now()); return; }
    utter(one, left[0].trim(), function () { go(one, left.slice(1)); });
  }

  /* The end is told once, whatever the device does. */
  function utter(one, text, then) {
    var utterance = one.held = new SpeechSynthesisUtterance(text);
    var ended = false;
    function end() {
      if (ended) return;
      ended = true;
      clearTimeout(one.timer);
      then();
    }
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.volume = loud();
    utterance.onend = function () { hangs = false; end(); };
    utterance.onerror = end;
    one.timer = setTimeout(function () { hangs = true; cancel(); end(); }, BEGINS_MS + LETTER_MS * text.length);
    if (device.paused) device.resume();
    device.speak(utterance);
  }

  function loud() { return window.loudspeaker ? window.loudspeaker.voice() : 1; }

  function cancel() {
    if (device) device.cancel();
    calmAt = Date.now() + CALM_MS;
  }

  function hush() {
    queue = [];
    if (current) clearTimeout(current.timer);
    current = null;
    cancel();
  }

  /* Within a tap: from now on this page may speak. */
  function wake() {
    if (!on || woken) return;
    woken = true;
    if (device) {
      var nothing = new SpeechSynthesisUtterance(" ");
      nothing.volume = 0;
      device.speak(nothing);
    }
    choose();
    next();
  }

  // --- what is said ----------------------------------------------------------------------------

  function headline() {
    var found = document.getElementById("headline");
    return found ? found.getAttribute("data-aloud") || found.textContent.trim() : "";
  }

  function look() {
    var now = headline();
    if (now === coming) return;
    coming = now;
    clearTimeout(staying);
    if (now !== said) staying = setTimeout(function () { said = now; say(now, true); }, STAYS_MS);
  }

  function hear(moment) {
    if (moment.late) return;
    if (queue.some(function (one) { return one.headline; })) { // something happened before it was said
      queue = queue.filter(function (one) { return !one.headline; });
      said = coming = "";
    }
    say(moment.aloud || moment.sentence, false);
  }

  button.addEventListener("click", function () {
    on = !on;
    keep();
    if (!on) { hush(); tell(); return; }
    wake();
    choose();
    say(words("speaks"), false);
    said = coming = headline();
    say(said, true);
  });

  document.addEventListener("moment", function (event) { hear(event.detail); });
  document.addEventListener("morphed", look);

  ["touchend", "click", "keydown"].forEach(function (name) {
    document.addEventListener(name, function (event) {
      if (!button.contains(event.target)) wake();
    }, true);
  });
  window.addEventListener("pagehide", hush);
  if (device && device.addEventListener) device.addEventListener("voiceschanged", choose);
  VOICES_MS.forEach(function (ms, i) {
    setTimeout(function () { known = known || i === VOICES_MS.length - 1; choose(); }, ms);
  });
  button.hidden = false;
  said = coming = headline();
  window.rappel.aloud = function () { return on; };
  window.rappel.speaks = function () {
    return !hangs && Boolean(current || (woken && queue.length)); // nobody waits for one that hangs
  };
})();
