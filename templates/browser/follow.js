// Keeps the list of letters up to date, and a page that waits for an answer looks again. All of it works without, too.
(function () {
  var body = document.body, follow = body.dataset.follow, list = document.getElementById("list");
  if ("awaited" in body.dataset) {
    setTimeout(function () { location.reload(); }, 700);
    return;
  }
  if (!follow || !list) return;
  var shown = list.innerHTML.trim();
  function count(within) { return within.querySelectorAll("ol > li").length; }
  function tell(words) {
    var newest = list.querySelector("ol a"), link = document.createElement("a"), news = document.getElementById("news");
    link.href = newest.href;
    link.textContent = newest.querySelector(".subject").textContent;
    news.replaceChildren(words, link);
  }
  function show(text) {
    if (text.trim() === shown) return;
    var focused = list.contains(document.activeElement) && document.activeElement.getAttribute("href");
    var before = count(list);
    list.innerHTML = text;
    shown = text.trim();
    var more = count(list) - before;
    for (var i = 0; i < more; i++) list.querySelectorAll("ol > li")[i].className = "new";
    if (more > 0) tell(more === 1 ? "A new letter: " : more + " new letters, the last: ");
    list.querySelectorAll("a").forEach(function (link) { if (link.getAttribute("href") === focused) link.focus(); });
  }
  setInterval(function () {
    if (document.hidden) return;
    fetch(follow).then(function (answer) { return answer.ok ? answer.text() : shown; }).then(show, function () {});
  }, 2000);
})();
