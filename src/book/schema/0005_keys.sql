-- migration 5
-- SPDX-License-Identifier: Apache-2.0
-- Keys that were rotated: until when the value before is good. And when an expired reservation ended: at its deadline;
-- rows of earlier programs have in ended_at when that was settled.

ALTER TABLE keys ADD COLUMN old_hash BLOB CHECK (length(old_hash) = 32); -- NULL: there is none
ALTER TABLE keys ADD COLUMN old_until INTEGER CHECK ((old_until IS NULL) = (old_hash IS NULL));

-- ---- For people ----

DROP VIEW abandoned;
CREATE VIEW abandoned AS
WITH gone AS (
    SELECT *, CASE status WHEN 'expired' THEN expires_at ELSE ended_at END AS gone_at
    FROM reservations WHERE status = 'expired' OR status = 'released'
)
SELECT r.id AS reservation, n.pnr, r.user_id, r.status AS how, i.event, i.seat, i.pool, i.calendar, i.service,
       i.starts_at, i.ends_at, i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.gone_at / 1000.0, 'unixepoch') AS ended_at,
       (r.gone_at - r.created_at) / 1000 AS seconds_held,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.payment_started_at / 1000.0, 'unixepoch') AS payment_started_at
FROM gone r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number;
