#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of expected slots: tests/slots/make.py > tests/slots/expected.txt

Computed with Python's zoneinfo and sets of minutes, so that it shares only the contract with the code
under test. Needed only to change the table; the tests read the table. Each zone is frozen into it as a small TZif file of
its own (the changes of 2025 to 2030, and the rule after them), so that the table stays right when a country changes its rules.
`make.py --random SEED` writes a table of random hours in all zones of this machine instead.

    zone NAME HEX           the zone of the cases that follow
    case SLOT LENGTH FROM TO  minutes; the slots that start in [FROM, TO) and are open throughout
    range DAYS FROM TO      one digit for each day from Monday
    closed START END
    starts AT*COUNT ...     runs of starts that follow each other SLOT minutes apart
    contain START END yes|no
"""
import io
import random
import struct
import sys
import zoneinfo
from datetime import datetime, timedelta, timezone
from pathlib import Path

UTC = timezone.utc
DAY = 1440
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago",
         "Africa/Cairo", "Pacific/Chatham", "America/St_Johns", "UTC"]
YEARS = [2026, 2027, 2036]
EVERY_DAY = "1111111"


def offset(zone, at):
    return at.astimezone(zone).utcoffset()


def changes(zone, year):
    """The instants of a year at which the offset changes."""
    at, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    while at < end:
        after = at + timedelta(days=1)
        if offset(zone, at) != offset(zone, after):
            low, high = at, after
            while high - low > timedelta(seconds=1):
                middle = low + timedelta(seconds=(high - low) // timedelta(seconds=1) // 2)
                low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
            yield high
        at = after


def footer(name):
    for folder in zoneinfo.TZPATH:
        if (Path(folder) / name).is_file():
            return (Path(folder) / name).read_bytes().split(b"\n")[-2]
    raise SystemExit(f"no data for {name}")


def freeze(name):
    zone = zoneinfo.ZoneInfo(name)
    times = [at for year in range(2025, 2031) for at in changes(zone, year)]
    offsets = [offset(zone, datetime(2025, 1, 1, tzinfo=UTC))] + [offset(zone, at) for at in times]
    types = sorted(set(offsets), key=offsets.index)

    def header(time_count, type_count):
        return b"TZif2" + bytes(15) + struct.pack(">6L", 0, 0, 0, time_count, type_count, 4)

    local_type = [struct.pack(">lBB", int(t.total_seconds()), 0, 0) for t in types]
    return b"".join([
        header(0, 1), local_type[0], b"ABC\0",
        header(len(times), len(types)),
        *[struct.pack(">q", int(at.timestamp())) for at in times],
        bytes(types.index(o) for o in offsets[1:]),
        *local_type, b"ABC\0",
        b"\n", footer(name), b"\n"])


class Case:
    def __init__(self, zone, around, slot, length, ranges, closed=(), reach=timedelta(hours=30)):
        self.zone, self.slot, self.length, self.ranges, self.closed = zone, slot, length, ranges, closed
        self.first, self.last = around - reach, around + reach
        self.nominal_week()
        self.open, self.grid = set(), set()
        if not ranges:
            self.open = set(range(self.minute(self.first) - 8 * DAY, self.minute(self.last) + 8 * DAY))
        day = (self.first - timedelta(days=4)).date()
        while day <= (self.last + timedelta(days=8)).date():
            for days, start, end in ranges or [(EVERY_DAY, 0, 0)]:
                if days[day.weekday()] == "1":
                    self.add(self.local(day, start), self.local(day, end if end > start else end + DAY))
            day += timedelta(days=1)
        for start, end in closed:
            self.open -= set(range(self.minute(start), self.minute(end)))

    @staticmethod
    def minute(at):
        return int(at.timestamp()) // 60

    def nominal_week(self):
        seen = set()
        for days, start, end in self.ranges:
            for day in range(7):
                if days[day] == "1":
                    minutes = {(day * DAY + m) % (7 * DAY) for m in range(start, end if end > start else end + DAY)}
                    if minutes & seen:
                        raise ValueError("the ranges overlap")
                    seen |= minutes

    def local(self, day, minute):
        """The instant as Python has it: fold=0 is the offset before a gap, and the first of two."""
        at = datetime(day.year, day.month, day.day) + timedelta(minutes=minute)
        return self.minute(at.replace(tzinfo=self.zone, fold=0).astimezone(UTC))

    def add(self, start, end):
        self.grid |= set(range(start, end, self.slot))
        if self.ranges:
            self.open |= set(range(start, end))

    def contains(self, start, end):
        return all(minute in self.open for minute in range(start, end))

    def runs(self):
        starts = [m for m in sorted(self.grid) if self.minute(self.first) <= m < self.minute(self.last)
                  and self.contains(m, m + self.length)]
        runs = []
        for start in starts:
            if runs and start == runs[-1][0] + runs[-1][1] * self.slot:
                runs[-1][1] += 1
            else:
                runs.append([start, 1])
        return " ".join(f"{text(start)}*{count}" for start, count in runs)

    def probes(self, pick, count):
        """Intervals that end or begin at or next to an edge of what is open."""
        first, last = self.minute(self.first), self.minute(self.last)
        edges = [m for m in range(first, last) if (m in self.open) != (m - 1 in self.open)] or [(first + last) // 2]
        for _ in range(count):
            start = pick.choice(edges) + pick.choice([0, 0, 1, -1, -30, -pick.randrange(1, 600)])
            end = max(start + 1, pick.choice(edges + [start + pick.randrange(1, 300)]) + pick.choice([0, 0, 0, -1, 1]))
            yield start, end

    def write(self, pick, probe_count):
        print(f"case {self.slot} {self.length} {self.first:%Y-%m-%dT%H:%M:%SZ} {self.last:%Y-%m-%dT%H:%M:%SZ}")
        for days, start, end in self.ranges:
            print(f"range {days} {clock(start)} {clock(end)}")
        for start, end in self.closed:
            print(f"closed {text(self.minute(start))} {text(self.minute(end))}")
        print(f"starts {self.runs()}".rstrip())
        for start, end in self.probes(pick, probe_count):
            print(f"contain {text(start)} {text(end)} {'yes' if self.contains(start, end) else 'no'}")


def text(minute):
    return f"{datetime.fromtimestamp(minute * 60, UTC):%Y-%m-%dT%H:%M:%SZ}"


def clock(minute):
    return f"{minute // 60:02}:{minute % 60:02}"


def cases(zone, at):
    """What can go wrong at one change. The clock skips, or shows twice, from `low` to `high`."""
    before, after = offset(zone, at - timedelta(seconds=1)), offset(zone, at)
    width = abs(after - before) // timedelta(minutes=1) or 60
    local = (at.replace(tzinfo=None) + min(before, after))
    low = local.hour * 60 + local.minute
    half, high = low + width // 2, low + width

    def span(start, end, days=EVERY_DAY):
        shift = start // DAY  # the day before or after, when the change is next to midnight
        days = days[-shift % 7:] + days[:-shift % 7]
        return days, start % DAY, end % DAY

    weekday = local.weekday()
    eve = "".join("1" if day == (weekday - 1) % 7 else "0" for day in range(7))
    holiday = [(at - timedelta(minutes=90), at + timedelta(minutes=45)),
               (at + timedelta(minutes=40), at + timedelta(minutes=70)),
               (at + timedelta(hours=9), at + timedelta(hours=10))]
    yield Case(zone, at, 60, 60, [(EVERY_DAY, 540, 540)])                      # 24 hours
    yield Case(zone, at, 45, 45, [])                                           # always open
    yield Case(zone, at, 30, 60, [], holiday)                                  # and closed for a while
    yield Case(zone, at, 30, 60, [(EVERY_DAY, 1200, 240)])                     # across midnight
    yield Case(zone, at, 60, 120, [(eve, 1320, 360)])                          # across midnight, that night only
    yield Case(zone, at, 20, 20, [span(half, half + 240)])                     # from a time that is not, or is twice
    yield Case(zone, at, 30, 30, [span(low - 180, half)])                      # until such a time
    yield Case(zone, at, 5, 5, [span(low + width * 3 // 4, high + 5)])         # nothing is left
    yield Case(zone, at, 15, 45, [span(low - 120, half), span(half, high + 10), span(high + 10, low + 240)])
    yield Case(zone, at, 20, 20, [span(low - 120, half), span(high + 3, low + 240)])  # overlapping on that day only
    yield Case(zone, at, 50, 50, [("1111100", 480, 720), ("1111110", 720, 960), (EVERY_DAY, 1080, 1320),
                                  ("0000011", 60, 200)], holiday)


def expected():
    pick = random.Random(2026)
    print("# Made by tests/slots/make.py, which explains it.")
    for name in ZONES:
        zone = zoneinfo.ZoneInfo(name)
        frozen = freeze(name)
        check = zoneinfo.ZoneInfo.from_file(io.BytesIO(frozen))
        print(f"zone {name} {frozen.hex()}")
        for year in YEARS:
            for at in list(changes(zone, year)) or changes(zoneinfo.ZoneInfo("Europe/Berlin"), year):
                assert all(offset(zone, at + timedelta(hours=h)) == offset(check, at + timedelta(hours=h))
                           for h in range(-80, 80))
                for case in cases(zone, at):
                    case.write(pick, 2)


def random_ranges(pick):
    while True:
        ranges = []
        for _ in range(pick.randrange(4)):
            start, end = (pick.choice([pick.randrange(DAY), pick.randrange(48) * 30, pick.randrange(16) * 15])
                          for _ in range(2))
            ranges.append(("".join(pick.choice("0111") for _ in range(7)), start, end))
        try:
            Case.nominal_week(type("Week", (), {"ranges": ranges}))
            return ranges
        except ValueError:
            continue


def random_table(seed):
    pick = random.Random(seed)
    for name in sorted(zoneinfo.available_timezones() - {"localtime"}):
        zone = zoneinfo.ZoneInfo(name)
        print(f"zone {name} -")
        year = pick.choice([1985, 1999, 2011, 2024, 2025, 2026, 2027, 2030, 2037, 2038, 2050])
        dates = [at for at in changes(zone, year) if at.second == 0 and not offset(zone, at).seconds % 60]
        for at in dates or [datetime(year, 12, 31, 23, 30, tzinfo=UTC)]:
            for _ in range(4):
                closed = [(at + timedelta(minutes=m), at + timedelta(minutes=m + pick.randrange(1, 300)))
                          for m in pick.sample(range(-1500, 1500), pick.randrange(4))]
                Case(zone, at, pick.choice([5, 15, 30, 35, 60, 90]), pick.choice([5, 30, 60, 100]), random_ranges(pick),
                     closed, timedelta(hours=pick.choice([20, 60]))).write(pick, 6)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--random"]:
        random_table(int(sys.argv[2]))
    else:
        expected()
