/* Care: a tap on [data-care] asks the table to confirm that act - by a button that is held, or by a
   second tap where there is none, for which the button itself asks as long as it counts - and then
   posts [data-body] to [data-path]. What came back is told
   in a "cared" event of the button; without one that is heard, [data-done] is shown, or the fault. */
(function () {
  "use strict";

  var ASK_MS = 1000;

  function text(key) {
    var found = document.querySelector('template[data-words="care-' + key + '"]');
    return found ? found.content.textContent.trim() : "";
  }

  function unsent() { return document.querySelector('template[data-words="unsent"]').content.textContent.trim(); }

  function later(ms) { return new Promise(function (done) { setTimeout(done, ms); }); }

  function ask(act, again) {
    return window.rappel.post("/api/care/confirm", { act: act, again: again }).then(function (answer) {
      if (!answer.ok) throw new Error((answer.body.error || {}).sentence || unsent());
      return answer.body;
    }, function () { throw new Error(unsent()); });
  }

  /* A sentence elsewhere could lie over the button that is to be tapped again. */
  function remember(button, act, waits_s) {
    button.setAttribute("data-asked", act);
    button.setAttribute("aria-live", "polite");
    button.called = button.textContent;
    button.textContent = filled(text("again"), { what: button.called });
    button.waiting = setTimeout(forget, 1000 * waits_s, button);
    window.rappel.tell("");
  }

  function forget(button) {
    clearTimeout(button.waiting);
    if (button.hasAttribute("data-asked")) button.textContent = button.called;
    button.removeAttribute("data-asked");
  }

  /* Waits until the table has confirmed; answers whether it has. */
  function confirmed(button, act) {
    var again = button.getAttribute("data-asked") === act;
    forget(button);
    return ask(act, again).then(function wait(now) {
      if (now.confirmed) return true;
      if (now.by === "tap") {
        remember(button, act, now.waits_s);
        return false;
      }
      if (now.waits_s <= 0) throw new Error(text("late"));
      window.rappel.tell(text("hold"));
      return later(ASK_MS).then(function () { return ask(act, false); }).then(wait);
    });
  }

  function send(path, body) {
    return fetch(path, {
      method: "POST", credentials: "same-origin", cache: "no-store",
      headers: { "Content-Type": "application/json", "Accept": "application/json" }, body: body
    }).then(function (answer) {
      return answer.json().catch(function () { return {}; }).then(function (found) {
        if (!answer.ok) throw new Error((found.error || {}).sentence || unsent());
        return found;
      });
    }, function () { throw new Error(unsent()); });
  }

  function busy(button, is) {
    button.disabled = is;
    if (is) button.setAttribute("aria-busy", "true");
    else button.removeAttribute("aria-busy");
  }

  function told(fault) { window.rappel.tell(fault.message); }

  function filled(sentence, values) {
    return sentence.replace(/\{(\w+)\}/g, function (whole, name) { return name in values ? values[name] : whole; });
  }

  function typed(id) { return id ? document.getElementById(id).value : ""; }

  /* Returns what a button sends; a passphrase is typed twice. */
  function body(button) {
    var words = button.getAttribute("data-words"), wanted = JSON.parse(button.getAttribute("data-body") || "{}");
    if (!words) return wanted;
    if (typed(words) !== typed(button.getAttribute("data-again"))) throw new Error(text("two"));
    if (typed(words)) wanted.passphrase = typed(words);
    return wanted;
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("[data-care]") : null, wanted;
    if (!button || button.disabled) return;
    try { wanted = JSON.stringify(body(button)); } catch (fault) { told(fault); return; }
    busy(button, true);
    confirmed(button, button.getAttribute("data-care")).then(function (may) {
      if (!may) return null;
      window.rappel.tell(text("busy"));
      return send(button.getAttribute("data-path"), wanted).then(function (found) {
        window.rappel.tell(button.getAttribute("data-done") || "");
        button.dispatchEvent(new CustomEvent("cared", { bubbles: true, detail: found }));
      });
    }).catch(told).then(function () { busy(button, false); });
  });

  /* What waits until the match is over says so, and takes no tap; only a backup may be made at any time. */
  function wait() {
    var playing = closed(); // of the part that is always up to date
    if (playing === played) return;
    played = playing;
    document.querySelectorAll("[data-after]").forEach(function (part) {
      if (part.nodeName === "FIELDSET") part.disabled = playing;
      else part.hidden = !playing;
    });
  }

  function closed() { return Boolean(document.getElementById("closed")); }

  var played = closed();
  document.addEventListener("morphed", wait);

  function list(into, lines) {
    into.textContent = "";
    lines.forEach(function (line) {
      var item = document.createElement("li");
      item.textContent = line;
      into.appendChild(item);
    });
  }

  /* A link from elsewhere opens what it leads to. */
  function unfold() {
    var part = /^#care/.test(location.hash) && document.getElementById(location.hash.slice(1));
    for (; part; part = part.parentElement) if (part.nodeName === "DETAILS") part.open = true;
  }

  window.addEventListener("hashchange", unfold);
  unfold();

  // --- a backup that was made ----------------------------------------------------------------------

  document.addEventListener("cared", function (event) {
    if (event.target.getAttribute("data-care") !== "backup") return;
    var made = document.querySelector("#care-backup .made");
    made.querySelector("a").textContent = filled(text("fetch"), event.detail);
    made.querySelector("span").textContent = event.detail.holds.join(", ") + (event.detail.note && ". " + event.detail.note);
    made.hidden = false;
    ["backup-words", "backup-again"].forEach(function (id) { document.getElementById(id).value = ""; });
  });

  // --- a report, shown before it is saved ----------------------------------------------------------

  document.addEventListener("cared", function (event) {
    if (event.target.getAttribute("data-care") !== "bundle") return;
    var made = document.querySelector("#care-bundle .made"), link = made.querySelector("a");
    if (link.href) URL.revokeObjectURL(link.href);
    made.querySelector("pre").textContent = event.detail.text;
    link.href = URL.createObjectURL(new Blob([event.detail.text], { type: "text/plain" }));
    made.hidden = false;
  });

  // --- a backup that is sent -----------------------------------------------------------------------

  var PART_BYTES = 36000, TRIES = 5;
  var file = document.getElementById("restore-file"), turn = 0;
  if (!file) return;
  var locked = document.getElementById("restore-locked"), holds = document.getElementById("restore-holds");
  var made = holds.querySelector("p").textContent, other = holds.querySelector(".note"), bar = document.getElementById("restore-sent");

  function base64(part) {
    return new Promise(function (done, fail) {
      var reader = new FileReader();
      reader.onload = function () { done(reader.result.slice(reader.result.indexOf(",") + 1)); };
      reader.onerror = function () { fail(new Error(reader.error.message)); };
      reader.readAsDataURL(part);
    });
  }

  /* Sends a file in parts; one whose answer was lost is sent again. */
  function upload(whole, progress) {
    function part(at, tries) {
      progress(Math.floor(100 * at / whole.size));
      if (at >= whole.size) return Promise.resolve();
      return base64(whole.slice(at, at + PART_BYTES)).then(function (data) {
        return window.rappel.post("/api/care/upload", { at: at, size: whole.size, data: data });
      }).then(function (answer) {
        if (!answer.ok) throw new Error((answer.body.error || {}).sentence || unsent());
        return part(answer.body.at, TRIES);
      }, function () {
        if (!tries) throw new Error(unsent());
        return later(ASK_MS).then(function () { return part(at, tries - 1); });
      });
    }
    return part(0, TRIES);
  }

  function look() {
    return send("/api/care/look", JSON.stringify({ passphrase: typed("restore-words") })).then(function (found) {
      window.rappel.tell("");
      locked.hidden = !found.locked;
      holds.hidden = found.locked;
      holds.querySelector("p").textContent = filled(made, { date: found.made, version: found.version });
      list(holds.querySelector("ul"), found.holds);
      other.textContent = found.other;
      other.hidden = !found.other;
      (found.locked ? document.getElementById("restore-words") : holds.querySelector("button")).focus();
    });
  }

  file.addEventListener("change", function () {
    var mine = turn += 1, whole = file.files[0];
    locked.hidden = holds.hidden = true;
    document.getElementById("restore-words").value = "";
    bar.hidden = !whole;
    if (!whole) return;
    upload(whole, function (percent) {
      if (mine !== turn) throw new Error("");
      bar.value = percent;
    }).then(look).catch(told).then(function () { if (mine === turn) bar.hidden = true; });
  });

  document.getElementById("restore-unlock").addEventListener("click", function (event) {
    busy(event.target, true);
    look().catch(told).then(function () { busy(event.target, false); });
  });

  /* Once the table answers again, the page is loaded anew. */
  function back(before, then) {
    return later(2 * ASK_MS).then(function () { return fetch("/api/pair", { cache: "no-store" }); }).then(function (answer) {
      if (!answer.ok) throw new Error();
      sessionStorage.setItem("restored", before);
      if (then) location.assign(then);
      else location.reload();
    }).catch(function () { return back(before, then); });
  }

  document.addEventListener("cared", function (event) {
    if (event.target.getAttribute("data-care") !== "restore") return;
    window.rappel.tell(text("anew"));
    file.value = "";
    back(event.detail.before, event.detail.then);
  });

  var restored = sessionStorage.getItem("restored");
  sessionStorage.removeItem("restored");
  if (restored) window.rappel.tell(filled(text("restored"), { before: restored }));

  window.care = { text: text, send: send, told: told, busy: busy, upload: upload };
})();
