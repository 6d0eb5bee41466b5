"""Parquet answers as tables: which type each column gets, and how a table is handed over."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

#: What a call returns: a pandas DataFrame, a polars DataFrame or a pyarrow Table.
Engine = Literal["pandas", "polars", "arrow"]

_NULLABLE: dict[pa.DataType, Any] = {
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
}


@contextmanager
def download_folder() -> Iterator[Path]:
    """Give a folder for answers, which is removed afterwards. TMPDIR says where it lies."""
    with TemporaryDirectory(prefix="pyasof-") as folder:
        yield Path(folder)


def read_files(files: Sequence[Path]) -> pa.Table:
    """Return the rows of Parquet files, in their order, as one table."""
    tables = [pq.read_table(file, memory_map=False) for file in files]
    filled = [table for table in tables if table.num_rows > 0] or tables[:1]
    return pa.concat_tables(filled, promote_options="permissive")


def _to_pandas(table: pa.Table) -> pd.DataFrame:
    """Dates become timestamps at midnight without a zone, instants stay in UTC, integers and booleans keep nulls."""
    fields = [
        pa.field(each.name, pa.timestamp("s") if pa.types.is_date(each.type) else each.type) for each in table.schema
    ]
    return table.cast(pa.schema(fields)).to_pandas(types_mapper=_NULLABLE.get, split_blocks=True)


def check_engine(engine: str) -> None:
    """Raise ValueError where there is no such engine, and ImportError where it is not installed."""
    if engine == "polars":
        importlib.import_module("polars")
    elif engine not in ("pandas", "arrow"):
        raise ValueError(f'engine is "{engine}"; it must be "pandas", "polars" or "arrow"')


def hand_over(table: pa.Table, engine: Engine) -> Any:
    """Return the table as the engine's own kind."""
    if engine == "pandas":
        return _to_pandas(table)
    if engine == "arrow":
        return table
    return importlib.import_module("polars").from_arrow(table)
