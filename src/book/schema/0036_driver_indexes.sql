-- migration 36
-- SPDX-License-Identifier: Apache-2.0
-- What a driver was offered, and what was done to it: for those who export or erase a person.

CREATE INDEX offers_by_driver ON offers (driver_id);
CREATE INDEX audit_of_drivers ON audit (id) WHERE kind = 'driver';
