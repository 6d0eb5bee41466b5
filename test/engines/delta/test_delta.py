"""Readers that the project did not write find the lake's rows through its Delta logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import duckdb_extension_delta
import polars
import pytest
from deltalake import DeltaTable
from lake_rows import tables
from lake_tests import LakeTests, Read, changed, writer

__all__ = ["changed", "writer"]


def with_deltalake(table: Path, version: int | None = None) -> Any:
    return DeltaTable(str(table), version=version).to_pyarrow_table()


def with_polars(table: Path, version: int | None = None) -> Any:
    return polars.scan_delta(str(table), version=version).collect().to_arrow()


def with_duckdb(table: Path, version: int | None = None) -> Any:
    """DuckDB with the extension of the package, which needs no download."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    [file] = Path(duckdb_extension_delta.__file__).parent.glob("extensions/*/delta.duckdb_extension")
    connection.execute(f"LOAD '{file}'")
    connection.execute("SET TimeZone = 'UTC'")
    at = "" if version is None else f", version = {version}"
    return connection.execute(f"SELECT * FROM delta_scan('{table}'{at})").to_arrow_table()


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


def test_files_are_skipped_by_their_statistics(changing: Path) -> None:
    table = DeltaTable(str(changing / "data" / "lake" / "prices"))
    stats = table.get_add_actions(flatten=True)
    assert sum(stats["num_records"].to_pylist()) == 60
    assert max(stats["max.symbol"].to_pylist()) == "S159"


def test_instants_keep_their_milliseconds(changing: Path, read: Read) -> None:
    [row] = read(changing / "data" / "lake" / "ticks").to_pylist()
    assert row["at"].isoformat() == "2026-01-05T15:00:00.250000+00:00"
    assert (row["interval"], row["close"]) == ("5m", 1.5)
