-- migration 29
-- SPDX-License-Identifier: Apache-2.0
-- The terms that events and calendars had before, for what was held under them: "120 refund 3600;845 accept_if_free -" is the
-- seq that replaced them, late_payment, and until when a sale could be cancelled (seconds, of calendars minutes; -: not at all).
-- A reservation goes by the first entry whose seq is greater than its number, and without one by the present terms.

ALTER TABLE events ADD COLUMN terms_before TEXT;
ALTER TABLE calendars ADD COLUMN terms_before TEXT;
