-- migration 13
-- SPDX-License-Identifier: Apache-2.0
-- Who may buy: guests or not, and with a code or without.

ALTER TABLE events ADD COLUMN no_guests INTEGER NOT NULL DEFAULT 0; -- 1: guest tokens are refused
ALTER TABLE events ADD COLUMN access TEXT NOT NULL DEFAULT 'open'; -- or code

-- Codes of events: units that may be held and sold with one at once (0: any number), as many as items say are used.
CREATE TABLE codes (
    event INTEGER NOT NULL REFERENCES events (number),
    position INTEGER NOT NULL, -- among the event's codes, by import
    code TEXT NOT NULL, -- as written; compared without regard to ASCII case
    units INTEGER NOT NULL CHECK (units >= 0),
    tiers TEXT, -- a JSON array; NULL: any
    allotment TEXT,
    removed INTEGER NOT NULL, -- 1: good for nothing new
    PRIMARY KEY (event, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX codes_by_code ON codes (event, code COLLATE NOCASE);

ALTER TABLE waiting_list ADD COLUMN code TEXT; -- with which it is to be claimed
