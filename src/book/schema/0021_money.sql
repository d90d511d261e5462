-- migration 21
-- SPDX-License-Identifier: Apache-2.0
-- Money that came in for a reservation and has to go back. Holdfast moves none: whoever has paid it back says so.

CREATE TABLE refunds (
    number INTEGER PRIMARY KEY, -- the seq of the change that made it; rfd_<number> in the API
    reservation TEXT NOT NULL, -- its id; the reservation may be pruned before its refund
    payment_ref TEXT NOT NULL, -- the payment provider's reference
    amount INTEGER NOT NULL CHECK (amount >= 0), -- minor units
    currency TEXT NOT NULL,
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    done_at INTEGER, -- NULL: open
    withdrawn INTEGER NOT NULL, -- 1: the payment was accepted after all
    CHECK (done_at IS NULL OR withdrawn = 0)
) STRICT;
CREATE INDEX refunds_by_payment ON refunds (reservation, payment_ref);
CREATE INDEX refunds_open ON refunds (number) WHERE done_at IS NULL AND withdrawn = 0;
ALTER TABLE events ADD COLUMN cancels INTEGER NOT NULL DEFAULT 0; -- 1: the owner of what was bought can cancel it,
ALTER TABLE events ADD COLUMN cancel_until_seconds INTEGER NOT NULL DEFAULT 0; -- until so long before the start
ALTER TABLE calendars ADD COLUMN cancels INTEGER NOT NULL DEFAULT 0; -- the same
ALTER TABLE calendars ADD COLUMN cancel_until_minutes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX refunds_done ON refunds (number) WHERE done_at IS NOT NULL;
