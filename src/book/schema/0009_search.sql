-- migration 9
-- SPDX-License-Identifier: Apache-2.0
-- Words of reservations, for lists with q: the PNR, the user, and all of the attributes. The rowid is the
-- number, so that new rows are appended to each word. It has no copy of the texts (content=''): a row is taken
-- out by what was put in, which follows from the reservation.

CREATE VIRTUAL TABLE search USING fts5 (words, content='', columnsize=0, tokenize='unicode61');
INSERT INTO search (rowid, words)
    SELECT r.number, n.pnr || ' ' || r.user_id || ' ' || coalesce(r.attributes, '')
    FROM reservations r JOIN pnrs n ON n.number = r.number ORDER BY r.number;
