/* Stands between the app and the table: says when that is away, and keeps files of its own version.

   It keeps only what is the same for everybody: styles, scripts and drawings that are asked for by
   the version of its address, and the page that says that the table is away. Whatever tells of a
   match goes past it. A page of a newer version brings a newer worker along, which throws away what
   this one has kept. */
(function () {
  "use strict";

  var asked = new URL(self.location.href).searchParams;
  var build = asked.get("v");
  var KEPT = "rappelwacht-";
  var CACHE = KEPT + build + "-" + asked.get("language");
  var AWAY = "/away";
  var FILES = /^\/(static|look|games)\//;
  var PATIENCE_MS = 15000;
  var SHELL = ["theme.css", "style.css", "icon.svg", "titles.woff2", "away.js"].map(function (name) {
    return "/static/" + name + "?v=" + build;
  });

  self.addEventListener("install", function (event) {
    event.waitUntil(caches.open(CACHE).then(function (cache) {
      return cache.addAll(SHELL.concat(AWAY));
    }).then(function () { return self.skipWaiting(); }));
  });

  self.addEventListener("activate", function (event) {
    event.waitUntil(caches.keys().then(function (names) {
      return Promise.all(names.map(function (name) {
        return name.indexOf(KEPT) === 0 && name !== CACHE ? caches.delete(name) : null;
      }));
    }).then(function () { return self.clients.claim(); }));
  });

  function away() {
    return caches.match(AWAY).then(function (page) { return page || Response.error(); });
  }

  function visit(request) {
    return Promise.race([
      fetch(request),
      new Promise(function (_, fail) { setTimeout(fail, PATIENCE_MS); })
    ]).catch(away);
  }

  function file(request) {
    return caches.open(CACHE).then(function (cache) {
      return cache.match(request).then(function (kept) {
        return kept || fetch(request).then(function (answer) {
          if (answer.status === 200) cache.put(request, answer.clone());
          return answer;
        });
      });
    });
  }

  self.addEventListener("fetch", function (event) {
    var request = event.request, url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin) return;
    if (request.mode === "navigate") event.respondWith(visit(request));
    else if (FILES.test(url.pathname) && url.searchParams.get("v") === build) event.respondWith(file(request));
  });
})();
