"""Spark finds the lake's rows through its Delta logs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lake_tests import LakeTests, Read, changed, writer
from pyspark.sql import SparkSession

__all__ = ["changed", "writer"]

SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Tables this small need no more.
    "spark.sql.shuffle.partitions": "1",
    "spark.databricks.delta.snapshotPartitions": "1",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    archives = Path(os.environ["ARCHIVES"]).glob("*.jar")
    builder = SparkSession.builder.master("local[1]").config("spark.jars", ",".join(map(str, archives)))
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def read(spark: SparkSession) -> Read:
    def rows(table: Path, version: int | None = None) -> Any:
        reader = spark.read.format("delta")
        return (reader if version is None else reader.option("versionAsOf", version)).load(str(table)).toArrow()

    return rows


class TestSpark(LakeTests):
    pass
