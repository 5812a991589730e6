/* Sends what somebody wants: a tap on [data-wish] posts a command, and a refusal is shown in #told,
   and in #done what an element says once it is done ([data-done]). Whoever acted is offered for a
   while to take that back ([data-undone]), as long as nothing came after it.

   The same request id is sent again when the network fails, so
   that nothing is done twice. A wish is for the match that the page shows ([data-match]) and
   for the entry that its element saw ([data-version]). A page that is older than the companion says
   so, or loads itself again where that loses nothing. Other scripts use window.rappel: wish, post,
   tell and compare. */
(function () {
  "use strict";

  var TRIES = 3;
  var PATIENCE_MS = 8000;
  var TOLD_MS = 15000;
  var DONE_MS = 6000;
  var TWICE_MS = 1500; // so long a finger may still be about to tap a second time
  var SETTLE_MS = 500; // so long what comes below it takes no tap
  var STUCK_MS = 15000; // so long a key waits for what came of its tap
  var hiding = 0, fading = 0;

  function words(key) {
    var found = document.querySelector('template[data-words="' + key + '"]');
    return found ? found.content.textContent.trim() : "";
  }

  function tell(sentence) {
    var told = document.getElementById("told");
    if (!told) return;
    told.textContent = sentence || "";
    clearTimeout(hiding);
    if (sentence) hiding = setTimeout(function () { told.textContent = ""; }, TOLD_MS);
  }

  /* Where a page has a place for it, what was done is said there for a while. */
  function report(sentence) {
    var place = document.getElementById("done");
    if (!place) return;
    place.textContent = sentence || "";
    clearTimeout(fading);
    if (sentence) fading = setTimeout(function () { place.textContent = ""; }, DONE_MS);
  }

  function fresh() {
    var bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, function (one) { return ("0" + one.toString(16)).slice(-2); }).join("");
  }

  function later(ms) { return new Promise(function (done) { setTimeout(done, ms); }); }

  /* Answers {ok, status, body}; rejects only if nothing came back. */
  function post(path, body) {
    var patience = window.AbortController ? new AbortController() : null;
    var timer = setTimeout(function () { if (patience) patience.abort(); }, PATIENCE_MS);
    return fetch(path, {
      method: "POST", credentials: "same-origin", cache: "no-store",
      headers: { "Content-Type": "application/json", "Accept": "application/json" },
      body: JSON.stringify(body), signal: patience ? patience.signal : undefined
    }).then(function (answer) {
      return answer.json().catch(function () { return {}; }).then(function (found) {
        clearTimeout(timer);
        compare(answer, false); // it may be refused, and then stays to be seen
        return { ok: answer.ok, status: answer.status, body: found };
      });
    }, function (fault) { clearTimeout(timer); throw fault; });
  }

  /* Has the wish of an element fulfilled; true if it was, else the reason is shown. */
  function wish(wanted, element) {
    return send(wanted, element).then(function (answer) { return Boolean(answer); });
  }

  /* Answers what came back if the wish was fulfilled, else null. */
  function send(wanted, element) {
    var command = { request: fresh(), match: match(), version: version(element), wish: wanted };
    var tries = 0;
    function attempt() {
      tries += 1;
      return post("/api/commands", command).then(function (answer) {
        if (answer.status === 504 && tries < TRIES) return attempt();
        tell(answer.ok ? "" : (answer.body.error || {}).sentence || words("unsent"));
        return answer.ok ? answer.body : null;
      }, function () {
        if (tries < TRIES) return later(400 * tries).then(attempt);
        tell(words("unsent"));
        return null;
      });
    }
    return attempt();
  }

  function match() {
    var holder = document.querySelector("[data-match]");
    return holder && holder.getAttribute("data-match") || null;
  }

  function version(element) {
    var holder = element.closest("[data-version]");
    var found = holder ? parseInt(holder.getAttribute("data-version"), 10) : NaN;
    return isNaN(found) ? null : found;
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("[data-wish]") : null;
    if (event.target.id === "told") tell("");
    if (!button || dead(button)) return;
    event.preventDefault();
    var done = button.getAttribute("data-done"); // the page may be renewed before the answer comes
    var others = beside(button);
    button.setAttribute("aria-busy", "true");
    button.disabled = true;
    button.until = undefined;
    others.forEach(function (one) { one.setAttribute("aria-disabled", "true"); });
    var wanted = JSON.parse(button.getAttribute("data-wish"));
    send(wanted, button).then(function (answer) {
      report(answer && done);
      if (answer && wanted.kind === "act") offer(button, answer.version);
      settle(button, others, answer);
      button.dispatchEvent(new CustomEvent("wished", { bubbles: true, detail: { ok: Boolean(answer) } }));
    });
  });

  // --- a key that was tapped ---------------------------------------------------------------------

  function dead(button) {
    return button.disabled || button.getAttribute("aria-busy") === "true" || button.getAttribute("aria-disabled") === "true";
  }

  /* Returns the keys that ask the same of the same moment: one of them is tapped, and no other. */
  function beside(button) {
    var holder = button.closest("[data-version]");
    if (!holder || !holder.getAttribute("data-version")) return [];
    return Array.from(holder.querySelectorAll("[data-wish]")).filter(function (one) {
      return one !== button && !dead(one) && one.closest("[data-version]") === holder;
    });
  }

  /* What is answered stays dead until the page shows what came of it, and is gone if it was a question. */
  function settle(button, others, answer) {
    var part = button.closest("[data-live]"), asked = button.closest(".foul, [id^=claim-]");
    if (!answer || !part || shows(part, answer.version)) { revive(button, others); return; }
    if (asked && button.closest(".ruling")) asked.hidden = true;
    button.until = answer.version; // live.js lets it go then
    setTimeout(function () { if (button.until === answer.version) revive(button, others); }, STUCK_MS);
  }

  function shows(part, version) { return !(parseInt(part.getAttribute("data-version"), 10) < version); }

  function revive(button, others) {
    button.until = undefined;
    if (button.getAttribute("aria-busy") === "true") {
      button.removeAttribute("aria-busy");
      button.disabled = false;
    }
    others.forEach(function (one) { one.removeAttribute("aria-disabled"); });
    if (window.rappel.settle) window.rappel.settle();
  }

  // --- a second tap ------------------------------------------------------------------------------

  var finger = null; // where it tapped, and what it wished for

  document.addEventListener("pointerdown", function (event) {
    var key = event.target.closest("[data-wish]");
    finger = key && { x: event.clientX, y: event.clientY, ms: performance.now(), wish: key.getAttribute("data-wish") };
  }, true);

  /* Whoever taps twice means one thing, not also what has come to that place meanwhile. */
  document.addEventListener("morphed", function () {
    if (!finger || performance.now() - finger.ms > TWICE_MS) return;
    var below = document.elementFromPoint(finger.x, finger.y);
    var key = below && below.closest("[data-wish], [data-choose], label");
    if (!key || key.getAttribute("data-wish") === finger.wish) return;
    finger = null;
    key.style.pointerEvents = "none";
    setTimeout(function () { key.style.pointerEvents = ""; }, SETTLE_MS);
  });

  // --- taking back what one has just done -----------------------------------------------------------

  var lately = null; // {part, version} of what this phone did last
  var toast = document.createElement("div");
  toast.id = "undo";
  toast.setAttribute("role", "status");
  document.body.appendChild(toast);

  function offer(button, version) {
    lately = { part: button.closest("[data-live]"), version: version };
    setTimeout(forget, DONE_MS, lately);
    propose();
  }

  function propose() {
    var now = lately && lately.part && (lately.part.newest || lately.part);
    var key = now && shows(now, lately.version) && now.querySelector("[data-undone]");
    if (!lately || !now || !shows(now, lately.version)) return; // it has yet to come
    toast.textContent = "";
    if (!key || shows(now, lately.version + 1)) { lately = null; return; } // there is something newer
    var said = document.createElement("span"), back = document.createElement("button");
    said.textContent = key.getAttribute("data-undone");
    back.textContent = words("undo");
    back.className = "quiet";
    ["data-wish", "data-done"].forEach(function (name) { back.setAttribute(name, key.getAttribute(name)); });
    toast.setAttribute("data-version", lately.version);
    toast.appendChild(said);
    toast.appendChild(back);
  }

  function forget(what) {
    if (lately !== what) return;
    lately = null;
    toast.textContent = "";
  }

  document.addEventListener("arriving", propose, true);

  // --- after an upgrade --------------------------------------------------------------------------

  function compare(answer, reloads) {
    var build = answer.headers.get("Rappelwacht-Build");
    if (!build || build === document.documentElement.getAttribute("data-build")) return;
    var note = document.getElementById("outdated");
    if (reloads && !unsaved()) location.reload();
    else if (note) note.hidden = false;
  }

  function unsaved() { // what somebody typed or chose, or a wish under way
    return Array.from(document.querySelectorAll("input, select, textarea, [aria-busy=true]")).some(changed);
  }

  function changed(one) {
    if (one.nodeName === "SELECT") {
      var usual = Array.from(one.options).findIndex(function (option) { return option.defaultSelected; });
      return one.selectedIndex !== Math.max(usual, Math.min(0, one.options.length - 1));
    }
    if (!("defaultValue" in one)) return true;
    return one.value !== one.defaultValue || Boolean(one.checked) !== Boolean(one.defaultChecked);
  }

  window.rappel = { wish: wish, post: post, tell: tell, compare: compare };
})();
