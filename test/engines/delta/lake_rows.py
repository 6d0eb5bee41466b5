"""What the catalogue has, and how what a reader found differs from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb


def tables(market: Path) -> list[str]:
    return sorted(log.parent.name for log in (market / "lake").glob("*/_delta_log"))


def catalogue(market: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(market / "catalog.duckdb"), read_only=True)
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def differing(connection: duckdb.DuckDBPyConnection, name: str, found: Any) -> tuple[int, int]:
    """Rows of the catalogue that the reader lacks, and rows that it has beyond them."""
    connection.register("found", found)
    columns = ", ".join(f'"{row[0]}"' for row in connection.execute(f"DESCRIBE {name}").fetchall())
    one, other = f"SELECT {columns} FROM {name}", f"SELECT {columns} FROM found"
    counts = [
        connection.execute(f"SELECT count(*) FROM ({a} EXCEPT ALL {b})").fetchone()
        for a, b in ((one, other), (other, one))
    ]
    connection.unregister("found")
    return counts[0][0], counts[1][0]  # type: ignore[index]
