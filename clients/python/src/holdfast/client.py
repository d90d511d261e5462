# SPDX-License-Identifier: Apache-2.0
"""Calls to a Holdfast server, over http.client. One connection for each thread.

A call that gets no answer, or 429, 502, 503 and 504, is tried again, when the server says or after growing pauses; every
POST has an Idempotency-Key, the same for all its attempts, so that nothing is done twice.
"""
import http.client
import json
import random
import threading
import time
import uuid
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from .problem import Offline, Problem, problem_of

ATTEMPTS = 5
UPLOAD_SECONDS = 120.0
STREAM_SILENCE_SECONDS = 40.0  # the server sends something every 15 s
WAIT_SECONDS = 0.3
WAIT_SECONDS_MAX = 10.0

S = TypeVar("S", bound="Client")


class StreamEvent(NamedTuple):
    id: Optional[str]
    event: str
    data: Any


def segment(name: str) -> str:
    return quote(name, safe="")


def _decoded(content_type: str, content: bytes) -> Any:
    if "json" in content_type:
        return json.loads(content)
    return content.decode() if content_type.startswith("text/") or "svg" in content_type else content


def _pause_of(problem: Problem, attempt: int) -> float:
    if problem.retry_after:
        return min(problem.retry_after, WAIT_SECONDS_MAX)
    return min(WAIT_SECONDS * 2.0**attempt, WAIT_SECONDS_MAX) * (0.5 + random.random())


class Client:
    """url: of the server, without a path. token: a user's, or a key. timeout: seconds that an attempt may take."""

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        *,
        attempts: int = ATTEMPTS,
        timeout: float = 15.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self._before = urlsplit(self.url).path
        self.token = token
        self.attempts = attempts
        self.timeout = timeout
        self.seq = 0
        """The newest change that any answer reflects: as min_seq it makes lists show your own writes."""
        self._sleep = sleep
        self._local = threading.local()

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        key: Optional[str] = None,
        within: Optional[float] = None,
        **headers: Any,
    ) -> Any:
        """The body of the answer: JSON, a text or bytes; None for 204. A body that is text is sent as CSV."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        target = f"{path}?{urlencode(given)}" if given else path
        sent = self._headers(key or (uuid.uuid4().hex if method == "POST" else None), **headers)
        content = None
        if body is not None:
            sent["Content-Type"] = "text/csv" if isinstance(body, str) else "application/json"
            content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        attempt = 0
        while True:
            try:
                return self._once(method, target, content, sent, within or self.timeout)
            except Problem as problem:
                attempt += 1
                if not problem.passes or attempt >= self.attempts:
                    raise
                self._sleep(_pause_of(problem, attempt - 1))

    def each(self, list_page: Callable[..., Mapping[str, Any]], *args: Any, **query: Any) -> Iterator[Any]:
        """Each entry of a list, page by page: each(holdfast.list_slots, "dr_smith", limit=100)."""
        cursor: Optional[str] = None
        while True:
            page = list_page(*args, **query, **({"cursor": cursor} if cursor else {}))
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def follow(self, path: str, *, last_event_id: Optional[str] = None, **headers: Any) -> Iterator[StreamEvent]:
        """The events of a stream. Resumes after a broken connection; a refusal that does not pass is raised."""
        failures = 0
        while True:
            wait = 0.0
            try:
                for event in self._listen(path, self._headers(None, last_event_id=last_event_id, **headers)):
                    last_event_id = event.id or last_event_id
                    failures = 0
                    yield event
            except Problem as problem:
                if not problem.passes:
                    raise
                wait = min(problem.retry_after or 0.0, 60.0)
            self._sleep(wait + min(0.25 * 2.0**failures, WAIT_SECONDS_MAX) * (0.5 + random.random()))
            failures += 1

    # ---- Connections ----

    def close(self) -> None:
        """Closes the connection of this thread; the next call opens another."""
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _headers(
        self,
        key: Optional[str],
        *,
        accept: Optional[str] = None,
        waiting_room_pass: Optional[str] = None,
        min_seq: Optional[int] = None,
        if_match: Optional[str] = None,
        last_event_id: Optional[str] = None,
    ) -> Dict[str, str]:
        known = {
            "Authorization": self.token and f"Bearer {self.token}", "Idempotency-Key": key, "Accept": accept,
            "Holdfast-Pass": waiting_room_pass, "Holdfast-Min-Seq": min_seq, "If-Match": if_match,
            "Last-Event-ID": last_event_id,
        }
        return {name: str(value) for name, value in known.items() if value is not None}

    def _open(self, timeout: float) -> http.client.HTTPConnection:
        at = urlsplit(self.url)
        kind = http.client.HTTPSConnection if at.scheme == "https" else http.client.HTTPConnection
        return kind(at.hostname or "", at.port, timeout=timeout)

    def _once(self, method: str, target: str, content: Optional[bytes], headers: Dict[str, str], timeout: float) -> Any:
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._open(timeout)
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        try:
            connection.request(method, self._before + target, content, headers)
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Offline(str(error)) from error
        self.seq = max(self.seq, int(response.getheader("Holdfast-Seq") or 0))
        if not 200 <= response.status < 300:
            raise problem_of(response.status, response.headers, answer)
        return _decoded(response.getheader("Content-Type") or "", answer) if response.status != 204 else None

    def _listen(self, path: str, headers: Dict[str, str]) -> Iterator[StreamEvent]:
        connection = self._open(STREAM_SILENCE_SECONDS)
        try:
            connection.request("GET", self._before + path, None, headers)
            response = connection.getresponse()
            if response.status != 200:
                raise problem_of(response.status, response.headers, response.read())
            yield from _events(response)
        except (OSError, http.client.HTTPException) as error:
            raise Offline(str(error)) from error
        finally:
            connection.close()


def _events(response: http.client.HTTPResponse) -> Iterator[StreamEvent]:
    """Server-sent events, until the stream ends."""
    event_id: Optional[str] = None
    name, data = "message", ""
    for raw in iter(response.readline, b""):
        line = raw.decode().rstrip("\r\n")
        if not line and data:
            yield StreamEvent(event_id, name, json.loads(data))
        if not line:
            name, data = "message", ""
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            data += value
        elif field == "event":
            name = value
        elif field == "id":
            event_id = value
