-- migration 25
-- SPDX-License-Identifier: Apache-2.0
-- What the reports of the API are made of, for people too. A day is one of UTC.

-- Every item that a reservation has, and those that were refunded and so have left it. Times are milliseconds.
CREATE VIEW report_items AS
SELECT r.number, r.id AS reservation, r.status, r.currency, i.event AS event_number, e.id AS event, c.id AS calendar, s.tier,
       p.id AS pool, v.id AS service, i.quantity AS units, i.price AS amount, r.created_at AS held_ms,
       r.expires_at AS expires_ms, r.payment_started_at AS paying_ms, r.confirmed_at AS sold_ms,
       CASE r.status WHEN 'expired' THEN r.expires_at ELSE r.ended_at END AS ended_ms,
       r.status = 'refunded' OR r.status = 'cancelled' AS refunded -- 1: it was sold, and has gone back
FROM items i
JOIN reservations r ON r.number = i.reservation
LEFT JOIN events e ON e.number = i.event
LEFT JOIN calendars c ON c.number = i.calendar
LEFT JOIN seats s ON i.kind = 'seat' AND s.event = i.event AND s.position = i.position
LEFT JOIN pools p ON i.kind = 'pool' AND p.event = i.event AND p.position = i.position
LEFT JOIN services v ON v.calendar = i.calendar AND v.position = i.position
UNION ALL
SELECT r.number, r.id AS reservation, r.status, r.currency, i.event AS event_number, e.id AS event, c.id AS calendar, s.tier,
       p.id AS pool, v.id AS service, i.quantity AS units, i.price AS amount, r.created_at AS held_ms,
       r.expires_at AS expires_ms, r.payment_started_at AS paying_ms, r.confirmed_at AS sold_ms,
       CASE r.status WHEN 'expired' THEN r.expires_at ELSE r.ended_at END AS ended_ms,
       1
FROM history_items i -- only what was changed or dropped stands there, so that it is walked, and not the history
CROSS JOIN history h ON h.reservation = i.reservation AND h.seq = i.seq AND h.action = 'item_refunded'
JOIN reservations r ON r.number = i.reservation
LEFT JOIN events e ON e.number = i.event
LEFT JOIN calendars c ON c.number = i.calendar
LEFT JOIN seats s ON i.kind = 'seat' AND s.event = i.event AND s.position = i.position
LEFT JOIN pools p ON i.kind = 'pool' AND p.event = i.event AND p.position = i.position
LEFT JOIN services v ON v.calendar = i.calendar AND v.position = i.position;

-- A row for each reservation and each event and tier, pool, or calendar and service that it has items of.
CREATE VIEW checkouts AS
SELECT number, reservation, status, currency, event, calendar, tier, pool, service, sum(units) AS units,
       sum(amount) AS amount, max(refunded) AS refunded, held_ms, expires_ms, paying_ms, sold_ms, ended_ms
FROM report_items
GROUP BY number, event, calendar, tier, pool, service;

-- ---- The reports, whole: GET /v1/reports/… gives the same rows of the times that are asked for ----

CREATE VIEW sales_by_day AS
SELECT date(sold_ms / 1000, 'unixepoch') AS day, event, calendar, tier, pool, service, currency,
       sum(CASE refunded WHEN 0 THEN units ELSE 0 END) AS units,
       sum(CASE refunded WHEN 0 THEN amount ELSE 0 END) AS amount,
       sum(CASE refunded WHEN 1 THEN units ELSE 0 END) AS refunded_units,
       sum(CASE refunded WHEN 1 THEN amount ELSE 0 END) AS refunded_amount
FROM report_items WHERE sold_ms IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7;

CREATE VIEW abandoned_by_day AS
SELECT date(ended_ms / 1000, 'unixepoch') AS day, event, calendar, tier, pool, service, status AS how,
       CASE WHEN paying_ms IS NULL THEN 'held' ELSE 'paying' END AS reached, currency, count(*) AS checkouts,
       sum(units) AS units, sum(amount) AS amount, sum(ended_ms - held_ms) / count(*) / 1000 AS seconds_held,
       max(ended_ms - held_ms) / 1000 AS seconds_held_max
FROM checkouts WHERE status = 'expired' OR status = 'released'
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

CREATE VIEW funnel_by_day AS
SELECT date(held_ms / 1000, 'unixepoch') AS day, event, calendar, tier, pool, service, count(*) AS held,
       sum(paying_ms IS NOT NULL OR sold_ms IS NOT NULL) AS paying, sum(sold_ms IS NOT NULL) AS confirmed,
       sum(CASE WHEN sold_ms IS NOT NULL THEN sold_ms >= expires_ms -- paid after the deadline, and accepted or owed
                WHEN status <> 'expired' THEN 0
                ELSE EXISTS (SELECT 1 FROM refunds f WHERE f.reservation = checkouts.reservation
                             AND f.reason = 'expired' AND f.withdrawn = 0) END) AS late,
       sum(refunded) AS refunded
FROM checkouts
GROUP BY 1, 2, 3, 4, 5, 6;
