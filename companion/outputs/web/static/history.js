"use strict";
// Steps through a match without loading the page anew; without this script its links and form do.
(function () {
  const replay = document.getElementById("replay");
  const shown = document.getElementById("step");
  if (!replay || !shown || !window.fetch) return;
  const slider = document.getElementById("slider");
  const run = document.getElementById("run");
  let wanted = null; // the step to be fetched once the one under way has come
  let busy = false;
  let timer = 0;

  function show(step) {
    slider.value = step;
    wanted = step;
    if (!busy) fetchNext();
  }

  function fetchNext() {
    const step = wanted;
    wanted = null;
    busy = true;
    fetch(replay.action + "?part&step=" + step, { credentials: "same-origin" })
      .then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      })
      .then(function (html) {
        const focused = shown.contains(document.activeElement)
          ? Array.prototype.indexOf.call(shown.querySelectorAll("a"), document.activeElement)
          : -1;
        shown.innerHTML = html;
        if (focused >= 0) shown.querySelectorAll("a")[focused].focus();
        history.replaceState(null, "", "?step=" + step);
      })
      .catch(function () {
        stop();
        location.assign("?step=" + step); // the browser says what is wrong
      })
      .then(function () {
        busy = false;
        if (wanted !== null) fetchNext();
      });
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    run.textContent = run.dataset.run;
  }

  function start() {
    if (slider.value === slider.max) show(0);
    run.textContent = run.dataset.stop;
    timer = setInterval(function () {
      if (busy) return;
      if (slider.value === slider.max) stop();
      else show(Number(slider.value) + 1);
    }, 1500);
  }

  document.getElementById("go").hidden = true;
  run.hidden = false;
  run.addEventListener("click", function () {
    if (timer) stop();
    else start();
  });
  slider.addEventListener("input", function () {
    stop();
    show(Number(slider.value));
  });
  document.addEventListener("click", function (event) {
    const link = event.target.closest("#step a, .story a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    show(Number(link.getAttribute("href").split("=")[1]));
    if (link.closest(".story")) replay.scrollIntoView();
  });
})();
