-- migration 31
-- SPDX-License-Identifier: Apache-2.0
-- People who were erased: that it was done, and how far it is, without a word of who it was.

CREATE TABLE erasures (
    number   INTEGER PRIMARY KEY, -- the seq of the change that did it
    mark     BLOB NOT NULL CHECK (length(mark) = 32), -- of the name, by the server's secret
    at       INTEGER NOT NULL,
    segments INTEGER NOT NULL, -- of the journal, begun since; from 2 on the one with the name can be freed
    clean    INTEGER NOT NULL CHECK (clean = 0 OR clean = 1) -- 1: no page of this file has the name any more
) STRICT;
CREATE INDEX erasures_by_mark ON erasures (mark);

-- Who gave something away is in its history, though it is another's now.
CREATE INDEX history_by_giver ON history (user_before) WHERE user_before IS NOT NULL;

-- 1: what was deleted was overwritten, from the first page on. An older file is written anew before an erasure is done.
ALTER TABLE meta ADD COLUMN wiped INTEGER NOT NULL DEFAULT 0;
