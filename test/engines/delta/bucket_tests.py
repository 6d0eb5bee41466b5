"""The lake in the bucket of an S3 server that the project did not write, and what each reader of it is held to."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from conftest import ROOT
from lake_rows import catalogue, differing, tables
from moto.server import ThreadedMotoServer

Read = Callable[..., Any]
BUN = os.environ.get("BUN", "bun")
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(scope="session")
def s3(endpoint: str) -> Any:
    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="key",
        aws_secret_access_key="secret",
    )
    client.create_bucket(Bucket="lake")
    return client


def environment(endpoint: str, **more: str) -> dict[str, str]:
    rest = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return {**rest, **KEYS, "AWS_ENDPOINT_URL": endpoint, "LOG_LEVEL": "error", **more}


def options(endpoint: str) -> dict[str, str]:
    return {**KEYS, "AWS_ENDPOINT_URL": endpoint, "AWS_ALLOW_HTTP": "true"}


def publish(address: str, data: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [BUN, "scripts/cli.ts", "publish", address]
    return subprocess.run(command, cwd=ROOT, env={**env, "DATA_DIR": str(data)}, capture_output=True, text=True)


def names(s3: Any, prefix: str) -> dict[str, int]:
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket="lake", Prefix=prefix)
    return {found["Key"]: found["Size"] for page in pages for found in page.get("Contents", [])}


def rows_of(table: Any) -> list[list[Any]]:
    return sorted([row["symbol"], row["close"]] for row in table.select(["symbol", "close"]).to_pylist())


@pytest.fixture(scope="session")
def steps(endpoint: str, s3: Any, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    data = tmp_path_factory.mktemp("steps")
    command = [BUN, "test/engines/publishing-lake.ts", str(data), "s3://lake/steps"]
    run = subprocess.run(command, cwd=ROOT, env=environment(endpoint), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def published(endpoint: str, s3: Any, market: Path) -> str:
    """The address of the published market."""
    run = publish("s3://lake/market/all/", market, environment(endpoint))
    assert run.returncode == 0, run.stderr
    return "s3://lake/market/all"


class BucketTests:
    """A class of these needs a fixture `read_there`: the rows of an address in the bucket, as a table of Arrow."""

    def test_the_versions_are_read_back(self, steps: list[dict[str, Any]], read_there: Read) -> None:
        address = "s3://lake/steps/prices"
        assert len({json.dumps(step["rows"]) for step in steps}) == 4  # A merge leaves the rows as they are.
        for step in steps:
            assert rows_of(read_there(address, step["version"])) == step["rows"], step["version"]
        assert steps[-1]["version"] > 110
        assert rows_of(read_there(address)) == steps[-1]["rows"]

    def test_every_dataset_has_the_rows_of_the_catalogue(self, market: Path, published: str, read_there: Read) -> None:
        connection = catalogue(market)
        found = {name: differing(connection, name, read_there(f"{published}/{name}")) for name in tables(market)}
        assert len(found) > 20
        assert found == dict.fromkeys(found, (0, 0))
