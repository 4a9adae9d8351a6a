"""A site with Digest authentication (RFC 7616), which checks what it is sent by the standard."""

import hashlib
import re
from collections.abc import Iterable

from tests.sites.ledger import Request
from tests.sites.responses import HTML, Response, html_page
from tests.sites.site import Site

REALM = "members"
_PAIR = re.compile(r'([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))')


class DigestSite:
    """What `site` is to those who know the password, and to others."""

    def __init__(
        self,
        site: Site,
        user: str,
        password: str,
        pages: Iterable[str] = ("/",),
        *,
        algorithm: str = "MD5",
        uses: int = 1_000,
    ) -> None:
        """Each nonce is good for so many `uses`."""
        self.granted: list[str] = []
        """The paths that were asked for with the right answer."""
        self.challenged = 0
        self._user = user
        self._password = password
        self._algorithm = algorithm
        self._uses = uses
        self._counts: dict[str, set[str]] = {}
        pages = list(pages)
        for path in pages:
            links = pages if path == pages[0] else []
            body = html_page(f"members {path}", links)
            site.answer(path, lambda request, body=body: self._answer(request, body))  # type: ignore[misc]  # bound now

    def _answer(self, request: Request, body: bytes) -> Response:
        header = request.header("Authorization") or ""
        stale = ""
        if header.startswith("Digest "):
            pairs = {name: quoted or bare for name, quoted, bare in _PAIR.findall(header)}
            uses = self._counts.get(pairs.get("nonce", ""))
            if uses is not None and self._is_right(request, pairs):
                count = pairs["nc"]
                if len(uses) < self._uses and count not in uses:
                    uses.add(count)
                    self.granted.append(request.path)
                    return Response(200, body, HTML)
                stale = ", stale=true"
        self.challenged += 1
        nonce = f"nonce{self.challenged}"
        self._counts[nonce] = set()
        challenge = (
            f'Digest realm="{REALM}", qop="auth", algorithm={self._algorithm}, nonce="{nonce}", '
            f'opaque="o", charset=UTF-8{stale}'
        )
        return Response(
            401,
            b'{"error": "no"}' * 1000,
            "application/json",
            (("WWW-Authenticate", 'Basic realm="old"'), ("WWW-Authenticate", challenge)),
        )

    def _is_right(self, request: Request, pairs: dict[str, str]) -> bool:
        user = self._user if self._user.isascii() else None
        if pairs.get("uri") != request.path or (user and pairs.get("username") != user):
            return False
        key = self._hash(f"{self._user}:{REALM}:{self._password}")
        if self._algorithm.endswith("-sess"):
            key = self._hash(f"{key}:{pairs['nonce']}:{pairs['cnonce']}")
        asked = self._hash(f"{request.method}:{request.path}")
        middle = ":".join(pairs[name] for name in ("nonce", "nc", "cnonce", "qop"))
        return pairs.get("response") == self._hash(f"{key}:{middle}:{asked}")

    def _hash(self, text: str) -> str:
        name = "sha256" if self._algorithm.startswith("SHA-256") else "md5"
        return hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()
