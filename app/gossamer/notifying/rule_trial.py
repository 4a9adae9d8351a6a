"""Tries a rule out: sends a test message through each of its channels."""

from time import time

from msgspec import Struct

from gossamer.model.translatable import Translatable
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.message_language import translator
from gossamer.notifying.notification_messages import text_of, title_of
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import Send, send
from gossamer.notifying.sample_message import sample_message


class ChannelTrial(Struct, frozen=True):
    """The result of a channel: `problem` if nothing arrived, else the reply, if any."""

    channel: Translatable
    problem: Translatable | None = None
    reply: Translatable | None = None


class RuleTrial(Struct, frozen=True):
    """What was sent, in the language of the rule, and the results."""

    title: str
    text: str
    channels: tuple[ChannelTrial, ...]

    @property
    def has_failed(self) -> bool:
        """Whether it did not arrive everywhere."""
        return any(each.problem is not None for each in self.channels)


async def try_out(rule: NotificationRule, send: Send = send) -> RuleTrial:
    """Send a test message to each channel of a rule, one after the other."""
    now_s = time()
    message = sample_message(rule.name, now_s)
    tried = []
    for channel in rule.channels:
        try:
            reply = await send(channel, message, rule.language, now_s)
        except DeliveryError as e:
            tried.append(ChannelTrial(channel.said, problem=e.said))
        else:
            tried.append(ChannelTrial(channel.said, reply=reply))
    translate = translator(rule.language)
    return RuleTrial(title_of(message, translate), text_of(message, translate), tuple(tried))
