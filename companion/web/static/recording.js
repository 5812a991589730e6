/* Records how a hand moves this phone, thing by thing as it is asked, into a file to be given away.

   Nothing of it leaves the phone until somebody shares or saves that file, whose format is that of
   hardware/recordings.md. Time is what the sensor says, and passes in the file only from signal to
   signal: it does not tell when, nor how long somebody read or rested. A thing begins once the screen
   was seen, and then is towards the table. Whoever turns it up before the signal, locks the phone or
   loses its motion has to do that one again; what is done so far stays in the browser meanwhile. */
(function () {
  "use strict";

  var KEPT = "rappelwacht-recording", STOPPER = 7, NODE = "7cdfa1000007"; // which one feels it when it is played
  var AWAKE_US = 15e6, APART_US = 2e6; // until a stopper is awake; until a barrel stands again
  var LEAD_MS = 500, TOWARDS_MS = 1000, GAP_MS = 500, READ_MS = 600, LOOKS_MS = 3000, BUCKET_MS = 250, ROWS = 50;
  var SMOOTH_MS = 150, UPRIGHT = 60, UP = 120, STEADY = 0.15; // degrees; of 1 g
  var BUZZ = 40, LAST = [200, 100, 200], HERTZ = 660;

  function $(id) { return document.getElementById(id); }
  var phone = window.phone, rappel = window.rappel;
  var asked = Array.prototype.map.call(document.querySelectorAll("template[data-task]"), function (one) {
    return {
      task: one.dataset.task, ms: 1000 * one.dataset.seconds, times: Number(one.dataset.times),
      says: one.content.textContent.trim()
    };
  });
  var blank = { lines: [], at: 0, us: AWAKE_US, done: [], drawn: [], rows: 0, ms: 0, real: true };
  var made = kept() || blank;
  var state = "off", from = 0, reached = 0, rows = [], last = 0, held = null, towards = null, up = null, seen = false, paused = false;
  var bucket = null, before = 0, speaker = null;

  function kept() {
    try {
      var found = JSON.parse(localStorage.getItem(KEPT));
      return found && Array.isArray(found.lines) && phone.lying() ? found : null;
    } catch (fault) { return null; }
  }

  function keep() {
    try { localStorage.setItem(KEPT, JSON.stringify(made)); } catch (fault) { /* till it is closed */ }
  }

  function words(key) {
    var found = document.querySelector('template[data-words="' + key + '"]');
    return found ? found.content.textContent.trim() : "";
  }

  function show(id) {
    ["consent", "kept", "lying", "session", "over"].forEach(function (part) { $(part).hidden = part !== id; });
    $("now").hidden = true;
    document.body.toggleAttribute("data-awake", id === "lying" || id === "session");
    document.dispatchEvent(new Event("morphed")); // the screen stays on, and the phone speaks
  }

  function say(text, hint) {
    $("headline").textContent = text;
    $("hint").textContent = hint ? words(hint) : "";
    $("hint").hidden = !hint;
  }

  function signal(shakes) {
    if (navigator.vibrate && vibrates()) navigator.vibrate(shakes);
    if (!speaker || speaker.context.state !== "running") return;
    (shakes === LAST ? [1, 1.5] : [1]).forEach(function (pitch, at) {
      var swing = speaker.context.createOscillator(), beganS = speaker.context.currentTime + 0.2 * at;
      swing.frequency.value = HERTZ * pitch;
      swing.connect(speaker.out);
      swing.start(beganS);
      swing.stop(beganS + 0.15);
    });
  }

  function vibrates() {
    try { return localStorage.getItem("rappelwacht-vibrates") !== "no"; } catch (fault) { return true; }
  }

  // --- what is asked ---------------------------------------------------------------------------

  function begin() {
    phone.begin({
      says: function (word) {
        if (word === "lies") return ask();
        state = "lying";
        $("lies").textContent = words("phone-" + word);
        show("lying");
      },
      fails: function (word) {
        state = "off";
        show(made.lines.length ? "kept" : "consent");
        $("fails").textContent = words("phone-" + word);
        $("fails").hidden = false;
        $("untrusted").hidden = word !== "untrusted";
      },
      feels: feel
    });
  }

  /* Nobody who plays just now is taken away from the table; without an answer there is no match. */
  function start() {
    state = "off";
    if (window.loudspeaker) window.loudspeaker.need(function (context, out) { speaker = { context: context, out: out }; });
    fetch(location.pathname, { cache: "no-store", credentials: "same-origin" }).then(function (answer) { return answer.text(); })
      .catch(function () { return ""; }).then(function (page) { if (/ id="busy">/.test(page)) location.reload(); });
    begin();
  }

  /* Says what is next, and waits until the screen was seen and is turned towards the table. */
  function ask(hint) {
    if (made.at >= asked.length) return finish();
    state = "asked";
    seen = false;
    towards = null;
    $("step").textContent = words("step").replace("{number}", made.at + 1).replace("{all}", asked.length);
    $("steps").value = made.at;
    $("again").disabled = !made.at && !made.done[0];
    say(asked[made.at].says, hint);
    show("session");
  }

  function feel(row, real) {
    if (state === "off" || state === "lying") ask();
    var late = row[0] - last > GAP_MS, tilt = tilted(row, late);
    last = row[0];
    made.real = made.real && real;
    if (state === "asked") return wait(row[0], tilt);
    if (late) return fail("lost");
    var now = row[0] - from, task = asked[made.at];
    $("left").textContent = String(Math.max(0, Math.ceil((task.ms - Math.max(0, now)) / 1000)));
    if (now < 0) return;
    if (now >= task.ms) return end();
    reached = now;
    rows.push([Math.floor(made.us + 1000 * now), round(row[1]), round(row[2]), round(row[3])]);
    draw(now, tilt);
    if (rows.length === ROWS) flush();
    if (tilt < UP || held.off > STEADY) up = null; else if (up === null) up = now;
    if (up !== null && now - up > (task.task === "look" ? LOOKS_MS : READ_MS)) fail("turned");
  }

  function wait(at, tilt) {
    if (tilt > 90) seen = true;
    if (tilt > UPRIGHT || paused || !seen) towards = null; else if (towards === null) towards = at;
    if (towards === null || at - towards < TOWARDS_MS) return;
    made.done[made.at] = made.done[made.at] || 0;
    made.drawn[made.at] = made.drawn[made.at] || [];
    go(at);
  }

  function go(at) {
    state = "going";
    from = at + LEAD_MS;
    reached = 0;
    up = bucket = null;
    before = made.drawn[made.at].length;
    rows = [];
    signal(BUZZ);
    $("count").textContent = words("times").replace("{number}", made.done[made.at] + 1).replace("{all}", asked[made.at].times);
    $("doing").textContent = asked[made.at].says;
    $("now").hidden = false;
    note(made.us, { kind: "choosing", seats: ["red"], at_us: made.us });
  }

  /* Writes down what was done; whether it counts, who asked says next. */
  function written(ms) {
    var task = asked[made.at], to = Math.round(made.us + 1000 * ms);
    flush();
    note(to, { kind: "chosen", at_us: to });
    note(to, { kind: "done", task: task.task, stopper: STOPPER, seat: null, from_us: made.us, to_us: to, noticed: true });
    made.us = to + APART_US;
    made.ms += ms;
  }

  function end() {
    var task = asked[made.at];
    written(task.ms);
    made.done[made.at] += 1;
    if (made.done[made.at] < task.times) { keep(); return go(last); }
    made.at += 1;
    signal(LAST);
    keep();
    ask();
  }

  function fail(why) {
    if (state !== "going") return;
    written(reached);
    undone();
    made.drawn[made.at].length = before;
    signal(LAST);
    keep();
    ask(why);
  }

  function undone() { note(made.us - APART_US, { kind: "again" }); } // what was done last does not count

  function discard(at) {
    for (; made.done[at] > 0; made.done[at] -= 1) undone();
    made.drawn[at] = [];
  }

  // --- what is written -------------------------------------------------------------------------

  function round(force) { return Math.round(100 * force) / 100; }

  function note(us, what) { made.lines.push(us + " note " + plain(JSON.stringify(what))); }

  function plain(text) { // a file is ASCII
    return text.replace(/[\u007f-\uffff]/g, function (letter) { return "\\u" + ("000" + letter.charCodeAt(0).toString(16)).slice(-4); });
  }

  function flush() {
    if (rows.length) note(rows[rows.length - 1][0], { kind: "felt", samples: rows });
    made.rows += rows.length;
    rows = [];
  }

  function file() {
    var lying = phone.lying(), hz = made.ms ? Math.round(10000 * made.rows / made.ms) / 10 : 0;
    var about = { kind: "about", licence: "CC0-1.0", simulated: true, saved: new Date().toISOString().slice(0, 7), stoppers: {} };
    about.stoppers[NODE] = STOPPER;
    var told = { kind: "phone", model: $("model").value.trim().slice(0, 40), rate_hz: hz, by_hand: made.real };
    told.down = lying.down.map(round);
    told.up = lying.up.map(round);
    var head = ["rappelwacht link 2", "0 note " + plain(JSON.stringify(about)), "0 note " + plain(JSON.stringify(told))];
    return new File([head.concat(made.lines).join("\n") + "\n"], "hand-" + about.saved + ".link.txt", { type: "text/plain" });
  }

  // --- how it is held --------------------------------------------------------------------------

  /* Returns how far the screen is turned up, in degrees, as the table feels it. */
  function tilted(row, anew) {
    var lying = phone.lying(), size = 0, along = 0, force = [0, 1, 2].map(function (axis) {
      return row[axis + 1] - (lying.down[axis] + lying.up[axis]) / 2;
    });
    var down = lying.down.map(function (part, axis) { return (part - lying.up[axis]) / 2; }), g = Math.hypot.apply(null, down);
    var share = held && !anew ? 1 - Math.exp(-(row[0] - last) / SMOOTH_MS) : 1, before = held && !anew ? held.force : force;
    var mean = force.map(function (part, axis) { return before[axis] + share * (part - before[axis]); });
    mean.forEach(function (part, axis) { along += part * down[axis] / g; size += part * part; });
    held = { force: mean, off: Math.hypot.apply(null, force.map(function (part, axis) { return part - mean[axis]; })) / g };
    held.push = Math.abs(Math.hypot.apply(null, force) / g - 1);
    return size ? Math.acos(Math.max(-1, Math.min(1, along / Math.sqrt(size)))) * 180 / Math.PI : 0;
  }

  function draw(now, tilt) {
    if (bucket === null || now >= bucket.until) {
      bucket = { until: now + BUCKET_MS, point: [tilt, 0] };
      made.drawn[made.at].push(bucket.point);
    }
    bucket.point[0] = Math.round(Math.max(bucket.point[0], tilt));
    bucket.point[1] = Math.round(100 * Math.max(bucket.point[1], held.push)) / 100;
  }

  function line(id, of) {
    $(id).setAttribute("d", made.drawn.map(function (points, at) {
      return (points || []).map(function (point, place) {
        return (place ? "L" : "M") + ((at + (place + 0.5) / points.length) / asked.length).toFixed(4) + " " + Math.min(1, of(point)).toFixed(3);
      }).join("");
    }).join(""));
  }

  // --- the end ---------------------------------------------------------------------------------

  function finish() {
    state = "over";
    phone.end();
    if (document.activeElement) document.activeElement.blur();
    var done = made.done.filter(function (times) { return times > 0; }).length;
    var sum = words(done === asked.length ? "all" : done ? "part" : "nothing");
    sum = sum.replace("{number}", done).replace("{all}", asked.length).replace("{seconds}", Math.round(made.ms / 1000));
    $("sum").textContent = $("headline").textContent = sum.replace("{rate}", made.ms ? Math.round(1000 * made.rows / made.ms) : 0);
    $("given").hidden = !done;
    $("go-on").hidden = done === asked.length;
    $("simulated").hidden = made.real;
    line("tilted", function (point) { return point[0] / 180; });
    line("pushed", function (point) { return point[1] / 2; });
    show("over");
    var data = navigator.userAgentData;
    if (data && data.getHighEntropyValues && !$("model").value) {
      data.getHighEntropyValues(["model"]).then(function (found) { if (!$("model").value) $("model").value = found.model || ""; }, function () { /* then not */ });
    }
    try { $("share").hidden = !(navigator.canShare && navigator.canShare({ files: [file()] })); } catch (fault) { $("share").hidden = true; }
  }

  function save() {
    var link = document.createElement("a"), given = file();
    link.href = URL.createObjectURL(given);
    link.download = given.name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 60000);
  }

  function forget() {
    try { localStorage.removeItem(KEPT); } catch (fault) { /* nothing is kept there */ }
    location.reload();
  }

  function tap(id, deed) { if ($(id)) $(id).addEventListener("click", deed); }

  tap("agree", start);
  tap("resume", start);
  tap("go-on", start);
  tap("stop", finish);
  tap("finish", finish);
  tap("save", save);
  tap("share", function () { navigator.share({ files: [file()] }).catch(function () { /* not this time */ }); });
  tap("skip", function () { discard(made.at); made.at += 1; keep(); ask(); });
  tap("again", function () {
    if (!made.done[made.at]) made.at -= 1;
    discard(made.at);
    keep();
    ask();
  });
  tap("pause", function () {
    paused = !paused;
    $("pause").setAttribute("aria-pressed", String(paused));
    $("hint").textContent = paused ? words("paused") : "";
    $("hint").hidden = !paused;
  });
  ["forget", "forget-kept"].forEach(function (id) {
    tap(id, function () { if ($(id).dataset.sure) forget(); $(id).dataset.sure = "yes"; $(id).textContent = words("sure"); });
  });
  document.addEventListener("visibilitychange", function () { if (document.hidden) fail("hidden"); });
  if (rappel && made.lines.length) {
    $("until").textContent = words("kept").replace("{number}", made.at).replace("{all}", asked.length);
    show("kept");
  }
})();
