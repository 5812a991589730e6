/* What goes on around the simulated table: taking the seat, and what the referee says meanwhile.

   The seat is taken as at a real table: this phone asks for it, then its
   button is pressed. A `phase` event on #world tells that the match has come to another phase; a
   `waits` event that all wait for a barrel of this seat, or no more, an `upright` event that its
   barrel was placed or turned over. A small screen shows the barrels or the board: whichever the
   phase asks for, until somebody taps the other. */
(function () {
  "use strict";

  var SOON_MS = 10000; // an accusation that comes so soon is about what one has just dared
  var WALKS = ["move", "banish"]; // moments that are seen on the board alone
  var world = document.getElementById("world"), rappel = window.rappel;
  if (!world) return;
  var own = world.getAttribute("data-seat"), plays = world.hasAttribute("data-plays");
  var scene = document.getElementById("scene");
  var fouls = null; // those that were there already
  var loaded = ($("table") || world).getAttribute("data-match"); // the match for which the page was made
  var waits = false; // whether all wait for this seat
  var asks = false; // whether it has something else to decide
  var read = false; // whether a number was to be read
  var later = false; // whether a side is chosen once no barrel is dragged any more
  var tabs = Array.from(document.querySelectorAll(".tabs [data-side]"));

  function $(id) { return document.getElementById(id); }

  function words(key) {
    var found = document.querySelector('template[data-words="' + key + '"]');
    return found ? found.content.textContent.trim() : "";
  }

  function write(element, text) { if (element.textContent !== text) element.textContent = text; }

  // --- taking the seat -------------------------------------------------------------------------

  /* The page loads again, with hands; whoever took the seat, here or on the page by which phones
     join, or any seat in the first run, sits down and goes on where the next thing is. */
  function seated() {
    try { sessionStorage.setItem("seated", own); } catch (fault) { /* then keys begin at the top */ }
    location.reload();
  }

  function goOn() {
    try {
      if ([own, "any"].indexOf(sessionStorage.getItem("seated")) < 0) return;
      sessionStorage.removeItem("seated");
    } catch (fault) { return; }
    if (!plays) return;
    rappel.post("/api/simulated/act", { act: "sit" }).then(begin).catch(function () { /* its key is there */ });
    rappel.goOn();
  }

  /* Says what whoever took the seat wants first: to play, or to learn how. */
  function begin() {
    var first = sessionStorage.getItem("first");
    sessionStorage.removeItem("first");
    if (first) rappel.wish(JSON.parse(first), world);
  }

  function sit(button) {
    button.disabled = true;
    try { sessionStorage.setItem("first", button.getAttribute("data-first") || ""); } catch (fault) { /* then it is asked again */ }
    button.setAttribute("aria-busy", "true");
    rappel.post("/api/pair", { seat: own }).then(function (answer) {
      if (!answer.ok) throw answer;
      if (answer.body.role === own) { seated(); return; }
      pressed(20);
    }).catch(function (answer) { fail(((answer.body || {}).error || {}).sentence); });

    function fail(sentence) {
      button.disabled = false;
      button.removeAttribute("aria-busy");
      rappel.tell(sentence || words("unsent"));
    }

    function pressed(tries) { // the guest who sits there may just have both hands full
      rappel.post("/api/simulated/act", { act: "press", for_s: 3 }).then(function (answer) {
        if (answer.ok) return entered(50); // it is held for as long as lets a phone in
        if (answer.status !== 422 || !tries) throw answer;
        return setTimeout(pressed, 900, tries - 1);
      }).catch(function (answer) { fail(((answer.body || {}).error || {}).sentence); });
    }

    function entered(tries) {
      fetch("/api/pair", { cache: "no-store", credentials: "same-origin" })
        .then(function (answer) { return answer.json(); })
        .then(function (found) {
          if (found.role === own) seated();
          else if (tries) setTimeout(entered, 200, tries - 1);
          else fail();
        }, function () { fail(); });
    }
  }

  ["take-seat", "learn"].forEach(function (id) {
    if ($(id)) $(id).addEventListener("click", function () { sit($(id)); });
  });
  if ($("watch")) $("watch").addEventListener("click", function () { $("door").hidden = true; });

  // --- what the referee says -------------------------------------------------------------------

  function follow() {
    var table = $("table"), headline = $("headline");
    if (!table || !headline) return;
    var found = /phase-(\w+)/.exec(table.className);
    if (plays && table.getAttribute("data-match") !== loaded && $("seats") && !$("seat-" + own)) return location.reload();
    if ($("left-out") && table.getAttribute("data-match") !== loaded) return location.reload();
    accuse();
    var phase = found ? found[1] : "", before = world.getAttribute("data-phase");
    world.setAttribute("data-phase", phase);
    world.setAttribute("data-mark", $("practice") ? $("practice").getAttribute("data-mark") : "");
    $("sides").className = table.className.replace(/\btable\b/, "sides") + (reads() && !window.scene.dragging() ? " reads" : "") + (waits ? " waits" : "") + (asks ? " blocked" : ""); // what is laid out otherwise in a phase or a game
    if (later || before !== phase || read !== reads()) {
      read = reads();
      choose();
      world.dispatchEvent(new CustomEvent("phase"));
    }
    var open = Boolean(document.querySelector("#table .foul"));
    tabs.forEach(function (tab) {
      tab.classList.toggle("calls", open && tab.getAttribute("data-side") === "board");
    });
  }

  function wanted(phase) {
    var hands = ["place", "flip", "say"].indexOf(phase) >= 0 || (phase === "none" && !plays);
    return hands || reads() ? "barrels" : "board";
  }

  /* Tells whether one is to read what a barrel shows that lies before one. */
  function reads() {
    return (world.getAttribute("data-phase") === "say" && !world.hasAttribute("data-upright")) ||
           world.getAttribute("data-mark") === "move";
  }

  /* Shows the side that is asked about, unless somebody just reads the list. */
  function choose() {
    if (!$("all").open) turn(waits ? "barrels" : wanted(world.getAttribute("data-phase")));
  }

  function turn(side) {
    later = window.scene.dragging();
    if (later) return;
    $("sides").setAttribute("data-side", side);
    $("sides").classList.toggle("reads", reads());
    tabs.forEach(function (tab) {
      tab.setAttribute("aria-pressed", String(tab.getAttribute("data-side") === side));
    });
  }

  function accuse() {
    var open = Array.from(document.querySelectorAll("#table .foul"));
    var newest = open.filter(function (one) { return fouls && fouls.indexOf(one.id) < 0; }).pop();
    var card = $("caught");
    if (!card) return; // who only watches sees it beside the scene
    fouls = (fouls || []).concat(open.map(function (one) { return one.id; }));
    var whose = newest ? newest.getAttribute("data-seat") : "";
    var maybe = newest && (!whose || whose === own); // a guest may have been seen just then
    if (maybe && Date.now() - Number(world.getAttribute("data-dared")) < SOON_MS) {
      card.querySelector("a").setAttribute("href", "#" + newest.id);
      card.removeAttribute("aria-live");
      scene.classList.add("alarm");
      setTimeout(function () { scene.classList.remove("alarm"); }, 1700);
    }
    var about = document.getElementById(card.querySelector("a").getAttribute("href").slice(1));
    card.hidden = !(about && about.classList.contains("foul"));
    if (card.hidden) return;
    var foul = about.querySelector("h2").textContent.trim(); // it grows as long as one looks
    var asked = words(about.getAttribute("data-seat") ? "caught" : "seen").replace("{foul}", foul);
    write(card.querySelector("strong"), asked);
    setTimeout(function () { card.setAttribute("aria-live", "off"); }, 1000); // it is called out once
  }

  document.addEventListener("moment", function (event) { // pawns are seen where they walk
    if (!event.detail.late && WALKS.indexOf(event.detail.kind) >= 0) turn("board");
  });

  tabs.forEach(function (tab) {
    tab.addEventListener("click", function () { turn(tab.getAttribute("data-side")); });
  });
  document.addEventListener("click", function (event) { // what the sensors saw stands beside the board
    if (event.target.closest("#caught a")) turn("board");
  });
  world.addEventListener("waits", function (event) {
    waits = event.detail;
    $("sides").classList.toggle("waits", waits);
    choose();
  });
  world.addEventListener("asks", function (event) { asks = event.detail; follow(); });
  scene.addEventListener("gesture", function (event) {
    if (event.detail.kind === "drop" && later) choose();
  });
  world.addEventListener("upright", follow);
  document.addEventListener("morphed", follow);
  follow();
  goOn();
})();
