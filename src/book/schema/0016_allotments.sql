-- migration 16
-- SPDX-License-Identifier: Apache-2.0
-- Seats and pools that are set aside under a name. A claimed seat keeps the mark, as it keeps that of a blocked one.

ALTER TABLE seats ADD COLUMN allotment TEXT CHECK (allotment <> 'blocked');
ALTER TABLE pools ADD COLUMN allotment TEXT CHECK (allotment <> 'blocked');
