-- migration 33
-- SPDX-License-Identifier: Apache-2.0
-- The dead letters of a hook are found without walking all that wait for it.

CREATE INDEX outbox_dead_of_hook ON outbox (hook, seq, ordinal) WHERE dead_at IS NOT NULL;
