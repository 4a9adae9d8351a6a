"""Base class of audit rules: members of enums that carry their declaration."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, Self, TypeVar

from msgspec import Struct

from gossamer.model.translatable import Sentence

S = TypeVar("S")


class RuleKind(StrEnum):
    """The kind of a finding: issue, warning or opportunity."""

    ISSUE = "issue"
    """It is wrong."""
    WARNING = "warning"
    """It may be wrong."""
    OPPORTUNITY = "opportunity"
    """It could be better."""
    COUNT = "count"
    """It is worth counting, but no problem."""


class RulePriority(StrEnum):
    """The priority of a finding."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class RuleDeclaration(Struct, Generic[S], frozen=True, kw_only=True):
    """The declaration of a rule about an S, such as a URL."""

    name: Sentence
    """A few words, for lists and options."""
    kind: RuleKind
    priority: RulePriority
    text: Sentence
    """The finding, in a sentence or less; a template if the rule has values for it."""
    holds: Callable[[S], bool]
    """Whether one of them has this."""


class AuditRule(StrEnum):
    """Base class of rule groups: each member is a rule, named by its id.

    Members are tried in order.
    """

    declaration: RuleDeclaration[Any]

    # To type checkers a call with an id makes a member, while it looks one up: hence the default.
    def __new__(cls, rule_id: str, declaration: RuleDeclaration[Any] | None = None) -> Self:
        """Make the rule with this id, which options and scripts use."""
        if declaration is None:
            raise TypeError(f"the rule {rule_id} has no declaration")
        rule = str.__new__(cls, rule_id)
        rule._value_ = rule_id
        rule.declaration = declaration
        return rule
