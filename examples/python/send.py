"""Sends the receipt of an order, with Python's standard library alone."""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

RETRIES = 4
TIMEOUT_SECONDS = 20


class PosternError(Exception):
    """The service refused the request, or gave no answer."""


def send(message: dict, idempotency_key: str) -> str:
    """Returns the message's id. If this runs again with the same key, no second message is sent."""
    request = urllib.request.Request(
        os.environ["POSTERN_URL"].rstrip("/") + "/v1/email",
        data=json.dumps(message).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['POSTERN_API_KEY']}",
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency_key,
            # Cloudflare refuses urllib's own user agent: 403 with "error code: 1010".
            "User-Agent": "shop",
        },
    )
    for attempt in range(RETRIES + 1):
        wait = 0.25 * 2**attempt * (1 + random.random())
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.load(response)["id"]
        except urllib.error.HTTPError as refusal:
            text = refusal.read().decode(errors="replace")
            problem = PosternError(describe(refusal.code, text))
            # A used-up quota is a 429 too, but it lasts for hours, so a retry is useless.
            passing = refusal.code == 429 and "rate_limit_exceeded" in text
            passing = passing or (refusal.code == 409 and "idempotency_concurrent" in text)
            if not passing and refusal.code < 500:
                raise problem from None
            wait = max(wait, float(refusal.headers.get("Retry-After") or 0))
        except (OSError, http.client.HTTPException) as error:
            problem = PosternError(f"no answer: {error}")
        if attempt < RETRIES:
            time.sleep(wait)
    raise problem


def describe(status: int, text: str) -> str:
    """Returns the fields that an answer names, or else its text."""
    try:
        fields = json.loads(text)["error"]["errors"]
        reasons = [f"{field} {reason}" for field, all in fields.items() for reason in all]
    except (ValueError, KeyError, TypeError):
        reasons = [text]
    return f"{status}: {'; '.join(reasons)}"


if __name__ == "__main__":
    to, order = sys.argv[1:]
    receipt = {
        "from": os.environ["MAIL_FROM"],
        "to": [to],
        "subject": f"Receipt {order}",
        "text": f"Thank you for your order {order}.",
        "metadata": {"order": order},
    }
    try:
        print(send(receipt, f"receipt-{order}"))
    except PosternError as error:
        sys.exit(str(error))
