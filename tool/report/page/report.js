// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conveniences: everything is on the page without them.
(function () {
  var root = document.documentElement;
  var tools = document.getElementById('tools');
  var filter = document.getElementById('filter');
  tools.hidden = false;

  document.getElementById('theme').onclick = function () {
    var dark = root.dataset.theme ? root.dataset.theme === 'dark'
        : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  };

  // Only what has all the words.
  var items = Array.from(document.querySelectorAll('.item'));
  var texts = items.map(function (e) { return e.textContent.toLowerCase(); });
  document.querySelectorAll('details.group[open]').forEach(function (group) { group.dataset.open = 'yes'; });
  filter.oninput = function () {
    var words = filter.value.toLowerCase().split(/\s+/);
    items.forEach(function (item, i) {
      item.hidden = !words.every(function (w) { return texts[i].includes(w); });
    });
    document.querySelectorAll('details.group').forEach(function (group) {
      var left = group.querySelectorAll('.item:not([hidden])').length;
      group.hidden = left === 0;
      group.open = filter.value.length !== 0 || group.dataset.open === 'yes';
    });
  };

  // A link to something inside a closed part opens it.
  function reveal() {
    var target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    for (var e = target; e; e = e.parentElement)
      if (e.tagName === 'DETAILS') e.open = true;
    if (target) target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();

  // What leads to and from the box under the pointer.
  var svg = document.querySelector('svg');
  if (!svg) return;
  svg.querySelectorAll('.box').forEach(function (box) {
    function pick(on) {
      svg.classList.toggle('picked', on);
      box.classList.toggle('on', on);
      svg.querySelectorAll('path.edge').forEach(function (edge) {
        var from = edge.dataset.from, to = edge.dataset.to, me = box.dataset.box;
        if (from !== me) { if (to !== me) return; }
        edge.classList.toggle('on', on);
        [from, to].forEach(function (n) {
          svg.querySelector('.box[data-box="' + n + '"]').classList.toggle('on', on);
        });
      });
    }
    box.addEventListener('mouseenter', function () { pick(true); });
    box.addEventListener('mouseleave', function () { pick(false); });
    box.addEventListener('focusin', function () { pick(true); });
    box.addEventListener('focusout', function () { pick(false); });
  });
})();
