"""pyasof.yf beside yfinance itself: both ask the same sample market."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import pytest
import yfinance
import yfinance.data
from conftest import Demo

import pyasof
from pyasof import yf

#: yfinance multiplies unrounded prices; the service rounds them to the provider's seven digits.
CLOSE_ENOUGH = 1e-6


@contextmanager
def on_market(gateway: str, box: pyasof.Box) -> Iterator[None]:
    """Send yfinance's requests to the provider behind `gateway`, and pyasof's to the service on it."""
    patch = pytest.MonkeyPatch()
    hosts = {"_BASE_URL_": "query2", "_QUERY1_URL_": "query1", "_ROOT_URL_": "finance"}
    for module in [module for name, module in sys.modules.items() if name.startswith("yfinance")]:
        for name, host in hosts.items():
            if hasattr(module, name):
                server = "finance.yahoo.com" if host == "finance" else f"{host}.finance.yahoo.com"
                patch.setattr(module, name, f"{gateway}/{server}")
    patch.setattr(yfinance.data.YfData, "_get_cookie_and_crumb", lambda *_, **__: ("crumb", "basic"))
    yf.use(box)
    try:
        yield
    finally:
        patch.undo()


@pytest.fixture(scope="module", autouse=True)
def same_market(demo: Demo, without_feed: pyasof.Box) -> Iterator[None]:
    with on_market(demo.gateway, without_feed):
        yield


@pytest.mark.parametrize("tickers", [["ZORP", "QUIB-B"], "ZORP"])
@pytest.mark.parametrize(
    "arguments",
    [
        {"start": "2025-01-02", "end": "2026-11-01"},
        {"start": "2025-01-02", "end": "2026-11-01", "auto_adjust": False, "actions": True},
        {"period": "6mo", "end": "2026-11-01"},
        {"start": "2024-01-02", "end": "2026-06-01", "interval": "1mo", "actions": True},
        {"start": "2026-01-02", "end": "2026-06-01", "rounding": True, "auto_adjust": False},
    ],
)
def test_download(tickers: Any, arguments: dict[str, Any]) -> None:
    theirs = yfinance.download(tickers, progress=False, **arguments)
    mine = yf.download(tickers, **arguments)
    pd.testing.assert_frame_equal(mine, theirs, rtol=CLOSE_ENOUGH)


def test_grouped_by_ticker() -> None:
    arguments: dict[str, Any] = {"start": "2026-01-02", "end": "2026-06-01", "group_by": "ticker"}
    theirs = yfinance.download("ZORP", progress=False, **arguments)
    pd.testing.assert_frame_equal(yf.download("ZORP", **arguments), theirs, rtol=CLOSE_ENOUGH)


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": "2025-01-02", "end": "2026-11-01"},
        {"start": "2025-01-02", "end": "2026-11-01", "auto_adjust": False, "actions": False},
    ],
)
def test_history(arguments: dict[str, Any]) -> None:
    theirs = yfinance.Ticker("ZORP").history(**arguments)
    pd.testing.assert_frame_equal(yf.Ticker("ZORP").history(**arguments), theirs, rtol=CLOSE_ENOUGH)


def test_what_cannot_be_honoured_is_refused() -> None:
    for arguments in ({"repair": True}, {"back_adjust": True}, {"prepost": True}, {"interval": "1m"}, {"period": "7w"}):
        with pytest.raises(ValueError, match=next(iter(arguments))):
            yf.download("ZORP", **arguments)


def test_a_ticker_without_rows_is_named() -> None:
    with pytest.warns(UserWarning, match="NOSUCH"):
        frame = yf.download(["ZORP", "NOSUCH"], start="2026-06-01", end="2026-07-01")
    assert frame[("Close", "NOSUCH")].isna().all()
    assert frame[("Close", "ZORP")].notna().all()
