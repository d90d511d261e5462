-- migration 15
-- SPDX-License-Identifier: Apache-2.0
-- Calendars that were removed. They stay for the items that name them; the id may be another's by now, so it is unique
-- among the others only. SQLite drops no UNIQUE of a table, so the table is made anew. Its children refer to it by name:
-- a migration runs without foreign keys (book/file/schema.c), and the old way of renaming leaves what others say alone.

PRAGMA legacy_alter_table = ON;
CREATE TABLE calendars_after (
    number                INTEGER PRIMARY KEY,
    id                    TEXT NOT NULL,
    name                  TEXT NOT NULL,
    timezone              TEXT NOT NULL, -- an IANA name
    capacity              INTEGER NOT NULL CHECK (capacity >= 1), -- claims at any one instant
    price                 INTEGER NOT NULL, -- of a claim without a service
    currency              TEXT NOT NULL CHECK (length(currency) = 3),
    hold_ttl_seconds      INTEGER NOT NULL,
    max_hold_seconds      INTEGER NOT NULL,
    payment_ttl_seconds   INTEGER NOT NULL,
    payment               TEXT NOT NULL CHECK (payment = 'required' OR payment = 'none'),
    late_payment          TEXT NOT NULL CHECK (late_payment = 'accept_if_free' OR late_payment = 'refund'),
    slot_minutes          INTEGER NOT NULL,
    buffer_minutes        INTEGER NOT NULL,
    buffer_before_minutes INTEGER NOT NULL DEFAULT 0,
    min_minutes           INTEGER NOT NULL DEFAULT 0, -- 0: one slot
    max_minutes           INTEGER NOT NULL DEFAULT 0, -- 0: no longer than the least
    price_per             TEXT NOT NULL DEFAULT 'claim', -- or 'slot': of each that is begun
    notice_minutes        INTEGER NOT NULL DEFAULT 0,
    horizon_days          INTEGER NOT NULL DEFAULT 366,
    per_user_limit        INTEGER NOT NULL DEFAULT 0, -- 0: none
    change_until_minutes  INTEGER NOT NULL DEFAULT 0,
    size                  INTEGER NOT NULL DEFAULT 1, -- for how many people
    guests                INTEGER NOT NULL DEFAULT 1 CHECK (guests = 0 OR guests = 1),
    created_at            INTEGER NOT NULL,
    changed_at            INTEGER NOT NULL,
    removed_at            INTEGER
) STRICT;
INSERT INTO calendars_after (number, id, name, timezone, capacity, price, currency, hold_ttl_seconds,
    max_hold_seconds, payment_ttl_seconds, payment, late_payment, slot_minutes, buffer_minutes,
    buffer_before_minutes, min_minutes, max_minutes, price_per, notice_minutes, horizon_days, per_user_limit,
    change_until_minutes, size, guests, created_at, changed_at)
SELECT number, id, name, timezone, capacity, price, currency, hold_ttl_seconds,
    max_hold_seconds, payment_ttl_seconds, payment, late_payment, slot_minutes, buffer_minutes,
    buffer_before_minutes, min_minutes, max_minutes, price_per, notice_minutes, horizon_days, per_user_limit,
    change_until_minutes, size, guests, created_at, changed_at FROM calendars ORDER BY number;
DROP TABLE calendars;
ALTER TABLE calendars_after RENAME TO calendars;
PRAGMA legacy_alter_table = OFF;

CREATE UNIQUE INDEX calendars_by_id ON calendars (id) WHERE removed_at IS NULL;
CREATE INDEX calendars_by_name ON calendars (id); -- removed ones too: lists of reservations ask for all of a name
-- What a removed calendar may be pruned by: nothing names it.
CREATE INDEX history_items_by_calendar ON history_items (calendar) WHERE calendar IS NOT NULL;

-- The trigger went with the table.
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
