"""docs/python.md says what the docstrings say."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import reference


def test_the_page_has_the_reference_of_the_docstrings() -> None:
    # Where it differs: python reference.py
    assert reference.PAGE.read_text() == reference.page()
