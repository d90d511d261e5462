# SPDX-License-Identifier: Apache-2.0
"""What can go wrong with a call.

A refusal of the server is a Problem with its stable `code` ("taken", "expired", ...), the HTTP `status` and a sentence for
people; its other members ("items", "rule", ...) are in `body`. A call that never got an answer is a Problem too, with code
"offline" and status 0. The class says what kind it is: Conflict is a "no" of the rules, Unavailable something that passes.
"""
import json
from typing import Any, Dict, Mapping, Optional, Type


class Problem(Exception):
    def __init__(self, status: int, body: Dict[str, Any], retry_after: Optional[float] = None) -> None:
        super().__init__(body.get("detail") or body.get("title") or f"HTTP {status}")
        self.status = status
        self.body = body
        self.code: str = body.get("code", "unknown")
        self.pointer: Optional[str] = body.get("pointer")
        self.retry_after = retry_after
        """Seconds to wait, for 429 and 503."""

    @property
    def passes(self) -> bool:
        """Whether retrying later, unchanged, can help."""
        return self.status in (0, 429, 502, 503, 504)


class InvalidRequest(Problem):
    """400 and other 4xx: the request is wrong."""


class Unauthenticated(Problem):
    """401"""


class Forbidden(Problem):
    """403"""


class NotFound(Problem):
    """404"""


class Conflict(Problem):
    """409, 410, 412: taken, expired, sold out, ..."""


class RateLimited(Problem):
    """429"""


class Unavailable(Problem):
    """5xx"""


class Offline(Problem):
    """No answer."""

    def __init__(self, why: str = "") -> None:
        super().__init__(0, {"code": "offline", "detail": f"The server cannot be reached: {why}"})


_KINDS: Dict[int, Type[Problem]] = {
    401: Unauthenticated, 403: Forbidden, 404: NotFound, 409: Conflict, 410: Conflict, 412: Conflict, 429: RateLimited,
}


def problem_of(status: int, headers: Mapping[str, str], content: bytes) -> Problem:
    """From an answer; a proxy's error page is a problem too."""
    kind = _KINDS.get(status) or (Unavailable if status >= 500 else InvalidRequest if status >= 400 else Problem)
    body: Any = {}
    if "json" in (headers.get("Content-Type") or ""):
        try:
            body = json.loads(content)
        except ValueError:
            pass
    wait = headers.get("Retry-After") or ""
    return kind(status, body if isinstance(body, dict) else {}, float(wait) if wait.isdigit() else None)
