-- migration 4
-- SPDX-License-Identifier: Apache-2.0
-- By what a book and a journal are known to belong together; when somebody was admitted; views in which every time
-- can be read. See src/book/README.md.
--
-- From this version on every page of the file carries a checksum, in bytes that SQLite leaves to others (page_sum.h).

ALTER TABLE meta ADD COLUMN folder BLOB CHECK (length(folder) = 16); -- the id of the journal that it is made from
ALTER TABLE meta ADD COLUMN parent BLOB CHECK (length(parent) = 16); -- restored: the id of what it is a copy of
ALTER TABLE meta ADD COLUMN chain INTEGER; -- the CRC of the batch that ends with last_seq

ALTER TABLE queue ADD COLUMN admitted_at INTEGER; -- NULL: not yet, or before this column was there

-- ---- For people ----

DROP VIEW sales;
CREATE VIEW sales AS
SELECT 'ord_' || substr(r.id, 5) AS order_id, r.id AS reservation, n.pnr, r.user_id, i.event, i.seat, s.tier, i.pool,
       i.calendar, i.service, i.starts_at, i.ends_at, i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.confirmed_at / 1000.0, 'unixepoch') AS sold_at,
       r.payment_method, r.payment_ref
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
JOIN items t ON t.reservation = r.number AND t.item_id = i.item_id
LEFT JOIN seats s ON t.kind = 'seat' AND s.event = t.event AND s.position = t.position
WHERE r.status = 'confirmed';

CREATE VIEW queue_entries AS -- who stands, or stood, in which waiting room; by arrival
SELECT e.id AS event, q.number, q.user_id, q.status,
       strftime('%Y-%m-%dT%H:%M:%fZ', q.joined_at / 1000.0, 'unixepoch') AS joined_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', q.admitted_at / 1000.0, 'unixepoch') AS admitted_at,
       (q.admitted_at - q.joined_at) / 1000 AS seconds_waited,
       strftime('%Y-%m-%dT%H:%M:%fZ', q.until / 1000.0, 'unixepoch') AS until
FROM queue q JOIN events e ON e.number = q.event
WHERE e.removed_at IS NULL;

CREATE VIEW event_settings AS -- the events that are not removed
SELECT e.id AS event, e.name,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.starts_at / 1000.0, 'unixepoch') AS starts_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.on_sale_at / 1000.0, 'unixepoch') AS on_sale_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.off_sale_at / 1000.0, 'unixepoch') AS off_sale_at,
       e.currency, e.hold_ttl_seconds, e.max_hold_seconds, e.payment_ttl_seconds, e.payment, e.late_payment,
       e.per_user_limit, e.waiting_list, e.seats,
       strftime('%Y-%m-%dT%H:%M:%fZ', e.created_at / 1000.0, 'unixepoch') AS created_at
FROM events e WHERE e.removed_at IS NULL;

CREATE VIEW reservation_history AS -- every change of every reservation, the oldest first
SELECT r.id AS reservation, n.pnr, strftime('%Y-%m-%dT%H:%M:%fZ', h.at / 1000.0, 'unixepoch') AS at, h.actor,
       h.actor_name, h.action, h.reason, h.status,
       strftime('%Y-%m-%dT%H:%M:%fZ', h.expires_at / 1000.0, 'unixepoch') AS expires_at, h.version
FROM history h
JOIN reservations r ON r.number = h.reservation
JOIN pnrs n ON n.number = r.number
ORDER BY h.reservation, h.seq;
