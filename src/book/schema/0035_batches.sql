-- migration 35
-- SPDX-License-Identifier: Apache-2.0
-- For how long the rides of a fleet wait to be matched together; 0: each by itself, the oldest first.

ALTER TABLE fleets ADD COLUMN batch_ms INTEGER NOT NULL DEFAULT 0 CHECK (batch_ms BETWEEN 0 AND 10000);
