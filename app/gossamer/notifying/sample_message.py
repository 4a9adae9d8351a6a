"""The message for trying out a rule."""

import secrets

from gossamer.model.translatable import said
from gossamer.notifying.notification_messages import CrawlDigest, Message, ToldCondition


def sample_message(rule: str, now_s: float) -> Message:
    """A message that says that it is a test."""
    told = ToldCondition("test", said("This is a test of the rule {rule}", rule=rule))
    crawl = CrawlDigest(
        site="https://example.com/",
        project="",
        series="",
        started_at=now_s,
        ended_at=now_s,
        ending="finished",
        urls=0,
        pages=0,
        errors=0,
        conditions=(told,),
    )
    return Message(secrets.token_hex(16), now_s, (crawl,))
