-- migration 11
-- SPDX-License-Identifier: Apache-2.0
-- What is confirmed may change hands.

ALTER TABLE events ADD COLUMN transfer TEXT NOT NULL DEFAULT 'on' CHECK (transfer = 'on' OR transfer = 'off');
ALTER TABLE reservations ADD COLUMN manage_gen INTEGER NOT NULL DEFAULT 0; -- manage tokens of another one are void
ALTER TABLE reservations ADD COLUMN transferred INTEGER NOT NULL DEFAULT 0; -- the change that last did it; 0: none
