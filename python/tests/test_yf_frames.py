"""The frames of pyasof.yf are those that pandas makes step by step, with nulls, zeros and every argument."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from pyasof import yf

PRICES = ["open", "high", "low", "close"]
NAMES = ["Open", "High", "Low", "Close", "Adj Close", "Volume", "Dividends", "Stock Splits", "Capital Gains"]


def bars(count: int, *, nulls: bool, gains: bool = False) -> pd.DataFrame:
    days = pd.DatetimeIndex(pd.bdate_range("2001-01-01", periods=count)).as_unit("s")
    steps = np.arange(count)
    rows = pd.DataFrame({name: 10 + (steps * 7 % 31) / 3 + at for at, name in enumerate(PRICES)})
    rows["adjusted_close"] = rows["close"] * 0.9
    rows["volume"] = steps * 1_000.0
    rows["dividend"] = np.where(steps % 50 == 3, 0.25, np.nan)
    rows["split_ratio"] = np.where(steps % 90 == 5, 2.0, np.nan)
    rows["capital_gain"] = np.where(gains & (steps % 60 == 7), 1.5, np.nan)
    if nulls:
        rows.loc[::3, PRICES] = np.nan
        rows.loc[1::5, "open"] = np.nan
        rows.loc[::4, "adjusted_close"] = np.nan
        rows.loc[::7, "volume"] = np.nan
        rows.loc[1::11, "close"] = 0.0
    rows.insert(0, "date", days)
    return rows


def step_by_step(rows: pd.DataFrame, *, auto_adjust: bool, actions: bool, rounding: bool, keepna: bool) -> pd.DataFrame:
    sources = [*PRICES, "adjusted_close", "volume", "dividend", "split_ratio", "capital_gain"]
    frame = pd.DataFrame({name: rows[source] for name, source in zip(NAMES, sources, strict=True)})
    if not frame["Capital Gains"].any():
        frame = frame.drop(columns="Capital Gains")
    listed = [name for name in NAMES[6:] if name in frame]
    frame[listed] = frame[listed].fillna(0.0)
    frame.index = pd.DatetimeIndex(rows["date"], name="Date")
    if not keepna:
        frame = frame[frame[NAMES[:4]].notna().any(axis="columns")]
    if auto_adjust:
        ratio = frame["Adj Close"] / frame["Close"]
        adjusted = {name: frame[name] * ratio for name in NAMES[:3]}
        frame = frame.assign(**adjusted, Close=frame["Adj Close"]).drop(columns="Adj Close")
    if frame["Volume"].notna().all():
        frame = frame.astype({"Volume": "int64"})
    if rounding:
        frame = frame.round(2)
    return frame if actions else frame.drop(columns=listed)


@pytest.mark.parametrize("count", [0, 1, 300])
@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("gains", [False, True])
def test_each_argument(count: int, nulls: bool, gains: bool) -> None:
    rows = bars(count, nulls=nulls, gains=gains)
    for auto_adjust, actions, rounding, keepna in product([False, True], repeat=4):
        shape = {"auto_adjust": auto_adjust, "actions": actions, "rounding": rounding, "keepna": keepna}
        pd.testing.assert_frame_equal(yf._frame(rows, **shape), step_by_step(rows, **shape), check_exact=True)


@pytest.mark.parametrize("unit", ["s", "ns"])
def test_days_begin_at_midnight_in_new_york(unit: str) -> None:
    days = pd.DatetimeIndex(pd.date_range("1962-01-01", "2040-12-31").to_numpy(), name="Date").as_unit(unit)
    expected = days.tz_localize("America/New_York")
    found = yf._in_new_york(days)
    assert (found.asi8 == expected.asi8).all()
    assert (found.unit, found.name, str(found.tz)) == (unit, "Date", "America/New_York")
    none = yf._in_new_york(days[:0])
    assert (len(none), none.dtype) == (0, found.dtype)
