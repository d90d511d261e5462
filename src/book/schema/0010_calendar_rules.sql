-- migration 10
-- SPDX-License-Identifier: Apache-2.0
-- Rules of calendars: who may claim what, when, and for how much. See src/book/README.md.

-- A calendar of before these columns says what its price was then: that of a claim, whatever its length.
ALTER TABLE calendars ADD COLUMN buffer_before_minutes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calendars ADD COLUMN min_minutes INTEGER NOT NULL DEFAULT 0; -- 0: one slot
ALTER TABLE calendars ADD COLUMN max_minutes INTEGER NOT NULL DEFAULT 0; -- 0: no longer than the least
ALTER TABLE calendars ADD COLUMN price_per TEXT NOT NULL DEFAULT 'claim'; -- or 'slot': of each that is begun
ALTER TABLE calendars ADD COLUMN notice_minutes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calendars ADD COLUMN horizon_days INTEGER NOT NULL DEFAULT 366;
ALTER TABLE calendars ADD COLUMN per_user_limit INTEGER NOT NULL DEFAULT 0; -- 0: none
ALTER TABLE calendars ADD COLUMN change_until_minutes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calendars ADD COLUMN size INTEGER NOT NULL DEFAULT 1; -- for how many people
ALTER TABLE calendars ADD COLUMN guests INTEGER NOT NULL DEFAULT 1 CHECK (guests = 0 OR guests = 1);
