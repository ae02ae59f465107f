"""Puts the report page together: one HTML file with its style, its script and its data inside.

Texts of results reach the page only through the data, as JSON without any `<`, `>` or `&`, and the
script shows them as text nodes. A Content-Security-Policy lets only this style and this script run
and nothing be loaded, whatever a text says.
"""

import base64
import hashlib
import html
import json
import pathlib
import time
from typing import Any

FOLDER = pathlib.Path(__file__).resolve().parent / "report_html"
SCRIPTS = ("dom.js", "model.js", "plot.js", "history.js", "samples.js", "details.js", "columns.js",
           "filters.js", "table.js", "overview.js", "page.js")

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript>This page draws its table with JavaScript, which is off here.</noscript>
<div id="report"></div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page(data: dict[str, Any], title: str = "", now: float | None = None) -> str:
    made = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    title = title or default_title(data)
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    script = "".join(f"// {name}\n{(FOLDER / name).read_text(encoding='utf-8')}"
                     for name in SCRIPTS)
    # A scope of its own: the names in it are no one else's.
    script = f'"use strict";\n(() => {{\n{script}}})();\n'
    policy = (f"default-src 'none'; style-src '{hash_of(style)}'; "
              f"script-src '{hash_of(script)}'; base-uri 'none'; form-action 'none'")
    return PAGE.format(policy=html.escape(policy), title=html.escape(title), style=style,
                       script=script, data=embedded(data | {"title": title, "made": made}))


def default_title(data: dict[str, Any]) -> str:
    devices = sorted({c["device"] for c in data["contexts"] if "device" in c})
    if len(devices) > 3:
        devices = [*devices[:3], f"{len(devices) - 3} more"]
    return "zl-bench: " + (", ".join(devices) or "results")


def embedded(data: Any) -> str:
    """JSON that no HTML parser takes for anything else; ASCII, so that no encoding matters."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def hash_of(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
