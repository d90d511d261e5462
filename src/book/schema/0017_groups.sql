-- migration 17
-- SPDX-License-Identifier: Apache-2.0
-- Groups of calendars of which any one will do.

CREATE TABLE groups (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    pick TEXT NOT NULL, -- least_busy or in_order
    created_at INTEGER NOT NULL,
    removed INTEGER NOT NULL -- 1: it is there for the items that speak of it (items.group_number)
) STRICT;

CREATE TABLE group_members (
    group_number INTEGER NOT NULL REFERENCES groups (number),
    position INTEGER NOT NULL, -- the group's order
    calendar INTEGER NOT NULL REFERENCES calendars (number),
    PRIMARY KEY (group_number, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX group_members_by_calendar ON group_members (calendar, group_number);
