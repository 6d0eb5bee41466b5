# Stored daily bars as a frame: from the service, from its lake, from ArcticDB, and from polars over the same Parquet.
# Asked line by line on stdin, answers on stdout: milliseconds, rows, and a sum to compare the results by.
import importlib.metadata
import json
import os
import platform
import shutil
import sys
import time
import warnings

import arcticdb
import pandas as pd
import polars as pl
import pyasof
from arcticdb.version_store.library import ReadRequest, WritePayload

# The stored market begins on one day: the service says so of each symbol.
warnings.filterwarnings("ignore", category=pyasof.IncompleteAnswer)
PRICES = ["open", "high", "low", "close", "volume", "adj_close"]
AT_ONCE = 250

# By the kind of frame that they give.
boxes = {}
lake = library = parquet = None


def versions(**_):
    names = ["arcticdb", "polars", "pandas", "duckdb", "yfinance", "edgartools"]
    return {"text": ", ".join([f"Python {platform.python_version()}", *(f"{n} {importlib.metadata.version(n)}" for n in names)])}


def prepare(url, data, store, symbols):
    """Open every side. ArcticDB gets the same rows once, a frame per symbol, the way its own guide stores prices."""
    global lake, library, parquet
    boxes.update({engine: pyasof.connect(url, engine=engine, progress=False) for engine in ("pandas", "polars")})
    lake = pyasof.lake(data)
    parquet = os.path.join(data, "lake", "bars_daily", "*", "*.parquet")
    mark = os.path.join(store, "made")
    wanted = f"{len(symbols)} {os.path.getmtime(os.path.join(data, 'made.json'))}"
    made = os.path.exists(mark) and open(mark).read() == wanted
    if not made:
        shutil.rmtree(store, ignore_errors=True)
    library = arcticdb.Arctic(f"lmdb://{store}/lmdb?map_size=20GB").get_library("bars", create_if_missing=True)
    if not made:
        for at in range(0, len(symbols), AT_ONCE):
            write(symbols[at : at + AT_ONCE])
        with open(mark, "w") as file:
            file.write(wanted)
    return {}


def write(symbols):
    rows = pl.scan_parquet(parquet).filter(pl.col("symbol").is_in(symbols)).select("symbol", "date", *PRICES).collect()
    frames = rows.sort("symbol", "date").to_pandas().groupby("symbol")
    library.write_batch([WritePayload(symbol, one.drop(columns="symbol").set_index("date")) for symbol, one in frames])


def from_service(engine):
    return lambda symbols, start, end: boxes[engine].bars(symbols, start=start, end=end)


def from_lake(symbols, start, end):
    """The rows as DuckDB has them, which gives a frame of either kind."""
    wanted = "" if symbols is None else f"symbol IN ({', '.join(repr(name) for name in symbols)}) AND"
    days = f"date BETWEEN DATE '{start}' AND DATE '{end}'"
    return lake.execute(f"FROM bars_now() SELECT symbol, date, {', '.join(PRICES)} WHERE {wanted} {days}")


def from_arctic(symbols, start, end):
    span = (pd.Timestamp(start), pd.Timestamp(end))
    names = library.list_symbols() if symbols is None else symbols
    found = library.read_batch([ReadRequest(name, date_range=span) for name in names])
    return pd.concat([each.data for each in found], keys=names, names=["symbol"])


def from_polars(symbols, start, end):
    days = pl.col("date").is_between(pd.Timestamp(start).date(), pd.Timestamp(end).date())
    rows = pl.scan_parquet(parquet).filter(days)
    if symbols is not None:
        rows = rows.filter(pl.col("symbol").is_in(symbols))
    return rows.select("symbol", "date", *PRICES).collect()


def from_pandas(symbols, start, end):
    wanted = [("date", ">=", pd.Timestamp(start).date()), ("date", "<=", pd.Timestamp(end).date())]
    if symbols is not None:
        wanted.append(("symbol", "in", symbols))
    return pd.read_parquet(os.path.dirname(os.path.dirname(parquet)), columns=["symbol", "date", *PRICES], filters=wanted)


# Ours end with the kind of frame of the library that they are compared with.
SIDES = {
    "service pandas": from_service("pandas"),
    "service polars": from_service("polars"),
    "lake pandas": lambda *asked: from_lake(*asked).df(),
    "lake polars": lambda *asked: from_lake(*asked).pl(),
    "arctic": from_arctic,
    "polars": from_polars,
    "pandas": from_pandas,
}


def bars(side, symbols, start, end):
    started = time.perf_counter()
    frame = SIDES[side](symbols, start, end)
    took = (time.perf_counter() - started) * 1000
    return {"ms": took, "rows": len(frame), "sum": float(frame["close"].sum())}


ANSWERS = {"versions": versions, "prepare": prepare, "bars": bars}

for line in sys.stdin:
    ask = json.loads(line)
    print(json.dumps(ANSWERS[ask.pop("what")](**ask)), flush=True)
