-- migration 13
-- SPDX-License-Identifier: Apache-2.0
-- Who may buy: guests or not, and with a code or without.

ALTER TABLE events ADD COLUMN no_guests INTEGER NOT NULL DEFAULT 0; -- 1: guest tokens are refused
ALTER TABLE events ADD COLUMN access TEXT NOT NULL DEFAULT 'open'; -- or code
