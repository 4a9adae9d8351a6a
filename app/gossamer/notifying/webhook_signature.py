"""Signs messages for webhooks by the Standard Webhooks specification.

https://www.standardwebhooks.com: the signature is an HMAC-SHA256 of id, timestamp and body.
"""

import base64
import hmac
import secrets
from hashlib import sha256
from typing import Final

PREFIX: Final = "whsec_"


def new_secret() -> str:
    """A secret to sign with."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode("ascii")


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The value of the header `webhook-signature`."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(_key(secret), signed, sha256)).decode("ascii")


def _key(secret: str) -> bytes:
    """The bytes of a secret: base64 after its prefix, else as typed."""
    if secret.startswith(PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
        except ValueError:
            pass
    return secret.encode()
