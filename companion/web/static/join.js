/* Lets this phone in: by the PIN that is typed or scanned, or by a press of a seat's button. */
(function () {
  "use strict";

  var ASK_MS = 1000;
  var home = document.querySelector(".product").getAttribute("href");

  function find(id) { return document.getElementById(id); }

  function pair(body) {
    return window.rappel.post("/api/pair", body).then(function (answer) {
      if (!answer.ok) window.rappel.tell((answer.body.error || {}).sentence);
      return answer;
    }, function () {
      window.rappel.tell(document.querySelector('template[data-words="unsent"]').content.textContent);
      return { ok: false, body: {} };
    });
  }

  function enter(pin, seat) {
    var body = { pin: pin };
    if (seat) body.seat = seat;
    return pair(body).then(function (answer) {
      if (answer.ok) joined(answer.body.role);
      return answer.ok;
    });
  }

  function joined(role) { // who came from setting up a game, or by any link of ours, goes on with it
    var game = new URLSearchParams(location.search).get("game");
    var next = game ? "/setup?game=" + encodeURIComponent(game) : cameFrom();
    if (role && role !== "table") {
      try { sessionStorage.setItem("seated", role); } catch (fault) { /* then a tap more is needed */ }
      next = "/people?next=" + encodeURIComponent(next === "/join" ? home : next);
    }
    location.replace(next);
  }

  function cameFrom() {
    var here = location.protocol + "//" + location.host;
    var path = document.referrer.indexOf(here + "/") === 0 ? document.referrer.slice(here.length) : "";
    if (path === "/") return home; // where the barrels are, too, if the table is simulated
    return /^\/(?!\/|join|people|language|tv)/.test(path) ? path : "/join";
  }

  function scanned() { // the PIN of a scanned picture: it must not stay in the address
    var pin = location.hash.slice(1);
    if (!/^[0-9]{6}$/.test(pin)) return;
    history.replaceState(null, "", location.pathname);
    if (find("join")) enter(pin, "");
  }

  function form() {
    var join = find("join"), pin = find("pin"), timer = 0;

    function seat() { return (join.querySelector("input[name=seat]:checked") || {}).value || ""; }

    function choose() {
      if (find("ask")) find("ask").disabled = !seat();
      Array.from(join.querySelectorAll(".whose label")).forEach(function (label) {
        label.classList.toggle("chosen", label.querySelector("input").checked);
      });
    }

    function send() {
      pin.value = pin.value.replace(/[^0-9]/g, "");
      if (pin.value.length < 6) { pin.focus(); return; }
      enter(pin.value, seat()).then(function (ok) { if (!ok) pin.value = ""; });
    }

    function wait(answer) {
      clearTimeout(timer);
      if (!answer.ok) return;
      if (answer.body.role) { joined(answer.body.role); return; }
      var left = answer.body.waits_s;
      find("press").hidden = !left;
      find("ask").hidden = !!left;
      find("left").textContent = left;
      if (left) find("by-button").open = true;
      if (left) timer = setTimeout(look, ASK_MS);
    }

    function look() {
      fetch("/api/pair", { cache: "no-store", credentials: "same-origin" }).then(function (answer) {
        return answer.json().then(function (body) { wait({ ok: answer.ok, body: body }); });
      }).catch(function () { timer = setTimeout(look, ASK_MS); });
    }

    join.addEventListener("change", choose);
    join.addEventListener("submit", function (event) { event.preventDefault(); send(); });
    join.addEventListener("click", function (event) {
      var key = event.target.getAttribute("data-key");
      if (!key) return;
      pin.value = key === "back" ? pin.value.slice(0, -1) : (pin.value + key).slice(0, 6);
      if (pin.value.length === 6 && key !== "back") send();
    });
    choose();
    if (!find("ask")) return; // here only the PIN lets anybody in
    find("ask").addEventListener("click", function () { pair({ seat: seat() }).then(wait); });
    look(); // perhaps it waits already
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("[data-pair], [data-unpair]") : null;
    if (!button) return;
    var asks = button.getAttribute("data-pair");
    var done = asks ? pair(JSON.parse(asks))
      : window.rappel.post("/api/unpair", JSON.parse(button.getAttribute("data-unpair")));
    done.then(function (answer) {
      if (answer.ok && asks) joined(answer.body.role);
      else if (answer.ok) location.replace(button.getAttribute("data-next") || "/join");
    }, function () {});
  });
  window.addEventListener("hashchange", scanned);
  if (find("join")) form();
  scanned();
})();
