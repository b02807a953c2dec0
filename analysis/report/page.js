"use strict";
// Figures are drawn when they come near the screen, in the page's colours, and anew when colours or width change.
const figures = JSON.parse(document.getElementById("figures").textContent);
const drawn = new Map(); // by id, the form it was drawn in
const NARROW = 560, PAGE = {width: 680, height: 760}; // pixels; on A4 and Letter there is room for a heading
let printing = false;

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function change(layout, changes) {
  for (const [path, value] of Object.entries(changes || {})) {
    const keys = path.split("."), last = keys.pop();
    keys.reduce((inner, key) => (inner[key] ??= {}), layout)[last] = value;
  }
}

function draw(place) {
  const figure = JSON.parse(JSON.stringify(figures[place.id]), (key, value) =>
    typeof value === "string" && value.startsWith("var(--") ? colour(value.slice(4, -1)) : value);
  const form = printing ? "print" : place.clientWidth < NARROW ? "narrow" : "";
  change(figure.layout, figure[form]);
  if (printing) {
    Object.assign(figure.layout, {width: PAGE.width, height: Math.min(figure.layout.height, PAGE.height), autosize: false});
  }
  place.style.minHeight = `${figure.layout.height}px`;
  drawn.set(place.id, form);
  Plotly.react(place, figure.data, figure.layout, {responsive: !printing, displayModeBar: false});
}

const places = [...document.querySelectorAll(".plot")];
const near = new IntersectionObserver(entries => {
  for (const entry of entries) {
    if (entry.isIntersecting && !drawn.has(entry.target.id)) draw(entry.target);
  }
}, {rootMargin: "600px"});
places.forEach(place => near.observe(place));

const redraw = () => places.filter(place => drawn.has(place.id)).forEach(draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("resize", () => {
  if (printing) return;
  const other = place => (place.clientWidth < NARROW ? "narrow" : "") !== drawn.get(place.id);
  places.filter(place => drawn.has(place.id) && other(place)).forEach(draw);
  boxes.forEach(showMore);
});

// Paper has no folds, no scrolling and no dark mode.
let opened = [];
addEventListener("beforeprint", () => {
  if (printing) return;
  printing = true;
  document.documentElement.classList.add("printing");
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach(fold => { fold.open = true; });
  places.forEach(draw);
});
addEventListener("afterprint", () => {
  printing = false;
  document.documentElement.classList.remove("printing");
  opened.forEach(fold => { fold.open = false; });
  redraw();
});

// A box that can be scrolled sideways says so.
const boxes = [...document.querySelectorAll(".wide")];
function showMore(box) {
  const hidden = box.scrollWidth - box.clientWidth;
  box.classList.toggle("more", hidden - box.scrollLeft > 1);
  const hint = box.parentElement.querySelector(".hint");
  if (hint) hint.hidden = hidden <= 1;
}
const sizes = new ResizeObserver(entries => entries.forEach(entry => showMore(entry.target)));
boxes.forEach(box => {
  box.addEventListener("scroll", () => showMore(box), {passive: true});
  sizes.observe(box);
  showMore(box);
});

// Tables sort by the raw values of their cells; what has none comes last either way.
const words = new Intl.Collator("en", {numeric: true});
function key(row, column, numeric) {
  const cell = row.cells[column];
  if (!numeric) return cell.dataset.v ?? cell.textContent;
  return cell.dataset.v === undefined ? NaN : Number(cell.dataset.v);
}

function sortBy(table, heading) {
  const numeric = heading.classList.contains("number"), column = heading.cellIndex;
  const first = numeric ? "descending" : "ascending", second = numeric ? "ascending" : "descending";
  const direction = heading.ariaSort === first ? second : first, sign = direction === "ascending" ? 1 : -1;
  const lines = [...table.tBodies[0].rows].map(row => [key(row, column, numeric), row]);
  const empty = value => value === "" || Number.isNaN(value);
  lines.sort(([a], [b]) => empty(a) || empty(b) ? empty(a) - empty(b) : sign * (numeric ? a - b : words.compare(a, b)));
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.ariaSort = direction;
  table.tBodies[0].append(...lines.map(([, row]) => row));
}

document.querySelectorAll("thead button").forEach(button => {
  const heading = button.parentElement;
  button.addEventListener("click", () => sortBy(heading.closest("table"), heading));
});

document.querySelectorAll("input[type=search]").forEach(input => {
  const figure = input.closest("figure"), rows = [...figure.querySelectorAll("tbody tr")];
  const shown = figure.querySelector("output");
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    rows.forEach(row => { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
    shown.textContent = wanted ? `${rows.filter(row => !row.hidden).length} of ${rows.length} lines` : "";
  });
});
