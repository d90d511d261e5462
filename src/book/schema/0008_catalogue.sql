-- migration 8
-- SPDX-License-Identifier: Apache-2.0
-- What an event says of itself. NULL: nothing.

ALTER TABLE events ADD COLUMN description TEXT;
ALTER TABLE events ADD COLUMN venue TEXT;
ALTER TABLE events ADD COLUMN image TEXT;
