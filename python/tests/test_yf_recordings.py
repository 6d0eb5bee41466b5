"""pyasof.yf beside yfinance on recorded answers of the price provider, both through the replay server."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yfinance
from conftest import ROOT, found, started, stop
from test_yf import CLOSE_ENOUGH, on_market

import pyasof
from pyasof import yf

RECORDINGS = Path(os.environ.get("CONFORMANCE_DIR", ROOT.parent / "shared")) / "real"
INDEX = RECORDINGS / "index.json"
pytestmark = pytest.mark.skipif(not INDEX.is_file(), reason=f"there are no recordings at {RECORDINGS}")


@dataclass(frozen=True)
class Recording:
    """Daily bars of a listing in New York, recorded after the last of them had settled."""

    entry: dict[str, Any]
    symbol: str
    days: pd.DatetimeIndex

    @property
    def name(self) -> str:
        return f"{re.sub(r'[^A-Z]+', '-', self.symbol)}-{self.start}-{len(self.days)}"

    @property
    def start(self) -> str:
        return str(self.days[0].date())

    @property
    def end(self) -> str:
        return str((self.days[-1] + pd.Timedelta(days=1)).date())


def recording(entry: dict[str, Any]) -> Recording | None:
    address = str(entry.get("url") or "")
    if "/v8/finance/chart/" not in address or entry.get("status") != 200:
        return None
    # Neither program asks for some of the figures only.
    if "interval=1d" not in address or "indicators=" in address:
        return None
    result = (json.loads((RECORDINGS / entry["file"]).read_text()).get("chart", {}).get("result") or [{}])[0]
    meta, times = result.get("meta", {}), result.get("timestamp") or []
    if meta.get("exchangeTimezoneName") != "America/New_York" or meta.get("dataGranularity") != "1d" or not times:
        return None
    days = pd.DatetimeIndex(pd.to_datetime(times, unit="s", utc=True)).tz_convert("America/New_York")
    # The bar of a session that is under way has the time of its last trade.
    if (days[-1].hour, days[-1].minute) != (9, 30):
        return None
    # Some recordings are excerpts: bars were cut out of them, and their dividends were not.
    if (days[1:] - days[:-1]).max() > pd.Timedelta(days=10):
        return None
    return Recording(entry, str(meta["symbol"]), days)


def chosen() -> list[list[Recording]]:
    """Return rounds in which each symbol has one recording: the longest that begins in a year, of each year."""
    by_symbol: dict[str, dict[int, Recording]] = {}
    for entry in json.loads(INDEX.read_text()) if INDEX.is_file() else []:
        one = recording(entry)
        if one is None:
            continue
        of_years = by_symbol.setdefault(one.symbol, {})
        year = one.days[0].year
        if year not in of_years or len(of_years[year].days) < len(one.days):
            of_years[year] = one
    listed = [list(each.values()) for each in by_symbol.values()]
    rounds = max(map(len, listed), default=0)
    return [[each[at] for each in listed if len(each) > at] for at in range(rounds)]


@dataclass(frozen=True)
class Replay:
    box: pyasof.Box
    gateway: str


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Replay]]:
    """For each round a replay server that knows its recordings alone, and a service that asks it."""
    processes = []
    replays = []
    for number, recordings in enumerate(chosen()):
        folder = tmp_path_factory.mktemp(f"recordings-{number}")
        (folder / "real").symlink_to(RECORDINGS.resolve())
        index = [{**each.entry, "file": f"real/{each.entry['file']}"} for each in recordings]
        (folder / "index.json").write_text(json.dumps(index))
        replay, text = started(["scripts/cli.ts", "replay", str(folder), "--port", "0"], {}, "replay ready at")
        processes.append(replay)
        gateway = found(r"ready at (\S+)", text)
        settings = {"DATA_DIR": str(tmp_path_factory.mktemp("replayed")), "UPSTREAM_GATEWAY": gateway}
        service, text = started(["src/main.ts"], settings, "Asof is ready at")
        processes.append(service)
        replays.append(Replay(pyasof.connect(found(r"ready at (\S+)", text)), gateway))
    try:
        yield replays
    finally:
        for process in processes:
            stop(process)


CASES = [(number, each) for number, recordings in enumerate(chosen()) for each in recordings]


@pytest.mark.parametrize("auto_adjust", [True, False])
@pytest.mark.parametrize(("number", "one"), CASES, ids=[each.name for _, each in CASES])
def test_recorded_bars(replays: list[Replay], number: int, one: Recording, auto_adjust: bool) -> None:
    arguments: dict[str, Any] = {"start": one.start, "end": one.end, "auto_adjust": auto_adjust, "actions": True}
    with on_market(replays[number].gateway, replays[number].box):
        theirs = yfinance.download(one.symbol, progress=False, **arguments)
        mine = yf.download(one.symbol, **arguments)
    assert len(theirs) > 0
    # Of a fund yfinance has this column even where no gain is listed.
    if "Capital Gains" not in mine:
        theirs = theirs.drop(columns="Capital Gains", level="Price", errors="ignore")
    pd.testing.assert_frame_equal(mine, theirs, rtol=CLOSE_ENOUGH)


@pytest.mark.parametrize(("number", "one"), CASES, ids=[each.name for _, each in CASES])
def test_recorded_history(replays: list[Replay], number: int, one: Recording) -> None:
    with on_market(replays[number].gateway, replays[number].box):
        theirs = yfinance.Ticker(one.symbol).history(start=one.start, end=one.end)
        mine = yf.Ticker(one.symbol).history(start=one.start, end=one.end)
    if "Capital Gains" not in mine:
        theirs = theirs.drop(columns="Capital Gains", errors="ignore")
    pd.testing.assert_frame_equal(mine, theirs, rtol=CLOSE_ENOUGH)
