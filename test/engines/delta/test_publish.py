"""Readers find the published lake in an S3 server that the project did not write."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import duckdb_extension_delta
import duckdb_extension_httpfs
import polars
import pytest
from bucket_tests import BUN, BucketTests, Read, endpoint, environment, names, options, publish, published, s3, steps
from conftest import ROOT
from deltalake import DeltaTable
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

__all__ = ["endpoint", "published", "s3", "steps"]


def with_deltalake(address: str, version: int | None, storage: dict[str, str]) -> Any:
    return DeltaTable(address, version=version, storage_options=storage).to_pyarrow_table()


def with_polars(address: str, version: int | None, storage: dict[str, str]) -> Any:
    return polars.scan_delta(address, version=version, storage_options=storage).collect().to_arrow()


def with_duckdb(address: str, version: int | None, storage: dict[str, str]) -> Any:
    """DuckDB with the extensions of two packages, which need no download."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    for package in (duckdb_extension_httpfs, duckdb_extension_delta):
        [file] = Path(package.__file__).parent.glob("extensions/*/*.duckdb_extension")
        connection.execute(f"LOAD '{file}'")
    secret = {
        "KEY_ID": storage["AWS_ACCESS_KEY_ID"],
        "SECRET": storage["AWS_SECRET_ACCESS_KEY"],
        "REGION": storage["AWS_REGION"],
        "ENDPOINT": storage["AWS_ENDPOINT_URL"].removeprefix("http://"),
        "URL_STYLE": "path",
    }
    settings = ", ".join(f"{name} '{value}'" for name, value in secret.items())
    connection.execute(f"CREATE SECRET (TYPE s3, {settings}, USE_SSL false)")
    connection.execute("SET TimeZone = 'UTC'")
    at = "" if version is None else f", version = {version}"
    return connection.execute(f"SELECT * FROM delta_scan('{address}'{at})").to_arrow_table()


@pytest.fixture(params=[with_deltalake, with_polars, with_duckdb])
def read_there(request: pytest.FixtureRequest, endpoint: str) -> Read:
    return lambda address, version=None: request.param(address, version, options(endpoint))


class TestBucket(BucketTests):
    pass


def test_each_step_sends_only_what_is_new(s3: Any, steps: list[dict[str, Any]]) -> None:
    # The fourth step merges two years: each a file and an entry; then notes and manifest.
    assert steps[3]["sent"] == 6
    assert steps[2]["sent"] <= 6
    assert sum(1 for name in names(s3, "steps/prices/_delta_log/") if name.endswith(".checkpoint.parquet")) == 2


def test_what_was_published_is_not_sent_again(endpoint: str, s3: Any, market: Path, published: str) -> None:
    manifest = json.loads(s3.get_object(Bucket="lake", Key="market/all/manifest.json")["Body"].read())
    assert manifest == json.loads((market / "lake" / "manifest.json").read_text())
    again = publish(published, market, environment(endpoint))
    assert ": 0 objects, 0.0 MB sent, 0 deleted." in again.stdout


class StoppingServer:
    """The same objects behind another port: it stores some objects, one after the other, and no more."""

    def __init__(self, stored: int) -> None:
        self.left = stored
        self.full = threading.Event()
        self.released = threading.Event()
        self.one = threading.Lock()
        self.inner = DomainDispatcherApplication(create_backend_app)
        self.server = make_server("127.0.0.1", 0, self, threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "PUT":
            return self.inner(environ, start_response)
        with self.one:
            if self.left > 0:
                self.left -= 1
                return self.inner(environ, start_response)
        self.full.set()
        self.released.wait()
        start_response("503 Slow Down", [])
        return []

    def stop(self) -> None:
        self.released.set()
        self.server.shutdown()


def test_a_killed_publication_is_resumed(endpoint: str, s3: Any, market: Path, published: str) -> None:
    stopping = StoppingServer(5)
    env = {**environment(f"http://127.0.0.1:{stopping.server.server_port}"), "DATA_DIR": str(market)}
    child = subprocess.Popen([BUN, "scripts/cli.ts", "publish", "s3://lake/killed"], cwd=ROOT, env=env)
    while not stopping.full.wait(1):
        assert child.poll() is None
    child.send_signal(signal.SIGKILL)
    child.wait()
    stopping.stop()
    sent = names(s3, "killed/")
    assert len(sent) == 5
    assert "killed/manifest.json" not in sent
    stamps = {key: s3.head_object(Bucket="lake", Key=key)["LastModified"] for key in sent}
    run = publish("s3://lake/killed", market, environment(endpoint))
    assert run.returncode == 0, run.stderr
    # What had arrived was not sent again.
    assert f": {len(names(s3, 'killed/')) - len(sent)} objects" in run.stdout
    assert stamps == {key: s3.head_object(Bucket="lake", Key=key)["LastModified"] for key in sent}
    relative = {key.removeprefix("killed/") for key in names(s3, "killed/")}
    assert relative == {key.removeprefix("market/all/") for key in names(s3, "market/all/")}


@pytest.fixture
def own_market(market: Path, tmp_path: Path) -> Path:
    """A market of the test's own, to write to."""
    return Path(shutil.copytree(market, tmp_path / "market"))


def add_bars(data: Path, year: int, symbols: int) -> None:
    command = [BUN, "test/engines/more-bars.ts", str(data), str(year), str(symbols)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def bars_of(address: str, endpoint: str, year: int) -> Any:
    filters = [("date", ">=", date(year, 1, 1)), ("date", "<=", date(year, 12, 31))]
    table = DeltaTable(f"{address}/bars_daily", storage_options=options(endpoint))
    return table.to_pyarrow_table(filters=filters)


def test_a_large_file_goes_in_parts(endpoint: str, s3: Any, own_market: Path) -> None:
    add_bars(own_market, 1999, 3000)
    key = "large/bars_daily/year=1999/base-1.parquet"
    path = own_market / "lake" / key.removeprefix("large/")
    part = 8 * 1024 * 1024
    assert path.stat().st_size > part
    run = publish("s3://lake/large", own_market, environment(endpoint))
    assert run.returncode == 0, run.stderr
    head = s3.head_object(Bucket="lake", Key=key)
    assert head["ETag"].endswith(f'-{-(-path.stat().st_size // part)}"')
    assert s3.get_object(Bucket="lake", Key=key)["Body"].read() == path.read_bytes()
    assert bars_of("s3://lake/large", endpoint, 1999).num_rows == 3000 * 252
    # As after a publication that died before its end: the parts are known by their checksums, and nothing goes again.
    for name in ["large/manifest.json", "large/_published.json"]:
        s3.delete_object(Bucket="lake", Key=name)
    run = publish("s3://lake/large", own_market, environment(endpoint))
    assert ": 2 objects" in run.stdout, run.stdout + run.stderr
    assert s3.head_object(Bucket="lake", Key=key)["LastModified"] == head["LastModified"]
    # Other bytes of the same length are another file.
    s3.put_object(Bucket="lake", Key=key, Body=bytes(path.stat().st_size))
    s3.delete_object(Bucket="lake", Key="large/manifest.json")
    run = publish("s3://lake/large", own_market, environment(endpoint))
    assert ": 2 objects" in run.stdout, run.stdout + run.stderr
    assert bars_of("s3://lake/large", endpoint, 1999).num_rows == 3000 * 252


def test_watching_publishes_each_new_version(endpoint: str, s3: Any, own_market: Path) -> None:
    env = {**environment(endpoint), "DATA_DIR": str(own_market)}
    command = [BUN, "scripts/cli.ts", "publish", "s3://lake/watched", "--watch"]
    child = subprocess.Popen(command, cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    try:
        versions = []
        for year in [None, 1998, 1999]:
            if year is not None:
                add_bars(own_market, year, 2)
            line = child.stdout.readline()
            found = re.match(r"Version (\d+): (\d+) objects", line)
            assert found, line + child.stderr.read()
            versions.append(int(found[1]))
            manifest = json.loads(s3.get_object(Bucket="lake", Key="watched/manifest.json")["Body"].read())
            assert manifest["generation"] == versions[-1]
            if year is not None:
                # The file, its entry and the manifest.
                assert int(found[2]) == 3
                assert bars_of("s3://lake/watched", endpoint, year).num_rows == 2 * 252
        assert versions == [versions[0], versions[0] + 1, versions[0] + 2]
        child.send_signal(signal.SIGTERM)
        rest, complaints = child.communicate()
        again = "bun run cli publish s3://lake/watched --watch"
        assert rest == f"Stopped. To resume, run the same command again: {again}\n"
        assert (child.returncode, complaints) == (1, "")
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize(
    ("address", "more", "complaint"),
    [
        ("s3://absent/x", {}, "the bucket does not exist"),
        ("s3://lake/x", {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}, "s3://lake/x/ at http://127.0.0.1:9: "),
        ("s3://lake/x", {"AWS_ACCESS_KEY_ID": ""}, "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."),
        ("lake/x", {}, '"lake/x" is no address such as s3://bucket/prefix.'),
    ],
)
def test_errors_are_one_line(endpoint: str, market: Path, address: str, more: dict[str, str], complaint: str) -> None:
    run = publish(address, market, environment(endpoint, **more))
    assert run.returncode == 1
    assert complaint in run.stderr
    assert run.stderr.count("\n") == 1, run.stderr
