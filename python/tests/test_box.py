"""Tables of the real service: values, types, empty answers, and a clock that cannot look ahead."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import Demo
from test_frozen import CALLS

import pyasof

START, END = "2026-06-01", "2026-08-31"


def test_bars_are_the_rows_of_the_service(box: pyasof.Box) -> None:
    bars = box.bars(["ZORP", "QUIB-B"], START, END)
    served = box.transport.json("price/data", {"tickers": "ZORP,QUIB-B", "start_date": START, "end_date": END})["bars"]
    assert bars["symbol"].unique().tolist() == ["ZORP", "QUIB.B"]
    for symbol, rows in served.items():
        mine = bars[bars["symbol"] == symbol.replace("-", ".")]
        assert mine["date"].dt.strftime("%Y-%m-%d").tolist() == [row["timestamp"] for row in rows]
        for column in ("open", "high", "low", "close", "volume"):
            assert mine[column].tolist() == [row[column] for row in rows]


def test_types_are_the_same_with_and_without_rows(box: pyasof.Box) -> None:
    full = box.bars("ZORP", START, END)
    empty = box.bars("ZORP", "2026-08-29", "2026-08-30")
    assert len(empty) == 0
    assert empty.dtypes.to_dict() == full.dtypes.to_dict()
    assert str(full["date"].dtype) == "datetime64[s]"
    assert str(full["close"].dtype) == "float64"
    news = box.news(q="no such words")
    assert news.empty
    assert str(news["published_at"].dtype) == "datetime64[us, UTC]"
    assert str(news["revision"].dtype) == "Int64"


EMPTY: dict[str, Callable[[pyasof.Box], pd.DataFrame]] = {
    "panel": lambda box: box.panel("2026-10-03", "2026-10-04"),
    "filings": lambda box: box.filings("ZORP", start="2026-10-03", end="2026-10-04"),
    "events": lambda box: box.events("ZORP", item="1.04"),
    "insiders": lambda box: box.insiders("ZORP", window_days=1, as_of="2026-11-01"),
    "holders": lambda box: box.holders("VEXOQ", as_of="2023-01-01"),
    "short_volume": lambda box: box.short_volume("ZORP", "2026-10-03", "2026-10-04"),
    "dividends": lambda box: box.dividends("BORKL"),
    "earnings": lambda box: box.earnings("ZORP", as_of="2020-01-02"),
    "econ": lambda box: box.econ("FICUNRATE", "2026-10-03", "2026-10-04"),
    "news": lambda box: box.news("ZORP", q="no such words"),
}


@pytest.mark.filterwarnings("ignore::pyasof.IncompleteAnswer")
@pytest.mark.parametrize("name", EMPTY)
def test_an_answer_without_rows_has_the_columns_and_types_of_one_with_rows(stocked: pyasof.Box, name: str) -> None:
    empty, full = EMPTY[name](stocked), CALLS[name](stocked)
    assert len(empty) == 0
    assert len(full) > 0
    assert empty.dtypes.to_dict() == full.dtypes.to_dict()


def test_engines_give_the_same_rows(demo: Demo, box: pyasof.Box) -> None:
    asked = pyasof.connect(demo.url, engine="polars").bars("ZORP", START, END)
    assert isinstance(asked, pl.DataFrame)
    table = pyasof.connect(demo.url, engine="arrow").bars("ZORP", START, END)
    assert isinstance(table, pa.Table)
    close = box.bars("ZORP", START, END)["close"].tolist()
    assert asked["close"].to_list() == table["close"].to_pylist() == close


def test_pages_are_read_to_the_end(box: pyasof.Box, monkeypatch: pytest.MonkeyPatch) -> None:
    question = {"ticker": "ZORP", "form_type": "8-K", "limit": 500}
    rows = box.transport.json("filings/search", question)["data"]
    assert len(rows) > 7
    monkeypatch.setattr("pyasof.box.PAGE_ROWS", 3)
    assert box.filings("ZORP", form_type="8-K")["accession_number"].tolist() == [
        row["accession_number"] for row in rows
    ]


def test_problems_are_exceptions(box: pyasof.Box) -> None:
    with pytest.raises(pyasof.NotFound) as unknown:
        box.etf_holdings("NOSUCH")
    assert (unknown.value.code, unknown.value.ticker) == ("unknown_ticker", "NOSUCH")
    assert unknown.value.request_id
    with pytest.raises(pyasof.InvalidRequest) as wrong:
        box.bars("ZORP", START, END, interval="9d")
    assert wrong.value.fields[0]["loc"] == ["query", "interval"]
    with pytest.raises(ValueError, match="names no symbol"):
        box.bars([], START)
    with pytest.raises(ValueError, match="day"):
        box.bars("ZORP", "2026-02-30")


def test_a_symbol_that_does_not_exist_is_an_error_where_nothing_else_was_asked(box: pyasof.Box) -> None:
    with pytest.raises(pyasof.NotFound) as unknown, pytest.warns(pyasof.IncompleteAnswer):
        box.bars("NOSUCHX", START, END)
    assert (unknown.value.code, unknown.value.ticker) == ("unknown_ticker", "NOSUCHX")


def test_the_key_is_tried_on_connecting(with_keys: str) -> None:
    for key in (None, "wrong"):
        with pytest.raises(pyasof.NotAllowed) as refused:
            pyasof.connect(with_keys, api_key=key)
        assert (refused.value.status, refused.value.code) == (401, "unauthorized")
    assert pyasof.connect(with_keys, api_key="right").sessions("2026-06-01", "2026-06-01") == [date(2026, 6, 1)]


def test_adjustments_differ_by_splits_and_dividends(box: pyasof.Box) -> None:
    # ZORP split 4:1 on 2026-06-09 and pays dividends.
    split, raw, whole = (
        box.bars("ZORP", "2026-03-02", "2026-08-31", adjustment=each).set_index("date")
        for each in ("split", "raw", "all")
    )
    before = split.index < pd.Timestamp("2026-06-09")
    assert (raw["close"][before] / split["close"][before]).round(3).unique().tolist() == [4.0]
    assert raw["close"][~before].equals(split["close"][~before])
    assert whole["close"].tolist() == split["adjusted_close"].tolist()
    assert whole["close"].iloc[0] < split["close"].iloc[0]
    with pytest.raises(pyasof.InvalidRequest, match="adjustment"):
        box.bars("ZORP", START, END, adjustment="none")


def test_what_a_table_lacks_is_a_warning(box: pyasof.Box) -> None:
    with pytest.warns(pyasof.IncompleteAnswer, match="NOSUCHX: .*no ticker NOSUCHX"):
        bars = box.bars(["ZORP", "NOSUCHX"], START, END)
    assert bars["symbol"].unique().tolist() == ["ZORP"]


def test_sessions_skip_holidays(box: pyasof.Box) -> None:
    assert box.sessions("2026-11-25", "2026-11-30") == [date(2026, 11, 25), date(2026, 11, 27), date(2026, 11, 30)]


def test_moments_need_a_zone(box: pyasof.Box) -> None:
    with pytest.raises(ValueError, match="no zone"):
        box.at(datetime(2026, 6, 30, 12))


def test_economic_series(box: pyasof.Box) -> None:
    series = box.transport.json("econdata/proxy/series/search", {"search_text": "rate"})["seriess"][0]["id"]
    rows = box.econ(series)
    assert list(rows.columns) == ["series_id", "realtime_start", "realtime_end", "date", "value"]
    assert rows["date"].is_monotonic_increasing
    assert str(rows["value"].dtype) == "float64"
    assert len(rows) > 0


@pytest.mark.filterwarnings("ignore::pyasof.IncompleteAnswer")
def test_columns_have_the_types_of_what_they_hold(stocked: pyasof.Box) -> None:
    tables = {
        "bars": stocked.bars("ZORP", START, END),
        "panel": stocked.panel("2026-10-01", "2026-10-02"),
        "financials": stocked.financials("ZORP"),
        "filings": stocked.filings("ZORP"),
        "events": stocked.events("ZORP"),
        "insiders": stocked.insiders("ZORP"),
        "holders": stocked.holders("VEXOQ"),
        "short_volume": stocked.short_volume("ZORP", "2026-10-01", "2026-10-02"),
        "universe": stocked.universe("2026-11-01"),
        "dividends": stocked.dividends("ZORP"),
        "earnings": stocked.earnings("ZORP"),
        "econ": stocked.econ("FICUNRATE"),
        "news": stocked.news("ZORP"),
        "etf_holdings": stocked.etf_holdings("SMPLF"),
    }
    for name, table in tables.items():
        assert len(table) > 0, name
        for column, dtype in table.dtypes.items():
            text, where = str(dtype), f"{name}.{column}"
            # No column is of Python objects, and none is an integer that turns into a float where a value is missing.
            assert text in ("str", "float64", "Int64", "boolean", "datetime64[s]", "datetime64[us, UTC]"), where
            if re.search(r"(^|_)date$|_on$|realtime_", str(column)):
                assert text == "datetime64[s]", where
            if str(column).endswith("_at"):
                assert text == "datetime64[us, UTC]", where
            if str(column).startswith("is_"):
                assert text == "boolean", where
    assert str(tables["financials"]["fiscal_year"].dtype) == "Int64"
    assert tables["financials"]["fiscal_year"].min() > 1990


def test_a_bar_of_progress_is_shown_where_it_is_wanted(
    demo: Demo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A short download shows none.
    pyasof.connect(demo.url).bars("ZORP", START, END)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("pyasof.box.PROGRESS_AFTER_SECONDS", 0)
    pyasof.connect(demo.url, progress=False).bars("ZORP", START, END)
    assert capsys.readouterr().err == ""
    pyasof.connect(demo.url).bars("ZORP", START, END)
    assert "price/data" in capsys.readouterr().err


def published_lake(data_dir: Path, rows: str, count: int) -> duckdb.DuckDBPyConnection:
    """The lake, once its catalogue, which is published after the commit, has so many of the rows."""
    for _ in range(600):
        with contextlib.suppress(FileNotFoundError):
            lake = pyasof.lake(data_dir)
            if lake.sql(f"select count(*) from {rows}").fetchall() == [(count,)]:
                return lake
            lake.close()
        time.sleep(0.1)
    raise AssertionError(f"The catalogue has no {count} rows of {rows}.")


def test_the_lake_is_read_beside_the_service(demo: Demo, box: pyasof.Box) -> None:
    bars = box.bars("ZORP", START, END)
    rows = f"bars(NULL) where symbol = 'ZORP' and date between '{START}' and '{END}'"
    lake = published_lake(demo.data_dir, rows, len(bars))
    stored = lake.sql(f"select close from {rows} order by date").fetchall()
    assert [close for (close,) in stored] == bars["close"].tolist()
    assert lake.sql("select current_setting('streaming_buffer_size')").fetchall() == [("244.1 MiB",)]
    with pytest.raises(FileNotFoundError):
        pyasof.lake(demo.data_dir / "nowhere")
    with pytest.raises(duckdb.InvalidInputException, match="read-only"):
        lake.execute("create table scratch (a int)")


def test_every_table_has_rows_and_their_time(box: pyasof.Box) -> None:
    tables = {
        "financials": box.financials("ZORP"),
        "filings": box.filings("ZORP", form_type="8-K"),
        "events": box.events("ZORP", "2024-01-01"),
        "insiders": box.insiders("ZORP", window_days=800),
        "dividends": box.dividends("ZORP"),
        "earnings": box.earnings("ZORP"),
    }
    for name, table in tables.items():
        assert len(table) > 0, name
        assert table["symbol"].eq("ZORP").all(), name
    income = tables["financials"].query("line == 'net_income'")
    assert income["accession_number"].str.fullmatch(r"\d{10}-\d{2}-\d{6}").all()
