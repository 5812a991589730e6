/* Shows what happened one after another, before the page shows what came of it: the one queue.

   Whatever is new stands in #moments, oldest first, each with the time that it needs at least
   (data-ms). As long as one that has a picture is to be shown, the newest HTML waits: its sentence
   is the panel meanwhile, with a key that ends it, and nothing of what the panel asked can be tapped;
   seats follow moment by moment. Then the newest HTML is worked in, and what is only said is shown
   above it. A tap ends the one moment that is shown. A page that was just opened, hidden or cut off,
   or that is too far behind, catches up at once. For each moment "moment" and "momentend" are
   dispatched on the document; window.rappel.shown tells the last ones. It must not know how a moment
   looks: window.rappel.pictures does, by its kind. */
(function () {
  "use strict";

  var BEHIND_MS = 8000; // when more is still to be shown while new things happen, that is left out
  var PATIENCE_MS = 5000; // with a voice that has not finished
  var TWICE_MS = 400; // a second tap on what has gone is none on what came
  var LEAST_PX = 64; // of the panel
  var TOLD = 300;
  var VEILS = ["reveal", "win"]; // these are all that is to be seen
  var ANSWERS = "a, summary, header, footer, #told, #line, #outdated";

  var rappel = window.rappel = window.rappel || {};
  var shown = rappel.shown = [];
  rappel.turned = turned;
  var part = Array.from(document.querySelectorAll("[data-live]")).find(list);
  if (!part) return;

  var match = part.getAttribute("data-match"), seen = version(part);
  var queue = [], current = null, working = null, timer = 0;
  var stage = document.createElement("div");
  stage.id = "drama";
  stage.hidden = true;
  stage.setAttribute("aria-hidden", "true"); // who does not see it hears the headline
  stage.innerHTML = '<div class="picture"><div class="middle"></div></div><p class="said"></p>';
  var words = document.querySelector('template[data-words="skip"]');
  if (words) stage.insertAdjacentHTML("beforeend", '<button type="button" class="quiet skips" tabindex="-1">' + words.innerHTML.trim() + " \u25b8</button>");
  document.body.appendChild(stage);

  function list(within) { return within.querySelector("#moments"); }

  function version(element) { return parseInt(element.getAttribute("data-version"), 10); }

  function moment(item) {
    return {
      id: item.id, version: version(item), kind: item.getAttribute("data-kind"),
      sentence: item.firstChild.textContent.trim(), aloud: item.getAttribute("data-aloud") || "",
      ms: parseInt(item.getAttribute("data-ms"), 10),
      seat: item.getAttribute("data-seat") || "", item: item, stop: null
    };
  }

  // --- what arrives ------------------------------------------------------------------------------

  document.addEventListener("arriving", function (event) {
    if (event.target !== part) return;
    event.preventDefault();
    var took = attempt(function () { take(event.detail); return true; });
    if (!took) event.detail.work(); // without its moments
  });

  function take(detail) {
    var now = detail.now;
    if (now.getAttribute("data-match") !== match) {
      match = now.getAttribute("data-match");
      queue = [];
      seen = -1;
    }
    var found = Array.from(list(now).children).map(moment);
    queue = queue.filter(function (one) { // what was taken back is not shown any more
      return found.some(function (other) { return other.id === one.id; });
    });
    var fresh = found.filter(function (one) { return one.version > seen; });
    seen = Math.max(version(now), seen);
    if (fresh.length && left() > BEHIND_MS) leaveOut();
    working = detail.work;
    queue = queue.concat(fresh);
    if (detail.late || document.visibilityState === "hidden") leaveOut();
    if (!current) next(); else if (!queue.concat(current).some(holds)) work();
  }

  /* A mistake in how something looks or sounds is told in the console, and stops nothing else. */
  function attempt(what) {
    try { return what(); } catch (mistake) { console.error(mistake); return null; }
  }

  /* For how long what waits would still be shown. */
  function left() {
    return queue.reduce(function (ms, one) { return ms + one.ms; },
                        current ? Math.max(0, current.from + current.ms - performance.now()) : 0);
  }

  // --- the queue ---------------------------------------------------------------------------------

  function next() {
    current = queue.shift() || null;
    var over = !current || ![current].concat(queue).some(holds);
    document.documentElement.classList.toggle("in-drama", Boolean(working) && !over); // first: keys that come may have the focus
    if (over) work();
    if (current) begin(); else stage.hidden = true;
  }

  function holds(one) {
    return ["plain", "foul"].indexOf(one.kind) < 0 || one.item.hasAttribute("data-order");
  }

  function begin() {
    var one = current;
    one.from = performance.now();
    one.late = false;
    timer = setTimeout(finish, one.ms); // first: whatever becomes of it, the next has its turn
    tell("moment", one); // before it is painted: the page may turn to where it is seen
    attempt(function () { paint(one); });
  }

  /* A phone that speaks is let finish its sentence. */
  function finish() {
    var over = performance.now() - current.from - current.ms;
    var speaks = over < PATIENCE_MS && rappel.speaks && attempt(rappel.speaks);
    if (speaks) timer = setTimeout(finish, 200); else end();
  }

  function end(skipped) {
    clearTimeout(timer);
    var one = current;
    if (one.stop) attempt(one.stop);
    note(one, skipped === true);
    tell("momentend", one);
    next();
  }

  function work() {
    var waits = working;
    working = null;
    if (waits) attempt(waits);
  }

  /* What is left out is told as late, for whoever keeps count; nobody is shown it. */
  function leaveOut() {
    var dropped = queue;
    queue = [];
    if (current) end(true);
    dropped.forEach(function (one) {
      one.from = performance.now();
      one.late = true;
      tell("moment", one);
      note(one, true);
      tell("momentend", one);
    });
  }

  function note(one, skipped) {
    shown.push({ version: one.version, kind: one.kind, from: one.from, to: performance.now(),
                 ms: one.ms, skipped: skipped });
    if (shown.length > TOLD) shown.shift();
  }

  function tell(name, one) {
    document.dispatchEvent(new CustomEvent(name, {
      detail: { version: one.version, kind: one.kind, sentence: one.sentence, aloud: one.aloud,
                ms: one.ms, late: one.late }
    }));
  }

  // --- how it is seen ----------------------------------------------------------------------------

  function paint(one) {
    var place = document.createElement("div"), board = part.querySelector(".board, .tv-picture");
    var veils = VEILS.indexOf(one.kind) >= 0 || one.item.hasAttribute("data-order");
    place.className = "middle";
    stage.firstChild.textContent = "";
    stage.firstChild.appendChild(place);
    center(place, !veils && board && board.offsetHeight ? board : part);
    var panel = working && words && panels();
    stage.className = "kind-" + one.kind + (one.seat ? " seat-" + one.seat : "") +
      (veils ? " veils" : "") + (panel ? " panel" : "");
    var said = document.createElement("p");
    said.className = "said";
    said.textContent = one.item.getAttribute("data-brief") || one.sentence;
    stage.replaceChild(said, stage.querySelector(".said"));
    stage.hidden = false;
    if (panel) fill(panel.getBoundingClientRect()); else stand();
    seat(one);
    var picture = (rappel.pictures || {})[one.kind];
    one.stop = picture ? picture(one.item, place, one.ms) : null;
  }

  /* A picture is seen above the board, wherever that is; in the middle, where nothing has a place. */
  function center(place, over) {
    var box = over.getBoundingClientRect();
    if (!box.width) box = { top: 0, bottom: window.innerHeight, left: 0, width: window.innerWidth };
    var top = Math.max(box.top, 0), bottom = Math.min(box.bottom, window.innerHeight);
    place.style.left = box.left + box.width / 2 + "px";
    place.style.top = (top + bottom) / 2 + "px";
  }

  /* Returns where one is asked what to do. */
  function panels() {
    return Array.from(document.querySelectorAll("#play, .hands")).find(function (one) { return one.getClientRects().length; });
  }

  function fill(box) {
    var bottom = Math.min(box.bottom, window.innerHeight), top = Math.max(0, Math.min(box.top, bottom - LEAST_PX));
    stage.style.top = "auto"; // what is long grows upwards
    stage.style.bottom = window.innerHeight - bottom + "px";
    stage.style.left = box.left + "px";
    stage.style.width = box.width + "px";
    stage.style.minHeight = bottom - top + "px";
  }

  /* Seats are shown as they are by now: who moves, and what a barrel shows. */
  function seat(one) {
    if (!working) return;
    if (one.kind === "reveal") turned(one.item).forEach(function (told) { count(told, one.item.getAttribute("data-limit")); });
    var line = one.seat && document.getElementById("seat-" + one.seat);
    if (!line || ["move", "banish"].indexOf(one.kind) < 0) return;
    Array.from(line.parentNode.children).forEach(function (other) { other.classList.toggle("turn", other === line); });
  }

  /* Returns which seats' barrels are turned, and to what: [{seat, number}]. */
  function turned(item) {
    var all = item.getAttribute("data-shows") || item.getAttribute("data-seat") + ":" + item.getAttribute("data-number");
    return all.trim().split(/\s+/).map(function (told) {
      return { seat: told.split(":")[0], number: told.split(":")[1] };
    });
  }

  function count(told, limit) {
    var line = document.getElementById("seat-" + told.seat), number = told.number;
    if (!line) return;
    var shown = line.querySelector(".number"), doing = line.querySelector(".doing");
    if (!shown) {
      shown = document.createElement("strong");
      shown.className = "number";
      line.insertBefore(shown, line.children[1] || null);
    }
    shown.textContent = number;
    line.classList.toggle("fails", limit !== null && parseInt(number, 10) > parseInt(limit, 10));
    if (doing) doing.textContent = "";
  }

  /* The sentence stands where the headline is, which is of the past now. */
  function stand() {
    var top = document.getElementById("banner") || document.getElementById("top");
    var box = top ? top.getBoundingClientRect() : { top: 0, bottom: 0, left: 0, width: 0 };
    var inside = box.bottom > 24 && box.top < window.innerHeight;
    stage.style.top = Math.max(inside ? box.top : 0, 0) + "px";
    stage.style.bottom = "";
    stage.style.left = (inside ? box.left : 0) + "px";
    stage.style.width = inside ? box.width + "px" : "100%";
    stage.style.minHeight = inside ? box.height + "px" : "";
  }

  // --- taps --------------------------------------------------------------------------------------

  document.addEventListener("click", function (event) {
    if (!current || !event.target.closest || event.target.closest(ANSWERS)) return;
    if (!part.contains(event.target) && !stage.contains(event.target)) return; // other keys do what they do
    if (working) { // what could be tapped is of the past
      event.preventDefault();
      event.stopImmediatePropagation();
      if (performance.now() - current.from < TWICE_MS) return;
    }
    if (current.kind === "win" && cut() && !event.target.closest(".skips")) return; // meant for a key that has gone
    end(true);
  }, true);

  /* Whether there is a key to cut short what is shown. */
  function cut() {
    var skips = stage.querySelector(".skips");
    return Boolean(skips && skips.getClientRects().length);
  }

  document.addEventListener("keydown", function (event) {
    var rests = event.target === document.body && (event.key === "Enter" || event.key === " ");
    if (current && (rests || event.key === "Escape")) end(true);
  });

  document.addEventListener("visibilitychange", function () {
    if (document.visibilityState === "hidden") leaveOut();
  });
})();
