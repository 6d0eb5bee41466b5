"""Market data and SEC filings of an Asof service as DataFrames, as of any moment."""

from __future__ import annotations

from .box import Box, check_service
from .catalogue import lake
from .errors import (
    AsofError,
    IncompleteAnswer,
    InvalidRequest,
    LookAhead,
    NotAllowed,
    NotFound,
    Unavailable,
    Unreachable,
    VersionMismatch,
)
from .tables import Engine, check_engine
from .transport import TIMEOUT_SECONDS, Transport

#: That of the service it was released with.
__version__ = "1.1.0"

__all__ = [
    "AsofError",
    "Box",
    "IncompleteAnswer",
    "InvalidRequest",
    "LookAhead",
    "NotAllowed",
    "NotFound",
    "Unavailable",
    "Unreachable",
    "VersionMismatch",
    "connect",
    "lake",
]


def connect(
    url: str = "http://127.0.0.1:8000",
    *,
    api_key: str | None = None,
    engine: Engine = "pandas",
    timeout: float = TIMEOUT_SECONDS,
    progress: bool = True,
) -> Box:
    """Return a box for the service at ``url``, once it has answered.

    Args:
        url: the address that the service prints when it is ready.
        api_key: one of the service's API_KEYS, where it has any.
        engine: what every table is: "pandas", "polars" or "arrow".
        timeout: seconds without a byte after which a request fails.
        progress: shows a bar for downloads of more than two seconds, where tqdm is installed.

    Raises:
        Unreachable: no service answers there.
        NotAllowed: the key is missing or wrong.
        VersionMismatch: the service is of another major version, or it is no Asof service.
        ValueError: there is no such engine.
        ImportError: the engine is not installed; ``pip install pyasof[polars]``.
    """
    check_engine(engine)
    transport = Transport(url.rstrip("/"), api_key, timeout)
    check_service(transport)
    return Box(transport, engine, progress)
