"""What the tests of this folder share: the data folder of the sample market, made once."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

pytest.register_assert_rewrite("lake_tests")
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
def restored(market: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that a backup of the market was restored into."""
    folder = tmp_path_factory.mktemp("restored")
    for command, data in (("backup", market), ("restore", folder / "data")):
        command_line = [os.environ.get("BUN", "bun"), "scripts/cli.ts", command, str(folder / "backup")]
        environment = {**os.environ, "DATA_DIR": str(data), "LOG_LEVEL": "error"}
        run = subprocess.run(command_line, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
    return folder / "data"


@pytest.fixture(scope="session")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made("changing-lake.ts", tmp_path_factory.mktemp("changing"))
