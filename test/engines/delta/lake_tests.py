"""What each engine is held to: a module of tests has a class of these and its own fixture `read`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from lake_rows import catalogue, differing, tables

Read = Callable[..., Any]


def prices(read: Read, table: Path, version: int | None = None) -> list[list[Any]]:
    rows = read(table, version).select(["symbol", "close"]).to_pylist()
    return sorted([row["symbol"], row["close"]] for row in rows)


@pytest.fixture(params=["data", "elsewhere"])
def changed(request: pytest.FixtureRequest, changing: Path, tmp_path: Path) -> Path:
    """A table after its changes: where it was written, and in a moved folder without entries behind its checkpoint."""
    if request.param == "data":
        return changing / "data" / "lake" / "prices"
    shutil.copytree(changing / "elsewhere", tmp_path / "first")
    table = (tmp_path / "first").rename(tmp_path / "moved") / "lake" / "prices"
    # As the lake does after the retention: what lies behind the checkpoint is read from it alone.
    for entry in (table / "_delta_log").glob("*.json"):
        if int(entry.stem) < checkpoint_of(table):
            entry.unlink()
    return table


def checkpoint_of(table: Path) -> int:
    return int(json.loads((table / "_delta_log" / "_last_checkpoint").read_text())["version"])


class Writer:
    """A process that writes to a lake, replaces and merges without a pause."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [os.environ.get("BUN", "bun"), "test/engines/writing-lake.ts", str(folder)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def wait_for_more(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("more\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "written\n"

    def end(self) -> list[list[list[Any]]]:
        """The rows of each version."""
        output, _ = self.process.communicate()
        assert self.process.returncode == 0
        versions: list[list[list[Any]]] = json.loads(output.splitlines()[-1])
        return versions


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    writer = Writer(tmp_path)
    yield writer
    if writer.process.poll() is None:
        writer.process.kill()
        writer.process.communicate()


class LakeTests:
    @pytest.mark.parametrize("lake", ["market", "restored"])
    def test_every_table_has_the_rows_of_the_catalogue(
        self, request: pytest.FixtureRequest, market: Path, lake: str, read: Read
    ) -> None:
        # The folder of the market is a copy: its tables were written elsewhere.
        folder: Path = request.getfixturevalue(lake)
        connection = catalogue(market)
        found = {name: differing(connection, name, read(folder / "lake" / name)) for name in tables(folder)}
        assert len(found) > 20
        assert found == dict.fromkeys(tables(market), (0, 0))

    def test_versions_before_and_after_checkpoint_replacement_and_merge(
        self, changing: Path, changed: Path, read: Read
    ) -> None:
        content = json.loads((changing / "versions.json").read_text())
        versions = {int(version): rows for version, rows in content.items()}
        newest = max(versions)
        for version in [None, newest, newest - 1, newest - 2, 57, checkpoint_of(changed)]:
            assert prices(read, changed, version) == versions[newest if version is None else version], version

    def test_what_is_read_during_writes_and_merges_is_a_version(
        self, tmp_path: Path, writer: Writer, read: Read
    ) -> None:
        table, found = tmp_path / "lake" / "prices", []
        for _ in range(4):
            writer.wait_for_more()
            found.append(prices(read, table))
        versions = writer.end()
        assert len({json.dumps(rows) for rows in found}) == 4
        for rows in found:
            assert rows in versions, rows
        assert prices(read, table) == versions[-1]
        for version in [0, 7, len(versions) - 1]:
            assert prices(read, table, version) == versions[version], version
