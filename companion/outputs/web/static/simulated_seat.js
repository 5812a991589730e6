/* What goes on around the simulated table: taking the seat, and what the referee says meanwhile.

   It must not know barrels. The seat is taken as at a real table: this phone asks for it, then its
   button is pressed. A `phase` event on #world tells that the match has come to another phase; a
   `waits` event that all wait for a barrel of this seat, or no more. */
(function () {
  "use strict";

  var SOON_MS = 10000; // an accusation that comes so soon is about what one has just dared
  var world = document.getElementById("world"), rappel = window.rappel;
  if (!world) return;
  var own = world.getAttribute("data-seat"), plays = world.hasAttribute("data-plays");
  var scene = document.getElementById("scene");
  var fouls = null; // those that were there already
  var waited = false; // whether all waited for this seat

  function $(id) { return document.getElementById(id); }

  function words(key) {
    var found = document.querySelector('template[data-words="' + key + '"]');
    return found ? found.content.textContent.trim() : "";
  }

  function write(element, text) { if (element.textContent !== text) element.textContent = text; }

  // --- taking the seat -------------------------------------------------------------------------

  function sit(button) {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    rappel.post("/api/pair", { seat: own }).then(function (answer) {
      if (!answer.ok) throw answer;
      if (answer.body.role === own) { location.reload(); return; }
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
          if (found.role === own) location.reload();
          else if (tries) setTimeout(entered, 200, tries - 1);
          else fail();
        }, function () { fail(); });
    }
  }

  if ($("take-seat")) $("take-seat").addEventListener("click", function () { sit($("take-seat")); });

  // --- what the referee says -------------------------------------------------------------------

  function follow() {
    var table = $("table"), headline = $("headline");
    if (!table || !headline) return;
    var magic = document.querySelector("#magic strong");
    var found = /phase-(\w+)/.exec(table.className);
    write($("now"), headline.textContent.trim());
    $("now").setAttribute("data-magic", magic ? magic.textContent : "");
    accuse();
    var phase = found ? found[1] : "", before = world.getAttribute("data-phase");
    world.setAttribute("data-phase", phase);
    if (before) turned(phase, before);
    if (before !== phase) world.dispatchEvent(new CustomEvent("phase"));
  }

  /* Who has to do something elsewhere is taken there, once; nobody else is moved. */
  function turned(phase, before) {
    var hands = phase === "place" || phase === "flip";
    var turn = asked();
    var news = before !== phase || (turn && !waited);
    waited = turn;
    bring(hands ? before !== phase && world : news && turn && $("top"));
  }

  function asked() { return Boolean(document.querySelector("#seat-" + own + ".turn")); }

  function bring(goal) {
    if (!goal || !plays || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.nodeName)) return;
    if (window.matchMedia("(min-width: 900px)").matches) return; // there is room for both
    var still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    goal.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
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
      var foul = newest.querySelector("h2").textContent.trim();
      write(card.querySelector("strong"), words(whose ? "caught" : "seen").replace("{foul}", foul));
      card.querySelector("a").setAttribute("href", "#" + newest.id);
      scene.classList.add("alarm");
      setTimeout(function () { scene.classList.remove("alarm"); }, 1700);
    }
    var about = document.getElementById(card.querySelector("a").getAttribute("href").slice(1));
    card.hidden = !(about && about.classList.contains("foul"));
  }

  world.addEventListener("waits", function (event) { bring(event.detail ? world : asked() && $("top")); });
  document.addEventListener("morphed", follow);
  follow();
})();
