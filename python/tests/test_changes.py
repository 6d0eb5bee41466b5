"""The ledger of changes, and answers from a version of the store."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import pyasof
from pyasof import box as module

pytestmark = pytest.mark.filterwarnings("ignore::pyasof.IncompleteAnswer")

START, END = "2026-03-02", "2026-03-31"


@pytest.fixture(scope="module")
def bars(box: pyasof.Box) -> pd.DataFrame:
    """Bars that a call has stored."""
    return box.bars("ZORP", START, END)


def test_changes_are_the_rows_of_the_service(box: pyasof.Box, bars: pd.DataFrame) -> None:
    changes = box.changes(dataset="bars_daily", symbol="ZORP", op="insert", cause="backfilled")
    served = box.transport.json("changes", {"dataset": "bars_daily", "symbol": "ZORP", "limit": 10_000})["data"]
    # Versions, not cursors: only the last row that a request sends of a commit carries the cursor past it.
    backfilled = [row["data_version"] for row in served if (row["op"], row["cause"]) == ("insert", "backfilled")]
    assert changes["data_version"].tolist() == backfilled
    after = [json.loads(text) for text in changes["after"]]
    march = {row["date"]: row["close"] for row in after if START <= row["date"] <= END}
    assert march == dict(zip(bars["date"].dt.strftime("%Y-%m-%d"), bars["close"], strict=True))
    assert str(changes["recorded_at"].dtype) == "datetime64[us, UTC]"


def test_pages_are_joined(box: pyasof.Box, bars: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = box.changes()
    monkeypatch.setattr(module, "LEDGER_PAGE_ROWS", 1)
    newest = int(whole["cursor"].iloc[-1])
    # What earlier calls read in the background may be stored meanwhile.
    paged = box.changes()
    pd.testing.assert_frame_equal(paged[paged["data_version"] <= newest], whole)
    assert int(box.changes(since=newest - 1)["data_version"].iloc[0]) == newest


def test_compact_has_each_key_once(box: pyasof.Box, bars: pd.DataFrame) -> None:
    changes = box.changes(dataset="bars_daily", compact=True)
    assert not changes["key"].duplicated().any()


def test_a_version_gives_the_same_rows_again(box: pyasof.Box, bars: pd.DataFrame) -> None:
    version = box.transport.json("versions", {"limit": 1})["data_version"]
    then = box.at(data_version=version)
    before = then.bars("ZORP", "2025-12-01", END)
    assert len(before) > 0
    box.bars("ZORP", "2025-12-01", "2026-01-31")
    pd.testing.assert_frame_equal(then.bars("ZORP", "2025-12-01", END), before)
    assert len(box.bars("ZORP", "2025-12-01", END)) >= len(before)


def test_a_call_that_cannot_be_replayed_says_so(box: pyasof.Box) -> None:
    with pytest.raises(pyasof.InvalidRequest) as got:
        box.at(data_version=0).earnings("ZORP")
    assert got.value.code == "not_replayable"
