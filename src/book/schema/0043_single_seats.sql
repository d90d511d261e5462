-- migration 43
-- SPDX-License-Identifier: Apache-2.0
-- Seats that a reservation left alone when they were chosen: "12 4 3 - 1042;…", which is the event's number, the position of
-- the seat and of its neighbours (-: none), and the change that left it so. NULL: none. Whether one still counts follows from
-- the versions of these seats: core/claim/single.h.

ALTER TABLE reservations ADD COLUMN singles TEXT;
