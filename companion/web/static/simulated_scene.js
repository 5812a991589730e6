/* Draws the simulated table, and feels what a finger or a mouse does to its barrels.

   window.scene: show(look) draws what the eye
   sees; a `gesture` event tells that somebody tapped, dragged or shook a barrel, and how. */
(function () {
  "use strict";

  var MIDDLE = { x: 200, y: 196 };
  var PLATEAU = 128;
  var PAD = 157; // from the middle
  var HANDS = { left: { x: 98, y: 432 }, right: { x: 302, y: 432 } };
  var ORDER = ["red", "green", "blue", "yellow"]; // clockwise
  var DRAG = 9; // less is a tap
  var LOOK_BACK_MS = 380; // how a hand shakes is what it did for so long
  var box = document.getElementById("scene");
  if (!box) return;
  var world = document.getElementById("world");
  var own = world.getAttribute("data-seat");
  var plays = world.hasAttribute("data-plays");
  var picture = box.querySelector("svg");
  var spots = Array.from(box.querySelectorAll("[data-spot]"));
  var barrels = spots.map(barrel);
  var slots = { left: null, right: null }; // which barrel is in which of the own hands
  var drags = []; // each finger that has a barrel
  var seen = null;

  /* Returns the barrel of a place; all look like the first. */
  function barrel(place, handle) {
    var first = box.querySelector(".barrel");
    var made = handle ? first.cloneNode(true) : first;
    Array.from(made.querySelectorAll(".letter")).forEach(function (one) { one.textContent = place.textContent.trim(); });
    made.setAttribute("data-barrel", handle);
    return first.parentNode.appendChild(made);
  }

  // --- places ----------------------------------------------------------------------------------

  function around(radius, degrees) {
    var turn = degrees * Math.PI / 180;
    return { x: MIDDLE.x + radius * Math.cos(turn), y: MIDDLE.y + radius * Math.sin(turn) };
  }

  function spot(handle) {
    if (handle === 0) return MIDDLE;
    var ring = handle > 6 ? 1 : 0;
    return around(48 + 48 * ring, (handle - 1) % 6 * 60 + ring * 30);
  }

  /* Whoever looks sits below, and all others clockwise from there. */
  function bearing(seat) { return 90 + 90 * ((ORDER.indexOf(seat) - ORDER.indexOf(own) + 4) % 4); }

  function put(element, at, more) {
    element.style.transform = "translate(" + at.x.toFixed(1) + "px," + at.y.toFixed(1) + "px)" + (more || "");
  }

  function furnish(seats) {
    Array.from(box.querySelectorAll("[data-place]")).forEach(function (place) {
      var seat = place.getAttribute("data-place");
      place.classList.toggle("gone", seats.indexOf(seat) < 0);
      put(place, around(PAD, bearing(seat)));
      var off = (bearing(seat) - 90) * Math.PI / 180; // the sign lies beside the pad
      place.querySelector(".sign").setAttribute("transform",
        "translate(" + (-44 * Math.cos(off)).toFixed(1) + " " + (-44 * Math.sin(off)).toFixed(1) + ")");
    });
  }

  // --- the own hands ---------------------------------------------------------------------------

  function sideOf(handle) {
    return slots.left === handle ? "left" : slots.right === handle ? "right" : null;
  }

  function freeSide(x) {
    var near = x < MIDDLE.x ? "left" : "right", far = near === "left" ? "right" : "left";
    return slots[near] === null ? near : slots[far] === null ? far : null;
  }

  function grasp(handle, x) {
    if (sideOf(handle)) return;
    var side = freeSide(x === undefined ? 300 : x);
    if (side) slots[side] = handle;
  }

  /* The barrel goes to the hand that it was brought to. */
  function rest(handle, x) {
    var from = sideOf(handle), to = freeSide(x);
    if (!from || !to || (x < MIDDLE.x) !== (to === "left")) return;
    slots[from] = null;
    slots[to] = handle;
  }

  function held(look) {
    var mine = look.filter(function (one) { return one.where === "hand" && one.seat === own; });
    ["left", "right"].forEach(function (side) {
      if (!mine.some(function (one) { return one.handle === slots[side]; })) slots[side] = null;
    });
    mine.forEach(function (one) { grasp(one.handle); });
  }

  // --- what is seen ----------------------------------------------------------------------------

  function place(one) {
    if (one.where === "pad") return around(PAD, bearing(one.seat));
    if (one.where === "hand" && one.seat === own) return HANDS[sideOf(one.handle) || "right"];
    if (one.where === "hand") return around(168, bearing(one.seat) + hand(one));
    return one.where === "aside" ? around(148, 60 + one.handle * 30 % 60) : spot(one.handle);
  }

  function hand(one) { // of somebody else, who has two as well
    var both = seen.barrels.filter(function (other) {
      return other.where === "hand" && other.seat === one.seat;
    });
    return both.length < 2 || both[0].handle === one.handle ? 33 : -33;
  }

  function show(look) {
    seen = look;
    held(look.barrels);
    furnish(look.seats);
    look.barrels.forEach(function (one) {
      var mine = one.where === "hand" && one.seat === own;
      var element = barrels[one.handle];
      ORDER.forEach(function (seat) {
        element.classList.toggle("seat-" + seat, one.seat === seat && one.where === "hand");
      });
      element.classList.toggle("held", one.where === "hand");
      element.classList.toggle("near", mine && plays);
      element.classList.toggle("shaken", one.shaken && !by("handle", one.handle));
      element.classList.toggle("sliding", one.sliding);
      element.classList.toggle("flipped", one.flipped);
      element.classList.toggle("tilted", one.where === "hand" && !mine && !one.shaken && one.tilt_deg >= 60);
      element.classList.toggle("free", plays && reachable(one));
      if (one.number !== null) number(one.handle, one.number);
      if (!by("handle", one.handle)) put(element, place(one));
    });
  }

  function reachable(one) { // what a guest has at the own seat is that guest's
    if (one.where === "plateau") return seen.takes;
    return seen.yours && one.seat === own && (one.where === "hand" || (one.where === "pad" && !seen.clears));
  }

  function number(handle, read) { barrels[handle].querySelector(".number").textContent = read; }

  /* Tilts an own barrel for so long; a number that was read within that stays until it is upright. */
  function peek(handle, lastsMs, read) {
    var element = barrels[handle];
    if (!element.classList.contains("peeking")) number(handle, "");
    element.classList.add("peeking");
    clearTimeout(element.upright);
    element.upright = setTimeout(function () { element.classList.remove("peeking"); number(handle, ""); }, lastsMs);
    if (read.number === null) return;
    setTimeout(function () { number(handle, read.number); }, read.from_ms);
  }

  /* One stone knocks: the barrel flashes. */
  function flash(handle, strength) {
    var glow = barrels[handle].querySelector(".glow");
    if (glow.animate) glow.animate([{ opacity: 0.15 + 0.85 * strength }, { opacity: 0 }], { duration: 130 });
  }

  // --- fingers ---------------------------------------------------------------------------------

  function at(event) {
    var frame = picture.getScreenCTM();
    return { x: (event.clientX - frame.e) / frame.a, y: (event.clientY - frame.f) / frame.d, ms: performance.now() };
  }

  /* The button lies where the picture has room for it, however large that is drawn. */
  function fit() { box.style.setProperty("--unit", (picture.getScreenCTM() || { a: 1 }).a.toFixed(3) + "px"); }

  function tell(kind, detail) {
    box.dispatchEvent(new CustomEvent("gesture", { detail: Object.assign({ kind: kind }, detail) }));
  }

  function of(handle) { return seen.barrels[handle]; }

  /* Returns what a finger drags: by the finger's id, or by the barrel's handle. */
  function by(key, value) { return drags.find(function (one) { return one[key] === value; }); }

  picture.addEventListener("pointerdown", function (event) {
    var element = event.target.closest(".barrel.free"), handle = barrels.indexOf(element);
    if (!element || !seen || by("handle", handle) || by("id", event.pointerId) || event.button) return;
    event.preventDefault();
    var from = at(event);
    drags.push({ handle: handle, id: event.pointerId, element: element, trail: [from], from: from, moved: false });
    try { picture.setPointerCapture(event.pointerId); } catch (fault) { /* it was lifted already */ }
  });

  picture.addEventListener("pointermove", function (event) {
    var drag = by("id", event.pointerId);
    if (!drag) return;
    var here = at(event);
    drag.trail.push(here);
    while (drag.trail[0].ms < here.ms - LOOK_BACK_MS) drag.trail.shift();
    if (!drag.moved && Math.hypot(here.x - drag.from.x, here.y - drag.from.y) > DRAG) begin(drag, here);
    if (!drag.moved || drags.indexOf(drag) < 0) return;
    var lean = Math.max(-22, Math.min(22, (here.x - drag.trail[0].x) / 5));
    put(drag.element, here, " rotate(" + lean.toFixed(1) + "deg)");
  });

  function begin(drag, here) {
    drag.moved = true;
    if (seen.yours && !sideOf(drag.handle) && !freeSide(here.x)) { tell("full", {}); return end(drag); }
    drag.element.classList.add("dragged", "near");
    drag.element.parentNode.appendChild(drag.element); // above all others
    tell("drag", { barrel: drag.handle, from: of(drag.handle).where });
  }

  function end(drag) {
    drag.element.classList.remove("dragged");
    drags.splice(drags.indexOf(drag), 1);
    if (seen) show(seen);
  }

  /* The barrel slips out of the finger. */
  function slip(handle) { if (by("handle", handle)) end(by("handle", handle)); }

  picture.addEventListener("pointerup", function (event) {
    var done = by("id", event.pointerId), here = at(event);
    if (!done) return;
    end(done);
    if (!done.moved) { tell("tap", { barrel: done.handle, where: of(done.handle).where }); return; }
    tell("drop", { barrel: done.handle, onto: below(here), x: here.x });
  });

  picture.addEventListener("pointercancel", function (event) {
    var done = by("id", event.pointerId);
    if (!done) return;
    end(done);
    if (done.moved) tell("drop", { barrel: done.handle, onto: "hand", x: done.from.x });
  });

  function below(here) {
    var pad = around(PAD, 90);
    if (Math.hypot(here.x - pad.x, here.y - pad.y) < 46) return "pad";
    return Math.hypot(here.x - MIDDLE.x, here.y - MIDDLE.y) < PLATEAU ? "plateau" : "hand";
  }

  /* Returns how hard fingers shake barrels just now: which, and units in a second. */
  function shaking() { return drags.filter(function (drag) { return drag.moved; }).map(shaken).filter(Boolean); }

  function shaken(drag) {
    var now = performance.now();
    var trail = drag.trail.filter(function (one) { return one.ms > now - LOOK_BACK_MS; });
    var way = 0, turns = 0;
    for (var i = 1; i < trail.length; i += 1) {
      way += Math.hypot(trail[i].x - trail[i - 1].x, trail[i].y - trail[i - 1].y);
    }
    for (var k = 2; k < trail.length; k += 1) {
      var before = { x: trail[k - 1].x - trail[k - 2].x, y: trail[k - 1].y - trail[k - 2].y };
      var after = { x: trail[k].x - trail[k - 1].x, y: trail[k].y - trail[k - 1].y };
      if (before.x * after.x + before.y * after.y < 0) turns += 1;
    }
    if (trail.length < 3 || !turns) return null;
    return { barrel: drag.handle, speed: way / (trail[trail.length - 1].ms - trail[0].ms) * 1000 };
  }

  function dragging() { return drags.some(function (drag) { return drag.moved; }); }

  spots.forEach(function (one, handle) { put(one, spot(handle)); });
  if (window.ResizeObserver) new ResizeObserver(fit).observe(picture);
  window.addEventListener("resize", fit);
  fit();

  window.scene = {
    show: show, slip: slip, peek: peek, flash: flash, grasp: grasp, rest: rest, sideOf: sideOf, shaking: shaking,
    dragging: dragging, own: own, plays: plays, slots: slots, box: box
  };
})();
