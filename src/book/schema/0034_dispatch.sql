-- migration 34
-- SPDX-License-Identifier: Apache-2.0
-- Fleets, their drivers, rides, and the offers of rides to drivers. Where drivers are is written down nowhere.
--
-- Persons are in drivers.id, rides.rider_id, rides.driver_id, offers.driver_id, and in audit.id of the kind driver.

CREATE TABLE fleets (
    number           INTEGER PRIMARY KEY, -- the seq of the change that made it
    id               TEXT NOT NULL,
    offer_seconds    INTEGER NOT NULL CHECK (offer_seconds >= 1),
    resolution       INTEGER NOT NULL CHECK (resolution BETWEEN 0 AND 15), -- of its H3 cells
    max_rings        INTEGER NOT NULL CHECK (max_rings BETWEEN 0 AND 30),
    presence_seconds INTEGER NOT NULL CHECK (presence_seconds >= 1),
    search_seconds   INTEGER NOT NULL CHECK (search_seconds >= 1),
    speed_kmh        INTEGER NOT NULL CHECK (speed_kmh >= 1),
    guests           INTEGER NOT NULL CHECK (guests = 0 OR guests = 1),
    weight_eta       INTEGER NOT NULL, -- weights are in thousandths
    weight_rating    INTEGER NOT NULL,
    weight_waiting   INTEGER NOT NULL,
    weight_surge     INTEGER NOT NULL,
    offer_key        BLOB CHECK (length(offer_key) = 16), -- secret: the ids of offers follow from it; NULL in exports only
    created_at       INTEGER NOT NULL,
    removed_at       INTEGER -- NULL: it is there
) STRICT;
CREATE UNIQUE INDEX fleets_by_id ON fleets (id) WHERE removed_at IS NULL;

CREATE TABLE drivers (
    fleet  INTEGER NOT NULL REFERENCES fleets (number),
    id     TEXT NOT NULL, -- a user
    rating INTEGER NOT NULL CHECK (rating BETWEEN 0 AND 5000), -- in thousandths
    surge  INTEGER NOT NULL CHECK (surge = 0 OR surge = 1), -- 1: prefers rides whose surge is over 1
    types  TEXT CHECK (types IS NULL OR json_valid(types)), -- an array of texts
    PRIMARY KEY (fleet, id)
) STRICT, WITHOUT ROWID;

-- Points are in 1e-7 degrees.
CREATE TABLE rides (
    number       INTEGER PRIMARY KEY, -- the seq of the change that made it
    id           TEXT NOT NULL UNIQUE,
    fleet        INTEGER NOT NULL REFERENCES fleets (number),
    rider_id     TEXT NOT NULL,
    lat          INTEGER NOT NULL CHECK (lat BETWEEN -900000000 AND 900000000), -- of the pickup
    lng          INTEGER NOT NULL CHECK (lng BETWEEN -1800000000 AND 1800000000),
    cell         INTEGER NOT NULL, -- H3, of the pickup
    to_lat       INTEGER CHECK (to_lat BETWEEN -900000000 AND 900000000), -- NULL: it was not said where to
    to_lng       INTEGER CHECK (to_lng BETWEEN -1800000000 AND 1800000000),
    type         TEXT, -- of driver; NULL: any
    surge        INTEGER NOT NULL CHECK (surge >= 1000), -- in thousandths
    status       TEXT NOT NULL CHECK (status = 'searching' OR status = 'offered' OR status = 'assigned'
                     OR status = 'no_driver' OR status = 'cancelled' OR status = 'completed'),
    created_at   INTEGER NOT NULL,
    search_until INTEGER NOT NULL, -- no new offer from then on
    assigned_at  INTEGER,
    ended_at     INTEGER, -- NULL: it is under way
    driver_id    TEXT, -- who has it, or had it at its end
    offer        INTEGER, -- number of the live or the accepted one
    CHECK ((to_lat IS NULL) = (to_lng IS NULL)),
    CHECK ((ended_at IS NULL) = (status = 'searching' OR status = 'offered' OR status = 'assigned')),
    CHECK ((status <> 'assigned' AND status <> 'completed') OR (driver_id IS NOT NULL AND assigned_at IS NOT NULL
        AND offer IS NOT NULL)),
    CHECK (status <> 'offered' OR (offer IS NOT NULL AND driver_id IS NULL)),
    CHECK (status <> 'searching' OR offer IS NULL)
) STRICT;
-- Lists go by number, newest first; each filter has its own.
CREATE INDEX rides_by_fleet ON rides (fleet, number);
CREATE INDEX rides_by_rider ON rides (fleet, rider_id, number);
CREATE INDEX rides_by_driver ON rides (fleet, driver_id, number) WHERE driver_id IS NOT NULL;
CREATE INDEX rides_by_status ON rides (fleet, status, number);
CREATE INDEX rides_live ON rides (number) WHERE ended_at IS NULL; -- what is loaded at start
CREATE INDEX rides_ended ON rides (ended_at) WHERE ended_at IS NOT NULL; -- and what is pruned
-- The last backstop against a driver with two rides.
CREATE UNIQUE INDEX rides_assigned ON rides (fleet, driver_id) WHERE status = 'assigned';

CREATE TABLE offers (
    number     INTEGER PRIMARY KEY, -- the seq of the change that made it
    fleet      INTEGER NOT NULL, -- that of the ride
    ride       TEXT NOT NULL REFERENCES rides (id),
    driver_id  TEXT NOT NULL,
    score      INTEGER NOT NULL, -- milliseconds
    eta        INTEGER NOT NULL, -- the same
    made_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at   INTEGER, -- NULL: it is live
    "end"      TEXT CHECK ("end" = 'accepted' OR "end" = 'declined' OR "end" = 'timed_out' OR "end" = 'withdrawn'),
    CHECK (("end" IS NULL) = (ended_at IS NULL))
) STRICT;
CREATE INDEX offers_by_ride ON offers (ride, number);
-- The last backstop: one ride is offered to one driver at a time, and one driver is offered one ride at a time.
CREATE UNIQUE INDEX offers_live_ride ON offers (ride) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX offers_live_driver ON offers (fleet, driver_id) WHERE ended_at IS NULL;

ALTER TABLE audit ADD COLUMN fleet TEXT; -- of a driver; kinds are also fleet and driver

-- ---- For people ----

DROP VIEW audit_log;
CREATE VIEW audit_log AS
SELECT seq, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at, actor, actor_name, kind, action, id, event,
       fleet, count
FROM audit;

CREATE VIEW ride_offers AS -- every ride with its offers; one without has a row, too
SELECT f.id AS fleet, r.id AS ride, r.status, r.rider_id, r.driver_id,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.created_at / 1000.0, 'unixepoch') AS created_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.assigned_at / 1000.0, 'unixepoch') AS assigned_at,
       strftime('%Y-%m-%dT%H:%M:%fZ', r.ended_at / 1000.0, 'unixepoch') AS ended_at,
       o.driver_id AS offered_to,
       strftime('%Y-%m-%dT%H:%M:%fZ', o.made_at / 1000.0, 'unixepoch') AS offered_at,
       CASE WHEN o.number IS NULL THEN NULL ELSE coalesce(o."end", 'live') END AS "end",
       (o.ended_at - o.made_at) / 1000.0 AS seconds, o.score / 1000.0 AS score_seconds, o.eta / 1000.0 AS eta_seconds
FROM rides r JOIN fleets f ON f.number = r.fleet LEFT JOIN offers o ON o.ride = r.id;

CREATE VIEW utilisation AS -- what each driver was offered, took, and was busy for
SELECT f.id AS fleet, u.driver_id, sum(offered) AS offers, sum(accepted) AS accepted, sum(declined) AS declined,
       sum(timed_out) AS timed_out, sum(rides) AS rides, sum(completed) AS completed, sum(busy) / 1000.0 AS busy_seconds
FROM (SELECT fleet, driver_id, 1 AS offered, "end" IS 'accepted' AS accepted, "end" IS 'declined' AS declined,
             "end" IS 'timed_out' AS timed_out, 0 AS rides, 0 AS completed, 0 AS busy
      FROM offers
      UNION ALL
      SELECT fleet, driver_id, 0, 0, 0, 0, 1, status = 'completed',
             coalesce(ended_at, (SELECT last_at FROM meta)) - assigned_at
      FROM rides WHERE driver_id IS NOT NULL) u
JOIN fleets f ON f.number = u.fleet
GROUP BY u.fleet, u.driver_id;
