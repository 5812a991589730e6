/* Has the browser keep what the table's page looks like, so that it can be an app: only by https. */
(function () {
  "use strict";

  var root = document.documentElement;

  if (!navigator.serviceWorker) return;
  var asked = "?v=" + root.getAttribute("data-build") + "&language=" + root.lang; // another: anew
  navigator.serviceWorker.register("/static/worker.js" + asked, { scope: "/" })
    .catch(function () { /* it is let through a warning, which is not enough for that */ });
})();
