-- migration 12
-- SPDX-License-Identifier: Apache-2.0
-- Prices by category. JSON, as the API shows it; NULL: there are none. And whether single seats may be left.

ALTER TABLE events ADD COLUMN categories TEXT; -- ["adult","child"]; the first is the default
ALTER TABLE events ADD COLUMN prices TEXT; -- by tier: {"gold":{"adult":12000,"child":6000}}
ALTER TABLE events ADD COLUMN refuse_singles INTEGER NOT NULL DEFAULT 0 CHECK (refuse_singles IN (0, 1));
ALTER TABLE pools ADD COLUMN prices TEXT; -- {"adult":1000,"child":500}
