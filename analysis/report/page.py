"""The page around the parts of a report: one HTML file that asks nothing of any network."""

import html
import json
from pathlib import Path

from plotly.offline import get_plotlyjs

from duelbench.analysis.report.content import Figure

_HERE = Path(__file__).parent


def page(title: str, body: str, figures: dict[str, Figure]) -> str:
    """The whole document. `figures` are by the ids of their places in the body."""
    # "</" inside JSON would end the script element early.
    data = json.dumps(figures, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("</", "<\\/")
    style, script = ((_HERE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{html.escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
<script>{get_plotlyjs()}</script>
<script type="application/json" id="figures">{data}</script>
<script>{script}</script>
</body>
</html>
"""
