"""The Spark functions beside the catalogue's macros have the rows of the macros."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import DEFAULTS, INTERPRETED, ROOT
from lake_rows import catalogue, tables

FOLDER = ROOT / "src" / "datasets" / "spark"
SHARED = {"empty", "common", "corporate-actions"}
FUNCTIONS = sorted({file.stem for file in FOLDER.glob("*.sql")} - SHARED)
# Of each lake the days that universe and pit_panel are asked for, and the moments at which every function is.
LAKES: dict[str, tuple[tuple[str, str], list[str | None]]] = {
    "market": (("2026-08-01", "2026-12-31"), [None, "2026-09-09", "2026-09-08", "2026-06-01 20:00:00Z", "2021-06-08"]),
    "made_up": (
        ("2025-10-01", "2025-12-31"),
        [None, "2025-10-20", "2025-11-02", "2025-11-17T14:29:59Z", "2025-12-05 20:00:00Z"],
    ),
}
Ask = Callable[[str], Any]


def run(spark: Any, name: str) -> None:
    for statement in (FOLDER / f"{name}.sql").read_text().split(";\n"):
        if statement.strip():
            spark.sql(statement)


def configure(spark: Any, settings: dict[str, str]) -> None:
    for name, value in settings.items():
        spark.conf.set(name, value)


@pytest.fixture(scope="module", params=LAKES)
def lake(request: pytest.FixtureRequest) -> tuple[str, Path]:
    return request.param, request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def ask(lake: tuple[str, Path], spark: Any) -> Ask:
    """Spark's answer, as docs/operate.md has the functions made."""
    run(spark, "empty")
    views = set(re.findall(r"VIEW (\w+) AS", (FOLDER / "empty.sql").read_text()))
    # A function that reads another dataset fails, for its view is missing.
    for name in views & set(tables(lake[1])):
        # Kept in memory, since each function reads some of them several times.
        spark.read.format("delta").load(str(lake[1] / "lake" / name)).cache().createOrReplaceTempView(name)
    for name in ["common", "corporate-actions", *FUNCTIONS]:
        run(spark, name)
    return lambda call: spark.sql(f"SELECT * FROM {call}").toArrow()


@pytest.fixture(scope="module")
def macros(lake: tuple[str, Path]) -> duckdb.DuckDBPyConnection:
    return catalogue(lake[1])


def call_of(function: str, days: tuple[str, str], moment: str | None, named: str) -> str:
    own = {"universe": [f"DATE '{days[1]}'"], "pit_panel": [f"DATE '{day}'" for day in days]}.get(function, [])
    arguments = own if moment is None else [*own, f"{named}'{moment}'"]
    return f"{function}({', '.join(arguments)})"


def test_there_are_ten_functions() -> None:
    assert len(FUNCTIONS) == 10


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_rows_are_those_of_the_macro(
    lake: tuple[str, Path], ask: Ask, macros: duckdb.DuckDBPyConnection, market: Path, function: str, spark: Any
) -> None:
    answers = json.loads((market / "expected.json").read_text())["answers"]
    columns = next(answer["columns"] for answer in answers if answer["of"] == function)
    days, moments = LAKES[lake[0]]
    answers_seen, wrong = set(), {}
    for moment in moments:
        # Once per function as sessions do by default; see conftest.py.
        has_defaults = lake[0] == "made_up" and moment == moments[-1]
        configure(spark, DEFAULTS if has_defaults else INTERPRETED)
        found = ask(call_of(function, days, moment, ""))
        assert found.column_names == columns
        macros.register("found", found)
        names = ", ".join(f'"{name}"' for name in columns)
        one = f"SELECT {names} FROM {call_of(function, days, moment, 'as_of := ')}"
        other = f"SELECT {names} FROM found"
        pairs = ((one, other), (other, one))
        lists = [macros.execute(f"({a} EXCEPT ALL {b}) ORDER BY ALL").fetchall() for a, b in pairs]
        if lists != [[], []]:
            wrong[moment] = lists
        macros.unregister("found")
        answers_seen.add(str(sorted(map(str, found.to_pylist()))))
    configure(spark, INTERPRETED)
    assert wrong == {}
    # In the made-up lake the moments do not all know the same, for each function.
    assert lake[0] == "market" or len(answers_seen) > 1


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/New_York"])
def test_the_time_zone_of_the_session_does_not_matter(ask: Ask, spark: Any, zone: str) -> None:
    # In Auckland 09:30 in New York falls into the hour that comes twice at the end of daylight saving time.
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        [row] = spark.sql(
            """SELECT CAST(known_day('2026-04-04T13:29:59Z') AS STRING) AS before,
              CAST(known_day('2026-04-04T13:30:00Z') AS STRING) AS after,
              CAST(new_york_day(TIMESTAMP '2025-11-02 03:59:59Z') AS STRING) AS day,
              unix_micros(known_by('2025-11-01')) AS end_of_day, unix_seconds(open_of(DATE '2025-11-03')) AS opened"""
        ).collect()
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert list(row) == ["2026-04-03", "2026-04-04", "2025-11-01", 1762055999999999, 1762180200]


@pytest.mark.parametrize("moment", ["2026-06", "yesterday", "2026-13-01"])
def test_what_is_no_moment_is_an_error(ask: Ask, moment: str) -> None:
    with pytest.raises(Exception, match=r"as_of is a date or an instant|CAST_INVALID_INPUT"):
        ask(f"filings_as_of('{moment}')")


def test_closures_that_were_added_are_no_sessions(spark: Any) -> None:
    added = "CREATE OR REPLACE TEMPORARY VIEW extra_closures AS SELECT CAST({} AS DATE) AS day"
    spark.sql(added.format("'2025-11-03'"))
    run(spark, "common")
    days = "'2025-10-31', '2025-11-03', '2025-11-04'"
    rows = spark.sql(
        f"SELECT CAST(session AS STRING), CAST(next_session AS STRING) FROM sessions WHERE day IN ({days}) ORDER BY day"
    ).collect()
    spark.sql(added.format("NULL"))
    run(spark, "common")
    assert [list(row) for row in rows] == [
        ["2025-10-31", "2025-11-04"],
        ["2025-10-31", "2025-11-04"],
        ["2025-11-04", "2025-11-05"],
    ]
