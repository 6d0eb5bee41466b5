"""HTTP with the standard library: JSON answers, downloads, and retries that honour Retry-After."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import Any, BinaryIO
from urllib.response import addinfourl

from .errors import AsofError, Unavailable, Unreachable, problem

#: An answer of so many bytes is kept in memory; of a larger one this is the size of the pieces.
CHUNK_BYTES = 1 << 20
#: A request that is refused for now is sent this often at most.
TRIES_MAX = 4
#: A Retry-After longer than this is not waited for: the error says how long it is.
WAIT_SECONDS_MAX = 60.0
#: The wait where the service does not name one; it doubles from try to try.
WAIT_SECONDS_FIRST = 1.0
#: Longer than the longest deadline of the routes that are asked (300 s): the service's own error says what happened.
TIMEOUT_SECONDS = 310.0

Params = Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True)
class Downloaded:
    """A complete answer, with the headers that say more than its rows.

    Attributes:
        content: the answer itself where it is small, else the file that it is in.
        total: all rows of the question where the answer is one page of them, else None.
        following: the address of the next page, or None on the last.
        headers: all headers, names in lower case.
    """

    content: bytes | Path
    total: int | None
    following: str | None
    headers: Mapping[str, str]


def _query(params: Params) -> str:
    given = {name: value for name, value in params.items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    return urllib.parse.urlencode(texts)


class _Kept:
    """The pieces of an answer: in memory where there is one, else in a file."""

    def __init__(self, target: Callable[[], Path]) -> None:
        self._target = target
        self._first: bytes | None = None
        self._path: Path | None = None
        self._file: BinaryIO | None = None

    def write(self, piece: bytes) -> None:
        if self._first is None:
            self._first = piece
            return
        if self._file is None:
            self._path = self._target()
            self._file = self._path.open("wb")
            self._file.write(self._first)
        self._file.write(piece)

    def content(self) -> bytes | Path:
        return self._path or self._first or b""

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def discard(self) -> None:
        if self._path is not None:
            self._path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Transport:
    """Sends GET requests to one service.

    Attributes:
        url: the address of the service, without ``/api/v1``.
        api_key: sent as X-API-Key to `url`, where given; never shown, and not sent on to where that address redirects.
        timeout: seconds without a byte after which a request fails.
        sleep: waits between tries; for tests.
    """

    url: str
    api_key: str | None = field(default=None, repr=False)
    timeout: float = TIMEOUT_SECONDS
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def json(self, path: str, params: Params) -> Any:
        """Return the decoded JSON answer of a GET. Raises AsofError."""
        with self._open(self._address(path, params)) as response:
            body = self._whole(response)
        try:
            return json.loads(body)
        except ValueError as error:
            raise Unreachable(f"{self.url} answered with something that is not JSON.") from error

    def download(
        self,
        path: str,
        params: Params,
        target: Callable[[], Path],
        progress: Callable[[int], None] | None = None,
    ) -> Downloaded:
        """Return the answer of a GET, a large one in a file. Raises AsofError and leaves no part of a broken answer.

        Args:
            path: below ``/api/v1``, or an absolute path with its query as a Link header gives it.
            params: query parameters; None leaves one out.
            target: names the file to write, where one is needed; it is replaced where it exists.
            progress: called with the number of bytes of each piece.
        """
        kept = _Kept(target)
        try:
            with self._open(self._address(path, params)) as response, closing(kept):
                self._pour(response, kept.write, progress)
                headers = _lower(response.headers)
        except BaseException:
            kept.discard()
            raise
        total = headers.get("x-total-count", "")
        return Downloaded(
            content=kept.content(),
            total=int(total) if total.isdigit() else None,
            following=_next_page(headers.get("link", "")),
            headers=headers,
        )

    def _address(self, path: str, params: Params) -> str:
        whole = f"{self.url}{path}" if path.startswith("/api/") else f"{self.url}/api/v1/{path}"
        query = _query(params)
        return f"{whole}?{query}" if query else whole

    def _open(self, address: str) -> addinfourl:
        wait = WAIT_SECONDS_FIRST
        for tried in range(1, TRIES_MAX + 1):
            try:
                return self._send(address)
            except Unavailable as error:
                seconds = wait if error.retry_after is None else error.retry_after
                is_passing = error.status in (429, 503) and error.code != "not_configured"
                if tried == TRIES_MAX or not is_passing or seconds > WAIT_SECONDS_MAX:
                    raise
            self.sleep(seconds)
            wait *= 2
        raise AssertionError("the last try returns or raises")

    def _send(self, address: str) -> addinfourl:
        try:
            request = urllib.request.Request(address, headers={"accept": "*/*", "user-agent": "pyasof"})
            if self.api_key is not None:
                # A redirection may lead to another host, which must not get the key.
                request.add_unredirected_header("x-api-key", self.api_key)
            response: addinfourl = urllib.request.urlopen(request, timeout=self.timeout)
            return response
        except urllib.error.HTTPError as error:
            raise _problem_of(error) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise Unreachable(
                f"No service answers at {self.url}: {reason}.",
                hint="Start it with `bun run start`, or name its address in connect().",
            ) from error

    def _whole(self, response: addinfourl) -> bytes:
        pieces: list[bytes] = []
        self._pour(response, pieces.append, None)
        return b"".join(pieces)

    def _pour(
        self,
        response: addinfourl,
        write: Callable[[bytes], object],
        progress: Callable[[int], None] | None,
    ) -> None:
        length = response.headers.get("content-length", "")
        received = 0
        try:
            while piece := response.read(CHUNK_BYTES):
                write(piece)
                received += len(piece)
                if progress is not None:
                    progress(len(piece))
            # http.client notices a missing end of chunks, but not of a body whose length was given.
            if length.isdigit() and received < int(length):
                raise http.client.IncompleteRead(b"", int(length) - received)
        except (http.client.HTTPException, OSError) as error:
            if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
                raise
            raise Unreachable(f"{self.url} broke off its answer.", hint="Nothing of it was kept; ask again.") from error


_DISK_ERRORS = frozenset({28, 122, 30, 27})  # ENOSPC, EDQUOT, EROFS, EFBIG


def _lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _problem_of(error: urllib.error.HTTPError) -> AsofError:
    try:
        body = json.loads(error.read())
    except (ValueError, OSError, http.client.HTTPException):
        body = None
    return problem(error.code, body, _lower(error.headers))


def _next_page(link: str) -> str | None:
    """Return the target of rel="next" in a Link header, as path and query."""
    for part in link.split(","):
        target, _, attributes = part.partition(";")
        if 'rel="next"' in attributes.replace(" ", ""):
            address = urllib.parse.urlsplit(target.strip().strip("<>"))
            return urllib.parse.urlunsplit(("", "", address.path, address.query, ""))
    return None
