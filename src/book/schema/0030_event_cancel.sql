-- migration 30
-- SPDX-License-Identifier: Apache-2.0
-- Events that do not take place, and how far what was sold of them has been taken back.

ALTER TABLE events ADD COLUMN cancelled_at INTEGER; -- NULL: it takes place
ALTER TABLE events ADD COLUMN cancel_reason TEXT; -- in staff's own words
ALTER TABLE events ADD COLUMN cancel_refunded INTEGER NOT NULL DEFAULT 0; -- sales, so far
ALTER TABLE events ADD COLUMN cancel_done INTEGER NOT NULL DEFAULT 0; -- nothing of it is claimed any more
