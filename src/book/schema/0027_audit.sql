-- migration 27
-- SPDX-License-Identifier: Apache-2.0
-- Who changed the catalogue, keys and hooks: a row for each such change of somebody, from this version on.

CREATE TABLE audit (
    seq        INTEGER PRIMARY KEY, -- of the change
    at         INTEGER NOT NULL,
    actor      TEXT NOT NULL, -- admin, app
    actor_name TEXT, -- of the key
    kind       TEXT NOT NULL, -- event, seats, pool, codes, queue, calendar, group, key, hook
    action     TEXT NOT NULL, -- put, removed, imported, blocked, unblocked, allotted
    id         TEXT, -- or name; NULL: seats, codes and the waiting room of an event have none
    event      TEXT, -- NULL: it is not of an event
    count      INTEGER NOT NULL -- seats or codes; otherwise 1
) STRICT;

-- ---- For people ----

CREATE VIEW audit_log AS
SELECT seq, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at, actor, actor_name, kind, action, id, event,
       count
FROM audit;
