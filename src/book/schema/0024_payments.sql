-- migration 24
-- SPDX-License-Identifier: Apache-2.0
-- What a payment provider told of, each event once, and what became of it; and payments that came with a request which
-- was refused. Where the provider's events are known by.

CREATE TABLE payments (
    number INTEGER PRIMARY KEY, -- the seq of its change
    event_id TEXT UNIQUE, -- the provider's; NULL: it came with a request that was refused
    type TEXT NOT NULL, -- the provider's word; of a request: hold, payment or commit
    payment_ref TEXT, -- the provider's reference of the payment
    reservation TEXT, -- its id, as it was named; there may be none of this id
    has_amount INTEGER NOT NULL, -- 0: amount and currency were not told
    amount INTEGER NOT NULL, -- minor units
    currency TEXT NOT NULL,
    result TEXT NOT NULL,
    refund INTEGER, -- the number of the refund due that it ended in
    received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX payments_by_ref ON payments (payment_ref) WHERE payment_ref IS NOT NULL;
CREATE INDEX refunds_of_payment ON refunds (payment_ref);

CREATE TABLE payment_provider (
    number INTEGER PRIMARY KEY, -- one row
    provider TEXT NOT NULL,
    secret TEXT NOT NULL,
    old_provider TEXT NOT NULL,
    old_secret TEXT, -- good as well until then
    old_until INTEGER,
    changed_at INTEGER NOT NULL
) STRICT;
