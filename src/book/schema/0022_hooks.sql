-- migration 22
-- SPDX-License-Identifier: Apache-2.0
-- Outgoing webhooks, and the messages that they have not been told yet or could not be told.

CREATE TABLE hooks (
    number INTEGER PRIMARY KEY, -- the seq of the change that made it
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    events INTEGER NOT NULL CHECK (events > 0), -- a bit for each event that it wants
    secret TEXT NOT NULL,
    old_secret TEXT, -- signs too until old_until
    old_until INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

-- A row for each message until it is delivered. Those that are dead stay for people to send them again.
CREATE TABLE outbox (
    hook INTEGER NOT NULL REFERENCES hooks (number),
    seq INTEGER NOT NULL, -- of the change that made it
    ordinal INTEGER NOT NULL, -- among those of the change
    event TEXT NOT NULL,
    reservation TEXT NOT NULL, -- its id
    at INTEGER NOT NULL,
    since INTEGER NOT NULL, -- when it was first tried, or sent again
    queued INTEGER NOT NULL, -- the seq of the change that made it or sent it again: the order of sending
    dead_at INTEGER, -- NULL: it waits
    PRIMARY KEY (hook, seq, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;

-- Holds whose hooks were told that they are about to expire, and of which deadline.
CREATE TABLE hook_warnings (
    reservation TEXT PRIMARY KEY, -- its id
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_warnings_by_deadline ON hook_warnings (expires_at);

-- ---- For people ----

CREATE VIEW messages AS
SELECT h.name AS hook, o.event, o.reservation,
       strftime('%Y-%m-%dT%H:%M:%fZ', o.at / 1000.0, 'unixepoch') AS at,
       CASE WHEN o.dead_at IS NULL THEN 'waiting' ELSE 'dead' END AS status,
       strftime('%Y-%m-%dT%H:%M:%fZ', o.dead_at / 1000.0, 'unixepoch') AS dead_at
FROM outbox o JOIN hooks h ON h.number = o.hook;
