"""yfinance's ``download`` and ``Ticker.history`` on a service with a store and ``as_of``.

Change ``import yfinance as yf`` to ``from pyasof import yf`` and the frames keep their shape. docs/python.md lists the
differences. Arguments that this module cannot honour are refused; none is ignored.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Literal
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from . import connect
from .box import Box
from .moments import Day, Moment, day_text, moment_text
from .tables import hand_over

_NEW_YORK = ZoneInfo("America/New_York")
_INTERVALS = {"1d": "1d", "1wk": "1w", "1mo": "1mo"}
_SESSIONS = {"1d": 1, "5d": 5}
_MONTHS = {"1mo": 1, "3mo": 3, "6mo": 6, "1y": 12, "2y": 24, "5y": 60, "10y": 120}
#: The first day that is asked for with period="max"; providers have nothing earlier.
_FIRST_DAY = date(1962, 1, 1)
_PRICES = ["Open", "High", "Low", "Close"]
_ACTIONS = ["Dividends", "Stock Splits", "Capital Gains"]
#: The columns in their order, each with the service's own.
_COLUMNS = {
    "Open": "open",
    "High": "high",
    "Low": "low",
    "Close": "close",
    "Adj Close": "adjusted_close",
    "Volume": "volume",
    "Dividends": "dividend",
    "Stock Splits": "split_ratio",
    "Capital Gains": "capital_gain",
}

_box: Box | None = None


def use(box: Box) -> None:
    """Let this module ask ``box``, which may have a frozen clock or answer from a version of the store.

    Without it the first call connects to the address in ASOF_URL (default http://127.0.0.1:8000) with the key in
    ASOF_API_KEY.
    """
    global _box
    _box = box


def _asked() -> Box:
    global _box
    if _box is None:
        url = os.environ.get("ASOF_URL", "http://127.0.0.1:8000")
        _box = connect(url, api_key=os.environ.get("ASOF_API_KEY"))
    return _box


@dataclass(frozen=True)
class _Span:
    start: date
    end: date


def _today(box: Box, as_of: Moment | None) -> date:
    moment = moment_text(as_of) if as_of is not None else box.moment
    if moment is None:
        return datetime.now(_NEW_YORK).date()
    return pd.Timestamp(moment).date() if len(moment) == 10 else pd.Timestamp(moment).tz_convert(_NEW_YORK).date()


def _span(box: Box, period: str | None, start: Day | None, end: Day | None, as_of: Moment | None) -> _Span:
    """Return first and last day, both inclusive; yfinance's end is exclusive."""
    today = _today(box, as_of)
    until = today if end is None else date.fromisoformat(day_text(end))
    last = today if end is None else until - timedelta(days=1)
    if start is not None:
        if period is not None and end is not None:
            raise ValueError("Give period, start or end: at most two of them.")
        return _Span(date.fromisoformat(day_text(start)), last)
    chosen = period or ("1mo" if end is None else "max")
    if chosen == "max":
        return _Span(_FIRST_DAY, last)
    if chosen == "ytd":
        return _Span(date(last.year, 1, 1), last)
    if chosen in _SESSIONS:
        return _Span(box.sessions(last - timedelta(days=15), last)[-_SESSIONS[chosen]], last)
    if chosen in _MONTHS:
        return _Span((pd.Timestamp(until) - pd.DateOffset(months=_MONTHS[chosen])).date(), last)
    raise ValueError(f'period is "{chosen}"; it must be one of {", ".join([*_SESSIONS, *_MONTHS, "ytd", "max"])}')


def _check(interval: str, *, back_adjust: bool, repair: bool, prepost: bool) -> None:
    if interval not in _INTERVALS:
        raise ValueError(f'interval is "{interval}"; this store serves {", ".join(_INTERVALS)}')
    if repair:
        raise ValueError("repair=True invents prices; this service serves reported ones only")
    if back_adjust:
        raise ValueError("back_adjust=True is not served; use auto_adjust=True or box.bars(..., adjustment=...)")
    if prepost:
        raise ValueError("prepost=True needs bars within the day; daily bars are of regular hours")


def _frame(rows: pd.DataFrame, *, auto_adjust: bool, actions: bool, rounding: bool, keepna: bool) -> pd.DataFrame:
    """Return one symbol's rows with yfinance's columns; the index is a day without a zone."""
    # Plain arrays: each step on a frame of pandas takes longer than all of them.
    columns = {name: rows[column].to_numpy() for name, column in _COLUMNS.items()}
    if np.isnan(columns["Capital Gains"]).all():
        del columns["Capital Gains"]
    for name in columns.keys() & set(_ACTIONS):
        columns[name] = np.nan_to_num(columns[name], nan=0.0, posinf=np.inf, neginf=-np.inf)
    index = pd.DatetimeIndex(rows["date"], name="Date")
    priced = ~np.logical_and.reduce([np.isnan(columns[name]) for name in _PRICES])
    if not keepna and not priced.all():
        columns = {name: column[priced] for name, column in columns.items()}
        index = index[priced]
    if auto_adjust:
        close = columns.pop("Adj Close")
        with np.errstate(all="ignore"):
            ratio = close / columns["Close"]
            columns |= {name: columns[name] * ratio for name in ("Open", "High", "Low")}
        columns["Close"] = close
    if not np.isnan(columns["Volume"]).any():
        columns["Volume"] = columns["Volume"].astype("int64")
    frame = pd.DataFrame({name: column for name, column in columns.items() if actions or name not in _ACTIONS}, index)
    return frame.round(2) if rounding else frame


@cache
def _midnights(year: int) -> Any:
    """Return the seconds since 1970 of each New York midnight of a year: the zone is looked up day by day."""
    days = pd.date_range(f"{year}-01-01", f"{year}-12-31", unit="s")
    return days.tz_localize(_NEW_YORK).tz_convert("UTC").tz_localize(None).to_numpy()


def _in_new_york(days: pd.DatetimeIndex) -> pd.DatetimeIndex:
    """Return the midnights of New York with which days begin."""
    instants = days.as_unit("s").to_numpy().copy()
    years = days.year.to_numpy()
    for year in np.unique(years):
        of_year = years == year
        instants[of_year] = _midnights(int(year))[days.dayofyear.to_numpy()[of_year] - 1]
    return pd.DatetimeIndex(instants, name=days.name).as_unit(days.unit).tz_localize("UTC").tz_convert(_NEW_YORK)


def _rows(box: Box, wanted: list[str], span: _Span, interval: str, as_of: Moment | None) -> pd.DataFrame:
    """Return the bars; of a ticker that has none, not even an error: yfinance gives an empty frame."""
    names = list(dict.fromkeys(wanted))
    table, _ = box._bars(names, span.start, span.end, interval=_INTERVALS[interval], as_of=as_of)
    rows: pd.DataFrame = hand_over(table, "pandas")
    return rows


def _spelling(symbol: str) -> str:
    return symbol.strip().upper().replace(".", "-").replace("/", "-")


def download(
    tickers: str | Iterable[str],
    start: Day | None = None,
    end: Day | None = None,
    actions: bool = False,
    threads: bool | int = True,
    ignore_tz: bool | None = None,
    group_by: Literal["column", "ticker"] = "column",
    auto_adjust: bool = True,
    back_adjust: bool = False,
    repair: bool = False,
    keepna: bool = False,
    progress: bool = True,
    period: str | None = None,
    interval: str = "1d",
    prepost: bool = False,
    rounding: bool = False,
    timeout: float | None = 10,
    session: Any = None,
    multi_level_index: bool = True,
    *,
    as_of: Moment | None = None,
) -> pd.DataFrame:
    """Return bars of one or many tickers with yfinance's columns: (Price, Ticker), or (Ticker, Price).

    ``end`` is exclusive and ``start`` inclusive, as in yfinance. ``threads``, ``timeout`` and ``session`` are about
    yfinance's own connections; the box has its own. A ticker without rows is named in a warning and has empty columns.

    Raises:
        ValueError: an argument that this store cannot honour, such as repair=True.
        AsofError: the service cannot answer.
    """
    del threads, timeout, session
    _check(interval, back_adjust=back_adjust, repair=repair, prepost=prepost)
    if ignore_tz is False:
        raise ValueError("ignore_tz=False is not served: days are New York's and have no zone")
    box = _asked()
    wanted = [each.upper() for each in (tickers.replace(",", " ").split() if isinstance(tickers, str) else tickers)]
    span = _span(box, period, start, end, as_of)
    asked = replace(box, engine="pandas", progress=progress and box.progress)
    rows = _rows(asked, wanted, span, interval, as_of)
    shape = {"auto_adjust": auto_adjust, "actions": actions, "rounding": rounding, "keepna": keepna}
    by_symbol = {_spelling(str(name)): part for name, part in rows.groupby("symbol", sort=False)}
    frames = {each: _frame(by_symbol.get(_spelling(each), rows.iloc[:0]), **shape) for each in dict.fromkeys(wanted)}
    missing = [each for each, frame in frames.items() if frame.empty]
    if missing:
        warnings.warn(f"No bars: {', '.join(missing)}", stacklevel=2)
    return _joined(frames, group_by, multi_level_index)


def _joined(frames: dict[str, pd.DataFrame], group_by: str, multi_level_index: bool) -> pd.DataFrame:
    joined = pd.concat(frames, axis="columns", names=["Ticker", "Price"], sort=True)
    if len(frames) == 1 and not multi_level_index:
        return joined.droplevel("Ticker", axis="columns")
    if group_by == "ticker":
        return joined
    return joined.swaplevel(axis="columns").sort_index(axis="columns")


class Ticker:
    """One ticker, with yfinance's ``history``."""

    def __init__(self, ticker: str, session: Any = None) -> None:
        """Keep the ticker; nothing is asked before :meth:`history` is called."""
        del session
        self.ticker = ticker.upper()

    def history(
        self,
        period: str | None = None,
        interval: str = "1d",
        start: Day | None = None,
        end: Day | None = None,
        prepost: bool = False,
        actions: bool = True,
        auto_adjust: bool = True,
        back_adjust: bool = False,
        repair: bool = False,
        keepna: bool = False,
        rounding: bool = False,
        timeout: float | None = 10,
        raise_errors: bool = False,
        *,
        as_of: Moment | None = None,
    ) -> pd.DataFrame:
        """Return the bars of this ticker; the index is midnight in New York, as yfinance gives it for US listings.

        Raises:
            ValueError: an argument that this store cannot honour.
            AsofError: the service cannot answer; ``raise_errors`` changes nothing, since an outage is no empty frame.
        """
        del timeout, raise_errors
        _check(interval, back_adjust=back_adjust, repair=repair, prepost=prepost)
        box = _asked()
        span = _span(box, period, start, end, as_of)
        asked = replace(box, engine="pandas", progress=False)
        rows = _rows(asked, [self.ticker], span, interval, as_of)
        frame = _frame(rows, auto_adjust=auto_adjust, actions=actions, rounding=rounding, keepna=keepna)
        frame.index = _in_new_york(pd.DatetimeIndex(frame.index))
        return frame
