-- migration 23
-- SPDX-License-Identifier: Apache-2.0
-- Tickets at the door. A ticket's code is a credential: it is in `tickets` and in `ticket_marks`, and nowhere else.

CREATE TABLE check_ins ( -- what was done at the door, scan by scan
    seq         INTEGER PRIMARY KEY, -- of the change
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    unit        INTEGER NOT NULL,
    event       INTEGER, -- NULL: of a calendar
    result      TEXT NOT NULL CHECK (result IN ('ok', 'undone', 'duplicate', 'void')),
    at          INTEGER NOT NULL, -- when it was scanned
    recorded_at INTEGER NOT NULL, -- later than that: it was uploaded
    gate        TEXT,
    actor       TEXT NOT NULL, -- door, app, admin
    actor_name  TEXT -- of the key
) STRICT;
CREATE INDEX check_ins_by_event ON check_ins (event, at);
CREATE INDEX check_ins_by_reservation ON check_ins (reservation);

-- Tickets that were used, are void or have moved: what a door must know to work off line. Others have no row.
CREATE TABLE ticket_marks (
    code        TEXT PRIMARY KEY,
    reservation INTEGER NOT NULL,
    item_id     INTEGER NOT NULL,
    unit        INTEGER NOT NULL,
    kind        TEXT NOT NULL, -- as in items
    resource    INTEGER NOT NULL, -- the number of the event or calendar
    part        INTEGER NOT NULL,
    event       INTEGER, -- the resource, if it is one
    reissue     INTEGER NOT NULL, -- signed forms with a smaller number are void
    is_void     INTEGER NOT NULL, -- 1: all of them are
    moved       INTEGER NOT NULL, -- 1: since it was sold
    used        TEXT CHECK (used IN ('ok', 'undone')), -- the last that was done with it
    at          INTEGER, -- when that was
    gate        TEXT,
    nonce       BLOB CHECK (length(nonce) = 16), -- a hash
    changed_at  INTEGER NOT NULL, -- of this row
    changed_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ticket_marks_by_event ON ticket_marks (event, changed_at, changed_seq, code);
CREATE INDEX ticket_marks_by_reservation ON ticket_marks (reservation);
