-- migration 1
-- SPDX-License-Identifier: Apache-2.0
-- The book: the latest image of every record, for people and for recovery. See src/book/README.md.
--
-- Times are milliseconds since the epoch. Events, seats and pools are named inside by number and position, as
-- in core/image.h. A CHECK lists its words with OR: SQLite builds a table in memory for every IN of more than
-- two.

CREATE TABLE meta (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    last_seq INTEGER NOT NULL CHECK (last_seq >= 0), -- every change up to this one is in the book
    last_at  INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES (1, 0, 0);

CREATE TABLE events (
    number              INTEGER PRIMARY KEY,
    id                  TEXT NOT NULL,
    name                TEXT NOT NULL,
    starts_at           INTEGER,
    on_sale_at          INTEGER,
    off_sale_at         INTEGER,
    currency            TEXT NOT NULL CHECK (length(currency) = 3),
    hold_ttl_seconds    INTEGER NOT NULL,
    max_hold_seconds    INTEGER NOT NULL,
    payment_ttl_seconds INTEGER NOT NULL,
    payment             TEXT NOT NULL CHECK (payment = 'required' OR payment = 'none'),
    late_payment        TEXT NOT NULL CHECK (late_payment = 'accept_if_free' OR late_payment = 'refund'),
    per_user_limit      INTEGER NOT NULL,
    created_at          INTEGER NOT NULL,
    removed_at          INTEGER,
    seats               INTEGER NOT NULL DEFAULT 0 -- how many it has; the next new one gets this position
) STRICT;
CREATE UNIQUE INDEX events_by_id ON events (id) WHERE removed_at IS NULL;

CREATE TABLE seats (
    event      INTEGER NOT NULL REFERENCES events (number),
    position   INTEGER NOT NULL,
    id         TEXT NOT NULL,
    section    TEXT,
    row        TEXT,
    number     TEXT,
    x          INTEGER, -- thousandths
    y          INTEGER,
    tier       TEXT,
    price      INTEGER NOT NULL,
    accessible INTEGER NOT NULL CHECK (accessible = 0 OR accessible = 1),
    blocked    INTEGER NOT NULL CHECK (blocked = 0 OR blocked = 1),
    version    INTEGER NOT NULL, -- the change that last ended a claim on it; of a live claim see items.fence
    PRIMARY KEY (event, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX seats_by_id ON seats (event, id);

CREATE TABLE seats_staged ( -- parts of imports that are not published yet
    seq    INTEGER PRIMARY KEY,
    event  INTEGER NOT NULL REFERENCES events (number),
    import INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    count  INTEGER NOT NULL,
    rows   BLOB NOT NULL -- seat_row_put of core/change.h
) STRICT;

CREATE TABLE pools (
    event    INTEGER NOT NULL REFERENCES events (number),
    position INTEGER NOT NULL,
    id       TEXT NOT NULL,
    name     TEXT,
    capacity INTEGER NOT NULL,
    price    INTEGER NOT NULL,
    held     INTEGER NOT NULL CHECK (held >= 0), -- units of held reservations
    sold     INTEGER NOT NULL CHECK (sold >= 0), -- units of confirmed ones
    PRIMARY KEY (event, position),
    CHECK (held + sold <= capacity)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX pools_by_id ON pools (event, id);

CREATE TABLE reservations (
    number              INTEGER PRIMARY KEY, -- the change that made it; the PNR follows from it
    id                  TEXT NOT NULL UNIQUE CHECK (length(id) = 30), -- res_…; they sort by time
    status              TEXT NOT NULL CHECK (status = 'held' OR status = 'confirmed' OR status = 'released'
                            OR status = 'expired' OR status = 'cancelled' OR status = 'refunded'),
    user_id             TEXT NOT NULL,
    fence               INTEGER NOT NULL,
    version             INTEGER NOT NULL,
    created_at          INTEGER NOT NULL,
    expires_at          INTEGER NOT NULL,
    max_expires_at      INTEGER NOT NULL,
    payment_started_at  INTEGER,
    confirmed_at        INTEGER,
    ended_at            INTEGER,
    hold_ttl_seconds    INTEGER NOT NULL,
    payment_ttl_seconds INTEGER NOT NULL,
    payment_required    INTEGER NOT NULL CHECK (payment_required = 0 OR payment_required = 1),
    currency            TEXT NOT NULL,
    next_item_id        INTEGER NOT NULL,
    attributes          TEXT, -- a JSON object
    payment_method      TEXT,
    payment_ref         TEXT,
    ticket_key          BLOB CHECK (length(ticket_key) = 16) -- the codes of its tickets are made from it
) STRICT;
-- In chapters of 262,144 numbers, so that new holds of random users touch the few pages of the last chapter
-- and not the whole index. To find a user's reservations, ask chapter by chapter: number >> 18 = … AND
-- user_id = ….
CREATE INDEX reservations_by_user ON reservations (number >> 18, user_id);
CREATE INDEX reservations_by_status ON reservations (status);

CREATE TABLE items ( -- what a reservation asked for; they stay when it ends
    reservation INTEGER NOT NULL REFERENCES reservations (number),
    item_id     INTEGER NOT NULL,
    kind        TEXT NOT NULL CHECK (kind = 'seat' OR kind = 'pool'),
    event       INTEGER NOT NULL REFERENCES events (number),
    position    INTEGER NOT NULL,
    quantity    INTEGER NOT NULL CHECK (quantity >= 1 AND (kind = 'pool' OR quantity = 1)),
    price       INTEGER NOT NULL, -- of the whole item
    fence       INTEGER NOT NULL,
    PRIMARY KEY (reservation, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX items_by_event ON items (event);

CREATE TABLE claims ( -- what is taken now; the primary key is the last backstop against selling twice
    event       INTEGER NOT NULL,
    seat        INTEGER NOT NULL, -- its position
    reservation INTEGER NOT NULL,
    PRIMARY KEY (event, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE history (
    reservation INTEGER NOT NULL REFERENCES reservations (number),
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL CHECK (actor = 'user' OR actor = 'app' OR actor = 'admin' OR actor = 'door'
                    OR actor = 'server'),
    actor_name  TEXT,
    action      TEXT NOT NULL CHECK (action = 'held' OR action = 'item_added' OR action = 'item_dropped'
                    OR action = 'item_moved' OR action = 'attributes_changed' OR action = 'extended'
                    OR action = 'payment_started' OR action = 'confirmed' OR action = 'released'
                    OR action = 'expired'),
    status      TEXT NOT NULL CHECK (status = 'held' OR status = 'confirmed' OR status = 'released'
                    OR status = 'expired' OR status = 'cancelled' OR status = 'refunded'),
    expires_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (reservation, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE tickets ( -- one for each seat and each unit of a pool that was sold
    code        TEXT PRIMARY KEY,
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    unit        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    seq         INTEGER PRIMARY KEY,
    key         BLOB NOT NULL UNIQUE CHECK (length(key) = 16),
    body        BLOB NOT NULL CHECK (length(body) = 16),
    reservation TEXT NOT NULL,
    http_status INTEGER NOT NULL,
    at          INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
    name       TEXT PRIMARY KEY,
    role       TEXT NOT NULL CHECK (role = 'app' OR role = 'door'),
    hash       BLOB NOT NULL CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- ---- For people ----

CREATE VIEW item_names AS
SELECT i.reservation, i.item_id, e.id AS event, s.id AS seat, p.id AS pool, i.quantity, i.price
FROM items i
JOIN events e ON e.number = i.event
LEFT JOIN seats s ON i.kind = 'seat' AND s.event = i.event AND s.position = i.position
LEFT JOIN pools p ON i.kind = 'pool' AND p.event = i.event AND p.position = i.position;

CREATE VIEW pnrs AS -- see pnr_write of core/image.c
WITH spread AS (SELECT number, number % 887503681 * 514229057 % 887503681 AS v FROM reservations)
SELECT number,
       substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 28629151, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 923521 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 29791 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 961 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v / 31 % 31, 1)
    || substr('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 1 + v % 31, 1) AS pnr
FROM spread;

CREATE VIEW live_holds AS
SELECT r.id AS reservation, n.pnr, r.user_id, i.event, i.seat, i.pool, i.quantity, i.price, r.currency,
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
       i.quantity, i.price, r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.confirmed_at / 1000.0, 'unixepoch') AS sold_at,
       r.payment_method, r.payment_ref
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
WHERE r.status = 'confirmed';

CREATE VIEW abandoned AS
SELECT r.id AS reservation, n.pnr, r.user_id, r.status AS how, i.event, i.seat, i.pool, i.quantity, i.price,
       r.currency,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS held_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.ended_at / 1000.0, 'unixepoch') AS ended_at,
       (r.ended_at - r.created_at) / 1000 AS seconds_held,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.payment_started_at / 1000.0, 'unixepoch') AS payment_started_at
FROM reservations r
JOIN pnrs n ON n.number = r.number
JOIN item_names i ON i.reservation = r.number
WHERE r.status = 'expired' OR r.status = 'released';
