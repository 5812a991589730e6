/* The page for a television: nobody taps it, so it keeps what it shows within the screen, moves a
   little now and then so that nothing burns in, and where a browser is too old to follow the table
   it loads itself again and again. */
(function () {
  "use strict";

  var AGAIN_MS = 5000;
  var SHIFT_MS = 90000;
  var NEAR_MS = 8000; // since somebody moved or pressed something
  var WAYS = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
  var LEAST = 0.45; // of its size; smaller letters could not be read from a sofa
  var LARGEST = 3.4; // of a picture made of words, where there is little in it
  var NAME_REM = 2.25; // a name is what one looks for…
  var NARROW_REM = 1.7; // …and rather whole than large where there is little room
  var at = 0;

  if (!window.fetch || !Array.from) setInterval(function () { location.reload(); }, AGAIN_MS);

  function find(id) { return document.getElementById(id); }

  // --- nothing is cut off -------------------------------------------------------------------------

  function over(box) {
    return box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
  }

  function pixels(letters) { return parseFloat(getComputedStyle(letters).fontSize); }

  /* Letters become smaller, a bit at a time, until all of them are in their box. */
  function shrink(box, letters, least) {
    if (!box || !letters) return;
    letters.style.fontSize = "";
    var whole = pixels(letters);
    for (var share = 0.95; over(box) && share >= (least || LEAST); share -= 0.05) {
      letters.style.fontSize = whole * share + "px";
    }
  }

  /* A picture made of words is laid out as wide as it has to be, and then made smaller as a whole. */
  function scale() {
    var box = find("picture"), words = box && box.firstElementChild;
    if (!words || words.nodeName.toLowerCase() === "svg") return;
    var best = 0.3;
    words.style.transform = "none";
    for (var share = LARGEST; share > best; share -= 0.05) {
      words.style.width = box.clientWidth / share + "px";
      if (words.scrollHeight * share <= box.clientHeight) { best = share; break; }
    }
    words.style.width = box.clientWidth / best + "px";
    words.style.webkitTransformOrigin = words.style.transformOrigin = "0 0";
    words.style.webkitTransform = words.style.transform = "scale(" + best + ")";
  }

  /* What a seat does gives way to its name, and is left out before it is too small. */
  function line(seat) {
    var doing = seat.querySelector(".doing"), word = doing.querySelector("span");
    word.style.display = "";
    seat.classList.remove("long");
    shrink(seat, doing, 0.7);
    var name = seat.querySelector(".seat-name");
    var narrow = window.innerWidth / window.innerHeight < 1.6;
    name.style.fontSize = "";
    shrink(seat, name, (narrow ? NARROW_REM : NAME_REM) * pixels(document.documentElement) / pixels(name));
    if (over(seat)) word.style.display = "none";
    if (over(seat)) seat.classList.add("long");
  }

  function fit() {
    document.body.classList.toggle("inviting", Boolean(document.querySelector(".invites")));
    if (find("clock")) find("clock").hidden = Boolean(document.querySelector("#notes p")); // they have its place
    scale();
    shrink(find("side"), find("headline"));
    shrink(find("banner"), find("banner"));
    Array.from(document.querySelectorAll("#seats li")).forEach(line);
    shrink(find("stage"), find("happened"));
    shrink(find("stage"), find("awards"));
    shrink(find("notes"), find("notes"));
  }

  // --- nothing burns in ---------------------------------------------------------------------------

  function shift() {
    at = (at + 1) % WAYS.length;
    var step = Math.max(1, Math.round(window.innerHeight / 270)); // within the margins
    var way = "translate(" + WAYS[at][0] * step + "px," + WAYS[at][1] * step + "px)";
    document.body.style.webkitTransform = document.body.style.transform = way;
  }

  // --- whoever comes close finds its only key -----------------------------------------------------

  var alone = 0;

  function near(event) {
    if (event.type === "mousemove" && !event.movementX && !event.movementY) return; // the page moved
    clearTimeout(alone);
    document.body.classList.add("near");
    alone = setTimeout(function () { document.body.classList.remove("near"); }, NEAR_MS);
  }

  ["mousemove", "touchstart", "keydown"].forEach(function (name) { document.addEventListener(name, near); });

  document.addEventListener("morphed", fit);
  window.addEventListener("resize", fit);
  window.addEventListener("load", fit);
  setInterval(shift, SHIFT_MS);
  fit();
})();
