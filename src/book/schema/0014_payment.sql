-- migration 14
-- SPDX-License-Identifier: Apache-2.0
-- When a payment was recorded.

ALTER TABLE reservations ADD COLUMN payment_recorded_at INTEGER; -- ms; NULL: none was, or before this was kept
