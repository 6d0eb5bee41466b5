"""What the tests of this folder share: the data folder of the sample market, made once."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.register_assert_rewrite("bucket_tests", "lake_tests")
ROOT = Path(__file__).parents[3]
SPARK_SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.session.timeZone": "UTC",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Tables this small need no more, and the compiler for long runs costs more than it saves.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn400m -XX:MetaspaceSize=512m",
    "spark.sql.shuffle.partitions": "1",
    "spark.databricks.delta.snapshotPartitions": "1",
    # Each sort and aggregation takes a page, by default of 64 MB.
    "spark.buffer.pageSize": "1m",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.ui.retainedJobs": "1",
    "spark.ui.retainedStages": "1",
}
# What a session does by default. On tables this small, compiling and replanning cost more than they save.
DEFAULTS = {
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.codegen.factoryMode": "FALLBACK",
    "spark.sql.adaptive.enabled": "true",
}
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}


def made(script: str, folder: Path) -> Path:
    command = [os.environ.get("BUN", "bun"), f"test/engines/{script}", str(folder)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="session")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Read by all tests of this folder, which leave its rows as they are. The runner gives each folder a copy."""
    if "MARKET" in os.environ:
        return Path(os.environ["MARKET"])
    return made("market.ts", tmp_path_factory.mktemp("market"))


@pytest.fixture(scope="session")
def restored(market: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that a backup of the market was restored into."""
    folder = tmp_path_factory.mktemp("restored")
    for command, data in (("backup", market), ("restore", folder / "data")):
        command_line = [os.environ.get("BUN", "bun"), "scripts/cli.ts", command, str(folder / "backup")]
        environment = {**os.environ, "DATA_DIR": str(data), "LOG_LEVEL": "error"}
        run = subprocess.run(command_line, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
    return folder / "data"


@pytest.fixture(scope="session")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("changing-lake.ts", tmp_path_factory.mktemp("changing"))


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("made-up-lake.ts", tmp_path_factory.mktemp("made-up"))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One session for all tests with Spark."""
    from pyspark.sql import SparkSession

    archives = Path(os.environ["ARCHIVES"]).glob("*.jar")
    builder = SparkSession.builder.master("local[1]").config("spark.jars", ",".join(map(str, archives)))
    for name, value in {**SPARK_SETTINGS, **INTERPRETED}.items():
        builder = builder.config(name, value)
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
