"""How a setting is declared: label, value type, option, and when it may change.

Each field of `CrawlSettings` is annotated with a `Setting`. Validation, the options of the command
line, the form of the window, settings files and the table in docs/settings.md are made from it; the
table also has the docstring of the field.
"""

from enum import Enum, StrEnum, auto
from typing import Final

from msgspec import Struct

from gossamer.model.settings.setting_types import Values
from gossamer.model.translatable import Sentence, Translatable


class Section(StrEnum):
    """A section of the settings form, in the order of the form."""

    LIMITS = auto()
    PACE = auto()
    SCOPE = auto()
    LINKS = auto()
    SITEMAPS = auto()
    REQUESTS = auto()
    ACCESS = auto()
    """Passwords and cookies, which are no settings."""
    READING = auto()
    RENDERING = auto()
    ARCHIVE = auto()
    AUDIT = auto()
    PROOFREADING = auto()
    CUSTOM = auto()
    """Custom searches and custom extractions."""
    RECRAWL = auto()


SECTION_TITLES: Final[dict[Section, Sentence]] = {
    Section.LIMITS: "Limits",
    Section.PACE: "Pace",
    Section.SCOPE: "Scope",
    Section.LINKS: "Links",
    Section.SITEMAPS: "Sitemaps",
    Section.REQUESTS: "Requests",
    Section.ACCESS: "Access",
    Section.READING: "Reading",
    Section.RENDERING: "Rendering",
    Section.ARCHIVE: "Archive",
    Section.AUDIT: "Audit",
    Section.PROOFREADING: "Spelling",
    Section.CUSTOM: "Custom",
    Section.RECRAWL: "Crawl again",
}


class ChangePolicy(Enum):
    """Whether a setting can change once its crawl has begun."""

    AT_ONCE = auto()
    """The crawl goes on by the new value without a break."""
    WITH_NEW_WORKERS = auto()
    """Page workers learn it when they start: new ones take over from the old."""
    NEVER_READ_PAGES = auto()
    """Never: pages that were read already were read by it."""
    NEVER_KNOWN_URLS = auto()
    """Never: it was applied to all URLs found so far."""


class Reuse(Enum):
    """Which other crawls may have a setting of this one."""

    ANY_CRAWL = auto()
    """Profiles and defaults have it."""
    SAME_ROOTS = auto()
    """It is about the addresses of the crawl: a settings file has it, no profile does."""
    NONE = auto()
    """It belongs to one crawl: no other has it, nor any file."""


class Option(Struct, frozen=True):
    """The option of the command line that sets it, of `crawl` and, if it can change, of `resume`.

    It is spelled like the setting, unless it has a `name` of its own, such as "--timeout".
    """

    help: str
    on_resume: str = ""
    """Help for `resume`, where it means something else there."""
    name: str = ""
    metavar: str | None = None
    default: str | None = None
    """What help says in place of the default, such as "one per core"."""


class Setting(Struct, frozen=True):
    """The declaration of one setting. Without a `section` it is in no form."""

    label: Sentence
    """What the form calls it; of a switch, a whole phrase."""
    hint: Sentence
    """One sentence below its field."""
    section: Section | None
    values: Values
    option: Option | None = None
    called: Sentence = ""
    """What other sentences call it, where that is not the label: "Max depth"."""
    change: ChangePolicy = ChangePolicy.NEVER_KNOWN_URLS
    reuse: Reuse = Reuse.ANY_CRAWL
    needs: str = ""
    """The setting without which it has no effect, that is, while that one is at its default.

    Its field is disabled then, and the command line says so where it was chosen all the same.
    """
    decides_reading: bool = True
    """Whether what is read of a page may hang on it: otherwise a recrawl with another value takes
    over what was read of unchanged pages. The thresholds of the audit never do.
    """
    changes_results: bool = True
    """Whether crawls that differ in it alone may find something else: comparisons say so then."""

    @property
    def name(self) -> Translatable:
        """What it is called in a sentence such as "Max depth must be between 0 and 10,000."."""
        return Translatable(self.called or self.label)
