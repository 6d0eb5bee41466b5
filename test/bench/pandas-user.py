# What a person with pandas does for the same rows: asked line by line on stdin, answers on stdout with its own time, so that
# neither Python's start nor the import of pandas counts. Numbers: milliseconds, rows, and a sum to compare the results by.
import json
import sys
import time

import pandas as pd

READERS = {"csv": pd.read_csv, "pickle": pd.read_pickle}


def of_day(frame, column, date):
    """The rows of a day, from a file of that day or of its whole year."""
    return frame[frame[column] == date].copy()


def panel(read, date, short, bars, actions):
    """A day's short volume beside its prices, each price scaled by the actions after the day it was fetched."""
    lines, prices, later = read(short), of_day(read(bars), "date", date), read(actions)
    bases = prices[["symbol", "basis_date"]].merge(later[["symbol", "ex_date", "price_factor"]], on="symbol")
    factors = bases[bases["ex_date"] > bases["basis_date"]].groupby("symbol")["price_factor"].prod()
    prices["adj_close"] *= prices["symbol"].map(factors).fillna(1)
    merged = lines.merge(prices[["symbol", "date", "adj_close", "source"]], on=["symbol", "date"], how="left")
    merged["short_volume_ratio"] = (merged["short_volume"] / merged["total_volume"]).where(merged["total_volume"] > 0)
    return merged.sort_values(["date", "symbol"], ignore_index=True), "adj_close"


def screen(read, date, snapshots, least, limit):
    """The largest of a date's listings."""
    listed = of_day(read(snapshots), "snapshot_date", date)
    found = listed[listed["market_cap"] >= least]
    return found.nlargest(limit, "market_cap"), "market_cap"


def served(url, figure):
    """The same rows from the service, as the frame a person works on with."""
    return pd.read_csv(url), figure


def answer(ask):
    read = READERS[ask.pop("files", "csv")]
    what = ask.pop("what")
    if what == "versions":
        return {"python": sys.version.split()[0], "pandas": pd.__version__}
    if what == "pickle":
        pd.read_csv(ask["from"]).to_pickle(ask["to"])
        return {}
    started = time.perf_counter()
    if what == "served":
        frame, figure = served(**ask)
    else:
        frame, figure = {"panel": panel, "screen": screen}[what](read, **ask)
    took = (time.perf_counter() - started) * 1000
    return {"ms": took, "rows": len(frame), "sum": float(frame[figure].sum())}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
