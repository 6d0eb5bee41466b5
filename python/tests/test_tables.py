"""A table has the same types and values however large it is and wherever its answer was kept."""

from __future__ import annotations

import io
import warnings
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import pyasof
from pyasof import tables
from pyasof.tables import Engine, hand_over, read_contents

ROWS = pa.table(
    {
        "symbol": pa.array(["A", None, "é"]),
        "date": pa.array([0, 20_000, None], pa.date32()),
        "at": pa.array([1, None, 1_700_000_000_250_000], pa.timestamp("us", "UTC")),
        "close": pa.array([1.5, None, -0.1]),
        "shares": pa.array([2**53 + 1, None, 0], pa.int64()),
        "place": pa.array([None, 1, 2], pa.int32()),
        "provisional": pa.array([True, None, False]),
        "dividend": pa.array([None, None, None], pa.float64()),
    }
)


def written(rows: pa.Table) -> bytes:
    file = io.BytesIO()
    with pa.ipc.new_stream(file, rows.schema) as stream:
        stream.write_table(rows)
    return file.getvalue()


@pytest.mark.parametrize("rows", [ROWS, ROWS.slice(0, 0)])
@pytest.mark.parametrize("engine", ["pandas", "arrow", "polars"])
def test_one_answer_and_several(rows: pa.Table, engine: Engine) -> None:
    if engine == "polars":
        pytest.importorskip("polars")
    one = hand_over(read_contents([written(rows)]), engine)
    again = hand_over(read_contents([memoryview(written(rows))]), engine)
    if engine == "pandas":
        pd.testing.assert_frame_equal(one, again)
    else:
        assert one.equals(again)
    assert read_contents([written(rows), written(rows)]).num_rows == 2 * rows.num_rows


def test_an_answer_that_is_cut_off_is_no_table() -> None:
    with pytest.raises((pa.ArrowInvalid, OSError)):
        read_contents([written(ROWS)[:-200]])


def frames(rows: pa.Table, monkeypatch: pytest.MonkeyPatch) -> tuple[pd.DataFrame, pd.DataFrame]:
    small = hand_over(rows, "pandas")
    monkeypatch.setattr(tables, "SMALL_ROWS", -1)
    return small, hand_over(rows, "pandas")


@pytest.mark.parametrize("rows", [ROWS, ROWS.slice(0, 0)])
def test_small_and_large_frames(rows: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = frames(rows, monkeypatch)
    pd.testing.assert_frame_equal(small, large)
    types = [str(each) for each in small.dtypes]
    assert types[1:] == ["datetime64[s]", "datetime64[us, UTC]", "float64", "Int64", "Int32", "boolean", "float64"]
    # A frame belongs to the one who asked for it.
    small.loc[:, "close"] = 0.0
    assert (small["close"] == 0.0).all()


def test_bars_of_the_service(box: pyasof.Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long answer has the types of a short one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pyasof.IncompleteAnswer)
        whole: Any = box.bars(["ZORP", "QUIB-B"], "2010-01-01", "2026-06-30")
    part: Any = box.bars("ZORP", "2025-07-01", "2026-06-30")
    assert len(whole) > 2_048 > len(part) > 200
    same = whole[(whole["symbol"] == "ZORP") & (whole["date"] >= "2025-07-01")].reset_index(drop=True)
    pd.testing.assert_frame_equal(part, same)
    monkeypatch.setattr(tables, "SMALL_ROWS", -1)
    pd.testing.assert_frame_equal(box.bars("ZORP", "2025-07-01", "2026-06-30"), part)
