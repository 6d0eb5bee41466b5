"""Parquet answers as tables: which type each column gets, and how a table is handed over."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
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


#: A table of so many rows takes longer to share among threads, or to split into blocks, than to convert.
SMALL_ROWS = 10_000


@contextmanager
def download_folder() -> Iterator[Callable[[], Path]]:
    """Give a function that makes a folder for answers when first called; TMPDIR says where. It goes at the end."""
    with ExitStack() as stack:
        folders: list[Path] = []

        def folder() -> Path:
            if not folders:
                folders.append(Path(stack.enter_context(TemporaryDirectory(prefix="pyasof-"))))
            return folders[0]

        yield folder


def _read(content: bytes | Path) -> pa.Table:
    if isinstance(content, Path):
        return pq.read_table(content, memory_map=False)
    return pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)


def read_contents(contents: Sequence[bytes | Path]) -> pa.Table:
    """Return the rows of answers in Parquet, in their order, as one table."""
    tables = [_read(content) for content in contents]
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
