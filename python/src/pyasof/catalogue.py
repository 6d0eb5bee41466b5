"""The lake's catalogue in DuckDB, read while the service runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

#: How much of a result DuckDB computes before it is fetched. With its default of 1 MB the threads that read the files
#: mostly wait for the one that turns rows into a frame.
READ_AHEAD = "256MB"


def lake(data_dir: str | Path = "data") -> Any:
    """Return a DuckDB connection with the catalogue of a data folder attached read-only.

    It shows the lake as the service had published it when the connection was made: connect again for what was stored
    since. The service publishes what it stores some seconds later.

    The folder may be a copy, or mounted elsewhere than where the service runs. Its tables and macros
    (``bars``, ``financials``, …) are documented in docs/catalogue.md.

    Name symbols and days in the text of a query, as in ``symbol IN ('AAPL', 'MSFT')``: DuckDB then skips the parts of
    the files without them. For a list that is bound as a parameter it does not. Of a few symbols
    ``bars_now()`` gives the bars sooner than ``bars(NULL)``, without the column ``known_at``.

    Raises:
        FileNotFoundError: the folder holds no catalogue.
        ImportError: duckdb is not installed; ``pip install pyasof[duckdb]``.
    """
    import duckdb

    file = Path(data_dir) / "catalog.duckdb"
    if not file.is_file():
        raise FileNotFoundError(f"{file} does not exist; name the folder that DATA_DIR names")
    connection = duckdb.connect()
    folder = str(file.resolve().parent).replace("'", "''")
    connection.execute(f"SET VARIABLE asof_data = '{folder}'")
    connection.execute(f"ATTACH '{folder}/{file.name}' AS lake (READ_ONLY)")
    connection.execute("USE lake")
    # The files of a catalogue never change, so what their footers say is parsed once.
    connection.execute("SET parquet_metadata_cache = true")
    connection.execute(f"SET streaming_buffer_size = '{READ_AHEAD}'")
    return connection
