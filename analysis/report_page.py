"""The frame of the report: its style, its script and the page around its sections."""

import html
import json
from typing import Any

STYLE = """
:root { color-scheme: light dark; --paper: #fcfcfa; --card: #ffffff; --ink: #1c1f24; --soft: #5b6270; --line: #d9dce2;
  --mark: #2660a4; --grid: #e4e6ea; --warn: #8a4b00; --warn-paper: #fff4e0; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --card: #1c1f25; --ink: #e7e9ee; --soft: #a3abb9;
  --line: #343943; --mark: #7fb2f0; --grid: #2c313a; --warn: #ffce85; --warn-paper: #33270f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.2rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .5rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; }
.soft, caption, figcaption { color: var(--soft); font-size: .9rem; }
.warn { background: var(--warn-paper); color: var(--warn); padding: .6rem .8rem; border-radius: .4rem; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; background: var(--card);
  margin: .6rem 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .35rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
th { font-weight: 600; color: var(--soft); }
td.number, th.number { text-align: right; white-space: nowrap; }
.facts td:first-child { color: var(--soft); white-space: nowrap; }
.facts td { overflow-wrap: anywhere; }
.decks td:nth-child(3) { min-width: 15rem; }
.scroll { overflow-x: auto; }
.plot { width: 100%; }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--mark); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem .8rem;
  overflow-x: auto; font-size: .85rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
@media (max-width: 480px) { .facts td:first-child { white-space: normal; width: 40%; }
  th, td { padding: .3rem .4rem; } table { font-size: .85rem; } h1 { font-size: 1.35rem; } }
"""

SCRIPT = """
const figures = JSON.parse(document.getElementById("figures").textContent);
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
function draw() {
  for (const [id, figure] of Object.entries(figures)) {
    const themed = JSON.parse(JSON.stringify(figure), (key, value) =>
      typeof value === "string" && value.startsWith("var(--") ? colour(value.slice(4, -1)) : value);
    Plotly.react(id, themed.data, themed.layout, {responsive: true, displayModeBar: false});
  }
}
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
"""


def page(title: str, body: str, figures: dict[str, Any], plotly_js: str) -> str:
    """The whole document. `figures` maps the id of a `plot` place in the body to its data and layout."""
    # "</" inside JSON would end the script element early.
    data = json.dumps(figures, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{html.escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
{body}
</main>
<script>{plotly_js}</script>
<script type="application/json" id="figures">{data}</script>
<script>{SCRIPT}</script>
</body>
</html>
"""


def table(columns: list[str], lines: list[tuple[Any, ...]], text_columns: int = 1, kind: str = "") -> str:
    """An HTML table of the class `kind` that scrolls sideways where it must.

    All but the first `text_columns` are set as numbers.
    """
    attribute = f' class="{kind}"' if kind else ""

    def row(tag: str, cells: list[Any] | tuple[Any, ...]) -> str:
        return "".join(element(tag, str(cell), "" if i < text_columns else "number") for i, cell in enumerate(cells))

    body = "".join(f"<tr>{row('td', line)}</tr>" for line in lines)
    head = f"<thead><tr>{row('th', columns)}</tr></thead>"
    return f'<div class="wide"><table{attribute}>{head}<tbody>{body}</tbody></table></div>'


def facts(lines: list[tuple[str, str]]) -> str:
    """A two-column table of what and its value, as plain text."""
    body = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(value)}</td></tr>" for name, value in lines)
    return f'<div class="wide"><table class="facts"><tbody>{body}</tbody></table></div>'


def section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{html.escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def paragraph(text: str, kind: str = "") -> str:
    return element("p", text, kind)


def element(tag: str, text: str, kind: str = "") -> str:
    """Plain text in an element of the class `kind`."""
    attribute = f' class="{kind}"' if kind else ""
    return f"<{tag}{attribute}>{html.escape(text)}</{tag}>"


def folded(title: str, inside: str) -> str:
    """Something to open by clicking on its title."""
    return f"<details>{element('summary', title)}{inside}</details>"


def plot(identifier: str, label: str, width: int = 0) -> str:
    """The place a figure is drawn into; `label` says what it shows to those who cannot see it.

    On a screen narrower than `width` pixels the figure scrolls sideways instead of shrinking further.
    """
    place = f'<div class="plot" id="{identifier}" role="img" aria-label="{html.escape(label)}"'
    return f'<div class="scroll">{place} style="min-width: {width}px"></div></div>'
