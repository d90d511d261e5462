-- migration 32
-- SPDX-License-Identifier: Apache-2.0
-- What was paid and is not kept: what went back with items, and what was paid over the total.

ALTER TABLE reservations ADD COLUMN returned INTEGER NOT NULL DEFAULT 0; -- minor units

-- That money has to go back, went back or is no longer owed is in the history of its reservation, with who said so.

ALTER TABLE history ADD COLUMN refund INTEGER; -- the number of the refund due; NULL: it is about none
