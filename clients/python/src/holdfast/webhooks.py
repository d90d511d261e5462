# SPDX-License-Identifier: Apache-2.0
"""Verifies the messages that a server sends to hooks (Standard Webhooks)."""
import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Optional, cast

from .types import HookMessage

TOLERANCE_SECONDS = 300


class InvalidSignature(Exception):
    """The message is not from the server, was changed on the way, or is too old."""


def _header(headers: Mapping[str, str], name: str) -> str:
    for given, value in headers.items():
        if given.lower() == name:
            return value
    raise InvalidSignature(f"no header {name}")


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    now: Optional[float] = None,
    tolerance_seconds: float = TOLERANCE_SECONDS,
) -> HookMessage:
    """The message, if one of its signatures is made with the secret; raises InvalidSignature otherwise.

    `body` is what arrived, byte by byte; `secret` begins with whsec_. The same message may arrive twice: its webhook-id
    is the same then.
    """
    message_id, sent, signatures = (
        _header(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    try:
        key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error as error:
        raise ValueError("a secret is whsec_ and base64") from error
    if not (sent.isascii() and sent.isdigit()) or abs((time.time() if now is None else now) - int(sent)) > tolerance_seconds:
        raise InvalidSignature("the time of the message is too far from now")
    signed = f"{message_id}.{sent}.".encode("utf-8", "replace") + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    if not any(hmac.compare_digest(one.encode("utf-8", "replace"), expected) for one in signatures.split(" ")):
        raise InvalidSignature("no signature matches")
    return cast(HookMessage, json.loads(body))
