"""Response headers as two texts: what most responses of a site have in common, and the rest.

The first has a line for each header: `Name: value` where many responses have the same value, or
else `Name`. The values of the latter are the lines of the second text. So the first, of which a
site has few, is stored once.
"""

from typing import Final, NamedTuple

from gossamer.model.text_cleaning import one_line

_SHARED: Final = frozenset(
    {
        *("accept-ranges", "access-control-allow-origin", "alt-svc", "cache-control", "connection"),
        *("content-encoding", "content-language", "content-security-policy", "content-type"),
        *("cross-origin-opener-policy", "keep-alive", "permissions-policy", "pragma"),
        *("referrer-policy", "server", "strict-transport-security", "transfer-encoding", "vary"),
        *("via", "x-content-type-options", "x-frame-options", "x-powered-by", "x-robots-tag"),
        "x-xss-protection",
    }
)
"""Headers with few different values on a site, unless these are made for one response."""
_MADE_ONCE: Final = "nonce-"


class HeaderTexts(NamedTuple):
    """The headers of a response as they are stored."""

    names: str
    values: str

    @classmethod
    def of(cls, headers: list[tuple[str, str]]) -> "HeaderTexts":
        """Those of names and values."""
        names, values = [], []
        for name, value in headers:
            if name.lower() in _SHARED and _MADE_ONCE not in value:
                names.append(f"{name}: {value}\n")
            else:
                names.append(f"{name}\n")
                values.append(f"{value}\n")
        found = cls("".join(names), "".join(values))
        is_clean = found.names.count("\n") + found.values.count("\n") == len(names) + len(values)
        if is_clean and "\r" not in found.names and "\r" not in found.values:
            return found
        return cls.of([(one_line(name), one_line(value)) for name, value in headers])

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Names and values, in their order."""
        values = iter(self.values.split("\n"))
        parts = (line.partition(": ") for line in self.names.split("\n")[:-1])
        return [(name, value if there else next(values, "")) for name, there, value in parts]
