/* The set-up page: whatever is changed is read by the server again, and a tap paints a field.

   It must not know which boards are good: the server says what is wrong. */
(function () {
  "use strict";

  var form = document.getElementById("setup");
  var checked = document.getElementById("checked");
  var home = document.querySelector(".product").getAttribute("href");
  var asked = 0;
  var next = 0; // when it is asked again, or no longer waited for
  var focused = ""; // what is to have the focus again
  var AGAIN_MS = 2000;
  var PATIENCE_MS = 8000;
  var HERE_MS = 20000; // so often whoever reads on is known to be there: guests wait

  function said() {
    var pairs = [];
    new FormData(form).forEach(function (value, name) {
      pairs.push(encodeURIComponent(name) + "=" + encodeURIComponent(value));
    });
    return pairs.join("&");
  }

  /* What was read before the last change must not begin a match: until the answer, no tap counts.
     A key that cannot be pressed loses the focus, so it is kept in mind. */
  function wait() {
    if (checked.contains(document.activeElement)) focused = document.activeElement.id;
    Array.from(checked.querySelectorAll("[data-wish]")).forEach(function (one) {
      one.disabled = true;
    });
  }

  function show(html) {
    var at = document.activeElement;
    if (checked.contains(at)) focused = at.id;
    else if (at && at !== document.body) focused = ""; // somebody went on
    checked.innerHTML = html;
    tell();
    var again = focused && document.getElementById(focused);
    if (again) again.focus({ preventScroll: true });
    focused = "";
  }

  /* What differs from the usual rules, beside the fold that hides them. */
  function tell() {
    var now = document.getElementById("differs-now"), place = document.getElementById("differs");
    if (now && place) place.textContent = now.content.textContent;
  }

  /* Who sat there last time, sits there again before the match begins. */
  function again(event) {
    var button = event.target.closest ? event.target.closest("#play-again") : null;
    var people = button ? JSON.parse(button.getAttribute("data-people")) : [];
    if (!people.length) return;
    event.preventDefault();
    event.stopPropagation();
    button.setAttribute("data-people", "[]");
    function next() {
      var one = people.shift();
      if (!one) { button.click(); return; }
      window.rappel.post("/api/people", one).then(next, next);
    }
    next();
  }

  function look() {
    var mine = ++asked;
    clearTimeout(next);
    wait();
    var brushes = document.getElementById("brushes");
    if (brushes) brushes.hidden = form.elements.board.value !== "own";
    var patience = window.AbortController ? new AbortController() : null;
    next = setTimeout(function () { if (patience) patience.abort(); }, PATIENCE_MS);
    return fetch("/setup/checked?" + said(), {
      credentials: "same-origin", cache: "no-store", signal: patience ? patience.signal : undefined
    })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      })
      .then(function (html) {
        if (mine !== asked) return; // a newer change is on its way
        clearTimeout(next);
        show(html);
      })
      .catch(function () {
        if (mine !== asked) return;
        clearTimeout(next);
        next = setTimeout(look, AGAIN_MS);
        var words = document.querySelector('template[data-words="unsent"]');
        if (words) window.rappel.tell(words.content.textContent.trim());
      });
  }

  function paint(field) {
    var index = parseInt(field.getAttribute("data-field"), 10);
    var brush = form.elements.brush.value;
    var list = brush.indexOf("entry-") === 0 ? form.elements.entries : form.elements.ring;
    var parts = list.value.split(" ");
    if (list === form.elements.ring) parts[index] = brush;
    else parts[parseInt(brush.slice(6), 10)] = String(index);
    list.value = parts.join(" ");
    look();
  }

  form.addEventListener("change", function (event) { if (event.target.name !== "brush") look(); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });

  function field(event) {
    return event.target.closest ? event.target.closest("#painting [data-field]") : null;
  }

  form.addEventListener("click", function (event) { if (field(event)) paint(field(event)); });
  form.addEventListener("keydown", function (event) {
    if (!field(event) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    paint(field(event));
  });

  form.addEventListener("wished", function (event) {
    if (event.detail.ok) { location.assign(home); return; }
    if (document.activeElement === document.body) focused = event.target.id;
    look();
  });
  document.addEventListener("click", again, true);
  document.addEventListener("wished", function (event) {
    if (event.target.id === "play-again" && event.detail.ok) location.assign(home);
  });
  setInterval(function () {
    if (!document.hidden) fetch("/setup/checked?" + said(), { method: "HEAD", credentials: "same-origin" }).catch(tell);
  }, HERE_MS);
  tell();
  if (location.hash === "#giving-up" && checked.querySelector(location.hash)) checked.querySelector(location.hash).open = true;
  document.addEventListener("visibilitychange", function () { if (!document.hidden) look(); });
})();
