"""HTTP with the standard library: JSON answers, downloads, and retries that honour Retry-After."""

from __future__ import annotations

import http.client
import io
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from typing import Any
from urllib.response import addinfourl

from .errors import AsofError, Unavailable, Unreachable, problem

#: Bytes that are read at once.
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
        content: the bytes of the answer.
        total: all rows of the question where the answer is one page of them, else None.
        following: the address of the next page, or None on the last.
        headers: all headers, names in lower case.
    """

    content: memoryview
    total: int | None
    following: str | None
    headers: Mapping[str, str]


def _query(params: Params) -> str:
    given = {name: value for name, value in params.items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    return urllib.parse.urlencode(texts)


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

    def download(self, path: str, params: Params, progress: Callable[[int], None] | None = None) -> Downloaded:
        """Return the answer of a GET. Raises AsofError and keeps no part of a broken answer.

        Args:
            path: below ``/api/v1``, or an absolute path with its query as a Link header gives it.
            params: query parameters; None leaves one out.
            progress: called with the number of bytes of each piece.
        """
        kept = io.BytesIO()
        with self._open(self._address(path, params)) as response:
            self._pour(response, kept.write, progress)
            headers = _lower(response.headers)
        total = headers.get("x-total-count", "")
        return Downloaded(
            content=kept.getbuffer(),
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
        kept = io.BytesIO()
        self._pour(response, kept.write, None)
        return kept.getvalue()

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
            raise Unreachable(f"{self.url} broke off its answer.", hint="Nothing of it was kept; ask again.") from error


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
