# SPDX-License-Identifier: Apache-2.0
"""Reads the signed form of a ticket, the text of its QR code."""
import base64
import binascii
from typing import NamedTuple, Optional

from . import ed25519
from .types import JwkSet

SEAT, POOL, SLOT = 1, 2, 4


class Ticket(NamedTuple):
    code: str
    reissue: int
    """Grows when the ticket is moved: a smaller number than the door's list has is void."""
    kind: int
    """SEAT, POOL or SLOT."""
    of: str
    """The event; for a slot the calendar."""
    part: str
    """The seat, the pool or the service."""
    unit: int


def _decoded(text: str) -> bytes:
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("not the one form of these bytes")
    return data


def _key(keys: JwkSet, payload: bytes) -> Optional[bytes]:
    for key in keys["keys"]:
        if _decoded(key["kid"]) == payload[:8]:
            return _decoded(key["x"])
    return None


def _read(payload: bytes) -> Ticket:
    n = payload[39]
    m = payload[40 + n]
    if len(payload) != 41 + n + m:
        raise ValueError("another length than it says")
    return Ticket(
        code=payload[16:36].decode("ascii"),
        reissue=int.from_bytes(payload[8:16], "big"),
        kind=payload[38],
        of=payload[40:40 + n].decode("ascii"),
        part=payload[41 + n:].decode("ascii"),
        unit=int.from_bytes(payload[36:38], "big"),
    )


def verify_ticket(text: str, keys: JwkSet) -> Optional[Ticket]:
    """What a signed ticket says; None: none of the keys of `get_ticket_keys()` has signed it.

    It says nothing about whether the ticket is still good: `check_in`, or the door's list, does.
    """
    parts = text.split(".")
    if len(parts) != 3 or parts[0] != "HF1":
        return None
    try:
        payload, signature = _decoded(parts[1]), _decoded(parts[2])
        key = _key(keys, payload)
        if key is None or not ed25519.verify(key, f"HF1.{parts[1]}".encode(), signature):
            return None
        return _read(payload)
    except (ValueError, IndexError, binascii.Error):
        return None
