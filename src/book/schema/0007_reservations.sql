-- migration 7
-- SPDX-License-Identifier: Apache-2.0
-- What only some items say about themselves; how long app and admin may hold.

ALTER TABLE items ADD COLUMN attributes TEXT; -- a JSON object of its own; here and below NULL is the default
ALTER TABLE items ADD COLUMN category TEXT; -- of prices; NULL: the first
ALTER TABLE items ADD COLUMN code TEXT; -- with which it was claimed
ALTER TABLE items ADD COLUMN allotment TEXT; -- from which it was claimed
ALTER TABLE items ADD COLUMN group_number INTEGER; -- of calendars, of which it was given one
ALTER TABLE items ADD COLUMN flags INTEGER; -- enum item_flag of core/image.h

ALTER TABLE events ADD COLUMN staff_hold_seconds INTEGER NOT NULL DEFAULT 0; -- over max_hold_seconds; 0: no longer
ALTER TABLE reservations ADD COLUMN user_max_at INTEGER; -- to which its user may extend it; NULL: max_expires_at
ALTER TABLE reservations ADD COLUMN staff_max_at INTEGER; -- to which app and admin may; NULL: the same
