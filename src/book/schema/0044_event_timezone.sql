-- migration 44
-- SPDX-License-Identifier: Apache-2.0
-- The time zone of an event's place. The reports of the API count its days by it, with local_day(ms, zone) of the program's own
-- connections (sql_zone.h); the views for people go on counting by days of UTC.

ALTER TABLE events ADD COLUMN timezone TEXT; -- an IANA name; NULL: UTC
