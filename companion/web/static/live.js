/* Keeps the live parts of a page fresh: [data-live="table"] shows /api/stream?view=table.

   New HTML is worked into the old, so that focus, open
   details and what somebody is just typing stay. "arriving" is dispatched before that; whoever
   prevents it works the new HTML in later, by detail.work(); detail.late tells that it is what
   a page missed that was closed, hidden or cut off. While the page is hidden it keeps silent; when the
   stream is full it asks again and again; when nobody answers it says so, and since when. */
(function () {
  "use strict";

  var AWAY_MS = 8500; // the table counts as away: two heartbeats, and one packet lost twice
  var LOOK_MS = 1000; // whether it is
  var POLL_MS = 2000;
  var PATIENCE_MS = 8000; // an answer takes no longer, unless nobody hears us
  var POLLS = 15; // so often, before the stream is tried again
  var RETRY_MS = [500, 1000, 2000, 4000];
  var LOST_MS = 3000; // a shorter gap is nobody's business
  var MISSED_MS = 8000; // what came in a longer one is late
  var AFTER = 'link[href*="/tv.css"], link[href*="/drama.css"]'; // what has the last word on a game's looks

  var newest = 0; // the version that is worked in
  var seen = given(); // what the page was made with: that need not be sent again

  function given() {
    var found = document.querySelector('meta[name="seen"]');
    return { view: found ? found.getAttribute("data-view") : "", mark: found ? found.content : "" };
  }

  function words(key, time) {
    var found = document.querySelector('template[data-words="' + key + '"]');
    return found ? found.content.textContent.trim().replace("{time}", time) : "";
  }

  function span(ms) {
    var s = ms / 1000;
    if (s < 60) return Math.max(1, s < 10 ? Math.floor(s) : Math.floor(s / 10) * 10) + " s";
    if (s < 3600) return Math.floor(s / 60) + " min";
    return Math.floor(s / 3600) + " h";
  }

  // --- working new HTML into the old ------------------------------------------------------------

  function edits(node) {
    return node === document.activeElement && /^(INPUT|SELECT|TEXTAREA)$/.test(node.nodeName);
  }

  function alike(old, now) {
    return old.nodeName === now.nodeName && (old.id || "") === (now.id || "");
  }

  function attributes(old, now) {
    var kept = (now.getAttribute("data-keep") || "").split(/\s+/);
    if (old.nodeName === "DETAILS") kept.push("open");
    if (old.getAttribute("aria-busy") === "true" && !(old.until <= newest)) kept.push("aria-busy", "disabled"); // act.js waits
    Array.from(now.attributes).forEach(function (one) {
      if (kept.indexOf(one.name) < 0 && old.getAttribute(one.name) !== one.value) {
        old.setAttribute(one.name, one.value);
      }
    });
    Array.from(old.attributes).forEach(function (one) {
      if (kept.indexOf(one.name) < 0 && !now.hasAttribute(one.name)) old.removeAttribute(one.name);
    });
  }

  function morph(old, now) {
    if (old.isEqualNode(now) || edits(old)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== now.nodeValue) old.nodeValue = now.nodeValue;
      return;
    }
    attributes(old, now);
    children(old, now);
  }

  function children(old, now) {
    var wanted = Array.from(now.childNodes);
    var named = {};
    var stays = {};
    Array.from(old.children).forEach(function (one) { if (one.id) named[one.id] = one; });
    wanted.forEach(function (one) { if (one.id) stays[one.id] = true; });
    var at = old.firstChild;
    function drop() { var next = at.nextSibling; old.removeChild(at); at = next; }
    wanted.forEach(function (one) {
      var mine = one.id ? named[one.id] : at;
      if (mine && !alike(mine, one)) mine = null;
      if (!mine) { old.insertBefore(one, at); return; }
      // what stands before it and is wanted no more goes first: then it need not be moved, and
      // keeps focus and transitions
      while (at && at !== mine && !(at.id && stays[at.id])) drop();
      if (at === mine) at = at.nextSibling; else old.insertBefore(mine, at);
      morph(mine, one);
    });
    while (at) drop();
  }

  function arrive(part, html, late) {
    var box = document.createElement("template");
    box.innerHTML = html;
    var now = box.content.firstElementChild;
    if (!now) return;
    part.newest = now;
    dressed(now, function () {
      if (part.newest !== now) return; // something newer came while it waited
      var detail = { now: now, late: late, work: function () { show(part, now); } };
      var arriving = new CustomEvent("arriving", { bubbles: true, cancelable: true, detail: detail });
      if (part.dispatchEvent(arriving)) show(part, now);
    });
  }

  /* Another game may have a style sheet that the page has not asked for yet. */
  function dressed(now, then) {
    var path = now.getAttribute("data-styles");
    if (!path || document.querySelector('link[href^="' + path + '"]')) { then(); return; }
    var link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = path;
    link.onload = link.onerror = then;
    document.head.insertBefore(link, document.querySelector(AFTER));
  }

  function show(part, now) {
    newest = parseInt(now.getAttribute("data-version"), 10);
    var focused = document.activeElement;
    var id = part.contains(focused) ? focused.id : "";
    morph(part, now);
    var again = id && document.getElementById(id);
    if (again && again !== document.activeElement) again.focus({ preventScroll: true });
    part.dispatchEvent(new CustomEvent("morphed", { bubbles: true }));
  }

  // --- staying in touch -------------------------------------------------------------------------

  function follow(part) {
    var view = encodeURIComponent(part.getAttribute("data-live"));
    var source = null, asking = null, timer = 0, mark = part.getAttribute("data-live") === seen.view ? seen.mark : "";
    var polls = 0, turn = 0, fails = 0, heardAt = Date.now(), lost = false;
    var leftAt = 1; // when contact was lost: before the page was opened; 0: there is

    function heard() { heardAt = Date.now(); lost = false; fails = 0; tell(); }

    function tell() {
      var line = document.getElementById("line");
      var away = Date.now() - heardAt;
      var gone = away > (lost ? LOST_MS : AWAY_MS);
      part.classList.toggle("stale", gone);
      if (!line) return;
      var said = gone ? words("lost", span(away)) : "";
      if (line.textContent !== said) line.textContent = said;
      line.hidden = !gone;
    }

    function take(text, id) {
      var late = leftAt > 0 && Date.now() - leftAt > MISSED_MS;
      heard();
      leftAt = 0;
      if (id === mark) return;
      arrive(part, JSON.parse(text).html, late);
      mark = id; // last: what could not be shown is asked for again
    }

    function rest() {
      turn += 1; // whatever is still asked for comes too late
      clearTimeout(timer);
      if (source) source.close();
      if (asking) asking.abort();
      source = asking = null;
    }

    function soon(what, ms) { clearTimeout(timer); timer = setTimeout(what, ms); }

    function listen() {
      rest();
      if (!window.EventSource) { soon(poll, POLL_MS); return; }
      source = new EventSource("/api/stream?view=" + view + "&seen=" + mark);
      ["open", "beat"].forEach(function (sign) {
        source.addEventListener(sign, function () { polls = 0; heard(); begin(); });
      });
      source.addEventListener("view", function (event) { take(event.data, event.lastEventId); });
      source.addEventListener("part", function (event) {
        var told = JSON.parse(event.data), one = document.getElementById(told.part);
        heard();
        mark = ""; // what the page shows is of several
        if (one && part.contains(one)) arrive(one, told.html, false);
      });
      source.onerror = function () { leftAt = leftAt || Date.now(); rest(); soon(poll, 300); };
      watch();
    }

    /* The page shows already what there is, if that is not sent. */
    function begin() {
      if (part.newest || !mark) return;
      part.newest = part;
      leftAt = 0;
    }

    function watch() { // a line that died without a word stays silent forever
      soon(function () {
        if (Date.now() - heardAt <= AWAY_MS) { watch(); return; }
        leftAt = leftAt || heardAt;
        poll();
      }, LOOK_MS);
    }

    /* The stream is full, nobody is there, or somebody new is: only an answer tells its build. */
    function poll() {
      rest();
      var mine = turn;
      asking = window.AbortController ? new AbortController() : null;
      soon(poll, PATIENCE_MS);
      fetch("/api/view/" + view, { cache: "no-store", credentials: "same-origin",
                                   signal: asking ? asking.signal : undefined,
                                   headers: mark ? { "If-None-Match": '"' + mark + '"' } : {} })
        .then(function (answer) {
          if (mine !== turn) return undefined;
          window.rappel.compare(answer, true);
          if (answer.status === 304) { heard(); part.newest = part.newest || part; leftAt = 0; return undefined; }
          if (!answer.ok) throw new Error(String(answer.status));
          return answer.text().then(function (text) {
            if (mine === turn) take(text, (answer.headers.get("ETag") || "").replace(/^W\/|"/g, ""));
          });
        })
        .then(function () {
          if (mine !== turn) return;
          polls += 1; // after the first, and now and then: perhaps there is a place in the stream
          if (polls % POLLS === 1) listen(); else soon(poll, POLL_MS);
        }, function () {
          if (mine !== turn) return;
          lost = true;
          leftAt = leftAt || Date.now();
          soon(poll, RETRY_MS[Math.min(fails, RETRY_MS.length - 1)]);
          fails += 1;
        });
    }

    function wake() {
      if (document.visibilityState === "hidden") { leftAt = 1; rest(); } else { polls = 0; poll(); }
    }

    document.addEventListener("visibilitychange", wake);
    window.addEventListener("pageshow", function (event) { if (event.persisted) wake(); });
    window.addEventListener("pagehide", rest);
    window.addEventListener("online", wake);
    setInterval(tell, LOOK_MS);
    if (document.visibilityState !== "hidden") listen();
  }

  Array.from(document.querySelectorAll("[data-live]")).forEach(follow);
})();
