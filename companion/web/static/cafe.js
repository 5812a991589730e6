/* What a café has switched on: a turn clock and a break bell, both gentle.

   A live part bears data-turn-s (how long a turn may take) and data-break-min with data-since-ms (how
   often a bell rings, and from when on). The clock begins when others are waited for than before; it
   fills their chips, and they glow once it is over. It must not know what is played. */
(function () {
  "use strict";

  var RINGS_MS = 45000;
  var part = document.querySelector("#table, #tv");
  if (!part) return;
  var waited = "", from = 0, rung = -1;
  var note = document.createElement("p");
  note.id = "bell";
  note.hidden = true;
  note.setAttribute("role", "status");
  note.addEventListener("click", function () { note.hidden = true; });
  document.body.appendChild(note);

  function number(name) { return parseInt(part.getAttribute(name), 10) || 0; }

  function turn() {
    var chips = Array.from(document.querySelectorAll("#seats .turn"));
    var now = chips.map(function (one) { return one.id; }).join(" ") + part.getAttribute("data-match");
    if (now !== waited) { waited = now; from = Date.now(); }
    var limit = number("data-turn-s") * 1000;
    chips.forEach(function (one) {
      one.style.setProperty("--turn", limit ? Math.min(1, (Date.now() - from) / limit) : 0);
      one.classList.toggle("slow", limit > 0 && Date.now() - from > limit);
    });
  }

  function bell() {
    var every = number("data-break-min") * 60000, since = number("data-since-ms");
    var count = every ? Math.floor((Date.now() - since) / every) : 0;
    if (rung >= 0 && count > rung && every) ring();
    rung = count;
  }

  function ring() {
    note.textContent = document.querySelector('template[data-words="break"]').content.textContent.trim();
    note.hidden = false;
    setTimeout(function () { note.hidden = true; }, RINGS_MS);
    document.dispatchEvent(new CustomEvent("moment", { detail: { kind: "bell", ms: 2000, late: false, sentence: "", aloud: "" } }));
  }

  function tick() { turn(); bell(); }

  document.addEventListener("morphed", tick);
  setInterval(tick, 1000);
  tick();
})();
