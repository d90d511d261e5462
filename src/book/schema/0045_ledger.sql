-- migration 45
-- SPDX-License-Identifier: Apache-2.0
-- The ledger: one row per payment, with the facts that are known of it and what follows from them (core/money/ledger.h).

DROP VIEW funnel_by_day; -- below again
ALTER TABLE payments RENAME TO payment_events;
DROP INDEX payments_by_ref;
CREATE INDEX payment_events_by_ref ON payment_events (payment_ref) WHERE payment_ref IS NOT NULL;
ALTER TABLE payment_events ADD COLUMN once TEXT; -- what it must count once for, such as a refund that failed
CREATE UNIQUE INDEX payment_events_once ON payment_events (once) WHERE once IS NOT NULL;

CREATE TABLE payments (
    number INTEGER PRIMARY KEY, -- the seq of the change that made it
    payment_ref TEXT NOT NULL UNIQUE, -- the payment provider's reference
    reservation TEXT, -- whose it is, for ever from its first money
    unknown INTEGER NOT NULL, -- 1: there was no such reservation when its first money came
    app_given INTEGER NOT NULL, -- 1: app or admin vouched for it, with this amount
    app_amount INTEGER NOT NULL,
    app_currency TEXT NOT NULL,
    assumed INTEGER NOT NULL, -- 1: they named no amount, and it is what was missing then
    paid_given INTEGER NOT NULL, -- 1: the provider said that this much was paid
    paid_amount INTEGER NOT NULL,
    paid_currency TEXT NOT NULL,
    failed INTEGER NOT NULL,
    returned_currency TEXT NOT NULL,
    refunded INTEGER NOT NULL, -- by the provider, in all
    refund_failed INTEGER NOT NULL, -- of that, what did not arrive
    disputed_amount INTEGER NOT NULL, -- taken by disputes
    reinstated INTEGER NOT NULL, -- and given back
    disputes INTEGER NOT NULL,
    disputes_over INTEGER NOT NULL,
    staff_returned INTEGER NOT NULL, -- by staff through the provider, in all
    outside INTEGER NOT NULL, -- by staff, not through the provider
    money_seq INTEGER NOT NULL, -- of its first money; 0: none yet
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    currency TEXT NOT NULL,
    received INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    owed INTEGER NOT NULL,
    discrepancy TEXT NOT NULL,
    discrepancy_seq INTEGER NOT NULL,
    status TEXT GENERATED ALWAYS AS (CASE WHEN failed AND NOT paid_given THEN 'failed' WHEN money_seq THEN 'received'
        ELSE 'begun' END) VIRTUAL,
    received_by TEXT GENERATED ALWAYS AS (CASE WHEN paid_given OR failed OR NOT app_given THEN 'provider'
        WHEN assumed THEN 'assumed' ELSE 'app' END) VIRTUAL,
    CHECK (received >= 0 AND kept >= 0 AND returned >= 0 AND owed >= 0),
    CHECK (kept + returned + owed = max(received, returned))
) STRICT;
CREATE INDEX payments_of_reservation ON payments (reservation, money_seq);
CREATE INDEX payments_wrong ON payments (number) WHERE discrepancy <> 'none';
CREATE INDEX payments_by_last ON payments (last_at);
CREATE INDEX payments_owing ON payments (number) WHERE owed > 0;

-- What changed in the ledger with each change of a payment: the sums over all rows are those of `payments`.
CREATE TABLE payment_moves (
    seq INTEGER NOT NULL,
    currency TEXT NOT NULL,
    at INTEGER NOT NULL,
    received INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    owed INTEGER NOT NULL,
    PRIMARY KEY (seq, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_moves_at ON payment_moves (at);

DROP TABLE refunds;
CREATE TABLE refunds (
    number INTEGER PRIMARY KEY, -- the seq of the change that made it; rfd_<number> in the API
    reservation TEXT, -- its id; the reservation may be unknown, or pruned before its refund
    payment_ref TEXT NOT NULL REFERENCES payments (payment_ref),
    amount INTEGER NOT NULL CHECK (amount > 0), -- minor units
    currency TEXT NOT NULL,
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    done_at INTEGER,
    status TEXT NOT NULL,
    told_seq INTEGER NOT NULL, -- of the change that made it (number), or changed its amount last
    returned_before INTEGER NOT NULL, -- what had gone back of the payment before
    CHECK ((status = 'done') = (done_at IS NOT NULL))
) STRICT;
CREATE INDEX refunds_of_payment ON refunds (payment_ref, number);
CREATE INDEX refunds_of_reservation ON refunds (reservation);
CREATE UNIQUE INDEX refunds_open ON refunds (payment_ref) WHERE status = 'open'; -- one at most
CREATE INDEX refunds_by_status ON refunds (status, number);

DROP INDEX reservations_by_payment;
ALTER TABLE reservations DROP COLUMN returned;
ALTER TABLE outbox ADD COLUMN subject INTEGER NOT NULL DEFAULT 0; -- the refund due or payment that it is about

CREATE VIEW funnel_by_day AS
SELECT date(held_ms / 1000, 'unixepoch') AS day, event, calendar, tier, pool, service, count(*) AS held,
       sum(paying_ms IS NOT NULL OR sold_ms IS NOT NULL) AS paying, sum(sold_ms IS NOT NULL) AS confirmed,
       sum(CASE WHEN sold_ms IS NOT NULL THEN sold_ms >= expires_ms -- paid after the deadline, and accepted or owed
                WHEN status <> 'expired' THEN 0
                ELSE EXISTS (SELECT 1 FROM refunds f WHERE f.reservation = checkouts.reservation
                             AND f.reason = 'expired' AND f.status <> 'withdrawn') END) AS late,
       sum(refunded) AS refunded
FROM checkouts
GROUP BY 1, 2, 3, 4, 5, 6;
