-- migration 42
-- SPDX-License-Identifier: Apache-2.0
-- With which nonce a scan came, and of which ticket it was: a nonce counts once per ticket, whatever came of it.

ALTER TABLE check_ins ADD COLUMN code TEXT;
ALTER TABLE check_ins ADD COLUMN nonce BLOB CHECK (length(nonce) = 16); -- a hash; NULL: none
CREATE INDEX check_ins_with_nonce ON check_ins (recorded_at, seq) WHERE nonce IS NOT NULL; -- what is loaded at start
