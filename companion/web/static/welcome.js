/* Waits until the table has begun as it was built, and goes on there. */
(function () {
  "use strict";

  var ASK_MS = 700;

  function ask() {
    fetch("/welcome/ready", { cache: "no-store", credentials: "same-origin" }).then(function (answer) {
      if (answer.status === 204) location.replace("/?start"); else setTimeout(ask, ASK_MS);
    }, function () { setTimeout(ask, ASK_MS); });
  }

  setTimeout(ask, ASK_MS);
})();
