// The arrow keys turn the phases of a game, where the page says what comes before and after it.
document.addEventListener("keydown", function (event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  var rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  var link = rel && document.head.querySelector('link[rel="' + rel + '"]');
  if (link) location.href = link.href;
});
