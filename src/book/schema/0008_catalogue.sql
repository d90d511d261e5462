-- migration 8
-- SPDX-License-Identifier: Apache-2.0
-- What an event says of itself (NULL: nothing), and seats that were removed.

ALTER TABLE events ADD COLUMN description TEXT;
ALTER TABLE events ADD COLUMN venue TEXT;
ALTER TABLE events ADD COLUMN image TEXT;

-- A removed seat stays, for those who once had it; its id may be that of another seat by now.
ALTER TABLE seats ADD COLUMN removed INTEGER NOT NULL DEFAULT 0 CHECK (removed = 0 OR removed = 1);
DROP INDEX seats_by_id;
CREATE UNIQUE INDEX seats_by_id ON seats (event, id) WHERE removed = 0;
