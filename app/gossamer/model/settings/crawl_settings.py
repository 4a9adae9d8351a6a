"""`CrawlSettings`: all settings of one crawl, their validation and their encoding."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple, get_args, get_type_hints

import msgspec

from gossamer.model.archive_source import ArchiveSource
from gossamer.model.cluster_address import NO_CLUSTER
from gossamer.model.errors import UsageError
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.folder_priority import FolderPriority
from gossamer.model.settings.recrawl_settings import RecrawlSettings
from gossamer.model.settings.setting_declaration import (
    ChangePolicy,
    Option,
    Reuse,
    Section,
    Setting,
)
from gossamer.model.settings.setting_types import MadeByProgram, SegmentDefinitions, Switch
from gossamer.model.text_cleaning import is_unicode


class CrawlSettings(RecrawlSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is crawled and how. Immutable; `checked` validates it.

    Most settings are in the base classes. A setting is declared by the annotation of its field; the
    docstring of the field is what docs/settings.md says about it.
    """

    list_only: Annotated[
        bool,
        Setting(
            "List only",
            "",
            None,
            Switch(),
            Option("Fetch only the roots; follow no links."),
            reuse=Reuse.SAME_ROOTS,
            decides_reading=False,
        ),
    ] = False
    """Fetch only the roots and their redirects, and follow no links. In the window: *List* next to
    the address, *Only these URLs*.
    """
    needs_secrets: Annotated[
        tuple[SecretNames, ...],
        Setting(
            "Needs secrets",
            "",
            None,
            MadeByProgram(),
            reuse=Reuse.NONE,
        ),
    ] = ()
    """Names of the passwords, cookies and headers that the crawl was started with, by origin,
    without their values. Set by the program.
    """
    turns: Annotated[
        tuple[FolderPriority, ...],
        Setting(
            "Turns",
            "",
            None,
            MadeByProgram(),
            reuse=Reuse.NONE,
            decides_reading=False,
        ),
    ] = ()
    """Folders that were skipped for now or moved to the front during the crawl. Set by the program.
    """

    source: Annotated[
        ArchiveSource | None,
        Setting(
            "Archives",
            "",
            None,
            MadeByProgram(),
            reuse=Reuse.NONE,
        ),
    ] = None
    """The archives that the project was imported from, which take the place of the network. Set by
    `gossamer import`.
    """

    @property
    def reads_style_sheets(self) -> bool:
        """Whether style sheets are read for what they load, which is then requested."""
        is_wanted = "css" in self.check_kinds or "css" in self.follow_kinds
        return is_wanted and not self.list_only

    def checked(self) -> "CrawlSettings":
        """Return self, or raise UsageError with one sentence about the first thing wrong."""
        if not self.roots:
            raise UsageError("Enter the URL of a website to crawl.")
        for name, setting in SETTINGS.items():
            value = getattr(self, name)
            setting.values.check(setting.name, value)
            if not is_unicode(value):
                raise UsageError(
                    "{setting}: it contains characters that are not Unicode text; enter it again.",
                    setting=setting.name,
                )
        return self


class DeclaredSetting(NamedTuple):
    """A declared field of CrawlSettings: its type, such as `int | None`, and its declaration."""

    type: Any
    setting: Setting


def _declared() -> dict[str, DeclaredSetting]:
    hints = get_type_hints(CrawlSettings, include_extras=True)
    return {
        name: DeclaredSetting(*get_args(hints[name])) for name in CrawlSettings.__struct_fields__
    }


DECLARED: Final[Mapping[str, DeclaredSetting]] = _declared()
SETTINGS: Final[Mapping[str, Setting]] = {
    name: declared.setting for name, declared in DECLARED.items()
}
"""The declarations, by the names of the settings, in the order of the form."""
DEFAULTS: Final = CrawlSettings(roots=())
OF_ONE_CRAWL: Final = tuple(name for name, each in SETTINGS.items() if each.reuse is Reuse.NONE)
"""What belongs to one crawl: no file of settings, no profile and no other crawl has it of that."""
REUSABLE: Final = tuple(name for name, each in SETTINGS.items() if each.reuse is Reuse.ANY_CRAWL)
"""The settings that may be any crawl's: those of profiles and defaults."""
THRESHOLDS: Final = tuple(
    name
    for name, each in SETTINGS.items()
    if each.section in {Section.AUDIT, Section.PROOFREADING}
    and each.change is ChangePolicy.AT_ONCE
    and not isinstance(each.values, SegmentDefinitions)
)
"""The settings by which the audit decides, from what is stored of the pages."""


RULES_VERSION: Final = 1
"""Rises by one with each release in which a rule is new, or decided otherwise than before: see
`SiteRule.since`. What an older one has decided is decided again by the next audit."""
RULES_VERSION_NAME: Final = "rules"
"""Under this name it is among the thresholds."""


def has_no_effect(name: str, settings: CrawlSettings) -> bool:
    """Whether a setting does nothing because the one that it needs is off."""
    needed = SETTINGS[name].needs
    return bool(needed) and getattr(settings, needed) == getattr(DEFAULTS, needed)


def for_another_crawl(settings: CrawlSettings) -> CrawlSettings:
    """The settings without what belongs to the crawl that they are of."""
    of_none = {name: getattr(DEFAULTS, name) for name in OF_ONE_CRAWL}
    return msgspec.structs.replace(settings, **of_none)


def thresholds_of(settings: CrawlSettings) -> str:
    """The thresholds of the audit, and the version of its rules, as JSON text.

    Equal texts for equal thresholds.
    """
    thresholds = {name: getattr(settings, name) for name in THRESHOLDS}
    return msgspec.json.encode({RULES_VERSION_NAME: RULES_VERSION, **thresholds}).decode()


def changed_thresholds(before: str | None, settings: CrawlSettings) -> set[str]:
    """The names of those that differ from `before`, by `thresholds_of`; all if it is None."""
    past = {} if before is None else msgspec.json.decode(before)
    now = msgspec.json.decode(thresholds_of(settings))  # a tuple is a list in both
    return {name for name in now if now[name] != past.get(name)}


def encode_settings(settings: CrawlSettings) -> str:
    """The settings as JSON text, as project files hold them."""
    return msgspec.json.encode(settings.on_cluster(NO_CLUSTER)).decode()


def decode_settings(text: str) -> CrawlSettings:
    """The settings from JSON text; ValueError (msgspec.ValidationError) if it is invalid."""
    settings = msgspec.json.decode(text, type=CrawlSettings)
    # A scheduler that somebody else's project names could run programs here.
    return settings.on_cluster(NO_CLUSTER) if settings.cluster else settings
