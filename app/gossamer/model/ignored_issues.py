"""Issues that somebody has decided to ignore: for which URLs, why, by whom and when."""

from typing import Final

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line

EVERY_URL: Final = "*"
"""The pattern that all URLs match."""
MAX_PATTERNS: Final = 200
"""Patterns with `*` of one issue: each is compared with every URL of the issue."""
_LONGEST_PATTERN: Final = 4_000
_LONGEST_REASON: Final = 1_000


class IgnoredIssue(Struct, frozen=True, array_like=True):
    """A rule of the audit that is ignored, for the URLs that match a pattern.

    `rule` is its number. In the pattern, `*` matches any characters, and everything else itself.
    With `url_id`, it is the address of this URL and matches no other. `ignored_at` is Unix time. A
    reader counts the `urls` that it currently excludes from the results.
    """

    rule: int
    pattern: str = EVERY_URL
    url_id: int | None = None
    reason: str = ""
    author: str = ""
    ignored_at: float = 0.0
    urls: int = 0

    def checked(self) -> "IgnoredIssue":
        """Return it with reason and author on one line; UsageError if it cannot be kept."""
        pattern = self.pattern.strip()
        if not pattern:
            raise UsageError("Enter the addresses for which to ignore the issue; * stands for all.")
        if len(pattern) > _LONGEST_PATTERN:
            raise UsageError(
                "A pattern of addresses has at most {most:,} characters.", most=_LONGEST_PATTERN
            )
        return IgnoredIssue(
            self.rule,
            pattern,
            self.url_id,
            one_line(self.reason, _LONGEST_REASON),
            one_line(self.author, _LONGEST_REASON),
            self.ignored_at,
        )
