"""The conditions of notification rules: each is declared once, with its argument."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec import Struct

from gossamer.audit.audit_rule import RulePriority
from gossamer.model.comparison_field_choice import compared_fields
from gossamer.model.errors import UsageError
from gossamer.model.file_names import is_text
from gossamer.model.number_format import number
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.urls.url_filters import compile_search

MAX_DAYS: Final = 3650
MAX_COUNT: Final = 10**9
MAX_PATTERN: Final = 2_000


class EndKind(StrEnum):
    """How a run of a crawl has ended, as far as somebody should be notified."""

    FINISHED = "finished"
    FAILED = "failed"
    PAUSED = "paused"
    """By itself: no network, a full disk, a login that has expired."""


class ConditionKind(StrEnum):
    """The subject of a condition. The value is its name in rules and on the command line."""

    ENDED = "ended"
    ISSUE = "issue"
    ERRORS = "errors"
    PAGE = "page"
    ROBOTS = "robots"
    SITEMAP = "sitemap"
    CERTIFICATE = "certificate"

    @property
    def label(self) -> Sentence:
        """Its name in lists."""
        return _DECLARED[self].label

    @property
    def default(self) -> str:
        """Its default argument; "" for none."""
        return _DECLARED[self].default

    @property
    def needs_comparison(self) -> bool:
        """Whether it needs the changes since the crawl before."""
        return _DECLARED[self].needs_comparison


_ENDED: Final[dict[str, Sentence]] = {
    "finished": "The crawl has finished",
    "failed": "The crawl has failed",
    "paused": "The crawl has paused by itself",
    "finished,failed": "The crawl has finished or failed",
    "finished,paused": "The crawl has finished or paused by itself",
    "failed,paused": "The crawl has failed or paused by itself",
}
"""The names of some ways of ending in lists."""
_APPEARED: Final[dict[str, Sentence]] = {
    RulePriority.HIGH.value: "An issue of high priority has appeared",
    RulePriority.MEDIUM.value: "An issue of medium or high priority has appeared",
    RulePriority.LOW.value: "An issue of any priority has appeared",
}


class RuleCondition(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition of a rule. `fields` are those of a page that count; all for none."""

    kind: ConditionKind
    argument: str = ""
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As it is written on the command line."""
        return f"{self.kind}:{self.argument}" if self.argument else str(self.kind)

    @property
    def key(self) -> str:
        """Distinguishes it from the others of its rule."""
        return f"{self} {','.join(self.fields)}".rstrip()

    def checked(self) -> "RuleCondition":
        """Itself, with its argument in the usual form; UsageError if that is invalid."""
        argument = _DECLARED[self.kind].check(self.argument.strip() or self.kind.default)
        fields = compared_fields(self.fields) if self.fields else ()
        return RuleCondition(self.kind, argument, fields)

    @property
    def is_valid(self) -> bool:
        """Whether it can be decided; what was stored may have been edited."""
        try:
            self.checked()
        except UsageError:
            return False
        return True

    @property
    def sentence(self) -> Translatable:
        """The condition in words, for lists."""
        match self.kind:
            case ConditionKind.ENDED:
                return Translatable(_ENDED.get(self.argument, self.kind.label))
            case ConditionKind.ISSUE:
                return Translatable(_APPEARED.get(self.argument, self.kind.label))
            case ConditionKind.ERRORS:
                is_number = self.argument.isdecimal()  # not if somebody has edited it
                count = number(int(self.argument)) if is_number else self.argument
                return said("More errors than {count}", count=count)
            case ConditionKind.PAGE:
                return said("A page has changed: {pattern}", pattern=self.argument)
            case ConditionKind.CERTIFICATE:
                return said("A certificate ends within {days} days", days=self.argument)
            case _:
                return Translatable(self.kind.label)


def parse_condition(text: str, fields: tuple[str, ...] = ()) -> RuleCondition:
    """A condition as written, KIND or KIND:ARGUMENT; UsageError with the valid ones."""
    name, _, argument = text.strip().partition(":")
    if name not in set(ConditionKind):
        raise UsageError(
            "There is no condition {name!r}; there are {names}.",
            name=name,
            names=", ".join(ConditionKind),
        )
    kind = ConditionKind(name)
    return RuleCondition(kind, argument, fields if kind is ConditionKind.PAGE else ()).checked()


def _endings(argument: str) -> str:
    words = [word.strip() for word in argument.split(",")]
    if not set(words) <= set(EndKind):
        raise UsageError("A crawl has ended as {names}.", names=", ".join(EndKind))
    return ",".join(each for each in EndKind if each in words)


def _priority(argument: str) -> str:
    if argument not in set(RulePriority):
        raise UsageError("The priority of an issue is {names}.", names=", ".join(RulePriority))
    return argument


def _count(argument: str) -> str:
    return str(_number(argument, MAX_COUNT))


def _days(argument: str) -> str:
    return str(_number(argument, MAX_DAYS))


def _number(argument: str, largest: int) -> int:
    if not argument.isascii() or not argument.isdigit() or int(argument) > largest:
        raise UsageError(
            "{text!r} is not a number from 0 to {largest}.",
            text=argument[:40],
            largest=number(largest),
        )
    return int(argument)


def _pattern(argument: str) -> str:
    if not argument:
        raise UsageError("Say which pages: page:PATTERN, a regular expression for addresses.")
    if len(argument) > MAX_PATTERN:
        raise UsageError("A pattern has at most {count} characters.", count=number(MAX_PATTERN))
    if not is_text(argument):
        raise UsageError(
            "The pattern {pattern!r} has an invalid character; write it in UTF-8.",
            pattern=argument[:80],
        )
    compile_search(argument)
    return argument


def _nothing(argument: str) -> str:
    if argument:
        raise UsageError(
            "{text!r} is too much: this condition takes no argument.", text=argument[:40]
        )
    return ""


class _Declaration(Struct, frozen=True):
    """A kind of condition: its label, the check of its argument, and what that is by default."""

    label: Sentence
    check: Callable[[str], str]
    """The argument in the usual form; UsageError if it is invalid."""
    default: str = ""
    needs_comparison: bool = False


_DECLARED: Final = {
    ConditionKind.ENDED: _Declaration("The crawl has ended", _endings, ",".join(EndKind)),
    ConditionKind.ISSUE: _Declaration(
        "An issue has appeared", _priority, RulePriority.HIGH.value, needs_comparison=True
    ),
    ConditionKind.ERRORS: _Declaration("More than so many errors", _count, "0"),
    ConditionKind.PAGE: _Declaration("A page has changed", _pattern, needs_comparison=True),
    ConditionKind.ROBOTS: _Declaration("A robots.txt has changed", _nothing),
    ConditionKind.SITEMAP: _Declaration("A sitemap has changed", _nothing),
    ConditionKind.CERTIFICATE: _Declaration("A certificate ends soon", _days, "14"),
}
