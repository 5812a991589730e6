/* Plays at the simulated table: what fingers and buttons want becomes acts of simulated hands.

   Hands do one thing after another; what the
   ear hears and the eye reads comes back with each act, and what all can see is asked for again and
   again. */
(function () {
  "use strict";

  var scene = window.scene, rattle = window.rattle, rappel = window.rappel;
  if (!scene) return;
  var LOOK_MS = 200;
  var CALM_MS = 3000; // when nothing has moved for so long, one looks more and more seldom…
  var SELDOM_MS = { place: 700, flip: 700 }; // …and where others may reach for a barrel at any time, not so
  var REST_MS = 4000;
  var LOST_MS = 1500;
  var BELIEVE_MS = 2500; // so long what was just done counts for more than what is seen
  var SETTLE_MS = 800; // so long new keys take no tap: the finger was on its way to others
  var SHAKE_S = 0.45;
  var SOON_MS = 220; // before the hands are free, the next shake is asked for
  var HOLD_MS = 350; // a button that is dangerous has to be held so long
  var SPEEDS = [[2600, "wildly"], [1500, "firmly"], [750, "as_usual"], [260, "gently"]]; // units in a second
  var look = null, seen = []; // what was seen last, and the barrels with what is believed of them
  var believed = {}, turning = {}, freeAt = 0, queue = [], busy = false;
  var idleSince = performance.now(), learned = false;
  var MISSED_MS = 8000; // so long the sensors may take
  var doneIs = null, doneAt = 0; // what hands have done, and since when
  var asking = false; // whether something is asked while hands have nothing to do
  var waiting = false; // whether all wait for barrels of this seat
  var LAID_MS = 700; // barrels that stand so long are put back and shuffled
  var TURNS = ["flip", "say"]; // …and those in which barrels are turned over
  var FIXED = ["roll", "say", "move"]; // phases in which nobody takes a barrel
  var stirredAt = performance.now(); // when some barrel was last elsewhere, or slid
  var follows = null; // the barrel to which the focus goes once it is in hand

  function flips() { return TURNS.indexOf(phase()) >= 0; }
  function phase() { return $("world").getAttribute("data-phase"); }

  function $(id) { return document.getElementById(id); }

  function words(key, values) {
    var found = document.querySelector('template[data-words="' + key + '"]');
    var said = found ? found.content.textContent.trim() : "";
    Object.keys(values || {}).forEach(function (one) { said = said.replace("{" + one + "}", values[one]); });
    return said;
  }

  // --- eyes ------------------------------------------------------------------------------------

  function watch() {
    if (document.visibilityState === "hidden") return;
    fetch("/api/simulated/table", { cache: "no-store", credentials: "same-origin" })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.json();
      })
      .then(function (found) {
        if (found.sight.seat !== scene.own && !document.querySelector("#take-seat[aria-busy], #learn[aria-busy]")) return location.reload(); // somebody else has taken that seat
        if (!look || JSON.stringify(found) !== JSON.stringify(look)) movedAt = performance.now();
        look = found;
        later(pause());
        show();
      }, function () { later(LOST_MS); });
  }

  var timer = 0, movedAt = 0;
  function later(ms) { clearTimeout(timer); timer = setTimeout(watch, ms); }

  function pause() {
    var still = performance.now() - Math.max(movedAt, idleSince);
    return still < CALM_MS ? LOOK_MS : Math.min(still / 4, SELDOM_MS[phase()] || REST_MS);
  }

  function stir() { movedAt = performance.now(); later(0); }

  function believe(handle, where) {
    believed[handle] = { where: where, seat: where === "plateau" ? null : scene.own, until: Infinity }; // till it is answered
    show();
  }

  function show() {
    if (!look) return;
    var now = performance.now();
    var barrels = seen = look.sight.barrels.map(function (one) {
      var mine = believed[one.handle];
      if (one.where === "pad" && one.flipped) delete turning[one.handle];
      if (!mine || mine.until < now || (mine.where === one.where && mine.seat === one.seat)) {
        delete believed[one.handle];
        return one;
      }
      return Object.assign({}, one, { where: mine.where, seat: mine.seat });
    });
    shuffle(barrels);
    scene.show({ seats: look.seats, barrels: barrels, yours: yours(), takes: takes(), clears: phase() === "roll" });
    list(barrels);
    if (scene.plays && !scene.dragging()) hands(barrels); // what a finger holds must not slide below it
    hint(barrels);
  }

  /* Tells whether a barrel is just being turned over: it is in hand, and no key is meant for it. */
  function turns(handle) { return turning[handle] > performance.now(); }

  function takes() { return FIXED.indexOf(phase()) < 0; }

  /* Before the dice all barrels are put back and shuffled; until then nobody needs to do anything. */
  function shuffle(barrels) {
    var laid = barrels.every(function (one) { return one.where === "plateau" && !one.sliding; });
    if (phase() !== "roll" || !laid) stirredAt = performance.now();
    $("sides").toggleAttribute("data-shuffles", phase() === "roll" && performance.now() - stirredAt < LAID_MS);
  }

  function yours() { return look.sight.sitting === "you"; }

  function tell(id, text) {
    write($(id), text);
    $(id).hidden = !text;
  }

  function letter(handle) { return String.fromCharCode(65 + handle); }

  function write(element, text) { if (element.textContent !== text) element.textContent = text; }

  function list(barrels) {
    barrels.forEach(function (one) {
      var row = $("row-" + one.handle);
      var told = one.seat ? words(one.where + "-" + one.seat, { seat: called(one.seat) }) : words(one.where);
      if (one.number !== null && phase() !== "flip") told += ", " + words("shows", { number: one.number });
      write(row.querySelector(".where"), told);
      if (!scene.plays) return;
      var take = row.querySelector('[data-do="lift"]'), back = row.querySelector('[data-do="put_back"]');
      var focused = [take, back].indexOf(document.activeElement) >= 0;
      take.hidden = one.where !== "plateau" || !takes();
      back.hidden = !own(one) || (one.where === "pad" && !done(one));
      if (focused && take.hidden !== back.hidden) (take.hidden ? back : take).focus({ preventScroll: true });
    });
  }

  /* Names come and go while the page stays. */
  function called(seat) {
    var card = document.querySelector("#seat-" + seat + " bdi");
    return card ? card.textContent.trim() : words("called-" + seat);
  }

  function own(one) { return yours() && one.seat === scene.own; }

  /* Tells whether a barrel on the own pad has done its work, or lies open before its time. */
  function done(one) {
    return phase() === "place" ? one.flipped : phase() !== "flip" && takes();
  }

  /* Shows keys, or others in their place. */
  function offer(box, which) {
    if (box.getAttribute("data-offers") === which) return;
    box.setAttribute("data-offers", which);
    box.hidden = !which;
    box.classList.add("settles");
    clearTimeout(box.settles);
    box.settles = setTimeout(function () { box.classList.remove("settles"); }, SETTLE_MS);
  }

  function hands(barrels) {
    ["left", "right"].forEach(function (side) {
      var handle = yours() ? scene.slots[side] : null, box = $("hand-" + side);
      if (handle !== null && turns(handle)) handle = null;
      offer(box, handle === null ? "" : "held");
      if (handle !== null) write(box.querySelector(".letter"), letter(handle));
    });
    $("compare").hidden = $("hand-left").hidden || $("hand-right").hidden;
    $("two").classList.toggle("both", !$("compare").hidden);
    var placed = barrels.find(function (one) { return own(one) && one.where === "pad"; });
    var back = Boolean(placed) && done(placed);
    var over = placed && (turns(placed.handle) || (placed.flipped && !back) || phase() === "roll"); // the guests collect it
    offer($("own-pad"), !placed || over ? "" : back ? "back" : "placed");
    stands(Boolean(placed) && !placed.flipped);
    if (placed) write($("own-pad").querySelector(".letter"), letter(placed.handle));
    Array.from($("own-pad").querySelectorAll("button")).forEach(function (one) {
      one.hidden = back !== (one.getAttribute("data-do") === "put_back");
    });
    $("early").hidden = !placed || over || placed.flipped || phase() !== "place";
    $("own-pad").classList.toggle("early", !$("early").hidden);
    var sitting = look.sight.sitting;
    tell("sitting", yours() ? "" : words(sitting));
    $("sit-down").hidden = sitting !== "guest";
    wait(phase() !== "roll" ? 0 : barrels.filter(function (one) { return own(one) && one.where === "hand"; }).length);
    ask(placed);
    name();
    var side = follows === null ? null : scene.sideOf(follows);
    if (side && !$("hand-" + side).hidden) { // where the finger was there is no button any more
      $("hand-" + side).querySelector("button").focus({ preventScroll: true });
      follows = null;
    }
    $("leave").hidden = sitting === "guest";
    $("forbidden").hidden = phase() !== "place" || ($("hand-left").hidden && $("hand-right").hidden);
  }

  /* Has what is asked beside the board seen here, while hands have nothing to do: a foul to be decided, or
     what the sensors have missed. */
  function ask(placed) {
    var idle = Boolean(placed) && !turns(placed.handle) && $("hand-left").hidden && $("hand-right").hidden &&
               (phase() === "place" ? !placed.flipped : phase() === "flip" && placed.flipped);
    var done = idle && phase() + placed.handle;
    if (done !== doneIs) { doneIs = done; doneAt = performance.now(); }
    var missed = idle && performance.now() - doneAt > MISSED_MS &&
                 (phase() === "flip" || document.querySelector("#seat-" + scene.own + ".turn"));
    var asks = idle && Boolean(missed || document.querySelector("#play > .foul .ruling"));
    if (asks === asking) return;
    asking = asks;
    $("world").dispatchEvent(new CustomEvent("asks", { detail: asks }));
  }

  /* Where there is a second barrel in hand, the key says which one it puts back. */
  function name() {
    var two = !$("hand-left").hidden || !$("hand-right").hidden;
    var letter = $("own-pad").querySelector(".letter").textContent;
    write($("own-pad").querySelector('[data-do="put_back"] span'), two ? words("put_back", { letter: letter }) : words("put_it_back"));
  }

  /* Says whether the own barrel stands there unturned: then there is no number to read on it. */
  function stands(upright) {
    if (upright === $("world").hasAttribute("data-upright")) return;
    $("world").toggleAttribute("data-upright", upright);
    $("world").dispatchEvent(new CustomEvent("upright"));
  }

  /* Says that all wait for the barrel in hand, or for two, or that they do no more. */
  function wait(count) {
    tell("waits", count > 1 ? words("all_wait") : count ? words("waits") : "");
    $("put-all-back").hidden = count < 2;
    $("world").classList.toggle("several", count > 1); // then one key is for all of them
    if (Boolean(count) === waiting) return;
    waiting = Boolean(count);
    $("world").dispatchEvent(new CustomEvent("waits", { detail: waiting }));
  }

  /* A finger shows what could be done, to whoever does nothing for a while. */
  function hint(barrels) {
    var mine = barrels.filter(function (one) { return one.where !== "plateau" && one.seat === scene.own; });
    var wanted = "";
    if (scene.plays && phase() === "place" && performance.now() - idleSince > (learned ? 12000 : 3500)) {
      wanted = !mine.length ? "lift" : mine[0].where !== "hand" ? "" : learned ? "place" : "shake";
    }
    var shown = $("hint");
    var side = mine.length && scene.sideOf(mine[0].handle) || "right";
    shown.setAttribute("class", "hint" + (wanted ? " " + wanted + " " + side : ""));
  }

  /* Something forbidden was done; an accusation that follows soon is about that. */
  function dare() { $("world").setAttribute("data-dared", Date.now()); }

  // --- hands -----------------------------------------------------------------------------------

  /* Has hands do one thing after another; the promise tells what was felt, or null if refused. */
  function act(wanted) {
    idleSince = performance.now();
    return new Promise(function (done) {
      queue.push({ wanted: wanted, done: done });
      next();
    });
  }

  function next() {
    if (busy || !queue.length) return;
    busy = true;
    var one = queue.shift();
    rappel.post("/api/simulated/act", one.wanted).then(function (answer) {
      if (answer.ok) { rappel.tell(""); return answer.body; } // what was refused before is over
      rappel.tell((answer.body.error || {}).sentence || words("unsent"));
      return null;
    }, function () { rappel.tell(words("unsent")); return null; }).then(function (felt) {
      busy = false;
      later(40);
      try { settle(one, felt); } finally { next(); } // a mistake in showing it holds up no hand
    });
  }

  function settle(one, felt) {
    one.done(felt);
    if (felt) {
      if (felt.lasts_ms) freeAt = performance.now() + felt.lasts_ms;
      if (!queue.some(function (other) { return other.wanted.barrel === one.wanted.barrel; })) doubt(one.wanted.barrel);
      hear(felt);
    } else {
      delete believed[one.wanted.barrel];
      delete turning[one.wanted.barrel];
      scene.slip(one.wanted.barrel);
      show();
    }
  }

  /* What hands do with a barrel is believed until they have done it; then it must be seen. */
  function doubt(handle) {
    var until = Math.max(freeAt, performance.now()) + BELIEVE_MS;
    if (believed[handle]) believed[handle].until = until;
    if (turning[handle]) turning[handle] = until;
  }

  function hear(felt) {
    felt.heard.forEach(function (one, index) {
      var side = felt.heard.length > 1 ? ["left", "right"][index] : scene.sideOf(one.barrel);
      var ear = side === "left" ? -1 : side === "right" ? 1 : 0;
      rattle.play(one.knocks, ear, function (strength) { scene.flash(one.barrel, strength); });
    });
  }

  var deeds = {
    lift: function (handle, x) {
      if (seen[handle].where === "pad") dare();
      scene.grasp(handle, x);
      believe(handle, "hand");
      return act({ act: "lift", barrel: handle });
    },
    put_back: function (handle) { return down(handle, "put_back", "plateau"); },
    place: function (handle) { return down(handle, "place", "pad"); },
    shake: function (handle, vigour) {
      learned = true;
      return act({ act: "shake", barrel: handle, for_s: SHAKE_S, vigour: vigour || "as_usual" });
    },
    compare: function () {
      return act({ act: "compare", barrel: scene.slots.left, other: scene.slots.right });
    },
    peek: function (handle) {
      dare();
      return act({ act: "peek", barrel: handle, for_s: 0.8 }).then(function (felt) {
        if (!felt) return null;
        scene.peek(handle, felt.lasts_ms, felt.read);
        setTimeout(function () {
          write($("heard"), felt.read.number === null ? words("unread") : words("read", { number: felt.read.number }));
        }, felt.read.from_ms);
        return felt;
      });
    },
    flip: function (handle) {
      dare();
      turning[handle] = Infinity; // a second flip would turn it back, however late the answer comes
      show();
      return act({ act: "flip", barrel: handle }).then(function (felt) {
        if (felt) rattle.thump(felt.lasts_ms);
        return felt;
      });
    }
  };

  function down(handle, deed, where) {
    believe(handle, where);
    return act({ act: deed, barrel: handle }).then(function (felt) {
      if (felt) rattle.thump(Math.max(0, felt.lasts_ms - 250));
      return felt;
    });
  }

  function free() { return !busy && !queue.length && freeAt - performance.now() < SOON_MS; }

  // --- gestures on the picture -----------------------------------------------------------------

  scene.box.addEventListener("gesture", function (event) {
    var it = event.detail;
    idleSince = performance.now();
    if (it.kind === "full") rappel.tell(words("full"));
    if (it.kind === "drag" && it.from !== "hand") deeds.lift(it.barrel, it.x);
    if (it.kind === "drop" && it.onto === "plateau") deeds.put_back(it.barrel);
    if (it.kind === "drop" && it.onto === "pad") deeds.place(it.barrel);
    if (it.kind === "drop" && it.onto === "hand") scene.rest(it.barrel, it.x);
    if (it.kind === "tap") tapped(it);
    show();
  });

  function tapped(it) {
    if (turns(it.barrel)) return;
    if (it.where === "hand") deeds.shake(it.barrel);
    else if (it.where === "pad" && done(seen[it.barrel])) deeds.put_back(it.barrel);
    else if (it.where === "pad" && ["flip", "say"].indexOf(phase()) >= 0 && !seen[it.barrel].flipped) deeds.flip(it.barrel);
    else if (it.where === "plateau" && yours() && scene.slots.left !== null && scene.slots.right !== null) rappel.tell(words("full"));
    else if (it.where === "plateau") deeds.lift(it.barrel);
  }

  var shaken = null; // the barrel that was shaken last: two fingers shake two in turn

  setInterval(function () { // a finger shakes as long as it moves to and fro
    var moving = scene.shaking();
    if (!moving.length || !free()) return;
    var next = moving.find(function (one) { return one.barrel !== shaken; }) || moving[0];
    var how = SPEEDS.find(function (one) { return next.speed > one[0]; });
    shaken = next.barrel;
    if (how) deeds.shake(next.barrel, how[1]);
  }, 60);

  // --- buttons ---------------------------------------------------------------------------------

  function target(button) {
    if (button.hasAttribute("data-barrel")) return parseInt(button.getAttribute("data-barrel"), 10);
    var hand = button.closest(".hand");
    if (hand && hand.id !== "own-pad") return scene.slots[hand.id.slice(5)];
    var placed = seen.find(function (one) { return one.where === "pad" && one.seat === scene.own; });
    return placed ? placed.handle : null;
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("[data-do]") : null;
    var deed = button && button.getAttribute("data-do");
    if (!look || !deed || deed === "peek") return;
    var handle = target(button);
    if (handle === null && deed !== "compare") return;
    if (deed === "lift" && document.activeElement === button) follows = handle;
    deeds[deed](handle);
  });

  /* Calls `begun` once something is held long enough, and `ended` with for how long it was. */
  function holds(button, begun, ended) {
    var since = 0, wait = 0;
    function press(event) {
      if (event.button || since) return;
      if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (event.type === "keydown") button.focus();
      if (event.pointerId !== undefined) button.setPointerCapture(event.pointerId); // what moves under it ends nothing
      since = performance.now();
      button.classList.add("holding");
      wait = setTimeout(begun, HOLD_MS, function () { return since > 0; });
    }
    function release(event) {
      if (!since || (event.type === "keyup" && event.key !== "Enter" && event.key !== " ")) return;
      clearTimeout(wait);
      button.classList.remove("holding");
      var held = performance.now() - since;
      since = 0;
      ended(held);
    }
    button.addEventListener("pointerdown", press);
    button.addEventListener("keydown", press);
    ["pointerup", "pointercancel", "pointerleave", "keyup", "blur"].forEach(function (name) {
      button.addEventListener(name, release);
    });
    button.addEventListener("contextmenu", function (event) { event.preventDefault(); });
  }

  Array.from(document.querySelectorAll('[data-do="peek"]')).forEach(function (button) {
    holds(button, function on(still) { // one looks for as long as one holds
      var handle = target(button);
      if (handle === null || !still()) return;
      deeds.peek(handle).then(function (felt) {
        if (felt) setTimeout(on, Math.max(0, felt.lasts_ms - SOON_MS), still);
      });
    }, function () {});
  });

  if ($("put-all-back")) $("put-all-back").addEventListener("click", function () {
    seen.filter(own).forEach(function (one) { deeds.put_back(one.handle); });
  });

  var button = $("press");
  if (button) {
    holds(button, function () { button.classList.add("long"); }, function (heldMs) {
      button.classList.remove("long");
      act({ act: "press", for_s: Math.min(3, Math.max(0.12, heldMs / 1000)) });
    });
  }

  ["leave", "sit-down"].forEach(function (id) {
    if ($(id)) $(id).addEventListener("click", function () { act({ act: id === "leave" ? "leave" : "sit" }); });
  });

  // --- a phone as the barrel -------------------------------------------------------------------

  /* Returns the barrel that this phone is to be: the one in hand, or the one to be turned over. */
  function mine() {
    if (!look || !yours() || busy || queue.length || scene.dragging()) return null;
    var held = seen.filter(function (one) { return own(one) && one.where === "hand"; });
    var placed = seen.find(function (one) { return own(one) && one.where === "pad" && !one.flipped; });
    if (held.length) return held[0].handle;
    return placed && flips() && !turns(placed.handle) ? placed.handle : null;
  }

  /* Shows how the phone is a barrel just now, or says why it is none; else what was said stays. */
  function phone(pose, says, handle, number) {
    var is = $("as-barrel"), read = typeof number === "number";
    $("untrusted").hidden = says !== words("phone-untrusted");
    if (says || pose) tell("phone-says", says || words(pose === "waiting" ? "phone-waiting" : ""));
    var lies = flips() && ["standing", "left"].indexOf(pose) >= 0; // whoever looks at it wants the page
    is.hidden = !pose || lies || ["off", "waiting"].indexOf(pose) >= 0;
    if (is.hidden) return;
    dare(); // what it feels may be seen
    write(is.querySelector(".letter"), letter(handle));
    write(is.querySelector(".number"), read ? String(number) : "");
    write(is.querySelector(".says"), read ? words("read", { number: number }) : words("phone-" + pose));
  }

  window.hands = {
    mine: mine, hear: hear, phone: phone, words: words,
    lay: function (handle) { // what stands already stays there, whatever phase has begun meanwhile
      var held = seen.some(function (one) { return one.handle === handle && one.where === "hand"; });
      return !held ? null : phase() === "place" ? deeds.place(handle) : deeds.put_back(handle);
    },
    flips: flips,
    flip: function (handle) { return flips() ? deeds.flip(handle) : null; }
  };

  $("world").addEventListener("phase", function () { idleSince = performance.now(); show(); });
  document.addEventListener("morphed", stir);
  document.addEventListener("visibilitychange", watch);
  watch();
})();
