-- migration 32
-- SPDX-License-Identifier: Apache-2.0
-- That money has to go back, went back or is no longer owed is in the history of its reservation, with who said so.

ALTER TABLE history ADD COLUMN refund INTEGER; -- the number of the refund due; NULL: it is about none
