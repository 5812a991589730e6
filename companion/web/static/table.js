/* The table page: a tap on a pawn chooses it, and its move is previewed.

   It must not know rules: whatever may be chosen stands in the page. What bears data-for is seen
   while the input of that id is checked; a form with data-asks puts its answers into a wish. */
(function () {
  "use strict";

  var SETTLE_MS = 800;

  function all(selector, within) {
    return Array.from((within || document).querySelectorAll(selector));
  }

  // --- the rules of this moment -------------------------------------------------------------------

  var READY_MS = 400; // at most so long their drawings are waited for

  /* Opens a sheet that says what the rules are here; a browser without one goes to the manual. */
  function rules(key, sheet) {
    if (!sheet.showModal) { location.assign("/manual"); return; }
    key.setAttribute("aria-busy", "true");
    fetch("/rules", { cache: "no-store", credentials: "same-origin" }).then(function (answer) {
      if (!answer.ok) throw new Error(String(answer.status));
      return Promise.all([answer.text(), drawings()]);
    }).then(function (found) {
      sheet.querySelector("div").innerHTML = found[0];
      sheet.showModal();
      sheet.scrollTop = 0;
    }).catch(function () {
      var words = document.querySelector('template[data-words="unsent"]');
      window.rappel.tell(words ? words.content.textContent.trim() : "");
    }).then(function () { key.removeAttribute("aria-busy"); });
  }

  function drawings() {
    return new Promise(function (done) {
      var found = document.getElementById("drawings"), style = found || document.createElement("link");
      if (found) { done(); return; }
      style.id = "drawings";
      style.rel = "stylesheet";
      style.href = "/static/drawings.css";
      style.onload = done;
      setTimeout(done, READY_MS);
      document.head.appendChild(style);
    });
  }

  document.addEventListener("click", function (event) { // what somebody far away says of a barrel
    var key = event.target.closest && event.target.closest("[data-ear]");
    if (!key || key.disabled) return;
    key.disabled = true;
    window.rappel.post("/api/people/ear", JSON.parse(key.getAttribute("data-ear"))).then(function (answer) {
      window.rappel.tell(answer.ok ? "" : (answer.body.error || {}).sentence);
    }, function () {
      window.rappel.tell(document.querySelector('template[data-words="unsent"]').content.textContent);
    }).then(function () { key.disabled = false; });
  });

  function illustrate() { if (document.querySelector("#practice .picture")) drawings(); }

  document.addEventListener("morphed", illustrate);
  illustrate();

  document.addEventListener("click", function (event) {
    var sheet = document.getElementById("rules-now"), key = event.target.closest && event.target.closest("#rules-key");
    if (key && key.getAttribute("aria-busy") !== "true") rules(key, sheet);
    else if (sheet && event.target === sheet) sheet.close(); // beside it
  });

  // --- choosing a move ---------------------------------------------------------------------------

  function preview() {
    all("[data-for]").forEach(function (one) {
      var input = document.getElementById(one.getAttribute("data-for"));
      if (input) one.toggleAttribute("hidden", !input.checked && !waits(one, input));
    });
    all("[data-choose]").forEach(function (pawn) {
      var input = document.getElementById(pawn.getAttribute("data-choose"));
      pawn.classList.toggle("chosen", Boolean(input && input.checked));
    });
    all("form[data-moves]").forEach(compose);
  }

  /* What bears data-until, too, is seen as long as nothing of that name is chosen. */
  function waits(one, input) {
    var name = one.getAttribute("data-until");
    return Boolean(name) && !all("input[name=" + name + "]:checked", input.form).length;
  }

  function compose(form) {
    var button = form.querySelector("[data-confirms]");
    var way = form.querySelector("input[name=way]:checked");
    if (!button || button.getAttribute("aria-busy") === "true") return;
    button.disabled = !way;
    if (!way) return;
    var beside = form.querySelector('[data-for="' + way.id + '"]');
    function named(name) {
      return all("input[name=" + name + "]:checked", beside).map(function (one) {
        return one.value;
      }).join(",");
    }
    var text = way.value;
    if (named("take")) text += " take " + named("take");
    if (named("portals")) text += " portals " + named("portals");
    var needs = form.getAttribute("data-needs"); // so many, not more and not less
    if (needs) button.disabled = named("portals").split(",").length !== parseInt(needs, 10);
    if (form.getAttribute("data-moves") === "names") text += " banish " + (named("banish") || "none");
    button.setAttribute("data-wish", JSON.stringify({ kind: "act", text: text }));
  }

  document.addEventListener("change", function (event) {
    if (event.target.name === "way") { // whom one chose for another pawn is chosen no more
      all("form[data-moves] input[type=checkbox]").forEach(function (one) { one.checked = false; });
      var part = event.target.closest("[data-for]");
      var whole = part && document.getElementById(part.getAttribute("data-for"));
      if (whole && whole.name === "wizard") whole.checked = true; // it is one of its ways
    }
    if (event.target.name === "wizard") choose(event.target);
    preview();
    if (event.target.name === "way" && finger && finger.contains(event.target)) goes(event.target.form, true);
  });

  var finger = null; // the choice in a list that it taps; by keys one looks through all of them first
  var meant = ""; // the wizard that was tapped

  document.addEventListener("pointerdown", function (event) { finger = event.target.closest("label"); }, true);
  document.addEventListener("keydown", function () { finger = null; }, true);

  /* Where another wizard would have gone is chosen no more; where there is one way, it is chosen. */
  function choose(wizard) {
    meant = wizard.id;
    var ways = all('[data-for="' + wizard.id + '"] input[name=way]', wizard.form);
    all("input[name=way]", wizard.form).forEach(function (one) {
      one.checked = ways.length === 1 && one === ways[0];
    });
  }

  document.addEventListener("click", function (event) {
    var pawn = event.target.closest ? event.target.closest("[data-choose]") : null;
    var input = pawn && document.getElementById(pawn.getAttribute("data-choose"));
    if (!input) return;
    input.click();
    bring(input);
    var part = input.closest("[data-for]");
    if (input.name === "way" && input.checked) goes(input.form, Boolean(part) && part.getAttribute("data-for") === meant);
  });

  /* A tap on where it goes is the move; but where others could go there, too, which of them has to be known. */
  function goes(form, known) {
    var button = form && form.hasAttribute("data-at-once") && form.querySelector("[data-confirms]");
    var others = button && !known && all(".rather:not([hidden])", form).length;
    if (button && !button.disabled && !others) button.click();
  }

  /* What a choice asks besides is brought into sight in its list; the board stays where it is. */
  function bring(input) {
    var list = document.getElementById("play");
    var asks = document.querySelector('[data-for="' + input.id + '"] input[type=checkbox]');
    var part = asks && asks.closest("fieldset");
    if (!list || !part || !list.contains(part)) return;
    var box = part.getBoundingClientRect(), seen = list.getBoundingClientRect();
    if (box.top < seen.top || box.bottom > seen.bottom) list.scrollTop += box.top - seen.top - 8;
  }

  document.addEventListener("morphed", preview);

  // --- forms that ask for something --------------------------------------------------------------

  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.hasAttribute("data-moves")) event.preventDefault();
    if (!form.hasAttribute("data-asks")) return;
    event.preventDefault();
    var wish = JSON.parse(form.getAttribute("data-asks"));
    var pieces = [];
    all("[name]", form).forEach(function (one) {
      if (one.name === "piece") pieces.push(one.value); else wish[one.name] = one.value || null;
    });
    if (pieces.length) wish.text += pieces.join(",");
    var button = form.querySelector("button");
    button.disabled = true;
    window.rappel.wish(wish, form).then(function (ok) {
      button.disabled = false;
      if (ok && form.hasAttribute("data-then")) location.assign(form.getAttribute("data-then"));
    });
  });

  // --- fouls -------------------------------------------------------------------------------------

  /* A foul that has just come, or moved up, takes no tap: the finger was on its way to another. */
  var known = fouls();

  function fouls() { return all("#play > .foul").map(function (one) { return one.id; }); }

  document.addEventListener("morphed", function () {
    var before = known;
    known = fouls();
    known.forEach(function (id) {
      if (before.indexOf(id) >= 0) return;
      document.getElementById(id).inert = true;
      setTimeout(function () {
        var card = document.getElementById(id);
        if (card) card.inert = false;
      }, SETTLE_MS);
    });
  });

  // --- putting pawns where they stand ------------------------------------------------------------

  var held = null; // the list of the pawn that was tapped

  function hold(list) {
    held = list;
    all("#placing [data-pawn]").forEach(function (pawn) {
      pawn.classList.toggle("chosen", Boolean(list) && pawn.id === list.getAttribute("data-moves-pawn"));
    });
  }

  function put(list, step) {
    list.selectedIndex = step; // the lists go from the start over 1 to 24 to the city
    var pawn = document.getElementById(list.getAttribute("data-moves-pawn"));
    var spot = target(list, step);
    if (!pawn || !spot) return;
    var box = spot.getBBox();
    var own = spot.transform.baseVal.consolidate();
    var turn = (parseInt(pawn.id.slice(-1), 10) - 1) * 9; // beside its like, not on top of it
    pawn.setAttribute("transform", "translate(" + (box.x + box.width / 2 + (own ? own.matrix.e : 0) + turn) +
                      " " + (box.y + box.height / 2 + (own ? own.matrix.f : 0)) + ")");
  }

  function target(list, step) {
    var colour = list.getAttribute("data-colour");
    if (step === 0 || step === 25) {
      var kind = step ? "city" : "start";
      return document.querySelector("#placing .home.seat-" + colour + ' [data-home="' + kind + '"]');
    }
    var field = (parseInt(list.getAttribute("data-entry"), 10) + step - 1) % 24;
    return document.querySelector('#placing [data-field="' + field + '"]');
  }

  document.addEventListener("change", function (event) {
    if (!event.target.hasAttribute("data-moves-pawn")) return;
    hold(event.target);
    put(event.target, event.target.selectedIndex);
  });

  document.addEventListener("click", function (event) {
    var board = event.target.closest ? event.target.closest("#placing") : null;
    if (!board) return;
    var pawn = event.target.closest("[data-pawn]");
    var field = event.target.closest("[data-field]");
    var home = event.target.closest("[data-home]");
    if (pawn) hold(document.querySelector('[data-moves-pawn="' + pawn.id + '"]'));
    if (pawn || !held) return;
    if (field) {
      var entry = parseInt(held.getAttribute("data-entry"), 10);
      put(held, (parseInt(field.getAttribute("data-field"), 10) - entry + 24) % 24 + 1);
    } else if (home && home.closest(".seat-" + held.getAttribute("data-colour"))) {
      put(held, home.getAttribute("data-home") === "city" ? 25 : 0);
    }
  });

  preview();
})();
