/* Shows matches as they are read: asks for the list again until it is whole.

   Without this script the page reloads itself. What is open stays open, and the focus stays. */
(function () {
  "use strict";

  var AGAIN_MS = 300; // so that others are heard, too
  var LATER_MS = 3000; // if it could not be had

  var main = document.querySelector("main");
  if (!main || !window.fetch || !window.DOMParser) return;

  function named(one) { return one.matches("a[href]") ? 'a[href="' + one.getAttribute("href") + '"]' : one.nodeName; }

  function show(html) {
    var now = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    var focused = main.contains(document.activeElement) ? named(document.activeElement) : "";
    var open = Array.from(main.querySelectorAll("details")).map(function (one) { return one.open; });
    main.innerHTML = now.innerHTML;
    Array.from(main.querySelectorAll("details")).forEach(function (one, place) { one.open = Boolean(open[place]); });
    var again = focused && main.querySelector(focused);
    if (again) again.focus({ preventScroll: true });
  }

  function more() {
    fetch("/history?more", { credentials: "same-origin" }).then(function (answer) {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    }).then(function (html) {
      show(html);
      if (document.getElementById("unread")) setTimeout(more, AGAIN_MS);
    }).catch(function () { setTimeout(more, LATER_MS); });
  }

  more();
})();
