"""The catalogue in DuckDB 2: views and macros have the rows that the service finds, wherever the folder is."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

ROOT = Path(__file__).parents[3]
Answer = dict[str, Any]


@pytest.fixture(scope="session")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder copied from where it was published, which no longer exists. Nothing may publish it again."""
    if "MARKET" in os.environ:
        return Path(os.environ["MARKET"])
    folder = tmp_path_factory.mktemp("market")
    command = [os.environ.get("BUN", "bun"), "test/engines/market.ts", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="session")
def expected(market: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((market / "expected.json").read_text())
    assert len(content["comments"]) > 40
    for answer in content["answers"]:
        answer["rows"] = [
            [
                float(value) if value is not None and type == "DOUBLE" else value
                for value, type in zip(row, answer["types"], strict=True)
            ]
            for row in answer["rows"]
        ]
    return content


def opened(folder: Path | str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(f"{folder}/catalog.duckdb", read_only=True)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def attached(folder: Path, *, named: bool = True) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    if named:
        connection.execute(f"SET VARIABLE asof_data = '{folder}'")
    connection.execute(f"ATTACH '{folder}/catalog.duckdb' AS market (READ_ONLY)")
    connection.execute("USE market")
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def in_order(rows: list[Any]) -> list[Any]:
    """Rows in the order of their texts, then of their numbers without the last digits."""

    def key(row: Any) -> tuple[Any, ...]:
        texts = tuple("" if value is None else str(value) for value in row if not isinstance(value, float))
        return texts, tuple(f"{value:.9g}" for value in row if isinstance(value, float))

    return sorted(rows, key=key)


def same(a: Any, b: Any) -> bool:
    """The last digits of a sum depend on the order of its terms, which SQL does not fix."""
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-12)
    return bool(a == b)


def difference(connection: duckdb.DuckDBPyConnection, answer: Answer) -> str | None:
    try:
        rows = connection.execute(answer["sql"]).fetchall()
    except duckdb.Error as error:
        return str(error)
    if len(rows) != len(answer["rows"]):
        return f"{len(rows)} rows, not {len(answer['rows'])}"
    for row, other in zip(in_order(rows), in_order(answer["rows"]), strict=True):
        if len(row) != len(other) or not all(same(a, b) for a, b in zip(row, other, strict=True)):
            return f"{row} is not {other}"
    return None


def differences(connection: duckdb.DuckDBPyConnection, expected: dict[str, Any]) -> dict[str, str]:
    found = {answer["sql"]: difference(connection, answer) for answer in expected["answers"]}
    return {sql: what for sql, what in found.items() if what is not None}


@pytest.fixture(params=["copied", "attached", "through a link", "moved", "from its own folder", "by the package"])
def reader(
    request: pytest.FixtureRequest, market: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The catalogue as a user opens it."""
    moved = tmp_path / "else where's"
    match request.param:
        case "copied":
            connection = opened(market)
        case "attached":
            connection = attached(market)
        case "through a link":
            (tmp_path / "link").symlink_to(market)
            connection = opened(tmp_path / "link")
        case "moved":
            shutil.copytree(market, tmp_path / "first")
            (tmp_path / "first").rename(moved)
            connection = opened(moved)
        case "from its own folder":
            monkeypatch.chdir(market)
            connection = opened(".")
        case _:
            file = ROOT / "python" / "src" / "pyasof" / "catalogue.py"
            spec = importlib.util.spec_from_file_location("catalogue", file)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            connection = module.lake(market)
            connection.execute("SET TimeZone = 'UTC'")
    yield connection
    connection.close()


def test_this_is_duckdb_2() -> None:
    assert duckdb.__version__.startswith("2.")


def test_every_view_and_macro_has_the_same_rows(reader: duckdb.DuckDBPyConnection, expected: dict[str, Any]) -> None:
    assert differences(reader, expected) == {}


def test_the_market_has_rows_to_compare(expected: dict[str, Any]) -> None:
    filled = {answer["of"] for answer in expected["answers"] if answer["rows"]}
    assert len(filled) > 60, sorted({answer["of"] for answer in expected["answers"]} - filled)


def test_macros_have_their_columns_and_comments(market: Path, expected: dict[str, Any]) -> None:
    connection = opened(market)
    for answer in expected["answers"]:
        source = answer["sql"].split(" FROM ", 1)[1]
        found = connection.execute(f"DESCRIBE FROM {source}").fetchall()
        assert [row[0] for row in found] == answer["columns"], source
        assert [row[1].replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ") for row in found] == answer["types"], source
    comments = connection.execute(
        "SELECT function_name, comment FROM duckdb_functions() WHERE database_name = 'catalog'"
    ).fetchall()
    assert {name: text for name, text in comments if name != "lake_files"} == expected["comments"]


def test_instants_come_as_python_datetimes_with_a_zone(market: Path) -> None:
    row = opened(market).execute("SELECT known_at FROM bars() WHERE symbol = 'ZORP' ORDER BY date LIMIT 1").fetchone()
    assert row is not None and row[0].utcoffset().total_seconds() == 0


def test_an_attached_catalogue_that_cannot_find_its_folder_fails(market: Path) -> None:
    with pytest.raises(duckdb.IOException, match="No files found"):
        attached(market, named=False).execute("SELECT count(*) FROM bars()")
