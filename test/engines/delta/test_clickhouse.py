"""ClickHouse finds the lake's rows through its Delta logs."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from bucket_tests import KEYS, BucketTests, endpoint, published, s3, steps
from lake_tests import LakeTests, Read, changed, writer

__all__ = ["changed", "endpoint", "published", "s3", "steps", "writer"]
Query = Callable[[str, int | None], Any]


@pytest.fixture(scope="session")
def query(market: Path, tmp_path_factory: pytest.TempPathFactory) -> Query:
    """The rows of a table function."""
    # ClickHouse reads files below its working folder alone, and takes it at its start.
    os.chdir(os.path.commonpath([market, tmp_path_factory.getbasetemp()]))
    import chdb

    def rows(source: str, version: int | None) -> Any:
        setting = "" if version is None else f" SETTINGS delta_lake_snapshot_version = {version}"
        answer = chdb.query(f"SELECT * FROM {source}{setting}", "Parquet")
        return pyarrow.parquet.read_table(io.BytesIO(answer.bytes()))

    return rows


@pytest.fixture(scope="session")
def read(query: Query) -> Read:
    return lambda table, version=None: query(f"deltaLakeLocal('{table}')", version)


@pytest.fixture(scope="session")
def read_there(query: Query, endpoint: str) -> Read:
    keys = f"'{KEYS['AWS_ACCESS_KEY_ID']}', '{KEYS['AWS_SECRET_ACCESS_KEY']}'"

    def rows(address: str, version: int | None = None) -> Any:
        return query(f"deltaLake('{address.replace('s3:/', endpoint)}', {keys})", version)

    return rows


class TestClickHouse(LakeTests):
    pass


class TestBucket(BucketTests):
    pass
