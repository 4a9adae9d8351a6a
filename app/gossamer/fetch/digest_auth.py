"""HTTP Digest authentication (RFC 7616): reads challenges and responds to them."""

import hashlib
import secrets
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import quote

from msgspec import Struct, structs

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.secrets import HttpAuth

_MAX_HEADER: Final = 8_192
_MAX_CHALLENGES: Final = 20
_ITEM = lazy_pattern(
    r"\s*,*\s*(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+)"
    r"(?:\s*=\s*(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|(?P<bare>[^\s,\"]+))|(?=\s|,|$))"
)
_ESCAPED = lazy_pattern(r"\\(.)")
_HASHES: Final = {"sha-512-256": "sha512_256", "sha-256": "sha256", "md5": "md5"}
"""By the names of the standard in lower case, the strongest first."""


class Challenge(Struct, frozen=True):
    """A challenge of WWW-Authenticate: its scheme in lower case, and its parameters likewise."""

    scheme: str
    parameters: dict[str, str]


def challenges_in(values: Iterable[str]) -> list[Challenge]:
    """The challenges of WWW-Authenticate headers, of which each may have several."""
    found: list[Challenge] = []
    for value in values:
        for item in _ITEM.finditer(value[:_MAX_HEADER]):
            name = item["name"].lower()
            if item["quoted"] is None and item["bare"] is None:
                found.append(Challenge(name, {}))
            elif found:
                text = item["bare"] or _ESCAPED.sub(r"\1", item["quoted"] or "")
                found[-1].parameters.setdefault(name, text)
    return found[:_MAX_CHALLENGES]


class DigestChallenge(Struct, frozen=True):
    """A Digest challenge that can be responded to."""

    realm: str
    nonce: str
    algorithm: str = ""
    """As the server spells it, "" if it does not say: MD5."""
    qop: str = ""
    """"auth", "auth-int", or "" for a server that knows neither (RFC 2069)."""
    opaque: str | None = None
    is_stale: bool = False
    has_userhash: bool = False
    is_utf_8: bool = False

    @property
    def hash_name(self) -> str:
        """The name of `hashlib`; "" for an algorithm that is not known."""
        base = self.algorithm.lower().removesuffix("-sess") or "md5"
        return _HASHES.get(base, "")

    @property
    def is_session(self) -> bool:
        """Whether the key is made from the first nonces."""
        return self.algorithm.lower().endswith("-sess")


def digest_challenge(values: Iterable[str]) -> DigestChallenge | None:
    """The strongest supported Digest challenge of WWW-Authenticate headers."""
    found = [
        known
        for each in challenges_in(values)
        if each.scheme == "digest" and (known := _known(each.parameters)) is not None
    ]
    order = list(_HASHES.values())
    return min(found, key=lambda each: order.index(each.hash_name), default=None)


def _known(parameters: dict[str, str]) -> DigestChallenge | None:
    offered = [each.strip().lower() for each in parameters.get("qop", "").split(",")]
    qop = next((each for each in ("auth", "auth-int") if each in offered), "")
    if "nonce" not in parameters or (any(offered) and not qop):
        return None
    challenge = DigestChallenge(
        realm=parameters.get("realm", ""),
        nonce=parameters["nonce"],
        algorithm=parameters.get("algorithm", ""),
        qop=qop,
        opaque=parameters.get("opaque"),
        is_stale=parameters.get("stale", "").lower() == "true",
        has_userhash=parameters.get("userhash", "").lower() == "true",
        is_utf_8=parameters.get("charset", "").lower() == "utf-8",
    )
    return challenge if challenge.hash_name in hashlib.algorithms_available else None


def _new_client_nonce() -> str:
    return secrets.token_hex(16)


class DigestSession:
    """Responds to the challenges of one server, and counts the uses of each nonce."""

    def __init__(
        self, auth: HttpAuth, new_client_nonce: Callable[[], str] = _new_client_nonce
    ) -> None:
        """Wait for a challenge. `new_client_nonce` makes a random text."""
        self._auth = auth
        self._new_client_nonce = new_client_nonce
        self._challenge: DigestChallenge | None = None
        self._client_nonce = ""
        self._uses = 0
        self._has_worked = False

    def takes(self, values: Iterable[str], sent: str) -> bool:
        """Take the challenge of a response with status 401; whether to repeat the request.

        `sent` is the nonce that the request had, "" for none. A password that has been refused is
        not sent again: a new nonce counts only where the last one is stale, or has been good once.
        """
        challenge = digest_challenge(values)
        if challenge is None:
            return False
        may_be_stale = challenge.is_stale or (self._has_worked and challenge.nonce != sent)
        if sent and not may_be_stale:
            return False
        # Whatever other requests have learnt meanwhile, this nonce is certainly fresh.
        self._begin(challenge)
        return True

    def note_success(self, authentication_info: str) -> None:
        """Note a response to a request with our header: it may name the next nonce."""
        self._has_worked = True
        if self._challenge is None or "nextnonce" not in authentication_info.lower():
            return
        # Parameters without a scheme in front.
        [info, *_] = challenges_in([f"info {authentication_info}"])
        if following := info.parameters.get("nextnonce"):
            self._begin(structs.replace(self._challenge, nonce=following, is_stale=False))

    @property
    def nonce(self) -> str:
        """The nonce of the next header; "" if there is no challenge yet."""
        return "" if self._challenge is None else self._challenge.nonce

    def header(self, method: str, target: str, body: bytes = b"") -> str:
        """The Authorization header for a request; "" if there is no challenge yet."""
        challenge = self._challenge
        if challenge is None:
            return ""
        self._uses += 1
        user, realm = self._encoded(self._auth.user), challenge.realm.encode("utf-8")
        pairs = [
            self._username(user, realm),
            f"realm={_quoted(challenge.realm)}",
            f"nonce={_quoted(challenge.nonce)}",
            f"uri={_quoted(target)}",
            f'response="{self._response(challenge, user, realm, f"{method}:{target}", body)}"',
        ]
        if challenge.algorithm:
            pairs.append(f"algorithm={challenge.algorithm}")
        if challenge.opaque is not None:
            pairs.append(f"opaque={_quoted(challenge.opaque)}")
        if challenge.qop or challenge.is_session:
            pairs.append(f'cnonce="{self._client_nonce}"')
        if challenge.qop:
            pairs += [f"qop={challenge.qop}", f"nc={self._uses:08x}"]
        if challenge.has_userhash:
            pairs.append("userhash=true")
        return f"Digest {', '.join(pairs)}"

    def _response(
        self, challenge: DigestChallenge, user: bytes, realm: bytes, a2: str, body: bytes
    ) -> str:
        """RFC 7616 §3.4.1; `a2` is method and target."""
        nonce, client = challenge.nonce, self._client_nonce
        a1 = self._hash(user + b":" + realm + b":" + self._encoded(self._auth.password))
        if challenge.is_session:
            a1 = self._hash(f"{a1}:{nonce}:{client}".encode())
        if challenge.qop == "auth-int":
            a2 = f"{a2}:{self._hash(body)}"
        middle = f":{self._uses:08x}:{client}:{challenge.qop}" if challenge.qop else ""
        return self._hash(f"{a1}:{nonce}{middle}:{self._hash(a2.encode())}".encode())

    def _begin(self, challenge: DigestChallenge) -> None:
        self._challenge = challenge
        self._client_nonce = self._new_client_nonce()
        self._uses = 0

    def _username(self, user: bytes, realm: bytes) -> str:
        challenge = self._challenge
        if challenge is not None and challenge.has_userhash:
            return f'username="{self._hash(user + b":" + realm)}"'
        if challenge is not None and challenge.is_utf_8 and not self._auth.user.isascii():
            return f"username*=UTF-8''{quote(self._auth.user, safe='')}"
        return f"username={_quoted(self._auth.user)}"

    def _encoded(self, text: str) -> bytes:
        """In UTF-8 where the server wants that, or nothing else can hold it."""
        if self._challenge is not None and self._challenge.is_utf_8:
            return text.encode()
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError:
            return text.encode()

    def _hash(self, text: bytes) -> str:
        name = "md5" if self._challenge is None else self._challenge.hash_name
        return hashlib.new(name, text, usedforsecurity=False).hexdigest()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
