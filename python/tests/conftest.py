"""The real service on the sample market, started once for all tests; `bun run check` says which Bun to use."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
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


def started(command: list[str], settings: dict[str, str], ready: str) -> tuple[subprocess.Popen[str], str]:
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


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, f"{pattern} is not in:\n{text}"
    return match[1]


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    folder = tmp_path_factory.mktemp("demo")
    # The tests say themselves what is read, and when.
    settings = {"DATA_DIR": str(folder), "DEMO_FILL": "off"}
    process, text = started(["scripts/demo.ts"], settings, "Ctrl-C stops it.")
    try:
        yield Demo(found(r"Console\s+(http://\S+?)/ ", text), found(r"UPSTREAM_GATEWAY='([^']+)'", text), folder)
    finally:
        stop(process)


@pytest.fixture(scope="session")
def box(demo: Demo) -> pyasof.Box:
    return pyasof.connect(demo.url)


def command(demo: Demo, *arguments: str) -> None:
    """Run a command of the service on the demo's data, to its end."""
    settings = {"DATA_DIR": str(demo.data_dir), "UPSTREAM_GATEWAY": demo.gateway, "SEC_USER_AGENT": "T t@example.com"}
    subprocess.run(
        [os.environ.get("BUN", "bun"), "scripts/cli.ts", *arguments],
        cwd=ROOT,
        env={**os.environ, **settings},
        check=True,
        capture_output=True,
    )


@pytest.fixture(scope="session")
def stocked(demo: Demo, box: pyasof.Box) -> pyasof.Box:
    """The demo with what jobs collect: short volume of some months, snapshots of the universe, and news."""
    command(demo, "ingest", "shortvolume", "--start", "2026-07-01", "--end", "2026-10-30")
    command(demo, "universe", "discover")
    command(demo, "universe", "snapshots", "--start", "2026-09", "--end", "2026-10", "--tickers", "ZORP,QUIB.B")
    # The feeds of a symbol are read once its news were asked for.
    box.transport.json("news", {"tickers": "ZORP"})
    request = urllib.request.Request(
        f"{demo.url}/api/v1/news/admin/ingest", b"{}", {"content-type": "application/json"}
    )
    urllib.request.urlopen(request).close()
    return box


@pytest.fixture(scope="session")
def with_keys(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that asks every client for the key `right`."""
    settings = {
        "DATA_DIR": str(tmp_path_factory.mktemp("with-keys")),
        "UPSTREAM_GATEWAY": demo.gateway,
        "API_KEYS": "right",
    }
    process, text = started(["src/main.ts"], settings, "Asof is ready at")
    try:
        yield found(r"ready at (\S+)", text)
    finally:
        stop(process)


@pytest.fixture(scope="session")
def without_feed(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[pyasof.Box]:
    """A service on the same market without the brokerage feed: its prices are the price provider's."""
    folder = tmp_path_factory.mktemp("without-feed")
    settings = {"DATA_DIR": str(folder), "UPSTREAM_GATEWAY": demo.gateway}
    process, text = started(["src/main.ts"], settings, "Asof is ready at")
    try:
        yield pyasof.connect(found(r"ready at (\S+)", text))
    finally:
        stop(process)
