// What the script adds to the page: hover, sorting, the slider over a. The rest is plain HTML.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const percent = (code) => (Math.abs(code) - 1) / 10;
  for (const part of document.querySelectorAll(".script")) part.hidden = false;

  // Hover: the item, the feature, the share of the draws.
  const tip = byId("tip");
  function watch(table, codes, names) {
    const show = (event) => {
      const cell = event.target.closest("td");
      if (!cell) return hide();
      const i = Number(cell.parentNode.dataset.i), j = cell.cellIndex - 1;
      const code = codes()[i][j];
      tip.textContent = `${data.items[i]}, feature ${names()[j]}: ${percent(code).toFixed(1)} % of the draws, ` +
        (code > 0 ? "in the estimate" : "left out");
      tip.hidden = false;
      const at = cell.getBoundingClientRect(), box = tip.getBoundingClientRect();
      const left = Math.min(Math.max(4, at.left), document.documentElement.clientWidth - box.width - 4);
      tip.style.left = `${left}px`;
      tip.style.top = `${at.top > box.height + 8 ? at.top - box.height - 6 : at.bottom + 6}px`;
    };
    const hide = () => { tip.hidden = true; };
    table.addEventListener("mouseover", show);
    table.addEventListener("click", show);
    table.addEventListener("mouseleave", hide);
    addEventListener("scroll", hide, { capture: true, passive: true });
  }

  // The order of the items, for both matrices.
  const estimate = byId("estimate"), order = byId("order");
  let rows = data.orders.grouped;
  function arrange(table) {
    if (!table || !table.tBodies.length) return;
    const body = table.tBodies[0];
    const byItem = new Map([...body.rows].map((row) => [Number(row.dataset.i), row]));
    body.append(...rows.map((i) => byItem.get(i)));
  }
  function sortBy(codes, j) {
    const value = (i) => codes[i][j];
    rows = [...data.orders.grouped].sort((x, y) => Math.abs(value(y)) - Math.abs(value(x)));
    arrange(estimate);
    arrange(byId("path-matrix"));
  }
  if (estimate) {
    watch(estimate, () => data.codes, () => data.names);
    order.addEventListener("change", () => {
      rows = data.orders[order.value];
      for (const head of estimate.querySelectorAll("thead th")) head.removeAttribute("aria-sort");
      arrange(estimate);
      arrange(byId("path-matrix"));
    });
    for (const head of estimate.querySelectorAll("thead th[data-j]")) {
      pressable(head, () => {
        for (const other of estimate.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", "descending");
        sortBy(data.codes, Number(head.dataset.j));
      });
    }
  }

  // A click on a column sorts the table by it, a second click reverses the order.
  function pressable(head, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", action);
    head.append(button);
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => pressable(head, () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const word = (row) => row.cells[column].textContent.trim();
      const compare = (x, y) => {
        const [p, q] = [parseFloat(x), parseFloat(y)];
        return Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q;
      };
      const sorted = [...table.tBodies[0].rows].sort((x, y) => compare(word(x), word(y)) * (down ? -1 : 1));
      table.tBodies[0].append(...sorted);
    }));
  }

  // The slider: another a, another estimate.
  const slider = byId("slider");
  if (!slider) return;
  const grid = byId("path-matrix"), points = document.querySelectorAll("#path .point");
  const lines = byId("path-table").querySelectorAll("tbody tr");
  function cell(code) {
    const td = document.createElement("td"), share = percent(code);
    td.className = (code > 0 ? "i" : "o") + Math.round(share / 10);
    if (code > 0 || share >= 0.5) td.textContent = share.toFixed(0);
    return td;
  }
  function choose(at) {
    const found = data.path[at], width = found.codes[0].length;
    byId("chosen").textContent = `a = ${found.a}: ${found.features} features, ${found.ones} ones, expected loss ${found.loss}`;
    slider.setAttribute("aria-valuetext", `a = ${found.a}`);
    const head = document.createElement("thead"), body = document.createElement("tbody");
    const top = head.insertRow();
    for (let j = -1; j < width; j++) {
      const th = document.createElement("th");
      th.textContent = j < 0 ? "Item" : found.names[j];
      top.append(th);
    }
    found.codes.forEach((codes, i) => {
      const row = body.insertRow(), th = document.createElement("th");
      row.dataset.i = i;
      th.textContent = data.items[i];
      row.append(th, ...codes.map(cell));
    });
    grid.replaceChildren(head, body);
    grid.classList.toggle("dense", width > 16);
    arrange(grid);
    points.forEach((point, i) => point.classList.toggle("chosen", i === at));
    lines.forEach((line, i) => line.classList.toggle("chosen", i === at));
    byId("path-note").textContent = width < found.features ? `The first ${width} of ${found.features} features are shown.` : "";
  }
  byId("slide").hidden = false;
  slider.max = data.path.length - 1;
  slider.value = data.chosen;
  slider.addEventListener("input", () => choose(Number(slider.value)));
  const shown = () => data.path[Number(slider.value)];
  watch(grid, () => shown().codes, () => shown().names);
  choose(data.chosen);
})();
