-- migration 3
-- SPDX-License-Identifier: Apache-2.0
-- Waiting rooms with their queues, and waiting lists. See src/book/README.md.
--
-- Who stands in line is named by the event's number and their own, which counts from 1 by arrival and has no gaps. The ids
-- of entries are not here: they follow from the number and the event's line_key.

ALTER TABLE events ADD COLUMN waiting_list INTEGER NOT NULL DEFAULT 0 CHECK (waiting_list = 0 OR waiting_list = 1);
ALTER TABLE events ADD COLUMN line_key BLOB CHECK (length(line_key) = 16); -- secret; NULL: it never had a line
ALTER TABLE reservations ADD COLUMN from_list INTEGER NOT NULL DEFAULT 0 CHECK (from_list = 0 OR from_list = 1);
ALTER TABLE history ADD COLUMN reason TEXT; -- 'list': offered to somebody on the waiting list
ALTER TABLE idempotency RENAME COLUMN reservation TO made; -- res_…, ent_… or lst_…

CREATE TABLE room_settings ( -- of the events that have a waiting room now
    event               INTEGER PRIMARY KEY REFERENCES events (number),
    open_at             INTEGER, -- NULL: open from the start
    rate_per_second     INTEGER NOT NULL,
    max_active          INTEGER NOT NULL, -- 0: any number
    pass_ttl_seconds    INTEGER NOT NULL,
    shuffle_before_open INTEGER NOT NULL CHECK (shuffle_before_open = 0 OR shuffle_before_open = 1),
    by_inventory        INTEGER NOT NULL CHECK (by_inventory = 0 OR by_inventory = 1),
    tiers               TEXT CHECK (tiers IS NULL OR json_valid(tiers)) -- an array of texts; NULL: everything
) STRICT;

CREATE TABLE rooms ( -- what a waiting room remembers; it stays when the event no longer has one
    event     INTEGER PRIMARY KEY REFERENCES events (number),
    seed      BLOB NOT NULL CHECK (length(seed) = 32), -- of the draw; secret until the opening
    paused    INTEGER NOT NULL CHECK (paused = 0 OR paused = 1),
    opened_at INTEGER, -- NULL: not yet
    drawn     INTEGER NOT NULL CHECK (drawn >= 0) -- the entries 1..drawn were put in order by lot
) STRICT;

-- `live` says again what the status says, so that the index below is not written when a live entry stays live: an admission
-- then costs a sixth.
CREATE TABLE queue (
    event     INTEGER NOT NULL REFERENCES rooms (event),
    number    INTEGER NOT NULL CHECK (number >= 1),
    user_id   TEXT NOT NULL,
    status    TEXT NOT NULL CHECK (status = 'waiting' OR status = 'admitted' OR status = 'passed_over'
                  OR status = 'finished' OR status = 'left'),
    live      INTEGER NOT NULL CHECK (live = (status = 'waiting' OR status = 'admitted' OR status = 'passed_over')),
    joined_at INTEGER NOT NULL,
    until     INTEGER, -- the end of the pass; passed over: when it counts as left, NULL: it has come back
    tiers     TEXT CHECK (tiers IS NULL OR json_valid(tiers)), -- of its own; NULL: the room's
    PRIMARY KEY (event, number)
) STRICT, WITHOUT ROWID;
-- The last backstop against two live entries of one user.
CREATE UNIQUE INDEX queue_live ON queue (event, user_id) WHERE live = 1;

CREATE TABLE waiting_list (
    event       INTEGER NOT NULL REFERENCES events (number),
    number      INTEGER NOT NULL CHECK (number >= 1),
    user_id     TEXT NOT NULL,
    quantity    INTEGER NOT NULL CHECK (quantity >= 1),
    adjacent    INTEGER NOT NULL CHECK (adjacent = 0 OR adjacent = 1),
    tier        TEXT, -- NULL: any
    section     TEXT,
    pool        TEXT, -- NULL: seats
    status      TEXT NOT NULL CHECK (status = 'waiting' OR status = 'offered' OR status = 'finished'
                    OR status = 'left'),
    live        INTEGER NOT NULL CHECK (live = (status = 'waiting' OR status = 'offered')),
    joined_at   INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL,
    reservation TEXT CHECK (length(reservation) = 30), -- the last that was offered
    PRIMARY KEY (event, number),
    CHECK (status <> 'offered' OR reservation IS NOT NULL)
) STRICT, WITHOUT ROWID;
-- The last backstop against two live entries of one user.
CREATE UNIQUE INDEX waiting_list_live ON waiting_list (event, user_id) WHERE live = 1;
CREATE INDEX waiting_list_by_status ON waiting_list (event, status);

-- ---- For people ----

CREATE VIEW queue_now AS -- how many stand how in each waiting room
SELECT e.id AS event, q.status, count(*) AS entries,
       strftime('%Y-%m-%dT%H:%M:%fZ', min(q.joined_at) / 1000.0, 'unixepoch') AS first_joined_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', max(q.joined_at) / 1000.0, 'unixepoch') AS last_joined_at
FROM queue q JOIN events e ON e.number = q.event
WHERE e.removed_at IS NULL
GROUP BY q.event, q.status;

CREATE VIEW waiting_list_now AS -- who waits for what, the first one first
SELECT e.id AS event, w.number,
       CASE w.status WHEN 'waiting' THEN sum(w.status = 'waiting') OVER (PARTITION BY w.event ORDER BY w.number) END
           AS position,
       w.user_id, w.quantity, w.pool, w.section, w.tier, w.adjacent, w.status,
       strftime('%Y-%m-%dT%H:%M:%fZ', w.joined_at / 1000.0, 'unixepoch') AS joined_at,
       CASE w.status WHEN 'offered' THEN w.reservation END AS reservation
FROM waiting_list w JOIN events e ON e.number = w.event
WHERE w.live = 1 AND e.removed_at IS NULL
ORDER BY w.event, w.number;
