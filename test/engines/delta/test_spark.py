"""Spark finds the lake's rows through its Delta logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bucket_tests import KEYS, BucketTests, endpoint, published, s3, steps
from lake_tests import LakeTests, Read, changed, writer

__all__ = ["changed", "endpoint", "published", "s3", "steps", "writer"]


@pytest.fixture(scope="session")
def read(spark: Any) -> Read:
    def rows(table: Path | str, version: int | None = None) -> Any:
        reader = spark.read.format("delta")
        return (reader if version is None else reader.option("versionAsOf", version)).load(str(table)).toArrow()

    return rows


@pytest.fixture(scope="session")
def read_there(spark: Any, read: Read, endpoint: str) -> Read:
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    for name, value in {
        "endpoint": endpoint,
        "endpoint.region": KEYS["AWS_REGION"],
        "access.key": KEYS["AWS_ACCESS_KEY_ID"],
        "secret.key": KEYS["AWS_SECRET_ACCESS_KEY"],
        "path.style.access": "true",
    }.items():
        settings.set(f"fs.s3a.{name}", value)
    return lambda address, version=None: read(address.replace("s3://", "s3a://"), version)


class TestSpark(LakeTests):
    pass


class TestBucket(BucketTests):
    pass
