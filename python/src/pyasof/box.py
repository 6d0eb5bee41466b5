"""A box is one Asof service; every call gives one table, and a frozen box cannot look ahead."""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pandas as pd
import pyarrow as pa

from .errors import IncompleteAnswer, LookAhead, NotFound, Unavailable, VersionMismatch
from .moments import Day, Moment, day_text, moment_text, not_later
from .tables import Engine, hand_over, read_contents
from .transport import Downloaded, Params, Transport

#: The service's major version that this package is made for.
SERVICE_MAJOR = "1"
#: Symbols in one request; more are asked in several.
SYMBOLS_PER_REQUEST = 100
#: Symbols in one request for daily bars: all that the service takes, since each request reads the stored files once.
PRICE_SYMBOLS_PER_REQUEST = 500
#: The longest the service may wait for bars that it has not read yet. It reads on after that, and is asked again.
PRICE_WAIT_SECONDS = 200
#: How a warning begins that says that the service is still reading.
INCOMPLETE = "not_read: This answer is incomplete"
#: Rows in one page of a paged route; a route with a smaller limit of its own is asked for fewer.
PAGE_ROWS = 1000
#: Rows after which a page of the ledger ends with its commit.
LEDGER_PAGE_ROWS = 100_000
#: A download that takes longer shows its progress.
PROGRESS_AFTER_SECONDS = 2.0
#: How often an answer is read at most, where its rows change in between or the service is still reading some of it.
READINGS_MAX = 3

Symbols = str | Iterable[str]


def _list_of(symbols: Symbols) -> list[str]:
    given = symbols.replace(",", " ").split() if isinstance(symbols, str) else list(symbols)
    unique = list(dict.fromkeys(each.strip() for each in given if each.strip()))
    if not unique:
        raise ValueError("symbols names no symbol; write them as ['AAPL', 'MSFT']")
    return unique


@contextmanager
def _progress(shown: bool, label: str) -> Iterator[Callable[[int], None] | None]:
    """Show the bytes that arrive, where tqdm is installed and wanted."""
    if not shown:
        yield None
        return
    try:
        tqdm = importlib.import_module("tqdm.auto")
    except ImportError:
        yield None
        return
    with tqdm.tqdm(desc=label, unit="B", unit_scale=True, delay=PROGRESS_AFTER_SECONDS) as bar:
        yield bar.update


@dataclass(frozen=True)
class Box:
    """One service. Make one with :func:`pyasof.connect`.

    Every method that gives a table takes ``as_of`` (a date, which means the end of that day in New York, or an instant
    with a zone) and answers with what was known then. Tables have these types: dates are timestamps at midnight without
    a zone, instants are in UTC, integers and booleans keep nulls; null is unknown, 0 is a reported zero.

    All methods raise :class:`pyasof.AsofError`: NotFound for what does not exist, InvalidRequest for a refused
    parameter, NotAllowed for a wrong key, Unavailable where the service or its provider cannot answer now, Unreachable
    where no service answers. A frozen box raises LookAhead.

    Attributes:
        transport: how requests are sent.
        engine: "pandas" (default), "polars" or "arrow": the kind of every table.
        progress: whether downloads of more than two seconds show a bar, where tqdm is installed.
        moment: the frozen clock, or None where the box answers as of now.
        data_version: the version of the store, a number or a name, or None where the box answers from the newest.
    """

    transport: Transport
    engine: Engine = "pandas"
    progress: bool = True
    moment: str | None = None
    data_version: str | None = None

    # Clocks -------------------------------------------------------------------------------------------------------

    def at(self, as_of: Moment | None = None, *, data_version: int | str | None = None) -> Box:
        """Return the same box with its clock frozen at ``as_of``: no call on it can look ahead.

        Args:
            as_of: the moment; default: that of this box.
            data_version: the version of the store to answer from, a number or a name: the same call gives the same
                rows again, whatever was stored since. A call whose route cannot do that raises InvalidRequest
                (`not_replayable`).

        Raises:
            LookAhead: this box is frozen at an earlier moment, or answers from another version.
        """
        version = self.data_version if data_version is None else str(data_version)
        if self.data_version not in (None, version):
            raise LookAhead(f"This box answers from the version {self.data_version}, not from {version}.")
        return replace(self, moment=self._as_of(as_of), data_version=version)

    def sessions(self, start: Day, end: Day) -> list[date]:
        """Return the trading days of the US exchanges from ``start`` to ``end``, both inclusive.

        Sessions are scheduled ahead, so a frozen box has those of later days too. It does not know later closures that
        no rule predicts, such as a day of mourning: on such a box their days are sessions.
        """
        rows = self.transport.json(
            "stocks/sessions",
            {"start_date": day_text(start), "end_date": day_text(end), "as_of": self.moment},
        )
        return [date.fromisoformat(each["date"]) for each in rows["data"]]

    def _as_of(self, as_of: Moment | None) -> str | None:
        if as_of is None:
            return self.moment
        text = moment_text(as_of)
        if self.moment is not None and not not_later(text, self.moment):
            raise LookAhead(f"The clock of this box is frozen at {self.moment}, and {text} is later.")
        return text

    def _now(self, as_of: Moment | None) -> str:
        """Return the moment for a route that requires one."""
        return self._as_of(as_of) or datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    # Tables -------------------------------------------------------------------------------------------------------

    def bars(
        self,
        symbols: Symbols,
        start: Day,
        end: Day | None = None,
        *,
        interval: str = "1d",
        as_of: Moment | None = None,
        adjustment: str | None = None,
    ) -> Any:
        """Return daily, weekly or monthly bars, one row per symbol and day.

        Args:
            symbols: one symbol or many, in any spelling (BRK.B and BRK-B mean the same).
            start: the first day.
            end: the last day; default: today, or the day of the frozen clock.
            interval: "1d", "1w" or "1mo". ``partial`` is true of a longer bar that does not cover its whole period.
            as_of: the moment of knowledge.
            adjustment: "raw" (as traded, null where not every later split is known or a bar spans one),
                "split" (default) or "all" (splits and dividends).

        An unknown symbol among several is a warning; where it is the only one, it is NotFound. Symbols that the service
        has never read take about a quarter of a second each, and the call waits for all of them. What is still not read
        after ten minutes is a warning (:class:`pyasof.IncompleteAnswer`).

        Source: the route ``/price/data``. Prices are in the listing's currency per share, volume in shares.
        """
        names = _list_of(symbols)
        table, params = self._bars(names, start, end, interval=interval, as_of=as_of, adjustment=adjustment)
        if table.num_rows == 0 and len(names) == 1:
            # The rows of many symbols cannot say why one of them has none; the route of one symbol can.
            try:
                self.transport.json(f"price/data/{_path(names[0])}", {**params, **self._version()})
            except NotFound as error:
                if error.code != "no_data":
                    raise
        return hand_over(table, self.engine)

    def _bars(
        self,
        names: Sequence[str],
        start: Day,
        end: Day | None,
        *,
        interval: str,
        as_of: Moment | None,
        adjustment: str | None = None,
    ) -> tuple[pa.Table, Params]:
        """Return the bars of many symbols and the parameters that they were asked with."""
        known = self._as_of(as_of)
        last = day_text(end) if end is not None else (known or self._now(None))[:10]
        common: Params = {
            "start_date": day_text(start),
            "end_date": last,
            "interval": interval,
            "adjustment": adjustment,
            "as_of": known,
        }
        asked = {**common, "wait": PRICE_WAIT_SECONDS}
        return self._many("price/data", names, asked, PRICE_SYMBOLS_PER_REQUEST), common

    def panel(
        self,
        start: Day,
        end: Day,
        symbols: Symbols | None = None,
        *,
        as_of: Moment | None = None,
    ) -> Any:
        """Return for each day every symbol of FINRA's file, delisted ones included, with its price.

        Source: the route ``/shortvolume/pit-panel``, which documents the columns.
        """
        return self._whole(
            "shortvolume/pit-panel",
            {
                "start_date": day_text(start),
                "end_date": day_text(end),
                "symbols": None if symbols is None else ",".join(_list_of(symbols)),
                "as_of": self._as_of(as_of),
            },
        )

    def financials(
        self,
        symbol: str,
        start: Day | None = None,
        end: Day | None = None,
        *,
        period_type: str = "all",
        vintage: str = "latest",
        include_derived: bool = False,
        adjusted: bool = False,
        as_of: Moment | None = None,
    ) -> Any:
        """Return statements in long form: one row per figure, with the report it was read from.

        Args:
            symbol: one symbol.
            start: the first day on which a period may end; default: all periods.
            end: the last such day.
            period_type: "quarterly", "annual", "all", or "ttm" for trailing twelve months.
            vintage: "latest" shows each period as last reported, "first" as first reported.
            include_derived: adds exact differences of reported figures, marked as derived.
            adjusted: puts share counts and per-share figures on the split basis of ``as_of``.
            as_of: the moment of knowledge.

        Source: the route ``/financial/data/{ticker}``. Amounts are in the reporting currency.
        """
        span: Params = (
            {"period": "max"}
            if start is None
            else {
                "start_date": day_text(start),
                "end_date": day_text(end) if end is not None else self._now(as_of)[:10],
            }
        )
        return self._whole(
            f"financial/data/{_path(symbol)}",
            {
                **span,
                "period_type": period_type,
                "vintage": vintage,
                "include_derived": include_derived or None,
                "adjusted": adjusted or None,
                "as_of": self._as_of(as_of),
            },
        )

    def filings(
        self,
        symbol: str | None = None,
        *,
        cik: str | int | None = None,
        form_type: str | None = None,
        start: Day | None = None,
        end: Day | None = None,
        as_of: Moment | None = None,
    ) -> Any:
        """Return the filings of a company, newest first. Source: the route ``/filings/search``."""
        return self._pages(
            "filings/search",
            {
                "ticker": symbol,
                "cik": cik,
                "form_type": form_type,
                **self._dates(start, end),
                "as_of": self._as_of(as_of),
            },
            rows=500,
        )

    def events(
        self,
        symbol: str,
        start: Day | None = None,
        end: Day | None = None,
        *,
        item: str | None = None,
        as_of: Moment | None = None,
    ) -> Any:
        """Return the items of a company's 8-K reports, newest first; without ``start``, of the last 365 days.

        Source: the route ``/filings/events/{ticker}``.
        """
        return self._pages(
            f"filings/events/{_path(symbol)}",
            {**self._dates(start, end), "item": item, "as_of": self._as_of(as_of)},
            rows=500,
        )

    def insiders(
        self, symbol: str, *, window_days: int | None = None, buy_only: bool = False, as_of: Moment | None = None
    ) -> Any:
        """Return the trades of a company's insiders from Forms 4. Shares and prices are as filed.

        Source: the route ``/insider/form4/{ticker}``; ``window_days`` (default 800) counts back from ``as_of``.
        """
        return self._pages(
            f"insider/form4/{_path(symbol)}",
            {"window_days": window_days, "buy_only": buy_only or None, "as_of": self._now(as_of)},
        )

    def holders(self, symbol: str, *, form: str | None = None, as_of: Moment | None = None) -> Any:
        """Return the positions that holders of more than five percent reported (Schedules 13D and 13G).

        Source: the route ``/ownership/13dg/{ticker}``.
        """
        return self._pages(f"ownership/13dg/{_path(symbol)}", {"form": form, "as_of": self._now(as_of)})

    def short_volume(
        self, symbols: Symbols, start: Day, end: Day, *, market: str = "all", as_of: Moment | None = None
    ) -> Any:
        """Return FINRA's daily short volume, in shares. Source: the route ``/shortvolume/bulk``."""
        table = self._many(
            "shortvolume/bulk",
            _list_of(symbols),
            {
                "start_date": day_text(start),
                "end_date": day_text(end),
                "market": market,
                "order": "asc",
                "limit": 10_000,
                "as_of": self._as_of(as_of),
            },
        )
        return hand_over(table, self.engine)

    def universe(self, day: Day, *, as_of: Moment | None = None) -> Any:
        """Return the stocks listed on a day, from the newest snapshot at or before it.

        Source: the route ``/universe/screen``.
        """
        return self._pages("universe/screen", {"date": day_text(day), "as_of": self._as_of(as_of)}, rows=5_000)

    def dividends(self, symbol: str, *, as_of: Moment | None = None) -> Any:
        """Return the dividends of a symbol as declared. Source: the route ``/dividends/calendar/{ticker}``.

        The route knows days only: an instant, also that of a frozen clock, means the end of the day before it.
        """
        known = self._as_of(as_of)
        return self._whole(f"dividends/calendar/{_path(symbol)}", {"as_of_date": _day_over(known), "limit": 1_000})

    def earnings(self, symbol: str, *, as_of: Moment | None = None) -> Any:
        """Return reported earnings per share beside the estimates. Source: ``/earnings/surprise/{symbol}``."""
        return self._whole(f"earnings/surprise/{_path(symbol)}", {"as_of": self._as_of(as_of), "limit": 80})

    def news(
        self,
        symbols: Symbols | None = None,
        start: Day | None = None,
        end: Day | None = None,
        *,
        q: str | None = None,
        as_of: Moment | None = None,
    ) -> Any:
        """Return headlines, newest first; without ``start``, of the last seven days. Source: the route ``/news``."""
        return self._pages(
            "news",
            {
                "tickers": None if symbols is None else ",".join(_list_of(symbols)),
                **self._dates(start, end),
                "q": q,
                "as_of": self._as_of(as_of),
            },
            rows=500,
        )

    def etf_holdings(self, symbol: str, *, as_of: Moment | None = None) -> Any:
        """Return what a fund holds, from its newest report. Source: the route ``/etf/{ticker}/holdings``."""
        return self._whole(f"etf/{_path(symbol)}/holdings", {"as_of": self._as_of(as_of)})

    def econ(
        self, series_id: str, start: Day | None = None, end: Day | None = None, *, as_of: Moment | None = None
    ) -> Any:
        """Return the observations of a series of FRED as they stood at ``as_of``.

        ``value`` is null where FRED gives "."; units are the series' own.

        Source: the route ``/econdata/proxy/series/observations``.
        """
        return self._whole(
            "econdata/proxy/series/observations",
            {
                "series_id": series_id,
                "observation_start": None if start is None else day_text(start),
                "observation_end": None if end is None else day_text(end),
                "as_of": self._as_of(as_of),
            },
        )

    def changes(
        self,
        since: int = 0,
        *,
        dataset: str | None = None,
        symbol: str | None = None,
        op: str | None = None,
        cause: str | None = None,
        compact: bool = False,
    ) -> Any:
        """Return what the commits of the store changed, one row per change, in order.

        Args:
            since: the cursor of the last row that was handled, or a version; 0 begins with the oldest.
            dataset: only changes of this dataset, such as "bars_daily".
            symbol: only changes of rows about this symbol.
            op: "insert", "revise", "reread" or "withdraw".
            cause: whether the world changed ("published", "source_changed", "withdrawn", "observed") or the service
                did ("backfilled", "our_reading", "computed").
            compact: only the last change of each key.

        ``key``, ``before`` and ``after`` are JSON texts. The ledger goes on to the newest commit, so a box that is
        frozen or answers from a version raises LookAhead.

        Source: the route ``/changes``, which documents the columns.
        """
        if self.moment is not None or self.data_version is not None:
            raise LookAhead("The ledger of changes has rows that became known later; ask a box that is not frozen.")
        params: Params = {
            "since": since,
            "dataset": dataset,
            "symbol": symbol,
            "op": op,
            "cause": cause,
            "compact": True if compact else None,
            "limit": LEDGER_PAGE_ROWS,
        }
        return self._whole("changes", params)

    # Requests -----------------------------------------------------------------------------------------------------

    def _version(self) -> Params:
        return {} if self.data_version is None else {"data_version": self.data_version}

    def _dates(self, start: Day | None, end: Day | None) -> Params:
        if start is None and end is None:
            return {}
        last = day_text(end) if end is not None else self._now(None)[:10]
        return {"start_date": "1990-01-01" if start is None else day_text(start), "end_date": last}

    def _many(
        self, path: str, wanted: Sequence[str], params: Params, symbols_max: int = SYMBOLS_PER_REQUEST
    ) -> pa.Table:
        """Ask for many symbols in few requests."""
        parts = [wanted[at : at + symbols_max] for at in range(0, len(wanted), symbols_max)]
        return self._tables(path, [(path, {**params, "tickers": ",".join(part)}) for part in parts])

    def _whole(self, path: str, params: Params) -> Any:
        return hand_over(self._tables(path, [(path, params)]), self.engine)

    def _pages(self, path: str, params: Params, rows: int = 1_000) -> Any:
        return hand_over(self._tables(path, [(path, {**params, "limit": min(rows, PAGE_ROWS)})]), self.engine)

    def _tables(self, label: str, requests: Sequence[tuple[str, Params]]) -> pa.Table:
        """Ask each request and every page that follows it, and return all rows in order."""
        with _progress(self.progress, label) as told:
            contents: list[memoryview] = []
            for path, params in requests:
                for reading in range(READINGS_MAX):
                    asked = {**params, **self._version(), "format": "arrow"}
                    pages = self._read_pages(path, asked, told, is_last=reading == READINGS_MAX - 1)
                    if pages is not None:
                        break
                else:
                    raise Unavailable(
                        f"The rows of {path} changed while their pages were read.",
                        hint="Ask again, or with as_of, which holds the rows still.",
                    )
                contents += pages
            return read_contents(contents)

    def _read_pages(
        self,
        path: str,
        params: Params,
        told: Callable[[int], None] | None,
        *,
        is_last: bool,
    ) -> list[memoryview] | None:
        """Download an answer and the pages that follow it.

        None where it is worth asking again: the number of rows changed in between, or the service is still reading
        some of them. What is still not read at the last time is a warning.
        """
        pages: list[Downloaded] = []
        following: str | None = path
        while following is not None:
            pages.append(self.transport.download(following, {} if pages else params, told))
            following = pages[-1].following
        if len({each.total for each in pages}) > 1:
            return None
        if not is_last and any(_is_incomplete(each) for each in pages):
            return None
        for each in pages:
            _warn(each)
        return [each.content for each in pages]


def _day_over(moment: str | None) -> str | None:
    """Return the last New York day that has ended at ``moment``; a day stands for its end."""
    if moment is None or len(moment) == 10:
        return moment
    today = pd.Timestamp(moment).tz_convert("America/New_York").date()
    return (today - timedelta(days=1)).isoformat()


def _caller() -> int:
    """Return the stacklevel of a warning of the function above, so that it names the line outside this package."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).startswith("pyasof."):
        level, frame = level + 1, frame.f_back
    return level


def _is_incomplete(downloaded: Downloaded) -> bool:
    texts: list[str] = json.loads(downloaded.headers.get("x-warnings", "[]"))
    return any(text.startswith(INCOMPLETE) for text in texts)


def _warn(downloaded: Downloaded) -> None:
    """Show what the rows cannot say: the answer's warnings, and the symbols or parts that have no rows."""
    for text in json.loads(downloaded.headers.get("x-warnings", "[]")):
        warnings.warn(text, IncompleteAnswer, stacklevel=_caller())
    for name, text in json.loads(downloaded.headers.get("x-errors", "{}")).items():
        warnings.warn(f"{name}: {text}", IncompleteAnswer, stacklevel=_caller())


def _path(symbol: str) -> str:
    from urllib.parse import quote

    if not symbol.strip():
        raise ValueError("symbol is empty")
    return quote(symbol.strip(), safe="")


def check_service(transport: Transport) -> None:
    """Raise VersionMismatch where the service is of another major version than this package, NotAllowed for a key."""
    try:
        health = transport.json("health", {})
    except NotFound as error:
        raise VersionMismatch(f"{transport.url} is no Asof service.") from error
    version = str(health.get("version", "")) if isinstance(health, dict) else ""
    if version.split(".")[0] != SERVICE_MAJOR:
        raise VersionMismatch(
            f"The service is version {version or 'unknown'}, and this package reads version {SERVICE_MAJOR}.",
            hint="Install the package from the service's own checkout: pip install ./python",
        )
    # Health is open to all; any other route says whether the key is right. This one asks no provider.
    try:
        transport.json("stocks/sessions", {"start_date": "2026-01-02", "end_date": "2026-01-02"})
    except NotFound as error:
        raise VersionMismatch(
            f"The service, version {version}, is older than this package.", hint="Update the service."
        ) from error
