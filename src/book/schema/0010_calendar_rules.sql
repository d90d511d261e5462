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

-- What a slot keeps free, as it was when claimed; how much of it there is follows from the other items of its
-- reservation. [starts_at - lead_ms, until) is not free, and that is where its row of calendar_claims begins.
ALTER TABLE items ADD COLUMN lead_ms INTEGER;
ALTER TABLE items ADD COLUMN before_minutes INTEGER;
ALTER TABLE items ADD COLUMN after_minutes INTEGER;
UPDATE items SET lead_ms = 0, before_minutes = 0, after_minutes = (until - ends_at) / 60000 WHERE kind = 'slot';
ALTER TABLE history_items ADD COLUMN lead_ms INTEGER;
ALTER TABLE history_items ADD COLUMN before_minutes INTEGER;
ALTER TABLE history_items ADD COLUMN after_minutes INTEGER;
