-- migration 19
-- SPDX-License-Identifier: Apache-2.0
-- From whom to whom a transfer went; null in all other changes.

ALTER TABLE history ADD COLUMN user_before TEXT;
ALTER TABLE history ADD COLUMN user_after TEXT;
