# SPDX-License-Identifier: Apache-2.0
"""The client for Holdfast servers, in the standard library alone.

    from holdfast import Holdfast, Conflict

    holdfast = Holdfast("https://tickets.example", token=app_key)
    hold = holdfast.create_reservation({"user_id": "ann", "items": [{"event": "arena", "seat": "A15"}]})
    holdfast.commit_reservation(hold["reservation_id"], {"payment_ref": "pi_123"})
"""
from .api import Holdfast
from .client import StreamEvent
from .problem import (
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    Offline,
    Problem,
    RateLimited,
    Unauthenticated,
    Unavailable,
)
from .tickets import Ticket, verify_ticket
from .webhooks import InvalidSignature, verify_webhook

__all__ = [
    "Holdfast", "StreamEvent", "Problem", "InvalidRequest", "Unauthenticated", "Forbidden", "NotFound", "Conflict",
    "RateLimited", "Unavailable", "Offline", "Ticket", "verify_ticket", "InvalidSignature", "verify_webhook",
]
