"""Decides what is new to one channel about a crawl, and in which message it is sent."""

import secrets
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.notifying.conditions import ConditionKind, RuleCondition
from gossamer.notifying.findings import ConditionFinding
from gossamer.notifying.notification_messages import MAX_CRAWLS, CrawlDigest, Message, ToldCondition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.store.notification_outbox import DeliveryState, OutboxMessage


class ChannelDecision(Struct, frozen=True):
    """A channel and a crawl: the rules that name the channel, the findings, and the time.

    `digest` has no conditions yet. The channel may be notified from `wait_s` after `since_s` on.
    """

    rules: tuple[NotificationRule, ...]
    found: Mapping[RuleCondition, ConditionFinding]
    digest: CrawlDigest
    channel: str
    now_s: float
    since_s: float
    wait_s: float
    decidable: frozenset[ConditionKind] = frozenset(ConditionKind)
    """See `CrawlFacts`."""

    def decide(
        self, told: Mapping[str, str], untried: OutboxMessage | None
    ) -> tuple[dict[str, str], OutboxMessage | None]:
        """What counts as reported from now on, and the message with it, if anything is new.

        `told` is what the channel last received about the series. An `untried` message is extended.
        """
        held = {
            condition: self.found[condition]
            for rule in self.rules
            for condition in rule.conditions
            if condition in self.found
        }
        repeated = {each for rule in self.rules if rule.repeats for each in rule.conditions}
        news = tuple(
            ToldCondition(str(condition), each.sentence, each.items, each.count)
            for condition, each in held.items()
            if condition in repeated or told.get(condition.key) != each.fingerprint
        )
        fingerprints = {condition.key: each.fingerprint for condition, each in held.items()}
        return self._undecided(told) | fingerprints, self._message(news, untried) if news else None

    def _undecided(self, told: Mapping[str, str]) -> dict[str, str]:
        """What was reported of the conditions about which this crawl says nothing."""
        conditions = {condition for rule in self.rules for condition in rule.conditions}
        return {
            each.key: told[each.key]
            for each in conditions
            if each.kind not in self.decidable and each.key in told
        }

    def _message(
        self, news: tuple[ToldCondition, ...], untried: OutboxMessage | None
    ) -> OutboxMessage:
        crawl = replace(self.digest, conditions=news)
        language = self.rules[0].language
        conditions = {each.condition for each in news}
        rules = tuple(
            rule.name for rule in self.rules if not conditions.isdisjoint(map(str, rule.conditions))
        )
        if untried is not None and untried.language == language:
            message = _added(msgspec.json.decode(untried.content, type=Message), crawl, rules)
            return replace(untried, content=msgspec.json.encode(message).decode())
        message = Message(secrets.token_hex(16), self.now_s, (crawl,), rules=rules)
        return OutboxMessage(
            id=message.id,
            channel=self.channel,
            language=language,
            content=msgspec.json.encode(message).decode(),
            created_at=self.now_s,
            state=DeliveryState.WAITING,
            tries=0,
            since=self.since_s,
            wait_s=self.wait_s,
            problem="",
            number=0,
        )


def _added(message: Message, crawl: CrawlDigest, rules: Sequence[str]) -> Message:
    """The message with another crawl; if there are too many, the first are left out."""
    crawls = (*message.crawls, crawl)
    omitted = max(0, len(crawls) - MAX_CRAWLS)
    return replace(
        message,
        crawls=crawls[omitted:],
        omitted=message.omitted + omitted,
        rules=tuple(dict.fromkeys((*message.rules, *rules))),
    )
