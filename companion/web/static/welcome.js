/* Waits until the table has begun as it was built, and goes on there: at a simulated table, whoever
   has chosen to play or to practise sits down there. */
(function () {
  "use strict";

  var ASK_MS = 700;

  function ask() {
    fetch("/welcome/ready", { cache: "no-store", credentials: "same-origin" }).then(function (answer) {
      if (answer.status === 204) location.replace("/?start"); else setTimeout(ask, ASK_MS);
    }, function () { setTimeout(ask, ASK_MS); });
  }

  document.querySelectorAll("[data-first]").forEach(function (key) {
    key.addEventListener("click", function () {
      try {
        sessionStorage.setItem("seated", "any");
        sessionStorage.setItem("first", key.getAttribute("data-first"));
      } catch (fault) { /* then it is asked again */ }
    });
  });

  if (document.getElementById("begins-anew")) setTimeout(ask, ASK_MS);
})();
