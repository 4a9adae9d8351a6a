"""Decides what the outbox keeps when rules have changed: what some rule still requires."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from gossamer.notifying.channels import channel_key
from gossamer.notifying.conditions import RuleCondition
from gossamer.notifying.notification_messages import CrawlDigest, Message
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.store.notification_outbox import DeliveryState, OutboxMessage

Rules: TypeAlias = Sequence[tuple[str | None, NotificationRule]]
"""Rules with the ids of their series; None for those for all crawls."""


class NeededMessages:
    """What rules send to channels. See `notification_outbox.MessageFilter`."""

    def __init__(self, rules: Rules) -> None:
        self._known = {channel_key(each) for _, rule in rules for each in rule.channels}
        self._conditions: dict[str, set[tuple[str | None, RuleCondition]]] = {}
        for series, rule in rules:
            if not rule.is_enabled:
                continue
            for channel in rule.channels:
                wanted = self._conditions.setdefault(channel_key(channel), set())
                wanted |= {(series, each) for each in rule.conditions}

    def knows(self, channel: str) -> bool:
        """Whether some rule names the channel, even if it is disabled."""
        return channel in self._known

    def has_told(self, series: str, channel: str, condition: str) -> bool:
        """Whether it matters what the channel was told of a condition."""
        return any(each.key == condition for each in self._of(channel, series))

    def content(self, message: OutboxMessage) -> str | None:
        """What is left of a message, None for nothing: of what waits, the required conditions."""
        if message.state is not DeliveryState.WAITING:
            return message.content if self.knows(message.channel) else None
        whole = msgspec.json.decode(message.content, type=Message)
        crawls = [self._left(message.channel, each) for each in whole.crawls]
        left = replace(whole, crawls=tuple(each for each in crawls if each.conditions))
        if left == whole:
            return message.content
        return msgspec.json.encode(left).decode() if left.crawls else None

    def _left(self, channel: str, crawl: CrawlDigest) -> CrawlDigest:
        wanted = {str(each) for each in self._of(channel, crawl.series)}
        told = tuple(each for each in crawl.conditions if each.condition in wanted)
        return replace(crawl, conditions=told)

    def _of(self, channel: str, series: str) -> list[RuleCondition]:
        held = self._conditions.get(channel, ())
        return [condition for of, condition in held if of in {None, series}]
