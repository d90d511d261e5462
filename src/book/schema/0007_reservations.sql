-- migration 7
-- SPDX-License-Identifier: Apache-2.0
-- What only some items say about themselves; NULL is the default.

ALTER TABLE items ADD COLUMN attributes TEXT; -- a JSON object of its own
ALTER TABLE items ADD COLUMN category TEXT; -- of prices; NULL: the first
ALTER TABLE items ADD COLUMN code TEXT; -- with which it was claimed
ALTER TABLE items ADD COLUMN allotment TEXT; -- from which it was claimed
ALTER TABLE items ADD COLUMN group_number INTEGER; -- of calendars, of which it was given one
ALTER TABLE items ADD COLUMN flags INTEGER; -- enum item_flag of core/image.h
