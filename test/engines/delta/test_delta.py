"""Readers that the project did not write find the lake's rows through its Delta logs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import duckdb_extension_delta
import polars
import pytest
from deltalake import DeltaTable
from lake_rows import catalogue, differing, tables


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


READERS: dict[str, Callable[..., Any]] = {
    "deltalake": with_deltalake,
    "polars": with_polars,
    "duckdb": with_duckdb,
}


@pytest.fixture(params=READERS)
def read(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return READERS[request.param]


def test_every_dataset_with_rows_is_a_table(market: Path) -> None:
    answers = json.loads((market / "expected.json").read_text())
    datasets = {answer["of"] for answer in answers["answers"] if (market / "lake" / answer["of"]).is_dir()}
    assert set(tables(market)) == datasets
    assert len(datasets) > 20


def test_every_table_has_the_rows_of_the_catalogue(market: Path, read: Callable[..., Any]) -> None:
    connection = catalogue(market)
    found = {name: differing(connection, name, read(market / "lake" / name)) for name in tables(market)}
    assert found == dict.fromkeys(found, (0, 0))


@pytest.mark.parametrize("folder", ["data", "elsewhere"])
def test_versions_before_and_after_checkpoint_replacement_and_merge(
    changing: Path, folder: str, read: Callable[..., Any]
) -> None:
    versions = {int(version): rows for version, rows in json.loads((changing / "versions.json").read_text()).items()}
    table = changing / folder / "lake" / "prices"
    newest = max(versions)
    checkpoint = json.loads((table / "_delta_log" / "_last_checkpoint").read_text())["version"]
    if folder == "elsewhere":
        # As the lake does after the retention: what lies behind the checkpoint is read from it alone.
        for entry in (table / "_delta_log").glob("*.json"):
            if int(entry.stem) < checkpoint:
                entry.unlink()
    for version in [None, newest, newest - 1, newest - 2, 57, checkpoint]:
        rows = read(table, version).select(["symbol", "close"]).to_pylist()
        wanted = versions[newest if version is None else version]
        assert sorted([row["symbol"], row["close"]] for row in rows) == wanted, version


def test_files_are_skipped_by_their_statistics(changing: Path) -> None:
    table = DeltaTable(str(changing / "data" / "lake" / "prices"))
    stats = table.get_add_actions(flatten=True)
    assert sum(stats["num_records"].to_pylist()) == 60
    assert max(stats["max.symbol"].to_pylist()) == "S159"


def test_instants_keep_their_milliseconds(changing: Path, read: Callable[..., Any]) -> None:
    [row] = read(changing / "data" / "lake" / "ticks").to_pylist()
    assert row["at"].isoformat() == "2026-01-05T15:00:00.250000+00:00"
    assert (row["interval"], row["close"]) == ("5m", 1.5)
