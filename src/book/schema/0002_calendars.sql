-- migration 2
-- SPDX-License-Identifier: Apache-2.0
-- Calendars: time that can be claimed, and items that are intervals of it. See src/book/README.md.

DROP VIEW abandoned;
DROP VIEW sales;
DROP VIEW live_holds;
DROP VIEW item_names;

CREATE TABLE calendars (
    number              INTEGER PRIMARY KEY,
    id                  TEXT NOT NULL UNIQUE,
    name                TEXT NOT NULL,
    timezone            TEXT NOT NULL, -- an IANA name
    capacity            INTEGER NOT NULL CHECK (capacity >= 1), -- claims at any one instant
    price               INTEGER NOT NULL, -- of a claim without a service
    currency            TEXT NOT NULL CHECK (length(currency) = 3),
    hold_ttl_seconds    INTEGER NOT NULL,
    max_hold_seconds    INTEGER NOT NULL,
    payment_ttl_seconds INTEGER NOT NULL,
    payment             TEXT NOT NULL CHECK (payment = 'required' OR payment = 'none'),
    late_payment        TEXT NOT NULL CHECK (late_payment = 'accept_if_free' OR late_payment = 'refund'),
    slot_minutes        INTEGER NOT NULL,
    buffer_minutes      INTEGER NOT NULL,
    created_at          INTEGER NOT NULL,
    changed_at          INTEGER NOT NULL
) STRICT;

CREATE TABLE calendar_hours ( -- when it is open, on its own clocks; none: always
    calendar INTEGER NOT NULL REFERENCES calendars (number),
    position INTEGER NOT NULL,
    days     TEXT NOT NULL CHECK (days <> ''), -- mon tue wed thu fri sat sun
    opens    TEXT NOT NULL CHECK (opens GLOB '[0-2][0-9]:[0-5][0-9]'),
    closes   TEXT NOT NULL CHECK (closes GLOB '[0-2][0-9]:[0-5][0-9]'), -- not after opens: past midnight
    PRIMARY KEY (calendar, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE calendar_closed ( -- holidays and the like
    calendar  INTEGER NOT NULL REFERENCES calendars (number),
    position  INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at   INTEGER NOT NULL CHECK (starts_at < ends_at),
    PRIMARY KEY (calendar, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE services (
    calendar         INTEGER NOT NULL REFERENCES calendars (number),
    position         INTEGER NOT NULL,
    id               TEXT NOT NULL,
    duration_minutes INTEGER NOT NULL CHECK (duration_minutes >= 1),
    price            INTEGER NOT NULL,
    removed          INTEGER NOT NULL CHECK (removed = 0 OR removed = 1), -- stays for the items that name it
    PRIMARY KEY (calendar, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX services_by_id ON services (calendar, id);

ALTER TABLE items RENAME TO items_before;
CREATE TABLE items ( -- what a reservation asked for; they stay when it ends
    reservation INTEGER NOT NULL REFERENCES reservations (number),
    item_id     INTEGER NOT NULL,
    kind        TEXT NOT NULL CHECK (kind = 'seat' OR kind = 'pool' OR kind = 'slot'),
    event       INTEGER REFERENCES events (number), -- of a seat or pool
    calendar    INTEGER REFERENCES calendars (number), -- of a slot
    position    INTEGER, -- of the seat, pool or service; NULL: a slot without a service
    quantity    INTEGER NOT NULL CHECK (quantity >= 1 AND (kind = 'pool' OR quantity = 1)),
    price       INTEGER NOT NULL, -- of the whole item
    fence       INTEGER NOT NULL,
    starts_at   INTEGER, -- a slot is [starts_at, ends_at)
    ends_at     INTEGER,
    until       INTEGER, -- with the buffer as it was when claimed: [starts_at, until) is not free
    PRIMARY KEY (reservation, item_id),
    CHECK (CASE kind WHEN 'slot'
           THEN event IS NULL AND calendar IS NOT NULL AND (starts_at < ends_at AND ends_at <= until) IS TRUE
           ELSE event IS NOT NULL AND calendar IS NULL AND position IS NOT NULL AND starts_at IS NULL
                AND ends_at IS NULL AND until IS NULL END)
) STRICT, WITHOUT ROWID;
INSERT INTO items (reservation, item_id, kind, event, position, quantity, price, fence)
SELECT reservation, item_id, kind, event, position, quantity, price, fence FROM items_before
ORDER BY reservation, item_id;
DROP TABLE items_before;
CREATE INDEX items_by_event ON items (event) WHERE event IS NOT NULL;
CREATE INDEX items_by_calendar ON items (calendar) WHERE calendar IS NOT NULL;

-- What is taken now of calendars. The triggers are the last backstop against more claims than the capacity, as
-- the primary key of `claims` is for seats.
CREATE TABLE calendar_claims (
    calendar    INTEGER NOT NULL,
    starts_at   INTEGER NOT NULL,
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    until       INTEGER NOT NULL CHECK (starts_at < until),
    claimed_at  INTEGER NOT NULL, -- it had to fit from this instant on: what was before no longer counts
    counted     INTEGER NOT NULL CHECK (counted = 0 OR counted = 1), -- in calendar_counts
    PRIMARY KEY (calendar, starts_at, reservation, item_id)
) STRICT, WITHOUT ROWID;

-- How many counted claims overlap, from each instant until the next row's. A row stands only where the count
-- changes, so claims that follow each other leave none between them. A claim adds one to the rows inside it; one that
-- has a great many inside, on account of others while it lasts, is judged by what is there but is not counted itself.
-- In the triggers no IN, and no INSERT from a SELECT: SQLite would build a table in memory for every claim.
CREATE TABLE calendar_counts (
    calendar INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    claims   INTEGER NOT NULL CHECK (claims >= 0),
    PRIMARY KEY (calendar, at)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER calendar_claims_fit BEFORE INSERT ON calendar_claims
WHEN NEW.until > NEW.claimed_at
BEGIN
    SELECT RAISE(ABORT, 'more claims than the capacity of the calendar')
    WHERE (SELECT capacity FROM calendars WHERE number = NEW.calendar) <= max(
        ifnull((SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar
                AND at <= max(NEW.starts_at, NEW.claimed_at) ORDER BY at DESC LIMIT 1), 0),
        ifnull((SELECT max(claims) FROM (SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar
                AND at > max(NEW.starts_at, NEW.claimed_at) AND at < NEW.until ORDER BY at LIMIT 1000)), 0));
END;

CREATE TRIGGER calendar_claims_begin AFTER INSERT ON calendar_claims
WHEN NEW.counted
BEGIN
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (NEW.calendar, NEW.starts_at, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.starts_at
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (NEW.calendar, NEW.until, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.until
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    UPDATE calendar_counts SET claims = claims + 1
        WHERE calendar = NEW.calendar AND at >= NEW.starts_at AND at < NEW.until;
    DELETE FROM calendar_counts WHERE calendar = NEW.calendar AND at = NEW.starts_at AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.starts_at
        ORDER BY at DESC LIMIT 1), 0);
    DELETE FROM calendar_counts WHERE calendar = NEW.calendar AND at = NEW.until AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = NEW.calendar AND at < NEW.until
        ORDER BY at DESC LIMIT 1), 0);
END;

CREATE TRIGGER calendar_claims_end AFTER DELETE ON calendar_claims
WHEN OLD.counted
BEGIN
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (OLD.calendar, OLD.starts_at, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.starts_at
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    INSERT INTO calendar_counts (calendar, at, claims) VALUES (OLD.calendar, OLD.until, ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.until
        ORDER BY at DESC LIMIT 1), 0)) ON CONFLICT (calendar, at) DO NOTHING;
    UPDATE calendar_counts SET claims = claims - 1
        WHERE calendar = OLD.calendar AND at >= OLD.starts_at AND at < OLD.until;
    DELETE FROM calendar_counts WHERE calendar = OLD.calendar AND at = OLD.starts_at AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.starts_at
        ORDER BY at DESC LIMIT 1), 0);
    DELETE FROM calendar_counts WHERE calendar = OLD.calendar AND at = OLD.until AND claims = ifnull((
        SELECT claims FROM calendar_counts WHERE calendar = OLD.calendar AND at < OLD.until
        ORDER BY at DESC LIMIT 1), 0);
END;

CREATE TRIGGER calendars_capacity BEFORE UPDATE OF capacity ON calendars
WHEN NEW.capacity < OLD.capacity
BEGIN
    SELECT RAISE(ABORT, 'a capacity below what is claimed')
    WHERE NEW.capacity < max(
        ifnull((SELECT claims FROM calendar_counts WHERE calendar = NEW.number
                AND at <= NEW.changed_at ORDER BY at DESC LIMIT 1), 0),
        ifnull((SELECT max(claims) FROM calendar_counts WHERE calendar = NEW.number
                AND at > NEW.changed_at), 0));
END;

-- ---- For people ----

CREATE VIEW item_names AS
SELECT i.reservation, i.item_id, e.id AS event, s.id AS seat, p.id AS pool, c.id AS calendar, v.id AS service,
       strftime('%Y-%m-%dT%H:%M:%fZ', i.starts_at / 1000.0, 'unixepoch') AS starts_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', i.ends_at / 1000.0, 'unixepoch') AS ends_at, i.quantity, i.price
FROM items i
LEFT JOIN events e ON e.number = i.event
LEFT JOIN seats s ON i.kind = 'seat' AND s.event = i.event AND s.position = i.position
LEFT JOIN pools p ON i.kind = 'pool' AND p.event = i.event AND p.position = i.position
LEFT JOIN calendars c ON c.number = i.calendar
LEFT JOIN services v ON v.calendar = i.calendar AND v.position = i.position;

CREATE VIEW live_holds AS
SELECT r.id AS reservation, n.pnr, r.user_id, i.event, i.seat, i.pool, i.calendar, i.service, i.starts_at, i.ends_at,
       i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.expires_at / 1000.0, 'unixepoch') AS expires_at,
       r.expires_at / 1000 - CAST(strftime('%s', 'now') AS INTEGER) AS seconds_left,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.payment_started_at / 1000.0, 'unixepoch') AS payment_started_at
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
WHERE r.status = 'held';

CREATE VIEW sales AS
SELECT 'ord_' || substr(r.id, 5) AS order_id, r.id AS reservation, n.pnr, r.user_id, i.event, i.seat, i.pool,
       i.calendar, i.service, i.starts_at, i.ends_at, i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.confirmed_at / 1000.0, 'unixepoch') AS sold_at,
       r.payment_method, r.payment_ref
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
WHERE r.status = 'confirmed';

CREATE VIEW abandoned AS
SELECT r.id AS reservation, n.pnr, r.user_id, r.status AS how, i.event, i.seat, i.pool, i.calendar, i.service,
       i.starts_at, i.ends_at, i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.ended_at / 1000.0, 'unixepoch') AS ended_at,
       (r.ended_at - r.created_at) / 1000 AS seconds_held,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.payment_started_at / 1000.0, 'unixepoch') AS payment_started_at
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
WHERE r.status = 'expired' OR r.status = 'released';

CREATE VIEW occupancy AS -- how much of each calendar is taken, and from when to when
WITH steps AS (
    SELECT calendar, starts_at AS at, 1 AS step FROM calendar_claims
    UNION ALL SELECT calendar, until, -1 FROM calendar_claims
), counts AS (
    SELECT calendar, at, sum(sum(step)) OVER (PARTITION BY calendar ORDER BY at) AS claims,
           lead(at) OVER (PARTITION BY calendar ORDER BY at) AS until
    FROM steps GROUP BY calendar, at
)
SELECT c.id AS calendar, strftime('%Y-%m-%dT%H:%M:%fZ', n.at / 1000.0, 'unixepoch') AS starts_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', n.until / 1000.0, 'unixepoch') AS until, n.claims, c.capacity
FROM counts n JOIN calendars c ON c.number = n.calendar WHERE n.claims > 0;
