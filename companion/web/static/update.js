/* What root does for the Workshop page: a release's file is sent in parts, and how far root is with
   what was asked is shown until it is over, also while the table is away. */
(function () {
  "use strict";

  var LOOK_MS = 1000, OURS = ["update", "roll-back", "restart", "shut-down"];
  var state = document.getElementById("program-state");
  var file = document.getElementById("update-file"), send = document.getElementById("update-send");
  var bar = document.getElementById("update-sent");
  var turn = 0;

  function show(sentence) {
    state.textContent = sentence;
    state.hidden = !sentence;
  }

  /* Looks until what was asked is over; a table that is away comes back, or is off for good. */
  function follow(request, leaves) {
    return fetch("/api/care/answer", { cache: "no-store", credentials: "same-origin" }).then(function (answer) {
      if (!answer.ok) throw new Error();
      return answer.json();
    }).then(function (now) {
      if (!request || now.request === request) show(now.sentence);
      return now.busy;
    }, function () { return !leaves; }).then(function (on) {
      if (on) return new Promise(function (done) { setTimeout(done, LOOK_MS); }).then(function () { return follow(request, leaves); });
      if (!leaves) location.reload();
      return null;
    });
  }

  document.addEventListener("cared", function (event) {
    var act = event.target.getAttribute("data-care");
    if (OURS.indexOf(act) < 0) return;
    window.rappel.tell("");
    show(window.care.text("busy")); // and no longer what became of something else
    state.scrollIntoView({ block: "center" });
    send.hidden = true;
    follow(event.detail.request, act === "restart" || act === "shut-down");
  });

  file.addEventListener("change", function () {
    var mine = turn += 1, whole = file.files[0];
    send.hidden = true;
    bar.hidden = !whole;
    if (!whole) return;
    window.care.upload(whole, function (percent) {
      if (mine !== turn) throw new Error("");
      bar.value = percent;
    }).then(function () { send.hidden = false; send.focus(); }).catch(window.care.told)
      .then(function () { if (mine === turn) bar.hidden = true; });
  });

  if (state.hasAttribute("data-busy")) follow("", false);
})();
