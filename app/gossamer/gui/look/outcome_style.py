"""Maps a URL's outcome to its icon, colour and label, so that colour is never the only sign."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.look.theme import Role
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import AWAITING_LOGIN, Outcome, Verdict, is_error, sentence_of, verdict
from gossamer.model.redirect_types import ChainType, RedirectKind
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.translatable import Translatable

_IN_FLIGHT: Final = QT_TRANSLATE_NOOP("Outcome", "In flight")
_IS_IN_FLIGHT: Final = QT_TRANSLATE_NOOP("Outcome", "Being fetched.")

_ACTION_LABELS: Final[dict[LinkAction, str]] = {
    LinkAction.FOLLOW: QT_TRANSLATE_NOOP("LinkAction", "Followed"),
    LinkAction.CHECK: QT_TRANSLATE_NOOP("LinkAction", "Checked"),
    LinkAction.RECORD: QT_TRANSLATE_NOOP("LinkAction", "Recorded"),
    LinkAction.NOFOLLOW: QT_TRANSLATE_NOOP("LinkAction", "Nofollow"),
}

_REDIRECT_LABELS: Final[dict[RedirectKind, str]] = {
    RedirectKind.REFRESH_HEADER: QT_TRANSLATE_NOOP("RedirectKind", "Refresh header"),
    RedirectKind.META_REFRESH: QT_TRANSLATE_NOOP("RedirectKind", "Meta refresh"),
    RedirectKind.JAVASCRIPT: QT_TRANSLATE_NOOP("RedirectKind", "JavaScript"),
}
_CHAIN_LABELS: Final[dict[ChainType, str]] = {
    ChainType.LOOP: QT_TRANSLATE_NOOP("ChainType", "Loop"),
    ChainType.LIMIT: QT_TRANSLATE_NOOP("ChainType", "Beyond the limit"),
    ChainType.BROKEN: QT_TRANSLATE_NOOP("ChainType", "Broken"),
    ChainType.PERMANENT: QT_TRANSLATE_NOOP("ChainType", "Permanent"),
    ChainType.TEMPORARY: QT_TRANSLATE_NOOP("ChainType", "Temporary"),
    ChainType.MIXED: QT_TRANSLATE_NOOP("ChainType", "Mixed"),
}
_HTTP_REDIRECT: Final = QT_TRANSLATE_NOOP("RedirectKind", "HTTP redirect")
_HTTP_LABELS: Final[dict[int, str]] = {
    300: QT_TRANSLATE_NOOP("RedirectKind", "Multiple choices"),
    301: QT_TRANSLATE_NOOP("RedirectKind", "Permanent"),
    302: QT_TRANSLATE_NOOP("RedirectKind", "Temporary"),
    303: QT_TRANSLATE_NOOP("RedirectKind", "See other"),
    307: QT_TRANSLATE_NOOP("RedirectKind", "Temporary"),
    308: QT_TRANSLATE_NOOP("RedirectKind", "Permanent"),
}

_VERDICTS: Final[dict[Verdict, str]] = {
    Verdict.PENDING: QT_TRANSLATE_NOOP("Verdict", "No response yet"),
    Verdict.OK: QT_TRANSLATE_NOOP("Verdict", "OK"),
    Verdict.REDIRECT: QT_TRANSLATE_NOOP("Verdict", "Redirects to another URL"),
    Verdict.BROKEN: QT_TRANSLATE_NOOP("Verdict", "Broken for every visitor"),
    Verdict.REFUSED: QT_TRANSLATE_NOOP(
        "Verdict", "Refused: the server blocks crawlers, but may let visitors in"
    ),
    Verdict.UNVERIFIED: QT_TRANSLATE_NOOP("Verdict", "Uncertain: may be temporary"),
    Verdict.SKIPPED: QT_TRANSLATE_NOOP("Verdict", "Not requested"),
}

NO_STATUS: Final = "\N{EN DASH}"

VERDICT_ROLES: Final[dict[Verdict, Role]] = {
    Verdict.PENDING: "pending",
    Verdict.OK: "ok",
    Verdict.REDIRECT: "redirect",
    Verdict.BROKEN: "error",
    Verdict.REFUSED: "warning",
    Verdict.UNVERIFIED: "warning",
    Verdict.SKIPPED: "skipped",
}
VERDICT_ICONS: Final[dict[Verdict, str]] = {
    Verdict.PENDING: "queued",
    Verdict.OK: "page",
    Verdict.REDIRECT: "redirect",
    Verdict.BROKEN: "error",
    Verdict.REFUSED: "warning",
    Verdict.UNVERIFIED: "warning",
    Verdict.SKIPPED: "skipped",
}


def label(outcome: Outcome) -> str:
    """The outcome in a few words, translated."""
    return spoken(Translatable(outcome.label))


def sentence(outcome: Outcome, status: int | None = None) -> str:
    """The outcome, with this status if there is one, as one plain sentence, translated."""
    return spoken(Translatable(sentence_of(outcome, status)))


def in_flight_label() -> str:
    """The label of a URL while it is being fetched, in a few words, translated."""
    return QCoreApplication.translate("Outcome", _IN_FLIGHT)


def in_flight_sentence() -> str:
    """The same as a sentence, translated."""
    return QCoreApplication.translate("Outcome", _IS_IN_FLIGHT)


def kind_label(kind: LinkKind) -> str:
    """The kind of a link in a word or two, translated."""
    return spoken(Translatable(kind.declaration.label))


def action_label(action: LinkAction) -> str:
    """What the crawl does about a link, in a word, translated."""
    return QCoreApplication.translate("LinkAction", _ACTION_LABELS[action])


def redirect_label(kind: RedirectKind, status: int | None) -> str:
    """By what means, or how lastingly, a URL sends visitors on; in a word or two, translated."""
    words = _REDIRECT_LABELS.get(kind) or _HTTP_LABELS.get(status or 0, _HTTP_REDIRECT)
    return QCoreApplication.translate("RedirectKind", words)


def chain_label(kind: ChainType) -> str:
    """The type of a redirect chain in a word or two, translated."""
    return QCoreApplication.translate("ChainType", _CHAIN_LABELS[kind])


def warning_labels(warnings: Iterable[ResponseWarning]) -> str:
    """Warnings in a few words each, translated."""
    return "; ".join(spoken(Translatable(warning.label)) for warning in warnings)


def verdict_words(outcome: Outcome, status: int | None) -> str:
    """What a user should think of a URL, translated."""
    return QCoreApplication.translate("Verdict", _VERDICTS[verdict(outcome, status)])


def worst_words(worst: Verdict) -> str:
    """The verdict on the worst of several URLs, translated."""
    return QCoreApplication.translate("Verdict", _VERDICTS[worst])


def role(outcome: Outcome, status: int | None) -> Role:
    """The colour role of a URL."""
    return VERDICT_ROLES[verdict(outcome, status)]


def icon_name(outcome: Outcome, status: int | None) -> str:
    """The icon of a URL: a name that `gossamer.gui.look.icons.icon` knows."""
    if outcome is Outcome.FILE:
        return "file"
    if outcome is Outcome.CANCELLED:
        return "cancelled"
    return VERDICT_ICONS[verdict(outcome, status)]


def status_text(outcome: Outcome, status: int | None) -> str:
    """The HTTP status; without one, why it failed, or a dash if it did not."""
    if status is not None:
        return str(status)
    is_telling = is_error(outcome) or outcome in AWAITING_LOGIN
    return label(outcome) if is_telling else NO_STATUS
