# SPDX-License-Identifier: Apache-2.0
"""clients/python against a server, and against one that fails. Run by package_python.test.js, which names what it has sold
and sent in the file FACTS."""
import http.server
import inspect
import json
import os
import socket
import threading
import typing
import unittest

import holdfast
from holdfast import Conflict, Forbidden, Holdfast, InvalidRequest, InvalidSignature, NotFound, Offline, Problem
from holdfast import RateLimited, Ticket, Unauthenticated, Unavailable, api, ed25519, types, verify_ticket, verify_webhook

with open(os.environ["FACTS"]) as file:
    FACTS = json.load(file)
URL = FACTS["url"]


CLIENTS = {name: Holdfast(URL, token=FACTS.get(name)) for name in ("anyone", "app", "admin")}


def anyone():
    return CLIENTS["anyone"]


def app():
    return CLIENTS["app"]


def admin():
    return CLIENTS["admin"]


def tearDownModule():
    for client in CLIENTS.values():
        client.close()


class Calls(unittest.TestCase):
    def setUp(self):
        self.event = f"{FACTS['event']}-{self._testMethodName}"[:64]
        admin().put_event(self.event, {"name": "E"})
        admin().import_seats(self.event, [{"id": f"A{n}", "price": 500} for n in range(1, 5)])

    def hold(self, seat, **options):
        return app().create_reservation({"user_id": "ann", "items": [{"event": self.event, "seat": seat}]}, **options)

    def test_a_sale_with_its_payment(self):
        hold = self.hold("A1")
        self.assertEqual(hold["status"], "held")
        client = app()
        order = client.commit_reservation(hold["reservation_id"], {"payment_ref": "pi_py", "amount": hold["total"]})
        self.assertEqual(order["status"], "confirmed")
        self.assertEqual(client.get_payment("pi_py", min_seq=client.seq)["received"], 500)
        self.assertIn("<svg", anyone().get_ticket_svg(order["tickets"][0]["code"]))
        self.assertTrue(anyone().get_ticket_png(order["tickets"][0]["code"]).startswith(b"\x89PNG"))
        self.assertTrue(admin().get_sales_report_csv(event=self.event, min_seq=client.seq).startswith("day,"))
        self.assertEqual(admin().get_sales_report(event=self.event, min_seq=client.seq)["data"][0]["amount"], 500)

    def test_refusals_have_a_class_and_a_code(self):
        self.hold("A1")
        for kind, code, call in [
            (Conflict, "taken", lambda: self.hold("A1")),
            (NotFound, "no_such_event", lambda: anyone().get_event("none")),
            (Forbidden, "forbidden", lambda: app().put_event(self.event, {"name": "E"})),
            (Unauthenticated, "unauthenticated", lambda: anyone().get_reservation("x")),
            (InvalidRequest, "invalid", lambda: app().create_reservation({"user_id": "ann", "items": []})),
        ]:
            with self.subTest(code), self.assertRaises(kind) as caught:
                call()
            self.assertEqual(caught.exception.code, code)
            self.assertIsInstance(caught.exception, Problem)
        self.assertEqual(caught.exception.pointer, "/items")
        self.assertRegex(str(caught.exception), r"^[A-Z].*\.$")

    def test_a_key_repeats_a_call_and_a_version_guards_one(self):
        first = self.hold("A1", key="once")
        self.assertEqual(self.hold("A1", key="once")["reservation_id"], first["reservation_id"])
        with self.assertRaises(Conflict) as caught:
            app().create_reservation({"user_id": "ann", "resource_id": f"{self.event}/A2"}, if_match='"999"')
        self.assertEqual(caught.exception.code, "version_mismatch")

    def test_lists_page_by_page(self):
        client = app()
        for seat in ("A1", "A2", "A3"):
            client.create_reservation({"user_id": "ann", "items": [{"event": self.event, "seat": seat}]})
        found = [one["items"][0]["seat"] for one in client.each(client.list_reservations, event=self.event, limit=1, min_seq=client.seq)]
        self.assertEqual(sorted(found), ["A1", "A2", "A3"])

    def test_csv_nothing_and_reserved_words(self):
        self.assertEqual(admin().import_seats(self.event, "id,price\nB1,5\n"), {"created": 1, "updated": 0})
        self.assertIsNone(admin().delete_event(self.event))
        admin().put_calendar(self.event, {"name": "C"})
        slots = admin().list_slots(self.event, from_="2030-06-03T00:00:00Z", to="2030-06-03T01:00:00Z")
        self.assertEqual([one["start"] for one in slots["data"]], ["2030-06-03T00:00:00.000Z", "2030-06-03T00:30:00.000Z"])

    def test_odd_ids_are_escaped(self):
        with self.assertRaises(NotFound) as caught:
            anyone().get_event("a b/c?d")
        self.assertIn(caught.exception.code, ("no_such_event", "no_such_route"))

    def test_a_guest_and_a_stream(self):
        guest = Holdfast(URL, token=anyone().create_session({})["token"])
        self.addCleanup(guest.close)
        stream = guest.stream_event(self.event, last_event_id=str(guest.get_availability(self.event)["version"]))
        hold = guest.create_reservation({"items": [{"event": self.event, "seat": "A4"}]})
        event = next(stream)
        self.assertEqual((event.event, event.data["id"], event.data["status"]), ("seat", "A4", "held"))
        self.assertTrue(event.id and event.id.isdigit())
        guest.release_reservation(hold["reservation_id"])
        self.assertEqual(next(stream).data["status"], "available")
        stream.close()


class Failing:
    """A server that answers each request with the next of a list: bytes as they are, or "drop"."""

    def __init__(self, answers):
        self.requests = []
        self.connections = 0
        answers = iter(answers)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(handler):
                self.connections += 1
                super().setup()

            def handle_any(handler):
                handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
                self.requests.append(handler.headers)
                answer = next(answers)
                if answer == "drop":
                    handler.close_connection = True
                    handler.connection.shutdown(socket.SHUT_RDWR)
                else:
                    handler.close_connection = b"Connection: close" in answer
                    handler.wfile.write(answer)

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(handler, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.slept = []
        self.client = Holdfast(f"http://127.0.0.1:{self.server.server_port}", sleep=self.slept.append)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()
        self.server.shutdown()
        self.server.server_close()


def answer(status, body, **headers):
    content = json.dumps(body).encode()
    head = {"Content-Type": "application/json", "Content-Length": len(content), **{k.replace("_", "-"): v for k, v in headers.items()}}
    return f"HTTP/1.1 {status} X\r\n".encode() + "".join(f"{k}: {v}\r\n" for k, v in head.items()).encode() + b"\r\n" + content


class Retries(unittest.TestCase):
    def test_a_lost_answer_and_503_are_repeated_with_the_same_key(self):
        with Failing(["drop", answer(503, {"code": "unavailable"}, Retry_After=7), answer(201, {"ok": 1}, Holdfast_Seq=42)]) as failing:
            self.assertEqual(failing.client.create_reservation({"items": []}), {"ok": 1})
            keys = {one["Idempotency-Key"] for one in failing.requests}
            self.assertEqual((len(failing.requests), len(keys)), (3, 1))
            self.assertTrue(keys.pop())
            self.assertEqual(failing.slept[1], 7)
            self.assertEqual(failing.client.seq, 42)

    def test_keys_differ_and_only_posts_have_one(self):
        with Failing([answer(200, {})] * 3) as failing:
            failing.client.create_session({})
            failing.client.create_session({})
            failing.client.list_events()
            first, second, third = [one["Idempotency-Key"] for one in failing.requests]
            self.assertNotEqual(first, second)
            self.assertIsNone(third)
            self.assertEqual(failing.connections, 1)

    def test_a_refusal_is_not_repeated(self):
        with Failing([answer(409, {"code": "taken", "detail": "Taken."})]) as failing:
            with self.assertRaises(Conflict):
                failing.client.create_reservation({"items": []})
            self.assertEqual(len(failing.requests), 1)

    def test_it_gives_up(self):
        with Failing([answer(429, {"code": "slow_down"}, Retry_After=99)] * 5) as failing:
            with self.assertRaises(RateLimited):
                failing.client.list_events()
            self.assertEqual((len(failing.requests), failing.slept), (5, [10.0] * 4))
        with Failing([b"HTTP/1.1 502 Bad\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n<>"] * 5) as failing:
            with self.assertRaises(Unavailable) as caught:
                failing.client.list_events()
            self.assertEqual(caught.exception.code, "unknown")
        with Failing([]) as failing:
            gone = failing.client
        with self.assertRaises(Offline) as caught:
            gone.list_events()
        self.assertEqual((caught.exception.code, caught.exception.status), ("offline", 0))

    def test_a_redirect_is_not_followed(self):
        with Failing([answer(307, {}, Location="http://127.0.0.1:9/")]) as failing:
            with self.assertRaises(Problem) as caught:
                failing.client.list_events()
            self.assertEqual(caught.exception.status, 307)

    def test_a_stream_resumes_where_it_broke_off(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        with Failing([head + b'id: 7\nevent: seat\ndata: {"id":\ndata: "A1"}\n\nid: 8\nevent: seat\ndata: {"lost', "drop",
                      head + b': comment\n\nid: 8\r\nevent: seat\r\ndata: {"id":"A2"}\r\n\r\n', answer(404, {"code": "no_such_event"})]) as failing:
            stream = failing.client.stream_event("e")
            self.assertEqual(next(stream), ("7", "seat", {"id": "A1"}))
            self.assertEqual(next(stream), ("8", "seat", {"id": "A2"}))
            with self.assertRaises(NotFound):
                next(stream)
            self.assertEqual([one["Last-Event-ID"] for one in failing.requests], [None, "7", "7", "8"])


class Webhooks(unittest.TestCase):
    def setUp(self):
        self.body = FACTS["message"]["body"].encode()
        self.headers = FACTS["message"]["headers"]
        self.now = int(self.headers["webhook-timestamp"])

    def verify(self, body=None, headers=None, secret=FACTS["secret"], now=None):
        return verify_webhook(self.body if body is None else body, {**self.headers, **(headers or {})}, secret, now=now or self.now)

    def test_a_message_of_the_server_is_good(self):
        message = self.verify()
        self.assertEqual(message["type"], "reservation.confirmed")
        self.assertEqual(message["data"]["pnr"], FACTS["pnr"])
        shouted = {name.upper(): value for name, value in self.headers.items()}
        self.assertEqual(verify_webhook(self.body, shouted, FACTS["secret"], now=self.now), message)
        self.assertTrue(self.verify(headers={"webhook-signature": "v1,AAAA " + self.headers["webhook-signature"]}))
        self.assertTrue(self.verify(now=self.now + 299))

    def test_anything_changed_is_bad(self):
        for changed in [
            {"body": self.body + b" "}, {"secret": "whsec_" + "A" * 32}, {"now": self.now + 301}, {"now": self.now - 301},
            {"headers": {"webhook-id": "msg_other"}}, {"headers": {"webhook-timestamp": str(self.now + 1)}},
            {"headers": {"webhook-timestamp": "soon"}}, {"headers": {"webhook-signature": "v1,AAAA"}}, {"headers": {"webhook-signature": ""}},
            {"headers": {"webhook-signature": "v1,\u00e4"}},
        ]:
            with self.subTest(changed), self.assertRaises(InvalidSignature):
                self.verify(**changed)
        with self.assertRaises(InvalidSignature):
            verify_webhook(self.body, {}, FACTS["secret"])
        with self.assertRaises(ValueError):
            self.verify(secret="whsec_!")


class Tickets(unittest.TestCase):
    keys = anyone().get_ticket_keys()

    def test_those_of_the_server_are_read(self):
        for text, wanted in FACTS["tickets"]:
            self.assertEqual(verify_ticket(text, self.keys), Ticket(**wanted))

    def test_changed_anywhere_they_are_invalid(self):
        text = FACTS["tickets"][0][0]
        for at in range(0, len(text), 5):
            changed = text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1:]
            self.assertIsNone(verify_ticket(changed, self.keys), at)
        for changed in [text[:-1], text + "A", text + ".", text + "=", text.replace("HF1", "HF2"), "", "HF1..", "HF1.é.é", text + "\n"]:
            self.assertIsNone(verify_ticket(changed, self.keys), changed)
        self.assertIsNone(verify_ticket(text, {"keys": []}))


# RFC 8032, 7.1: key, message, signature.
VECTORS = [
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
]


class Signatures(unittest.TestCase):
    def test_the_vectors_of_the_rfc(self):
        for key, message, signature in VECTORS:
            key, message, signature = (bytes.fromhex(one) for one in (key, message, signature))
            self.assertTrue(ed25519.verify(key, message, signature))
            self.assertFalse(ed25519.verify(key, message + b"x", signature))
            for at in range(0, 64, 7):
                changed = bytearray(signature)
                changed[at] ^= 1
                self.assertFalse(ed25519.verify(key, message, bytes(changed)))
            s = int.from_bytes(signature[32:], "little") + ed25519.ORDER
            self.assertFalse(ed25519.verify(key, message, signature[:32] + s.to_bytes(32, "little")), "a second form of s")
            self.assertFalse(ed25519.verify(key[:31], message, signature))
            self.assertFalse(ed25519.verify(key, message, signature + b"\0"))
        self.assertFalse(ed25519.verify(b"\xff" * 32, b"", bytes(64)), "y is not below p")

    def test_those_of_another_program(self):
        for key, message, signature, good in FACTS["signatures"]:
            self.assertEqual(ed25519.verify(*(bytes.fromhex(one) for one in (key, message, signature))), good)


class Closing(unittest.TestCase):
    def test_a_closed_client_opens_again(self):
        with Holdfast(URL) as client:
            client.get_health()
        self.assertEqual(client.get_health()["status"], "ok")
        client.close()


class Typed(unittest.TestCase):
    def test_every_annotation_names_something(self):
        methods = inspect.getmembers(api.Holdfast, inspect.isfunction)
        self.assertTrue({"create_reservation", "commit_reservation", "list_slots", "stream_event"} <= {name for name, _ in methods})
        for name, method in methods:
            self.assertIn("return", typing.get_type_hints(method), name)
        for record in vars(types).values():
            if isinstance(record, type):
                typing.get_type_hints(record)

    def test_every_operation_is_a_method(self):
        for name in FACTS["operations"]:
            self.assertTrue(callable(getattr(Holdfast, name, None)), name)

    def test_what_it_exports_exists(self):
        for name in holdfast.__all__:
            self.assertTrue(hasattr(holdfast, name), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
