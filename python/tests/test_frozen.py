"""Attempts to look ahead through a frozen clock, on every call that gives a table."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pandas as pd
import pytest

import pyasof
from pyasof import yf
from pyasof.transport import Downloaded, Params, Transport

pytestmark = pytest.mark.filterwarnings("ignore::pyasof.IncompleteAnswer")

#: One call of each method that gives a table; later days are asked for wherever a call takes days.
CALLS: dict[str, Callable[..., Any]] = {
    "bars": lambda box, **more: box.bars(["ZORP", "QUIB-B"], "2026-01-02", "2026-11-01", **more),
    "panel": lambda box, **more: box.panel("2026-06-01", "2026-11-01", **more),
    "financials": lambda box, **more: box.financials("ZORP", "2020-01-01", "2026-11-01", **more),
    "filings": lambda box, **more: box.filings("ZORP", start="2020-01-01", end="2026-11-01", **more),
    "events": lambda box, **more: box.events("ZORP", "2020-01-01", "2026-11-01", **more),
    "insiders": lambda box, **more: box.insiders("ZORP", window_days=800, **more),
    "holders": lambda box, **more: box.holders("VEXOQ", **more),
    "short_volume": lambda box, **more: box.short_volume("ZORP", "2026-06-01", "2026-11-01", **more),
    "universe": lambda box, **more: box.universe("2026-11-01", **more),
    "dividends": lambda box, **more: box.dividends("ZORP", **more),
    "earnings": lambda box, **more: box.earnings("ZORP", **more),
    "news": lambda box, **more: box.news("ZORP", "2020-01-01", "2026-11-01", **more),
    "etf_holdings": lambda box, **more: box.etf_holdings("SMPLF", **more),
    "econ": lambda box, **more: box.econ("FICUNRATE", **more),
}
#: Methods that give no table.
OTHERS = {"at", "sessions"}
#: Methods of the newest state, which a frozen box refuses.
OF_NOW = {"changes"}


class Recorder(Transport):
    """Answers nothing and keeps what is asked."""

    def json(self, path: str, params: Params) -> Any:
        raise Asked(path, params)

    def download(self, path: str, params: Params, progress: Any = None) -> Downloaded:
        raise Asked(path, params)


class Asked(Exception):
    def __init__(self, path: str, params: Params) -> None:
        super().__init__(path)
        self.params = params


def asked(call: Callable[[], Any]) -> Params:
    with pytest.raises(Asked) as got:
        call()
    return got.value.params


FROZEN = pyasof.Box(Recorder("http://nowhere"))


def test_every_method_is_tried_here() -> None:
    methods = {name for name, each in vars(pyasof.Box).items() if inspect.isfunction(each) and not name.startswith("_")}
    assert methods - OTHERS - OF_NOW == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
class TestEachCall:
    def test_names_the_moment_to_the_service(self, name: str) -> None:
        then = FROZEN.at("2026-06-30T15:00:00Z")
        params = asked(lambda: CALLS[name](then))
        if name == "dividends":
            # The route knows days only; the 30th is not over at noon.
            assert params["as_of_date"] == "2026-06-29"
        else:
            assert params["as_of"] == "2026-06-30T15:00:00Z"

    def test_takes_an_earlier_moment_and_refuses_a_later_one(self, name: str) -> None:
        then = FROZEN.at("2026-06-30")
        params = asked(lambda: CALLS[name](then, as_of="2026-05-29"))
        assert "2026-05-29" in (params.get("as_of"), params.get("as_of_date"))
        for later in ("2026-07-01", date(2026, 7, 1), datetime(2026, 7, 1, 4, tzinfo=UTC), "2026-07-01T00:00:00-04:00"):
            with pytest.raises(pyasof.LookAhead):
                CALLS[name](then, as_of=later)
        with pytest.raises(ValueError):
            CALLS[name](then, as_of="")

    def test_a_symbol_cannot_carry_another_moment(self, name: str) -> None:
        if name in ("universe", "panel"):
            pytest.skip("takes no symbol that stands in the address")
        then = FROZEN.at("2026-06-30")
        method = getattr(then, name)
        days = ["2026-01-02", "2026-11-01"] if name in ("bars", "short_volume") else []
        with pytest.raises(Asked) as got:
            method("ZORP?as_of=2026-11-01&x", *days)
        assert "?" not in str(got.value)
        assert "2026-06-30" in (got.value.params.get("as_of"), got.value.params.get("as_of_date"))


def test_the_end_of_a_day_is_new_york_s() -> None:
    then = FROZEN.at("2026-06-30")
    assert then.at("2026-07-01T03:59:59Z").moment == "2026-07-01T03:59:59Z"
    with pytest.raises(pyasof.LookAhead):
        then.at("2026-07-01T04:00:00Z")


def test_the_ledger_of_changes_is_refused() -> None:
    for frozen in (FROZEN.at("2026-06-30"), FROZEN.at(data_version=4)):
        with pytest.raises(pyasof.LookAhead):
            frozen.changes()


def test_a_version_is_named_to_the_service_and_never_replaced() -> None:
    then = FROZEN.at(data_version="q3-paper")
    assert asked(lambda: then.bars("ZORP", "2026-06-01"))["data_version"] == "q3-paper"
    both = then.at("2026-06-30")
    params = asked(lambda: both.bars("ZORP", "2026-06-01"))
    assert (params["data_version"], params["as_of"]) == ("q3-paper", "2026-06-30")
    with pytest.raises(pyasof.LookAhead):
        then.at(data_version=9)


@pytest.mark.parametrize("call", [lambda: yf.download("ZORP"), lambda: yf.Ticker("ZORP").history()])
def test_yfinance_s_calls_keep_moment_and_version(call: Callable[[], Any]) -> None:
    yf.use(FROZEN.at("2026-06-30", data_version="q3-paper"))
    params = asked(call)
    assert (params["data_version"], params["as_of"]) == ("q3-paper", "2026-06-30")


@pytest.fixture(scope="module")
def now(stocked: pyasof.Box) -> dict[str, pd.DataFrame]:
    """What each call gives with everything that is known now."""
    return {name: call(stocked) for name, call in CALLS.items()}


#: The column by which a row of each table became known, or the day that a row is about.
KNOWN_BY = {
    "bars": "date",
    "panel": "date",
    "financials": "known_at",
    "filings": "accepted_at",
    "events": "accepted_at",
    "insiders": "accepted_at",
    "holders": "accepted_at",
    "short_volume": "date",
    "dividends": "known_at",
    "econ": "realtime_start",
}


#: A day with rows before and after it.
DAYS = {name: "2026-08-14" for name in KNOWN_BY} | {"holders": "2024-12-31", "filings": "2026-06-30"}


@pytest.mark.parametrize("is_instant", [False, True])
@pytest.mark.parametrize("name", KNOWN_BY)
def test_no_row_was_known_later(stocked: pyasof.Box, now: dict[str, pd.DataFrame], name: str, is_instant: bool) -> None:
    day = pd.Timestamp(DAYS[name])
    noon = (day + pd.Timedelta(hours=12)).tz_localize("America/New_York")
    midnight = (day + pd.Timedelta(days=1)).tz_localize("America/New_York")
    rows = CALLS[name](stocked.at(noon if is_instant else DAYS[name]))
    known = rows[KNOWN_BY[name]].dropna()
    if isinstance(known.dtype, pd.DatetimeTZDtype):
        assert known.max() <= (noon if is_instant else midnight)
    elif name == "econ":
        assert known.max() <= day
    else:
        # A bar and a file of short volume are known from the next session on: the day itself is not there.
        assert known.max() < day
    # The table is not empty by accident: there are earlier rows, and by now later ones.
    assert len(rows) > 0
    assert now[name][KNOWN_BY[name]].max() > known.max()


def test_what_is_known_by_its_fetch_is_not_there_before(stocked: pyasof.Box, now: dict[str, pd.DataFrame]) -> None:
    then = stocked.at("2026-08-14")
    for name in ("news", "earnings"):
        assert len(now[name]) > 0
        assert CALLS[name](then).empty
    with pytest.raises(pyasof.NotFound) as nothing:
        CALLS["universe"](then)
    assert nothing.value.code == "no_data"


def test_a_day_of_mourning_is_a_session_until_it_comes(stocked: pyasof.Box) -> None:
    mourning = date(2025, 1, 9)
    assert mourning not in stocked.sessions("2025-01-02", "2025-01-10")
    assert mourning in stocked.at("2025-01-08").sessions("2025-01-02", "2025-01-10")


def test_yfinance_s_calls_keep_the_clock(stocked: pyasof.Box) -> None:
    yf.use(stocked.at("2026-08-14"))
    for frame in (
        yf.download("ZORP", start="2026-07-01", end="2026-11-01"),
        yf.download("ZORP", period="1mo"),
        yf.Ticker("ZORP").history(start="2026-07-01", end="2026-11-01").tz_localize(None),
    ):
        assert frame.index.max() == pd.Timestamp("2026-08-13")
    for period in (None, "5d"):
        with pytest.raises(pyasof.LookAhead):
            yf.download("ZORP", period=period, as_of="2026-08-15")
    earlier = yf.download("ZORP", period="5d", as_of="2026-08-07")
    assert earlier.index.max() < pd.Timestamp("2026-08-07")
