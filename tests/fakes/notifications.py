"""Messages and channels for tests of notifications."""

from gossamer.model.translatable import Translatable, said
from gossamer.notifying.notification_messages import CrawlDigest, Message, ToldCondition

NOW = 1_800_000_000.0
NASTY = "Title\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>\x00\x1b[31m"


def told(sentence: str = "Pages have changed", *items: str, count: int = 0) -> ToldCondition:
    """A condition that holds."""
    return ToldCondition(
        "page:.", said(sentence), tuple(map(Translatable, items)), count or len(items)
    )


def digest(*conditions: ToldCondition, site: str = "https://a.example/") -> CrawlDigest:
    """What there is to tell of a crawl."""
    return CrawlDigest(
        *(site, "/projects/a.gossamer", "5e" * 16, NOW - 100, NOW, "finished", 1_234, 56, 7),
        conditions or (told(),),
    )


def message(*crawls: CrawlDigest) -> Message:
    """A message that tells of crawls."""
    return Message("ab" * 16, NOW, crawls or (digest(),))
