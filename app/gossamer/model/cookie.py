"""A cookie set by a server, as page workers report it to the crawl's cookie jar."""

from msgspec import Struct


class Cookie(Struct, frozen=True, array_like=True):
    """Name and value, and where the cookie may be sent (RFC 6265 §5.3).

    `domain` is a serialised host: it alone if `host_only`, else with its subdomains. `port` is None
    for the usual port of http or https, which share their cookies. `expires_s` is Unix time, None
    for the length of the crawl; in the past, the cookie is revoked. Texts are the bytes of the
    header, decoded as ISO-8859-1.
    """

    name: str
    value: str
    domain: str
    host_only: bool = True
    port: int | None = None
    path: str = "/"
    secure: bool = False
    from_https: bool = False
    """Whether it was set over https."""
    expires_s: float | None = None
    is_http_only: bool = False
    """Whether scripts of pages must not see it."""

    @property
    def size_bytes(self) -> int:
        """What counts against the limit of a site."""
        return len(self.name) + len(self.value)

    def __repr__(self) -> str:
        return f"Cookie({self.name!r}, …, {self.domain!r}, {self.path!r})"


def is_path_below(path: str, folder: str) -> bool:
    """Whether a cookie of the path `folder` is sent to `path` (RFC 6265 §5.1.4)."""
    return path.startswith(folder) and (
        len(path) == len(folder) or folder.endswith("/") or path[len(folder)] == "/"
    )
