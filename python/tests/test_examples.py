"""The notebooks run on the sample market, draw what they say, and lie in git without outputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import pytest
from conftest import Demo

import pyasof

matplotlib.use("Agg")
FOLDER = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
pytestmark = pytest.mark.filterwarnings(
    "ignore::pyasof.IncompleteAnswer", "ignore:.*FigureCanvasAgg is non-interactive"
)


def cells(notebook: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(notebook.read_text())["cells"]
    return listed


@pytest.fixture
def run(demo: Demo, stocked: pyasof.Box, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Run the code of a notebook from its first cell to its last and return what its variables hold."""
    monkeypatch.setenv("ASOF_URL", demo.url)
    plots: list[Any] = []

    def show() -> None:
        """Keep the axes that hold something and close the figures, as a notebook does after a cell."""
        axes = [ax for number in plt.get_fignums() for ax in plt.figure(number).axes]
        plots.extend(ax for ax in axes if any(len(line.get_xdata()) > 2 for line in ax.lines) or ax.patches)
        plt.close("all")

    monkeypatch.setattr(plt, "show", show)

    def of(name: str) -> dict[str, Any]:
        variables: dict[str, Any] = {"__name__": name}
        for number, cell in enumerate(cells(FOLDER / f"{name}.ipynb")):
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"{name}[{number}]", "exec"), variables)
        return {**variables, "plots": plots}

    yield of
    plt.close("all")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda each: each.stem)
def test_outputs_are_stripped(notebook: Path) -> None:
    for cell in cells(notebook):
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)


def test_every_notebook_is_run_here() -> None:
    assert {each.stem for each in NOTEBOOKS} == {"first-steps", "insider-clusters", "restatement", "short-volume"}


def test_first_steps(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    found = run("first-steps")
    assert found["closes"].columns.tolist() == ["QUIB.B", "ZORP"]
    assert len(found["plots"]) == 1
    printed = capsys.readouterr().out
    assert "LookAhead: The clock of this box is frozen at 2025-06-30" in printed
    # A Wednesday, a Thursday, a Friday and a Monday: each has the bar of the session before.
    for day, last in (("25", "24"), ("26", "25"), ("27", "26"), ("30", "27")):
        assert f"2025-06-{day} has bars up to 2025-06-{last}" in printed


def test_insider_clusters(run: Any) -> None:
    found = run("insider-clusters")
    signals, buys = found["signals"], found["buys"]
    assert len(signals) >= 6
    assert set(buys["transaction_code"]) == {"P"}
    # A signal is known when a form was accepted, which is later than the trade.
    assert signals["known_at"].isin(buys["accepted_at"]).all()
    assert found["paths"].shape[0] == 21
    assert (found["paths"].iloc[0] == 0).all()
    assert len(found["plots"]) == 1


def test_short_volume(run: Any) -> None:
    found = run("short-volume")
    ratio, intraday, following = found["ratio"], found["intraday"], found["following"]
    assert ratio.index.equals(intraday.index)
    assert following.iloc[0].equals(intraday.iloc[1].rename(ratio.index[0]))
    assert len(found["ic"]) == len(ratio) - 1
    assert found["ic"].abs().max() <= 1
    assert len(found["plots"]) == 2


def test_restatement(run: Any) -> None:
    found = run("restatement")
    first, latest, known = found["first"], found["latest"], found["known"]
    # The sample's 10-K/A of 2025-12-04 lowered income and equity of 2024.
    assert (first["value"] > latest["value"]).all()
    assert first["form"].unique().tolist() == ["10-K"]
    assert known.loc["2025-11-30"] == found["roe"](first)
    assert known.loc["2025-12-31"] == found["roe"](latest)
    assert found["wrong"].index.max().isoformat().startswith("2025-11-30")
    assert len(found["plots"]) == 1
