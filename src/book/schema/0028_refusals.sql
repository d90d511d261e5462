-- migration 28
-- SPDX-License-Identifier: Apache-2.0
-- How many holds and additions of items were refused, and why. Names and not numbers: they outlive what they name.

CREATE TABLE refusals (
    day      INTEGER NOT NULL, -- midnight of UTC, in milliseconds
    event    TEXT NOT NULL, -- '': none, and the same of the next four
    calendar TEXT NOT NULL,
    tier     TEXT NOT NULL,
    pool     TEXT NOT NULL,
    service  TEXT NOT NULL,
    reason   TEXT NOT NULL, -- the code of the refusal
    count    INTEGER NOT NULL,
    PRIMARY KEY (day, event, calendar, tier, pool, service, reason)
) STRICT, WITHOUT ROWID;

-- ---- For people ----

CREATE VIEW refusals_by_day AS
SELECT date(day / 1000, 'unixepoch') AS day, nullif(event, '') AS event, nullif(calendar, '') AS calendar,
       nullif(tier, '') AS tier, nullif(pool, '') AS pool, nullif(service, '') AS service, reason, count
FROM refusals;
