/* How moments look: dice roll, cards are laid and taken, pieces walk and fly home, barrels turn.

   window.rappel.pictures has a picture for each kind; it gets the moment's item of #moments, a place
   above the page and its time, and returns what ends it, at once and for good. Under
   prefers-reduced-motion everything is where it comes to from the beginning. It must not know any
   game: what a board consists of bears data-pawn and data-step, and cards are drawn already. */
(function () {
  "use strict";

  var FACES = 70; // ms between two faces of a die that rolls
  var PIPS = ["", "5", "19", "159", "1379", "13579", "134679"]; // places of 3 × 3, from the left above
  var SHIELD = "M-40-46H40V4C40 30 18 44 0 52-18 44-40 30-40 4Z";
  var BARREL = "M-40 34V-12a40 40 0 0 1 80 0V34Z";
  var STOPPER = "M-43 30H43V44a13 10 0 0 1-13 10H-30a13 10 0 0 1-13-10Z";

  function still() { return window.matchMedia("(prefers-reduced-motion: reduce)").matches; }

  function given(item, name) {
    return (item.getAttribute("data-" + name) || "").split(" ").filter(Boolean);
  }

  function make(markup) {
    var box = document.createElement("div");
    box.innerHTML = markup;
    return box.firstElementChild;
  }

  function sign(colour, size) {
    var found = document.querySelector("svg.seat-sign.seat-" + colour + " path");
    return found ? '<path class="sign" d="' + found.getAttribute("d") + '" transform="scale(' + size + ')"/>' : "";
  }

  function play(element, frames, ms, others) {
    if (still() || !element || !element.animate) return null;
    return element.animate(frames, Object.assign({ duration: ms, easing: "ease-in-out", fill: "both" }, others));
  }

  /* From the middle of one element to the middle of another, as a translation. */
  function between(from, to) {
    var a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
    return "translate(" + (b.left + b.width / 2 - a.left - a.width / 2) + "px," +
      (b.top + b.height / 2 - a.top - a.height / 2) + "px)";
  }

  // --- dice --------------------------------------------------------------------------------------

  function face(number) {
    var pips = PIPS[number].split("").map(function (place) {
      var at = parseInt(place, 10) - 1;
      return '<circle class="pip" cx="' + (at % 3 - 1) * 0.52 + '" cy="' + (Math.floor(at / 3) - 1) * 0.52 + '" r=".2"/>';
    });
    return '<rect class="face" x="-1" y="-1" width="2" height="2" rx=".36"/>' + pips.join("");
  }

  function dice(item, place, ms) {
    var number = parseInt(item.getAttribute("data-number"), 10);
    var count = parseInt(item.getAttribute("data-dice"), 10);
    var one = '<svg class="die" viewBox="-1.2 -1.2 2.4 2.4"></svg>';
    var row = place.appendChild(make('<div class="dice">' + (count === 2 ? one + one : one) + "</div>"));
    var timer = 0, rolls = Array.from(row.children);
    function show(die, value) { die.innerHTML = face(value); }
    function land() {
      clearInterval(timer);
      if (count === 1) { show(rolls[0], number); return; }
      row.innerHTML = '<svg class="sum" viewBox="-60 -60 120 120"><circle r="58"/><text>' + number + "</text></svg>";
      play(row.firstElementChild, [{ transform: "scale(.4)" }, { transform: "scale(1.15)" }, { transform: "none" }], 260);
    }
    if (still()) { land(); return land; }
    rolls.forEach(function (die, at) {
      play(die, [{ transform: "translateX(" + (at ? 40 : -40) + "vw) rotate(" + (at ? 540 : -540) + "deg)" },
                 { transform: "none" }], ms * 0.5, { easing: "cubic-bezier(.1,.7,.3,1)" });
    });
    timer = setInterval(function () {
      rolls.forEach(function (die) { show(die, 1 + Math.floor(Math.random() * 6)); });
    }, FACES);
    var over = setTimeout(land, ms * 0.5);
    return function () { clearTimeout(over); land(); };
  }

  // --- cards and tokens --------------------------------------------------------------------------

  function laid(item, place, ms) {
    var row = place.appendChild(make('<div class="laid"></div>'));
    Array.from(item.querySelectorAll("template")).forEach(function (one) {
      row.appendChild(document.createElement("span")).appendChild(one.content.cloneNode(true));
    });
    var seat = document.getElementById("seat-" + item.getAttribute("data-seat"));
    var goal = document.getElementById(item.getAttribute("data-to") || "");
    Array.from(row.children).forEach(function (card, at) {
      if (goal) {
        play(card, [{ transform: "none", opacity: 1 }, { transform: "none", opacity: 1, offset: 0.6 },
                    { transform: between(card, goal) + " scale(.3)", opacity: 0.2 }], ms - 60, { delay: at * 15 });
      } else if (seat) {
        play(card, [{ transform: between(card, seat) + " scale(.3)", opacity: 0.2 }, { transform: "none", opacity: 1 }],
             ms * 0.4, { easing: "ease-out" });
      }
    });
    return null;
  }

  // --- pieces on a board -------------------------------------------------------------------------

  function piece(walk) {
    return document.querySelector('[data-live] [data-pawn="' + walk.getAttribute("data-piece") +
      '"][data-step="' + walk.getAttribute("data-from") + '"]');
  }

  function spots(walk) {
    return walk.getAttribute("data-spots").trim().split(" ").filter(Boolean).map(function (spot) {
      return spot.split(",").map(parseFloat);
    });
  }

  function walked(item, place, ms) {
    var ends = Array.from(item.querySelectorAll("[data-piece]")).map(function (walk) {
      return go(walk, item.getAttribute("data-kind") === "banish", ms);
    });
    if (!ends.length) return laid(item, place, ms);
    return function () { ends.forEach(function (end) { if (end) end(); }); };
  }

  function go(walk, flies, ms) {
    var pawn = piece(walk), way = spots(walk), end = walk.getAttribute("data-end");
    var at = pawn && /translate\(([-\d.]+)[ ,]([-\d.]+)\)/.exec(pawn.getAttribute("transform"));
    if (!at || !way.length) return null;
    var here = [parseFloat(at[1]), parseFloat(at[2])], last = way[way.length - 1];
    var body = pawn.querySelector(".body") || pawn;
    pawn.parentNode.appendChild(pawn); // above all others
    function to(spot, more) {
      return { transform: "translate(" + (spot[0] - here[0]) + "px," + (spot[1] - here[1]) + "px)" + (more || "") };
    }
    var frames = [here].concat(way).map(function (spot) { return to(spot); });
    if (flies && end) {
      var high = [(here[0] + last[0]) / 2, (here[1] + last[1]) / 2 - 40];
      frames = [to(here), to(here, " scale(1.5)"), to(high, " scale(1.5) rotate(270deg)"), to(last, " rotate(360deg)")];
    } else if (flies) {
      frames = [{ transform: "none", opacity: 1 }, { transform: "translateY(8px) scale(.7,.3)", opacity: 0 }];
    }
    var moves = play(body, frames, flies ? ms * 0.9 : Math.max(ms - 300, 300));
    function arrive() {
      if (moves) moves.cancel();
      if (!end) { pawn.style.opacity = 0; return; }
      pawn.setAttribute("transform", "translate(" + last[0] + " " + last[1] + ")");
      pawn.setAttribute("data-step", end);
    }
    if (!moves) arrive();
    return arrive;
  }

  // --- the reveal --------------------------------------------------------------------------------

  /* All barrels are covered, and turned at once; then they stand in the order of moves. */
  function reveal(item, place, ms) {
    var limit = item.getAttribute("data-limit"), most = limit === null ? Infinity : parseInt(limit, 10);
    var order = given(item, "order");
    var row = place.appendChild(make('<ol class="shows"></ol>'));
    var shown = window.rappel.turned(item).map(function (told) {
      var fails = parseInt(told.number, 10) > most;
      var one = row.appendChild(make(
        '<li class="seat-' + told.seat + (fails ? " fails" : "") + '"><div class="turns">' +
        '<svg class="upright" viewBox="-60 -60 120 120"><path class="shell" d="' + BARREL + '"/><path class="stopper" d="' + STOPPER + '"/>' + sign(told.seat, 34) + "</svg>" +
        '<svg class="over" viewBox="-60 -60 120 120"><circle class="stopper" r="52"/><circle class="shell" r="42"/><text' + (told.number.length > 1 ? ' class="two"' : "") + ">" + told.number + "</text></svg></div>" +
        '<p class="verdict"><svg viewBox="-.8 -.8 1.6 1.6">' + sign(told.seat, 0.7) + "</svg>" + (limit === null ? "" : fails ? "&gt; " + limit : "✓") + "</p></li>"));
      one.told = told;
      return one;
    });
    shown.forEach(function (one) {
      play(one.querySelector(".turns"), [{ transform: "rotateX(0)" }, { transform: "rotateX(180deg)" }], ms * 0.2, { delay: ms * 0.1 });
      play(one.querySelector(".verdict"), [{ opacity: 0 }, { opacity: 1 }], ms * 0.05, { delay: ms * 0.3 });
    });
    var timer = 0;
    function sort() {
      var before = shown.map(function (one) { return one.getBoundingClientRect(); });
      shown.slice().sort(function (one, other) { return rank(one) - rank(other); }).forEach(function (one, at) {
        row.appendChild(one);
        if (order.indexOf(one.told.seat) >= 0) one.insertAdjacentHTML("afterbegin", "<b>" + (at + 1) + "</b>");
      });
      shown.forEach(function (one, at) {
        var now = one.getBoundingClientRect();
        play(one, [{ transform: "translate(" + (before[at].left - now.left) + "px," + (before[at].top - now.top) + "px)" }, { transform: "none" }], ms * 0.15);
      });
    }
    function rank(one) {
      var at = order.indexOf(one.told.seat);
      return at < 0 ? order.length + shown.indexOf(one) : at;
    }
    if (!order.length || !row.children.length) return null;
    if (still()) sort(); else timer = setTimeout(sort, ms * 0.5);
    return function () { clearTimeout(timer); };
  }

  /* Who moves, one after another. */
  function order(item, place, ms) {
    var seats = given(item, "order");
    if (!seats.length) return null;
    var row = place.appendChild(make('<ol class="order"></ol>'));
    seats.forEach(function (colour, at) {
      var one = row.appendChild(make('<li class="seat-' + colour + '"><b>' + (at + 1) + '</b><svg viewBox="-.8 -.8 1.6 1.6">' + sign(colour, 1) + "</svg></li>"));
      play(one, [{ transform: "scale(0)" }, { transform: "scale(1.1)" }, { transform: "none" }], 300, { delay: at * Math.min(200, ms / 8) });
    });
    return null;
  }

  // --- the ending --------------------------------------------------------------------------------

  function win(item, place, ms) {
    var row = place.appendChild(make('<div class="crests"></div>'));
    given(item, "order").forEach(function (colour) {
      var crest = row.appendChild(make('<svg class="crest seat-' + colour + '" viewBox="-50 -56 100 116"><path class="shield" d="' + SHIELD + '"/>' + sign(colour, 44) + "</svg>"));
      play(crest, [{ transform: "scale(0) rotate(-20deg)" }, { transform: "scale(1.2)" }, { transform: "none" }], 600);
    });
    return still() ? null : confetti(place.parentNode, ms);
  }

  function confetti(place, ms) {
    var canvas = place.appendChild(document.createElement("canvas")), brush = canvas.getContext("2d");
    var wide = canvas.width = window.innerWidth, high = canvas.height = window.innerHeight;
    var look = getComputedStyle(document.documentElement), from = performance.now(), frame = 0;
    var inks = ["red", "green", "blue", "yellow", "violet"].map(function (ink) { return look.getPropertyValue("--" + ink); });
    var bits = Array.from({ length: 120 }, function (_, at) {
      return { x: Math.random() * wide, y: -Math.random() * high, fall: 0.25 + Math.random() * 0.3, turn: Math.random() * 6,
               sway: 20 + Math.random() * 40, ink: inks[at % inks.length] };
    });
    function draw(now) {
      var t = now - from;
      brush.clearRect(0, 0, wide, high);
      brush.globalAlpha = Math.max(0, Math.min(1, (ms - t) / 600));
      bits.forEach(function (bit) {
        brush.save();
        brush.translate(bit.x + Math.sin(t / 400 + bit.turn) * bit.sway, bit.y + t * bit.fall);
        brush.rotate(bit.turn + t / 300);
        brush.fillStyle = bit.ink;
        brush.fillRect(-6, -3, 12, 6);
        brush.restore();
      });
      frame = requestAnimationFrame(draw);
    }
    frame = requestAnimationFrame(draw);
    return function () { cancelAnimationFrame(frame); };
  }

  window.rappel = window.rappel || {};
  window.rappel.pictures = {
    dice: dice, card: laid, trick: laid, move: walked, banish: walked, reveal: reveal, plain: order, win: win
  };
})();
