/* Plays a past match again: by itself at any speed, step by step, or as fast as a finger slides.

   Without this script its links and its form lead from step to step. It must not know what is
   shown: for how long a step is to be seen, and whether anything moves with it, stands in the list
   of all steps. Space runs and stops it, arrows go one step, Home and End to the ends. The address
   always names the step that is shown, so that it can be passed on. */
(function () {
  "use strict";

  var LEAST_MS = 90; // for a step, however fast
  var SLIDE_MS = 600;
  var KEPT = 40; // steps that were fetched, such as the next one
  var KEYS = /^(INPUT|BUTTON|SUMMARY|A)$/;

  var replay = document.getElementById("replay"), shown = document.getElementById("step");
  if (!replay || !shown || !window.fetch) return;
  var slider = document.getElementById("slider"), run = document.getElementById("run");
  var only = document.getElementById("moves-only"), list = document.getElementById("story");
  var steps = Array.from(list.children).map(function (one) {
    return { ms: parseInt(one.getAttribute("data-ms"), 10), moves: one.hasAttribute("data-moves") };
  });
  var last = steps.length - 1;
  var at = Number(slider.value), wanted = null, busy = false, timer = 0, running = false;
  var parts = {}, order = [];

  // --- from step to step -------------------------------------------------------------------------

  function fetched(step) {
    if (parts[step]) return parts[step];
    parts[step] = fetch(replay.action + "?part&step=" + step, { credentials: "same-origin" })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      });
    parts[step].catch(function () { delete parts[step]; });
    order.push(step);
    if (order.length > KEPT) delete parts[order.shift()];
    return parts[step];
  }

  function show(step) {
    slider.value = wanted = step;
    if (!busy) work();
  }

  function work() {
    var step = wanted;
    wanted = null;
    busy = true;
    fetched(step).then(function (html) { put(step, html); }, function () {
      stop();
      location.assign("?step=" + step); // the browser says what is wrong
    }).then(function () {
      busy = false;
      if (wanted !== null) work(); else if (running) wait();
    });
  }

  function put(step, html) {
    var keys = Array.from(shown.querySelectorAll(".steps a"));
    var focused = keys.indexOf(document.activeElement);
    var stood = step === at + 1 ? places() : [];
    shown.innerHTML = html;
    if (focused >= 0) shown.querySelectorAll(".steps a")[focused].focus();
    at = step;
    slide(stood);
    mark();
    name(step);
    shown.dispatchEvent(new CustomEvent("morphed", { bubbles: true }));
  }

  /* Safari takes no more than a hundred of these in half a minute; the next one is taken again. */
  function name(step) {
    try { history.replaceState(null, "", "?step=" + step); } catch (fault) { /* it plays on */ }
  }

  /* The line of this step is seen, if the list has a window of its own. */
  function mark() {
    var now = list.children[at], was = list.querySelector(".now");
    if (was) was.classList.remove("now");
    if (!now) return;
    now.classList.add("now");
    if (list.scrollHeight > list.clientHeight + 1) {
      list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 3;
    }
  }

  /* The step after the one asked for last, or before it; with "moves only" one that moves anything. */
  function next(way) {
    var from = Number(slider.value), step = from + way;
    while (only.checked && steps[step] && !steps[step].moves) step += way;
    return steps[step] ? step : from;
  }

  // --- by itself ---------------------------------------------------------------------------------

  function speed() {
    return Number(replay.querySelector("input[name=speed]:checked").value);
  }

  function wait() {
    clearTimeout(timer);
    var step = next(1);
    if (step === at) { stop(); return; }
    fetched(step); // while this one is seen
    timer = setTimeout(function () { show(step); }, Math.max(LEAST_MS, steps[at].ms / speed()));
  }

  function tell() {
    run.querySelector("span").textContent = run.getAttribute(running ? "data-stop" : "data-run");
    run.classList.toggle("running", running);
    document.getElementById("content").toggleAttribute("data-awake", running);
    shown.dispatchEvent(new CustomEvent("morphed", { bubbles: true })); // who keeps the screen on
  }

  function stop() {
    clearTimeout(timer);
    if (!running) return;
    running = false;
    tell();
  }

  function start() {
    running = true;
    tell();
    if (next(1) === Number(slider.value)) show(0); else wait();
  }

  function toggle() { if (running) stop(); else start(); }

  // --- pieces slide ------------------------------------------------------------------------------

  function places() {
    return Array.from(shown.querySelectorAll("[data-pawn]")).map(function (piece) {
      var found = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(piece.getAttribute("transform") || "");
      return { piece: piece, colour: piece.getAttribute("data-pawn"),
               step: piece.getAttribute("data-step"),
               x: found ? parseFloat(found[1]) : 0, y: found ? parseFloat(found[2]) : 0 };
    });
  }

  /* Pieces of one colour are alike: those on a new place came from where one is missing. */
  function slide(stood) {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches || !stood.length) return;
    places().filter(function (one) {
      var same = stood.findIndex(function (old) {
        return old.colour === one.colour && old.step === one.step;
      });
      if (same >= 0) stood.splice(same, 1);
      return same < 0;
    }).forEach(function (one) {
      var from = stood.findIndex(function (old) { return old.colour === one.colour; });
      if (from < 0 || !one.piece.firstElementChild || !one.piece.animate) return;
      var old = stood.splice(from, 1)[0];
      var away = "translate(" + (old.x - one.x) + "px," + (old.y - one.y) + "px)";
      Array.from(one.piece.children).forEach(function (body) {
        if (!body.hasAttribute("transform")) {
          body.animate([{ transform: away }, { transform: "none" }],
                       { duration: SLIDE_MS / Math.max(1, speed()), easing: "ease-in-out" });
        }
      });
    });
  }

  // --- taps and keys -----------------------------------------------------------------------------

  function by(step) { stop(); show(step); }

  run.addEventListener("click", toggle);
  slider.addEventListener("input", function () { by(Number(slider.value)); });
  replay.addEventListener("change", function () { if (running && !busy) wait(); });
  replay.addEventListener("submit", function (event) { event.preventDefault(); });
  document.addEventListener("click", function (event) {
    var link = event.target.closest ? event.target.closest("#step .steps a, #story a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    var way = { prev: -1, next: 1 }[link.getAttribute("rel")];
    by(way ? next(way) : Number(link.getAttribute("href").split("=")[1]));
    if (link.closest("#story") && replay.getBoundingClientRect().bottom < 0) scrollTo(0, 0);
  });
  /* Space does what it does on a key; arrows choose among the speeds where these have the focus. */
  document.addEventListener("keydown", function (event) {
    var field = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || field.type === "radio") return;
    if (event.key === " ") {
      if (KEYS.test(field.nodeName) && field !== slider) return;
      toggle();
    } else if (event.key === "ArrowLeft") by(next(-1));
    else if (event.key === "ArrowRight") by(next(1));
    else if (event.key === "Home") by(0);
    else if (event.key === "End") by(last);
    else return;
    event.preventDefault();
  });

  document.getElementById("go").hidden = true;
  run.hidden = document.getElementById("speeds").hidden = false;
  document.getElementById("only").hidden = !steps.some(function (one) { return one.moves; });
  mark();
})();
