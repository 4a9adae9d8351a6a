"""Many small sites as the web has them, behind one proxy: names of all sorts that share domains.

Subdomains, names in other scripts, public suffixes of two labels, numbers in place of names, ports;
cookies, and links that are not to be followed.
"""

import random
from urllib.parse import urlsplit

from tests.sites.many_hosts import PAGES, ManyHosts

_SUFFIXES = ("test", "co.uk", "github.io", "com", "xn--p1ai")
_LABELS = ("", "www.", "shop.", "a.b.", "blog.")
_SCRIPTS = ("b\u00fccher", "\u4e2d\u6587", "\u03bb\u03cc\u03b3\u03bf\u03c2")
_PORTS = ("", "", "", ":8080")


def _name(number: int) -> str:
    """Five hosts a domain, mostly; some of the names are in other scripts, or numbers."""
    domain, host = divmod(number, len(_LABELS))
    if domain % 7 == 3:
        return f"127.9.{domain % 250}.{host + 1}"
    kind = _SUFFIXES[domain % len(_SUFFIXES)]
    word = f"{_SCRIPTS[domain % 3]}{domain}".encode("idna").decode() if domain % 4 == 1 else ""
    return f"{_LABELS[host]}{word or f'site{domain}'}.{kind}"


class ManyDomains(ManyHosts):
    """So many hosts, generated from one number; all are reached through the proxy."""

    hosts_of_a_domain = len(_LABELS)

    def __init__(self, hosts: int, seed: int = 0, delay_s: float = 0.0) -> None:
        super().__init__(hosts, seed, delay_s)
        self.names = [f"{_name(n)}{_PORTS[n % len(_PORTS)]}" for n in range(hosts)]
        self._numbers = {name: n for n, name in enumerate(self.names)}

    @property
    def proxy(self) -> str:
        """What serves all of them."""
        return f"http://127.0.0.1:{self._port}"

    def url(self, number: int, path: str) -> str:
        return f"http://{self.names[number]}{path}"

    def _asked(self, head: list[str]) -> tuple[int, str]:
        parts = urlsplit(head[0].split()[1])
        return self._numbers[parts.netloc], parts.path

    def _answer(self, number: int, path: str, head: list[str]) -> bytes:
        if path != "/cookie":
            return super()._answer(number, path, head)
        if any(line.lower().startswith("cookie:") and "known=1" in line for line in head):
            body = f"<html lang=en><title>Known {number}</title><a href=/>home</a>".encode()
            return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (
                len(body),
                body,
            )
        return (
            b"HTTP/1.1 302 Found\r\nSet-Cookie: known=1; Path=/cookie\r\nLocation: /cookie\r\n"
            b"Content-Length: 0\r\n\r\n"
        )

    def _page(self, number: int, page: int) -> str:
        chance = random.Random(f"{self._seed} more {number} {page}")
        there = self.url(chance.randrange(len(self.names)), f"/p{chance.randrange(PAGES)}")
        back = self.url(number - 1, "/cookie")
        more = f'<a rel=nofollow href="{there}">not followed</a><a href="{back}">back</a>'
        if page == 2:
            more += f'<link rel=canonical href="{self.url(number, "/")}">'
        return super()._page(number, page) + more
