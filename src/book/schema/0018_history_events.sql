-- migration 18
-- SPDX-License-Identifier: Apache-2.0
-- What a removed event may be pruned by: no history names it either.

CREATE INDEX history_items_by_event ON history_items (event) WHERE event IS NOT NULL;
