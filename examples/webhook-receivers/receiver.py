"""Receives webhook deliveries in Python 3.8 or later, without a package: python3 receiver.py"""

import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET")
if not SECRET:
    raise SystemExit("WEBHOOK_SECRET is not set")

TOLERANCE_SECONDS = 5 * 60
LARGEST_BODY = 1024 * 1024


def is_genuine(body: bytes, header: str, secret: str) -> bool:
    """`body`: the bytes as they came. `header`: the value of Service-Signature."""
    fields = [field.strip().partition("=")[::2] for field in header.split(",")]
    timestamp = next((value for name, value in fields if name == "t"), "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    return any(hmac.compare_digest(value.encode(), expected) for name, value in fields if name == "v1")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_genuine(body, self.headers.get("Service-Signature", ""), SECRET):
            return self.answer(400)
        for event in json.loads(body)["events"]:
            print(event.get("type"), event.get("data", {}).get("recipient", ""), flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
