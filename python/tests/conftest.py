"""The real service on the sample market, started once for all tests; `bun run check` says which Bun to use."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import pyasof

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Demo:
    """A running demo: its address, the sample market's address, and its data folder."""

    url: str
    gateway: str
    data_dir: Path


def _started(command: list[str], settings: dict[str, str], ready: str) -> tuple[subprocess.Popen[str], str]:
    """Start a process of this checkout and return it with what it printed up to the line that has `ready`."""
    process = subprocess.Popen(
        [os.environ.get("BUN", "bun"), *command],
        cwd=ROOT,
        env={**os.environ, "PORT": "0", "JOBS": "off", "NODE_ENV": "production", "LOG_LEVEL": "error", **settings},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if ready in line:
            return process, text
    raise AssertionError(f"{command} ended before it was ready:\n{text}")


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, f"{pattern} is not in:\n{text}"
    return match[1]


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    folder = tmp_path_factory.mktemp("demo")
    process, text = _started(["scripts/demo.ts"], {"DATA_DIR": str(folder)}, "Ctrl-C stops it.")
    try:
        yield Demo(_found(r"Console\s+(http://\S+?)/ ", text), _found(r"UPSTREAM_GATEWAY='([^']+)'", text), folder)
    finally:
        _stop(process)


@pytest.fixture(scope="session")
def box(demo: Demo) -> pyasof.Box:
    return pyasof.connect(demo.url)


@pytest.fixture(scope="session")
def without_feed(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[pyasof.Box]:
    """A service on the same market without the brokerage feed: its prices are the price provider's."""
    folder = tmp_path_factory.mktemp("without-feed")
    settings = {"DATA_DIR": str(folder), "UPSTREAM_GATEWAY": demo.gateway}
    process, text = _started(["src/main.ts"], settings, "Asof is ready at")
    try:
        yield pyasof.connect(_found(r"ready at (\S+)", text))
    finally:
        _stop(process)
