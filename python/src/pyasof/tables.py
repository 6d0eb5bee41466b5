"""Arrow answers as tables: which type each column gets, and how a table is handed over."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Literal

import pandas as pd
import pyarrow as pa

#: What a call returns: a pandas DataFrame, a polars DataFrame or a pyarrow Table.
Engine = Literal["pandas", "polars", "arrow"]

_NULLABLE: dict[pa.DataType, Any] = {
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
}


#: A table of so many rows takes longer to share among threads, or to split into blocks, than to convert.
SMALL_ROWS = 10_000


def read_contents(contents: Sequence[bytes | memoryview]) -> pa.Table:
    """Return the rows of answers in Arrow, in their order, as one table over the bytes that were received."""
    tables = [pa.ipc.open_stream(pa.py_buffer(content)).read_all() for content in contents]
    filled = [table for table in tables if table.num_rows > 0] or tables[:1]
    return filled[0] if len(filled) == 1 else pa.concat_tables(filled, promote_options="permissive")


def _to_pandas(table: pa.Table) -> pd.DataFrame:
    """Dates become timestamps at midnight without a zone, instants stay in UTC, integers and booleans keep nulls."""
    fields = [
        pa.field(each.name, pa.timestamp("s") if pa.types.is_date(each.type) else each.type) for each in table.schema
    ]
    is_large = table.num_rows > SMALL_ROWS
    return table.cast(pa.schema(fields)).to_pandas(
        types_mapper=_NULLABLE.get, split_blocks=is_large, use_threads=is_large
    )


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
