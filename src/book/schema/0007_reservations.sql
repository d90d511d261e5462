-- migration 7
-- SPDX-License-Identifier: Apache-2.0
-- What only some items say about themselves; how long app and admin may hold; history without closed lists of words,
-- and with what each change did.

ALTER TABLE items ADD COLUMN attributes TEXT; -- a JSON object of its own; here and below NULL is the default
ALTER TABLE items ADD COLUMN category TEXT; -- of prices; NULL: the first
ALTER TABLE items ADD COLUMN code TEXT; -- with which it was claimed
ALTER TABLE items ADD COLUMN allotment TEXT; -- from which it was claimed
ALTER TABLE items ADD COLUMN group_number INTEGER; -- of calendars, of which it was given one
ALTER TABLE items ADD COLUMN flags INTEGER; -- enum item_flag of core/image.h

ALTER TABLE events ADD COLUMN staff_hold_seconds INTEGER NOT NULL DEFAULT 0; -- over max_hold_seconds; 0: no longer
ALTER TABLE reservations ADD COLUMN user_max_at INTEGER; -- to which its user may extend it; NULL: max_expires_at
ALTER TABLE reservations ADD COLUMN staff_max_at INTEGER; -- to which app and admin may; NULL: the same

-- No CHECK lists the words any more: those of core are the ones that are written, and a new one needs no new table.
DROP VIEW reservation_history;
CREATE TABLE history_after (
    reservation   INTEGER NOT NULL REFERENCES reservations (number),
    seq           INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    actor         TEXT NOT NULL,
    actor_name    TEXT,
    action        TEXT NOT NULL,
    status        TEXT NOT NULL,
    expires_at    INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    reason        TEXT, -- 'list': offered to somebody on the waiting list
    known         INTEGER, -- 1: history_items has what it changed; NULL: an earlier program wrote it
    PRIMARY KEY (reservation, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO history_after (reservation, seq, at, actor, actor_name, action, status, expires_at, version, reason)
SELECT reservation, seq, at, actor, actor_name, action, status, expires_at, version, reason FROM history
ORDER BY reservation, seq;
DROP TABLE history;
ALTER TABLE history_after RENAME TO history;

-- What the items that a change changed or ended were before it. What they are after it is in the next row of the item, or
-- in items; what came by it has its seq as fence, and no row here.
CREATE TABLE history_items (
    reservation  INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    item_id      INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    event        INTEGER,
    calendar     INTEGER,
    position     INTEGER,
    quantity     INTEGER NOT NULL,
    price        INTEGER NOT NULL,
    fence        INTEGER NOT NULL,
    starts_at    INTEGER,
    ends_at      INTEGER,
    until        INTEGER,
    attributes   TEXT,
    category     TEXT,
    code         TEXT,
    allotment    TEXT,
    group_number INTEGER,
    flags        INTEGER,
    PRIMARY KEY (reservation, seq, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX history_items_by_item ON history_items (reservation, item_id, seq);

-- ---- For people ----

CREATE VIEW reservation_history AS -- every change of every reservation, the oldest first
SELECT r.id AS reservation, n.pnr, strftime('%Y-%m-%dT%H:%M:%fZ', h.at / 1000.0, 'unixepoch') AS at, h.actor,
       h.actor_name, h.action, h.reason, h.status,
       strftime('%Y-%m-%dT%H:%M:%fZ', h.expires_at / 1000.0, 'unixepoch') AS expires_at, h.version
FROM history h
JOIN reservations r ON r.number = h.reservation
JOIN pnrs n ON n.number = r.number
ORDER BY h.reservation, h.seq;
