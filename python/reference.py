"""Writes the reference part of docs/python.md from the docstrings: python reference.py."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyasof
from pyasof import yf

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
MARK = "<!-- Below this line the page is written by python/reference.py. -->"


def _entry(name: str, function: Callable[..., Any]) -> str:
    signature = inspect.signature(function)
    shown = [each for each in signature.parameters.values() if each.name != "self"]
    text = ", ".join(str(each).split(":")[0] + _default(each) for each in shown)
    return f"### `{name}({text})`\n\n{_markdown(inspect.getdoc(function) or '')}"


def _default(parameter: inspect.Parameter) -> str:
    return "" if parameter.default is inspect.Parameter.empty else f"={parameter.default!r}"


def _markdown(doc: str) -> str:
    lines = []
    for line in doc.replace("``", "`").split("\n"):
        text = line.strip()
        if text in ("Args:", "Raises:", "Attributes:"):
            lines += [f"**{text[:-1]}**", ""]
        elif line.startswith("    ") and not line.startswith("     ") and ":" in text:
            name, _, rest = text.partition(":")
            lines.append(f"- `{name}`:{rest}")
        else:
            lines.append(line if not line.startswith("     ") else f"  {text}")
    return "\n".join(lines)


def reference() -> str:
    """Return the reference as markdown."""
    parts = ["## Reference", _entry("pyasof.connect", pyasof.connect), _entry("pyasof.lake", pyasof.lake)]
    methods = [(name, each) for name, each in vars(pyasof.Box).items() if not name.startswith("_") and callable(each)]
    parts += [_entry(f"box.{name}", each) for name, each in methods]
    parts += [_entry("yf.download", yf.download), _entry("yf.Ticker(...).history", yf.Ticker.history)]
    parts += [_entry("yf.use", yf.use), "### Exceptions"]
    errors = [getattr(pyasof, name) for name in pyasof.__all__]
    rows = [
        f"| `{each.__name__}` | {(inspect.getdoc(each) or '').splitlines()[0]} |"
        for each in errors
        if inspect.isclass(each) and issubclass(each, Exception)
    ]
    parts.append("\n".join(["| exception | meaning |", "|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """Return the whole page: what is written by hand, and the reference."""
    return f"{PAGE.read_text().partition(MARK)[0]}{MARK}\n\n{reference()}"


if __name__ == "__main__":
    PAGE.write_text(page())
