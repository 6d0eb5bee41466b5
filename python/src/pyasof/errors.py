"""The exceptions: one per way in which a request can end without data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class AsofError(Exception):
    """A request that gave no data.

    Attributes:
        code: the service's stable name of the problem, such as ``unknown_ticker``; None where no service answered.
        detail: what went wrong, one sentence.
        hint: what to do about it, or None.
        status: the HTTP status, or None where no service answered.
        request_id: the id under which the service's log has the request, or None.
        ticker: the ticker the problem is about, or None.
        fields: the errors of single parameters (status 422); empty otherwise.
        retry_after: seconds after which the same request may succeed, or None.
    """

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        hint: str | None = None,
        status: int | None = None,
        request_id: str | None = None,
        ticker: str | None = None,
        fields: Sequence[dict[str, Any]] = (),
        retry_after: float | None = None,
    ) -> None:
        """Keep the parts of the problem and show them as one text."""
        self.detail = detail
        self.code = code
        self.hint = hint
        self.status = status
        self.request_id = request_id
        self.ticker = ticker
        self.fields = tuple(fields)
        self.retry_after = retry_after
        super().__init__(detail if hint is None else f"{detail} {hint}")


class InvalidRequest(AsofError):
    """The service refused a parameter (status 400, 413, 414 or 422)."""


class NotAllowed(AsofError):
    """The key is missing or wrong, or the route is for the admin (status 401 or 403)."""


class NotFound(AsofError):
    """There is no such ticker, filing or series (status 404)."""


class Unavailable(AsofError):
    """The service, its provider or its store cannot answer now (status 429 or 5xx)."""


class Unreachable(AsofError):
    """No service answered, or the connection broke off before the answer was complete."""


class VersionMismatch(AsofError):
    """The service has another major version than this package was made for."""


class LookAhead(AsofError):
    """A frozen clock was asked for something later than its moment, or for something that has no past."""


class IncompleteAnswer(UserWarning):
    """A warning: the table lacks something, or a figure in it is doubtful; the text says what."""


def problem(status: int, body: Any, headers: Mapping[str, str]) -> AsofError:
    """Make the exception of an error answer.

    Args:
        status: the HTTP status, 400 or higher.
        body: the decoded JSON body, an RFC 9457 problem or a list of field errors; anything else is ignored.
        headers: those of the answer, names in lower case.
    """
    parts: dict[str, Any] = body if isinstance(body, dict) else {}
    detail = parts.get("detail")
    fields = [each for each in detail if isinstance(each, dict)] if isinstance(detail, list) else []
    if fields:
        detail = "; ".join(f"{'.'.join(map(str, each.get('loc', [])))}: {each.get('msg')}" for each in fields)
    kind = _KINDS.get(status, Unavailable if status == 429 or status >= 500 else InvalidRequest)
    return kind(
        detail if isinstance(detail, str) else f"The service answered with status {status}.",
        code=parts.get("code"),
        hint=parts.get("hint"),
        status=status,
        request_id=parts.get("request_id") or headers.get("x-request-id"),
        ticker=parts.get("ticker"),
        fields=fields,
        retry_after=float(wait) if (wait := headers.get("retry-after", "")).isdigit() else None,
    )


_KINDS: dict[int, type[AsofError]] = {401: NotAllowed, 403: NotAllowed, 404: NotFound, 410: NotFound}
