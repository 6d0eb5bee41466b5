"""What the tests of this folder share: the data folder of the sample market, made once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def made(script: str, folder: Path) -> Path:
    command = [os.environ.get("BUN", "bun"), f"test/engines/{script}", str(folder)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="session")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("market.ts", tmp_path_factory.mktemp("market"))


@pytest.fixture(scope="session")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("changing-lake.ts", tmp_path_factory.mktemp("changing"))
