/* Care: a tap on [data-care] asks the table to confirm that act - by a button that is held, or by a
   second tap where there is none - and then posts [data-body] to [data-path]. What came back is told
   in a "cared" event of the button; without one that is heard, [data-done] is shown, or the fault. */
(function () {
  "use strict";

  var ASK_MS = 1000;

  function words(key) {
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

  /* Waits until the table has confirmed; answers whether it has. */
  function confirmed(button, act) {
    var again = button.getAttribute("data-asked") === act;
    button.removeAttribute("data-asked");
    return ask(act, again).then(function wait(now) {
      if (now.confirmed) return true;
      if (now.by === "tap") {
        button.setAttribute("data-asked", act);
        window.rappel.tell(words("again"));
        return false;
      }
      if (now.waits_s <= 0) throw new Error(words("late"));
      window.rappel.tell(words("hold"));
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

  document.addEventListener("click", function (event) {
    var button = event.target.closest ? event.target.closest("[data-care]") : null;
    if (!button || button.disabled) return;
    busy(button, true);
    confirmed(button, button.getAttribute("data-care")).then(function (may) {
      if (!may) return null;
      window.rappel.tell(words("busy"));
      return send(button.getAttribute("data-path"), button.getAttribute("data-body") || "{}").then(function (found) {
        window.rappel.tell(button.getAttribute("data-done") || "");
        button.dispatchEvent(new CustomEvent("cared", { bubbles: true, detail: found }));
      });
    }).catch(told).then(function () { busy(button, false); });
  });

  window.care = { send: send, told: told, busy: busy };
})();
