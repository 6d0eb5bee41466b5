"""ClickHouse finds the lake's rows through its Delta logs."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from lake_tests import LakeTests, Read, changed, writer

__all__ = ["changed", "writer"]


@pytest.fixture(scope="session")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    # ClickHouse reads files below its working folder alone, and takes it at its start.
    os.chdir(tmp_path_factory.getbasetemp())
    import chdb

    def rows(table: Path, version: int | None = None) -> Any:
        setting = "" if version is None else f" SETTINGS delta_lake_snapshot_version = {version}"
        answer = chdb.query(f"SELECT * FROM deltaLakeLocal('{table}'){setting}", "Parquet")
        return pyarrow.parquet.read_table(io.BytesIO(answer.bytes()))

    return rows


class TestClickHouse(LakeTests):
    pass
