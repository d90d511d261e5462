-- migration 20
-- SPDX-License-Identifier: Apache-2.0
-- The words of reservations are also those of their items' attributes, as the name on a ticket. What the index has
-- of a row is taken out by what was put in, and only where an item has any.

INSERT INTO search (search, rowid, words)
    SELECT 'delete', r.number, n.pnr || ' ' || r.user_id || ' ' || coalesce(r.attributes, '')
    FROM reservations r JOIN pnrs n ON n.number = r.number
    WHERE r.number IN (SELECT reservation FROM items WHERE attributes IS NOT NULL) ORDER BY r.number;
INSERT INTO search (rowid, words)
    SELECT r.number, n.pnr || ' ' || r.user_id || ' ' || coalesce(r.attributes, '') ||
        (SELECT group_concat(' ' || attributes, '') FROM (SELECT attributes FROM items
         WHERE reservation = r.number AND attributes IS NOT NULL ORDER BY item_id))
    FROM reservations r JOIN pnrs n ON n.number = r.number
    WHERE r.number IN (SELECT reservation FROM items WHERE attributes IS NOT NULL) ORDER BY r.number;
