"""Readers that the project did not write find the lake's rows through its Delta logs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import duckdb_extension_delta
import polars
import pyarrow
import pyarrow.compute
import pytest
from deltalake import DeltaTable
from lake_rows import tables
from lake_tests import LakeTests, Read, changed, writer

__all__ = ["changed", "writer"]


def with_deltalake(table: Path, version: int | None = None) -> Any:
    return DeltaTable(str(table), version=version).to_pyarrow_table()


def with_polars(table: Path, version: int | None = None) -> Any:
    return polars.scan_delta(str(table), version=version).collect().to_arrow()


def duckdb_with_delta() -> duckdb.DuckDBPyConnection:
    """DuckDB with the extension of the package, which needs no download."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    [file] = Path(duckdb_extension_delta.__file__).parent.glob("extensions/*/delta.duckdb_extension")
    connection.execute(f"LOAD '{file}'")
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def with_duckdb(table: Path, version: int | None = None) -> Any:
    at = "" if version is None else f", version = {version}"
    return duckdb_with_delta().execute(f"SELECT * FROM delta_scan('{table}'{at})").to_arrow_table()


READERS: dict[str, Read] = {
    "deltalake": with_deltalake,
    "polars": with_polars,
    "duckdb": with_duckdb,
}


@pytest.fixture(params=READERS)
def read(request: pytest.FixtureRequest) -> Read:
    return READERS[request.param]


def test_every_dataset_with_rows_is_a_table(market: Path) -> None:
    answers = json.loads((market / "expected.json").read_text())
    datasets = {answer["of"] for answer in answers["answers"] if (market / "lake" / answer["of"]).is_dir()}
    assert set(tables(market)) == datasets
    assert len(datasets) > 20


class TestDelta(LakeTests):
    pass


#: The number of rows that have a value in a column, or None for null.
Count = Callable[[str, Any], int]


def count_with_deltalake(table: Path) -> Count:
    dataset = DeltaTable(str(table)).to_pyarrow_dataset()

    def count(column: str, value: Any) -> int:
        field = pyarrow.dataset.field(column)
        return int(dataset.count_rows(filter=field.is_null() if value is None else field == value))

    return count


def count_with_polars(table: Path) -> Count:
    frame = polars.scan_delta(str(table))

    def count(column: str, value: Any) -> int:
        asked = polars.col(column)
        rows = frame.filter(asked.is_null() if value is None else asked == value).select(polars.len())
        return int(rows.collect().item())

    return count


def count_with_duckdb(table: Path) -> Count:
    connection = duckdb_with_delta()

    def count(column: str, value: Any) -> int:
        test, values = ("IS NULL", []) if value is None else ("= ?", [value])
        connection.execute(f"SELECT count(*) FROM delta_scan('{table}') WHERE \"{column}\" {test}", values)
        return int(connection.fetchall()[0][0])

    return count


@pytest.mark.parametrize("counting", [count_with_deltalake, count_with_polars, count_with_duckdb])
def test_a_filter_by_any_column_loses_no_row(made_up: Path, counting: Callable[[Path], Count]) -> None:
    found, wanted = {}, {}
    for name in tables(made_up):
        rows = with_deltalake(made_up / "lake" / name)
        count = counting(made_up / "lake" / name)
        for column in rows.column_names:
            # The smallest and the largest stand at the ends of the statistics.
            for value in {None, *pyarrow.compute.min_max(rows[column]).as_py().values()}:
                has = rows[column].is_null() if value is None else pyarrow.compute.equal(rows[column], value)
                wanted[name, column, value] = pyarrow.compute.sum(has).as_py() or 0
                found[name, column, value] = count(column, value)
    assert len(found) > 300
    assert found == wanted
    # Nulls of columns with and without statistics were found.
    assert found["filings", "accepted_at", None] > 0 < found["corporate_actions", "price_factor", None]


def test_files_are_skipped_by_their_statistics(changing: Path) -> None:
    table = DeltaTable(str(changing / "data" / "lake" / "prices"))
    stats = table.get_add_actions(flatten=True)
    assert sum(stats["num_records"].to_pylist()) == 60
    assert max(stats["max.symbol"].to_pylist()) == "S159"
    assert set(stats["null_count.date"].to_pylist()) == {0}


def test_instants_keep_their_milliseconds(changing: Path, read: Read) -> None:
    [row] = read(changing / "data" / "lake" / "ticks").to_pylist()
    assert row["at"].isoformat() == "2026-01-05T15:00:00.250000+00:00"
    assert (row["interval"], row["close"]) == ("5m", 1.5)
