"""Spark finds the lake's rows through its Delta logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lake_tests import LakeTests, Read, changed, writer

__all__ = ["changed", "writer"]


@pytest.fixture(scope="session")
def read(spark: Any) -> Read:
    def rows(table: Path, version: int | None = None) -> Any:
        reader = spark.read.format("delta")
        return (reader if version is None else reader.option("versionAsOf", version)).load(str(table)).toArrow()

    return rows


class TestSpark(LakeTests):
    pass
