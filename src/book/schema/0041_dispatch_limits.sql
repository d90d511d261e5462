-- migration 41
-- SPDX-License-Identifier: Apache-2.0
-- How many live rides a rider's own token may have in a fleet; 0: no limit. A driver has at most one live offer and one
-- ride over all fleets.

ALTER TABLE fleets ADD COLUMN rides_per_rider INTEGER NOT NULL DEFAULT 0 CHECK (rides_per_rider BETWEEN 0 AND 1000);

DROP INDEX rides_assigned;
CREATE UNIQUE INDEX rides_assigned ON rides (driver_id) WHERE status = 'assigned';
DROP INDEX offers_live_driver;
CREATE UNIQUE INDEX offers_live_driver ON offers (driver_id) WHERE ended_at IS NULL;
