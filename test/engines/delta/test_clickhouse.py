"""ClickHouse finds the lake's rows through its Delta logs."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from lake_rows import catalogue, differing, tables


@pytest.fixture(scope="session")
def read(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    # ClickHouse reads files below its working folder alone, and takes it at its start.
    os.chdir(tmp_path_factory.getbasetemp())
    import chdb

    def rows(table: Path, version: int | None = None) -> Any:
        setting = "" if version is None else f" SETTINGS delta_lake_snapshot_version = {version}"
        answer = chdb.query(f"SELECT * FROM deltaLakeLocal('{table}'){setting}", "Parquet")
        return pyarrow.parquet.read_table(io.BytesIO(answer.bytes()))

    return rows


def test_every_table_has_the_rows_of_the_catalogue(market: Path, read: Callable[..., Any]) -> None:
    # The folder of the market is a copy: its tables were written elsewhere.
    connection = catalogue(market)
    found = {name: differing(connection, name, read(market / "lake" / name)) for name in tables(market)}
    assert len(found) > 20
    assert found == dict.fromkeys(found, (0, 0))


def test_earlier_versions(changing: Path, read: Callable[..., Any]) -> None:
    versions = {int(version): rows for version, rows in json.loads((changing / "versions.json").read_text()).items()}
    newest = max(versions)
    for version in [None, newest, newest - 1, newest - 2, 57]:
        rows = read(changing / "data" / "lake" / "prices", version).select(["symbol", "close"]).to_pylist()
        assert sorted([row["symbol"], row["close"]] for row in rows) == versions[version or newest], version
