#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Follows an event and prints what happens to its seats and pools as it happens.

usage: follow.py EVENT          HOLDFAST_URL is where the server is (http://127.0.0.1:8080)
"""
import json
import os
import sys
import time

import requests

URL = os.environ.get("HOLDFAST_URL", "http://127.0.0.1:8080")
SILENCE_S = 45  # a comment comes every 15 seconds: after this the connection is dead


def events(response):
    """The server-sent events of an answer: (name, id, data)."""
    fields = {}
    for line in response.iter_lines(decode_unicode=True):
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield fields["event"], fields["id"], json.loads(fields["data"])
            fields = {}


def show(url, name, data):
    if name == "reset":  # after any gap: fetch, then follow
        now = requests.get(f"{url}/availability", timeout=10).json()
        free = sum(status == "available" for status in now["seats"].values())
        print(f"{len(now['seats'])} seats, {free} available", flush=True)
    elif name == "seat":
        print(f"seat {data['id']} is {data['status']}", flush=True)
    elif name == "pool":
        print(f"pool {data['id']} has {data['available']} left", flush=True)


def follow(event):
    url = f"{URL}/v1/events/{event}"
    headers = {"Accept": "text/event-stream"}
    while True:
        try:
            with requests.get(f"{url}/stream", headers=headers, stream=True, timeout=SILENCE_S) as response:
                if response.status_code != 200:
                    sys.exit(response.json()["detail"])
                for name, seq, data in events(response):
                    show(url, name, data)
                    headers["Last-Event-ID"] = seq  # resumes from here if the connection breaks
        except requests.RequestException as broken:
            print(f"once more: {broken}", file=sys.stderr, flush=True)
        time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    follow(sys.argv[1])
