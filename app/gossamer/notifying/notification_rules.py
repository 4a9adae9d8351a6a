"""Notification rules: conditions and channels. Some are for all crawls, others for one series."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line
from gossamer.notifying.channels import NotificationChannel, checked_channel
from gossamer.notifying.conditions import RuleCondition

MAX_NAME: Final = 100
MAX_INTERVAL_S: Final = 30 * 86_400


class NotificationRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Notifies the channels if one of the conditions holds, with all that hold in one message.

    A channel gets no two messages within `interval_s`; what comes earlier waits. Unless `repeats`,
    what was reported and has not changed is not repeated. `language` is "en" or "zh_CN". A disabled
    rule notifies nobody.
    """

    name: str
    conditions: tuple[RuleCondition, ...]
    channels: tuple[NotificationChannel, ...]
    interval_s: float = 0.0
    repeats: bool = False
    language: str = "en"
    is_enabled: bool = True

    def checked(self) -> "NotificationRule":
        """Itself, in the usual form; UsageError if it notifies nobody."""
        name = one_line(self.name, MAX_NAME + 1)
        if not name or len(name) > MAX_NAME:
            raise UsageError("Give the rule a name of at most {count} characters.", count=MAX_NAME)
        if not self.conditions:
            raise UsageError("Say when to notify: --when CONDITION.")
        if not self.channels:
            raise UsageError(
                "Say how to notify: --desktop, --email, --webhook or a program.",
            )
        if not 0 <= self.interval_s <= MAX_INTERVAL_S:
            raise UsageError("The interval of a rule is at most 30 days.")
        if self.language not in LANGUAGES:
            raise UsageError("Messages are in {names}.", names=", ".join(LANGUAGES))
        return replace(
            self,
            name=name,
            conditions=tuple(dict.fromkeys(each.checked() for each in self.conditions)),
            channels=tuple(dict.fromkeys(checked_channel(each) for each in self.channels)),
        )


LANGUAGES: Final = ("en", "zh_CN")
