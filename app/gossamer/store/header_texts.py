"""Response headers as two texts: the part that most responses of a site share, and the rest.

The first has a line for each header: `Name: value` where many responses have the same value, or
else `Name`, or `Name;` for a date. The values of the latter are the lines of the second text; dates
have no day of the week and no time zone, which is GMT. So the first text, of which a site has few,
is stored once.
"""

from datetime import date
from functools import lru_cache
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
_DATED: Final = ";"
_GMT: Final = " GMT"
_WEEKDAYS: Final = ("Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, ")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


class HeaderTexts(NamedTuple):
    """The headers of a response as they are stored."""

    names: str
    values: str

    @classmethod
    def of(cls, headers: list[tuple[str, str]]) -> "HeaderTexts":
        """Those of names and values."""
        names, values = [], []
        for name, value in headers:
            is_shared = name.lower() in _SHARED and _MADE_ONCE not in value
            if is_shared or name.endswith(_DATED):
                names.append(f"{name}: {value}\n")
            elif value[25:] == _GMT and value[:5] == _weekday(value[5:16]):
                names.append(f"{name}{_DATED}\n")
                values.append(value[5:25])
            else:
                names.append(f"{name}\n")
                values.append(value)
        found = cls("".join(names), "\n".join(values))
        breaks = found.names.count("\n") + found.values.count("\n")
        is_clean = breaks == len(names) + max(len(values) - 1, 0)
        if is_clean and "\r" not in found.names and "\r" not in found.values:
            return found
        return cls.of([(one_line(name), one_line(value)) for name, value in headers])

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Names and values, in their order."""
        values = iter(self.values.split("\n"))
        found = []
        for line in self.names.split("\n")[:-1]:
            name, there, value = line.partition(": ")
            if not there:
                value = next(values, "")
                if name.endswith(_DATED):
                    name, value = name[: -len(_DATED)], f"{_weekday(value[:11])}{value}{_GMT}"
            found.append((name, value))
        return found


@lru_cache(1000)
def _weekday(day: str) -> str:
    """`Sun, ` and so on, for what may be a day like `06 Nov 1994`, as HTTP writes it."""
    number, _, rest = day.partition(" ")
    month, _, year = rest.partition(" ")
    if month not in _MONTHS or not (number + year).isascii() or not (number + year).isdigit():
        return ""
    try:
        return _WEEKDAYS[date(int(year), _MONTHS.index(month) + 1, int(number)).weekday()]
    except ValueError:
        return ""
