"""What goes wrong on the wire, against a server that misbehaves on purpose."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyarrow as pa
import pytest

import pyasof
from pyasof.transport import CHUNK_BYTES, TRIES_MAX, Transport

Answer = Callable[[BaseHTTPRequestHandler, int], None]


@contextmanager
def serving(answer: Answer) -> Iterator[tuple[str, list[str]]]:
    """Serve each GET with `answer(handler, number of the request)`; give the address and the paths asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            answer(self, len(asked))

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def sent(handler: BaseHTTPRequestHandler, status: int, body: Any, **headers: str) -> None:
    text = json.dumps(body).encode()
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("content-length", str(len(text)))
    handler.end_headers()
    handler.wfile.write(text)


BUSY = {"code": "server_busy", "detail": "The server is busy.", "hint": "Try again.", "request_id": "r-1"}


def test_a_refusal_for_now_is_tried_again_after_the_time_it_names() -> None:
    waits: list[float] = []

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        if number < 3:
            sent(handler, 503, BUSY, retry_after="7")
        else:
            sent(handler, 200, {"fine": True})

    with serving(answer) as (url, asked):
        assert Transport(url, sleep=waits.append).json("x", {}) == {"fine": True}
    assert waits == [7.0, 7.0]
    assert len(asked) == 3


def test_a_refusal_that_lasts_is_an_exception_with_all_its_parts() -> None:
    waits: list[float] = []
    with serving(lambda handler, _: sent(handler, 503, BUSY)) as (url, asked), pytest.raises(pyasof.Unavailable) as got:
        Transport(url, sleep=waits.append).json("x", {})
    assert waits == [1.0, 2.0, 4.0]
    assert len(asked) == TRIES_MAX
    error = got.value
    assert (error.status, error.code, error.request_id) == (503, "server_busy", "r-1")
    assert str(error) == "The server is busy. Try again."


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        (503, {"code": "not_configured", "detail": "No key."}, {}),
        (503, BUSY, {"retry_after": "3600"}),
        (502, {"code": "upstream_error", "detail": "The provider failed."}, {}),
        (500, "no problem at all", {}),
    ],
)
def test_what_a_retry_cannot_change_is_asked_once(status: int, body: Any, headers: dict[str, str]) -> None:
    waits: list[float] = []
    with (
        serving(lambda handler, _: sent(handler, status, body, **headers)) as (url, asked),
        pytest.raises(pyasof.Unavailable),
    ):
        Transport(url, sleep=waits.append).json("x", {})
    assert (len(asked), waits) == (1, [])


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, pyasof.InvalidRequest),
        (401, pyasof.NotAllowed),
        (403, pyasof.NotAllowed),
        (404, pyasof.NotFound),
        (410, pyasof.NotFound),
        (414, pyasof.InvalidRequest),
        (504, pyasof.Unavailable),
    ],
)
def test_each_status_has_its_exception(status: int, kind: type[pyasof.AsofError]) -> None:
    body = {"code": "c", "detail": "What happened."}
    with serving(lambda handler, _: sent(handler, status, body)) as (url, _), pytest.raises(kind) as got:
        Transport(url).json("x", {})
    assert type(got.value) is kind


def test_field_errors_are_listed() -> None:
    body = {"detail": [{"loc": ["query", "limit"], "type": "less_than_equal", "msg": "Too large"}], "request_id": "r"}
    with serving(lambda handler, _: sent(handler, 422, body)) as (url, _), pytest.raises(pyasof.InvalidRequest) as got:
        Transport(url).json("x", {})
    assert str(got.value) == "query.limit: Too large"
    assert got.value.fields[0]["type"] == "less_than_equal"


def stream_of(table: pa.Table) -> bytes:
    file = io.BytesIO()
    with pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)
    return file.getvalue()


@pytest.mark.parametrize("length", [1_000, 5 * CHUNK_BYTES])
@pytest.mark.parametrize("is_chunked", [True, False])
def test_an_answer_that_breaks_off_leaves_nothing(tmp_path: Path, is_chunked: bool, length: int) -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        if is_chunked:
            handler.send_header("transfer-encoding", "chunked")
            handler.end_headers()
            handler.wfile.write(b"%x\r\n" % length + b"PAR1 " * (length // 5) + b"\r\n")
        else:
            handler.send_header("content-length", str(length))
            handler.end_headers()
            handler.wfile.write(b"PAR1 " * (length // 10))
        handler.close_connection = True

    with serving(answer) as (url, _), pytest.raises(pyasof.Unreachable):
        Transport(url).download("x", {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES])
def test_an_answer_is_whole_whatever_its_size(size: int) -> None:
    body = b"x" * size

    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        handler.send_response(200)
        handler.send_header("content-length", str(size))
        handler.end_headers()
        handler.wfile.write(body)

    with serving(answer) as (url, _):
        assert Transport(url).download("x", {}).content == body


def test_pages_are_followed_by_the_link(tmp_path: Path) -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        link = '<http://elsewhere/api/v1/x?limit=2&offset=2&format=arrow>; rel="next", </api/v1/x>; rel="first"'
        sent(handler, 200, "rows", link=link, x_total_count="5")

    with serving(answer) as (url, _):
        downloaded = Transport(url).download("x", {"limit": 2, "q": None, "flag": True})
    assert downloaded.total == 5
    # The box never follows a link to another machine: only path and query are taken from it.
    assert downloaded.following == "/api/v1/x?limit=2&offset=2&format=arrow"


def test_pages_whose_number_of_rows_changes_are_read_again(tmp_path: Path) -> None:
    body = stream_of(pa.table({"n": [1, 2]}))
    totals = iter(["4", "5", "4", "4"])

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.send_response(200)
        handler.send_header("content-length", str(len(body)))
        handler.send_header("x-total-count", next(totals, str(number)))
        if "offset" not in handler.path:
            handler.send_header("link", '</api/v1/filings/search?offset=2>; rel="next"')
        handler.end_headers()
        handler.wfile.write(body)

    with serving(answer) as (url, asked):
        box = pyasof.Box(Transport(url))
        assert box.filings("ZORP")["n"].tolist() == [1, 2, 1, 2]
        assert len(asked) == 4
        # From here on each answer has another number of rows.
        with pytest.raises(pyasof.Unavailable, match="changed while"):
            box.filings("ZORP")
        assert len(asked) == 4 + 3 * 2


def test_the_key_is_not_shown() -> None:
    assert "k3y" not in repr(pyasof.Box(Transport("http://127.0.0.1:8000", "k3y")))


def test_an_engine_that_does_not_exist_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(ValueError, match='engine is "panda"'):
        pyasof.connect("http://127.0.0.1:1", engine="panda")  # type: ignore[arg-type]


def test_parameters_and_key_are_sent() -> None:
    seen: list[str | None] = []

    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        seen.append(handler.headers.get("x-api-key"))
        sent(handler, 200, {})

    with serving(answer) as (url, asked):
        Transport(url, api_key="k3y").json("a/b", {"tickers": "BRK.B,^GSPC", "none": None, "yes": True})
    assert seen == ["k3y"]
    assert asked == ["/api/v1/a/b?tickers=BRK.B%2C%5EGSPC&yes=true"]


def test_another_version_and_another_server_are_refused() -> None:
    with (
        serving(lambda handler, _: sent(handler, 200, {"version": "2.0.0"})) as (url, _),
        pytest.raises(pyasof.VersionMismatch, match=r"version 2\.0\.0"),
    ):
        pyasof.connect(url)
    for status, body in ((404, {}), (200, ["ok"]), (200, "ok")):
        with (
            serving(lambda handler, _, status=status, body=body: sent(handler, status, body)) as (url, _),
            pytest.raises(pyasof.VersionMismatch),
        ):
            pyasof.connect(url)


def test_a_service_older_than_the_package_is_refused() -> None:
    def answer(handler: BaseHTTPRequestHandler, _: int) -> None:
        if handler.path.startswith("/api/v1/health"):
            sent(handler, 200, {"version": "1.0.0"})
        else:
            sent(handler, 404, {"code": "route_not_found", "detail": "There is no such route."})

    with serving(answer) as (url, _), pytest.raises(pyasof.VersionMismatch, match="older than this package"):
        pyasof.connect(url)


def test_a_server_that_goes_leaves_no_files_and_no_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    body = stream_of(pa.table({"n": list(range(1000))}))

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        handler.send_response(200)
        handler.send_header("content-length", str(len(body)))
        if number == 1:
            handler.send_header("link", '</api/v1/filings/search?offset=1000>; rel="next"')
        handler.end_headers()
        # The first page is whole; the second ends in the middle.
        handler.wfile.write(body if number == 1 else body[: len(body) // 2])
        handler.close_connection = True

    with serving(answer) as (url, asked), pytest.raises(pyasof.Unreachable, match="broke off"):
        pyasof.Box(Transport(url)).filings("ZORP")
    assert len(asked) == 2
    assert list(tmp_path.iterdir()) == []


def asked_symbols(path: str) -> list[str]:
    return parse_qs(urlsplit(path).query)["tickers"][0].split(",")


def sent_rows(handler: BaseHTTPRequestHandler, table: pa.Table, notes: dict[str, str]) -> None:
    body = stream_of(table)
    handler.send_response(200)
    handler.send_header("content-length", str(len(body)))
    for name, value in notes.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


NAMES = [f"S{number:03}" for number in range(600)]
INCOMPLETE = "not_read: This answer is incomplete: 1 of 500 tickers are still being read in the background."


def test_bars_that_the_service_is_still_reading_are_asked_for_again(tmp_path: Path) -> None:
    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        symbols = asked_symbols(handler.path)
        notes = {"x-warnings": json.dumps([INCOMPLETE])} if number == 1 else {}
        rows = symbols[:-1] if number == 1 else symbols
        sent_rows(handler, pa.table({"symbol": rows}), notes)

    with serving(answer) as (url, asked):
        bars = pyasof.Box(Transport(url)).bars(NAMES, "2020-01-01", "2020-12-31")
    assert bars["symbol"].tolist() == NAMES
    assert [len(asked_symbols(path)) for path in asked] == [500, 500, 100]
    assert [parse_qs(urlsplit(path).query)["wait"] for path in asked] == [["200"]] * 3


def test_what_the_service_has_not_read_at_last_is_a_warning(tmp_path: Path) -> None:
    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        notes = {"x-warnings": json.dumps([INCOMPLETE]), "x-errors": json.dumps({"B": "B is not read yet."})}
        sent_rows(handler, pa.table({"symbol": ["A"]}), notes)

    with serving(answer) as (url, asked), pytest.warns(pyasof.IncompleteAnswer) as told:
        bars = pyasof.Box(Transport(url)).bars(["A", "B"], "2020-01-01", "2020-12-31")
    assert bars["symbol"].tolist() == ["A"]
    assert [str(each.message) for each in told] == [INCOMPLETE, "B: B is not read yet."]
    assert len(asked) == 3


def test_no_server_is_told_with_what_to_do() -> None:
    with pytest.raises(pyasof.Unreachable, match="bun run start"):
        pyasof.connect("http://127.0.0.1:1")


def test_a_redirection_does_not_get_the_key() -> None:
    keys: list[str | None] = []

    def elsewhere(handler: BaseHTTPRequestHandler, _: int) -> None:
        keys.append(handler.headers.get("x-api-key"))
        sent(handler, 200, {"fine": True})

    with serving(elsewhere) as (other, asked):

        def redirect(handler: BaseHTTPRequestHandler, _: int) -> None:
            keys.append(handler.headers.get("x-api-key"))
            sent(handler, 302, {}, location=f"{other}/there")

        with serving(redirect) as (url, _):
            assert Transport(url, api_key="k3y").json("x", {}) == {"fine": True}
    assert asked == ["/there"]
    assert keys == ["k3y", None]
