// What the script adds to the page: hover, sorting, searching, copying, the slider over a.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const percent = (code) => (Math.abs(code) - 1) / 10;
  const slider = byId("slider"), grid = byId("path-matrix");
  for (const part of document.querySelectorAll(".script")) part.hidden = false;

  // No line breaks before "%" or within "a = 1".
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.parentNode.closest("p, li, figcaption")) continue;
    node.data = node.data.replace(/(\d) %/g, "$1\u00a0%").replace(/\ba = (?=\d)/g, "a\u00a0=\u00a0");
  }

  // All entries that the page holds: a row of codes for each item.
  const bytes = Uint8Array.from(atob(data.codes), (c) => c.charCodeAt(0));
  const entries = new Int16Array(bytes.buffer);
  const rowOf = (i) => entries.subarray(i * data.width, (i + 1) * data.width);
  const place = new Map(data.first.map((i, at) => [i, at]));

  // Hover: the item, the feature, the share of the draws.
  const tip = byId("tip");
  function watch(table, codesOf, names) {
    const show = (event) => {
      const cell = event.target.closest("td");
      if (!cell) return hide();
      const i = Number(cell.parentNode.dataset.i), j = cell.cellIndex - 1;
      const code = codesOf(i)[j];
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
  function cell(code) {
    const td = document.createElement("td"), share = percent(code);
    td.className = (code > 0 ? "i" : "o") + Math.round(share / 10);
    if (code > 0 || share >= 0.5) td.textContent = share.toFixed(0);
    return td;
  }
  function label(name) { // of a long one the style sheet hides the middle
    if (name.length <= 20) return name;
    const whole = document.createElement("span"), start = document.createElement("span"), end = document.createElement("span");
    whole.className = "long";
    start.className = "start";
    start.textContent = name.slice(0, -8);
    end.textContent = name.slice(-8);
    whole.append(start, end);
    return whole;
  }
  function line(i, codes) {
    const row = document.createElement("tr"), th = document.createElement("th");
    row.dataset.i = i;
    th.scope = "row";
    th.append(label(data.items[i]));
    row.append(th, ...Array.from(codes, cell));
    return row;
  }

  // Which items are shown, and in which order, in both matrices.
  const estimate = byId("estimate"), order = byId("order"), filter = byId("filter"), find = byId("find");
  let rows = data.first, sorted = null;
  const lowered = data.items.map((name) => name.toLowerCase());
  function matches(i) {
    if (find.value && !lowered[i].includes(find.value.toLowerCase())) return false;
    const codes = rowOf(i), kind = filter.value;
    if (kind === "all") return true;
    if (kind === "none") return codes.every((code) => code < 0);
    if (kind === "doubtful") return codes.some((code) => Math.abs(code) > 101 && Math.abs(code) < 901);
    return codes[Number(kind)] > 0;
  }
  function arrange(table, codesOf, shown) {
    if (table && table.tBodies.length) table.tBodies[0].replaceChildren(...shown.map((i) => line(i, codesOf(i))));
  }
  function update() {
    let wanted = data.orders[order.value];
    if (sorted !== null) {
      const key = (i) => Math.abs(entries[i * data.width + sorted]);
      wanted = [...data.orders.grouped].sort((x, y) => key(y) - key(x));
    }
    const found = wanted.filter(matches);
    rows = found.slice(0, data.rows);
    arrange(estimate, rowOf, rows);
    const whole = data.items.length.toLocaleString("en");
    byId("found").textContent = found.length === data.items.length && rows.length === found.length ? "" :
      `${found.length.toLocaleString("en")} of ${whole} items` + (rows.length < found.length ? `; the first ${rows.length} are shown` : "");
    if (slider) choose(Number(slider.value));
  }
  if (estimate) {
    watch(estimate, rowOf, () => data.names);
    const heads = [...estimate.querySelectorAll("thead th")];
    const clear = () => heads.forEach((head) => head.removeAttribute("aria-sort"));
    order.addEventListener("change", () => { sorted = null; clear(); update(); });
    filter.addEventListener("change", update);
    find.addEventListener("input", update);
    for (const head of estimate.querySelectorAll("thead th[data-j]")) {
      pressable(head, () => {
        clear();
        head.setAttribute("aria-sort", "descending");
        sorted = Number(head.dataset.j);
        update();
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
        const [p, q] = [x, y].map((word) => parseFloat(word.replaceAll(",", "")));
        return Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q;
      };
      const sorted = [...table.tBodies[0].rows].sort((x, y) => compare(word(x), word(y)) * (down ? -1 : 1));
      table.tBodies[0].append(...sorted);
    }));
  }

  // Tables go to the clipboard as CSV, the paragraph for a paper as text, charts into a file as SVG.
  function tool(words, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "tool";
    button.textContent = words;
    button.addEventListener("click", () => action(button));
    return button;
  }
  const quoted = (word) => (/[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);
  function whole(td) { // of a list that unfolds all of it, without the words "and 33 more"
    const copied = td.cloneNode(true);
    for (const more of copied.querySelectorAll("summary")) more.replaceWith(",");
    return copied.textContent.replace(/\s+, ?/g, ", ");
  }
  function asCsv(table) {
    const plain = (word) => (/^[\d,]+(\.\d+)?$/.test(word) ? word.replaceAll(",", "") : word);
    const words = (td) => quoted(plain(whole(td).replace(/\s+/g, " ").trim()));
    return [...table.rows].map((row) => [...row.cells].map(words).join(",")).join("\n") + "\n";
  }
  function copy(button, words) {
    const area = document.createElement("textarea");
    area.value = words;
    document.body.append(area);
    area.focus();
    area.select();
    const done = document.execCommand("copy"); // navigator.clipboard is not there in a local file
    area.remove();
    button.dataset.words ??= button.textContent;
    button.textContent = done ? "Copied" : "Not allowed here";
    setTimeout(() => { button.textContent = button.dataset.words; }, 1500);
  }
  for (const paragraph of document.querySelectorAll("p.paper")) {
    const words = () => paragraph.textContent.replaceAll("\u00a0", " ") + "\n";
    paragraph.after(tool("Copy as text", (b) => copy(b, words())));
  }
  for (const table of document.querySelectorAll(".wide table, #estimate")) {
    const button = tool("Copy CSV", (b) => copy(b, asCsv(table)));
    const beside = table.closest(".side-by-side");
    if (beside) beside.after(button);
    else table.after(button);
  }
  function asSvg(chart) {
    const alone = chart.cloneNode(true), from = [chart, ...chart.querySelectorAll("*")];
    const root = document.documentElement.classList; // papers are white
    root.add("light");
    [alone, ...alone.querySelectorAll("*")].forEach((part, k) => {
      const style = getComputedStyle(from[k]);
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size"]) {
        if (from[k].tagName !== "title") part.style.setProperty(name, style.getPropertyValue(name));
      }
    });
    root.remove("light");
    return new XMLSerializer().serializeToString(alone);
  }
  document.querySelectorAll("svg.chart").forEach((chart, k) => {
    chart.after(tool("Save SVG", () => {
      const link = document.createElement("a");
      link.href = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(asSvg(chart));
      link.download = `figure-${k + 1}.svg`;
      link.click();
    }));
  });

  // The slider: another a, another estimate.
  if (!slider) return;
  const points = document.querySelectorAll("#path .point");
  const lines = byId("path-table").querySelectorAll("tbody tr");
  function choose(at) {
    const found = data.path[at], width = found.codes[0].length;
    byId("chosen").textContent = `a = ${found.a}: ${found.features} features, ${found.ones.toLocaleString("en")} ones, expected loss ${found.loss}`;
    slider.setAttribute("aria-valuetext", `a = ${found.a}`);
    const head = document.createElement("thead"), body = document.createElement("tbody");
    const top = head.insertRow();
    for (let j = -1; j < width; j++) {
      const th = document.createElement("th");
      th.textContent = j < 0 ? "Item" : found.names[j];
      top.append(th);
    }
    const held = rows.filter((i) => place.has(i));
    body.append(...held.map((i) => line(i, found.codes[place.get(i)])));
    grid.replaceChildren(head, body);
    grid.classList.toggle("dense", width > 16);
    points.forEach((point, i) => point.classList.toggle("chosen", i === at));
    lines.forEach((line, i) => line.classList.toggle("chosen", i === at));
    const notes = width < found.features ? [`The first ${width} of ${found.features} features are shown.`] : [];
    if (held.length < rows.length) notes.push(`Other a are known here for ${held.length} of the ${rows.length} items above.`);
    byId("path-note").textContent = notes.join(" ");
  }
  byId("slide").hidden = false;
  slider.max = data.path.length - 1;
  slider.value = data.chosen;
  slider.addEventListener("input", () => choose(Number(slider.value)));
  const chosen = () => data.path[Number(slider.value)];
  watch(grid, (i) => chosen().codes[place.get(i)], () => chosen().names);
  choose(data.chosen);
})();
