-- migration 26
-- SPDX-License-Identifier: Apache-2.0
-- By what payment a reservation is found. In chapters of 262,144 numbers, as reservations_by_user: references are at random.

CREATE INDEX reservations_by_payment ON reservations (number >> 18, payment_ref) WHERE payment_ref IS NOT NULL;
