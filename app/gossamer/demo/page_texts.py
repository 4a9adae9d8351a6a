"""Loads the demo site's texts from resources/demo."""

import datetime as dt
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from msgspec import Struct

from gossamer.model.program_resources import resource_path

_T = TypeVar("_T")


class Hall(Struct, frozen=True):
    """One of the museum's eight halls."""

    slug: str
    name: str
    lead: str
    text: str

    @property
    def path(self) -> str:
        """Its page."""
        return f"/collections/{self.slug}/"


class Species(Struct, frozen=True):
    """One spider, shown in the hall whose slug is `hall`. `length_mm` is a female's body."""

    latin: str
    name: str
    hall: str
    family: str
    length_mm: int
    range: str
    text: str

    @property
    def path(self) -> str:
        """Its page."""
        return f"/species/{slug_of(self.latin)}.html"


class JournalEntry(Struct, frozen=True):
    """One entry of the journal."""

    date: dt.date
    title: str
    text: str

    @property
    def path(self) -> str:
        """Its page."""
        return f"/journal/{self.date.year}/{slug_of(self.title)}.html"


class ShopSection(Struct, frozen=True):
    """A part of the shop."""

    slug: str
    name: str
    text: str

    @property
    def path(self) -> str:
        """Its page."""
        return f"/shop/{self.slug}/"


class Product(Struct, frozen=True):
    """Something on sale; `price` is in euros."""

    slug: str
    section: str
    name: str
    price: str
    text: str

    @property
    def path(self) -> str:
        """Its page."""
        return f"/shop/{self.section}/{self.slug}.html"


class Term(Struct, frozen=True):
    """A word of the glossary."""

    word: str
    text: str

    @property
    def path(self) -> str:
        """Its page."""
        return f"/glossary/{slug_of(self.word)}.html"


class WrittenPage(Struct, frozen=True):
    """A page written one by one.

    An empty `title` leaves the element out, as does an empty `headline`; None takes the title
    for it. `links` are pairs of address and text, `alternates` addresses by language. `refresh`
    is the target of a meta refresh. A `charset` other than UTF-8 is declared in the document
    for GB18030 and in the header for the rest.
    """

    path: str
    title: str
    text: list[str]
    links: list[tuple[str, str]] = []
    headline: str | None = None
    description: str = ""
    lang: str = "en"
    charset: str = "utf-8"
    robots: str = ""
    refresh: str = ""
    canonical: str = ""
    alternates: dict[str, str] = {}
    delay_s: float = 0.0


class ErrorResponse(Struct, frozen=True):
    """An address whose response is an error."""

    path: str
    status: int
    title: str
    text: str
    retry_after_s: int | None = None


class RedirectChain(Struct, frozen=True):
    """Addresses that redirect each to the next, with one status per step."""

    steps: list[str]
    statuses: list[int]


class LongRedirectChain(Struct, frozen=True):
    """`hops` redirects in a row, ``/<name>/1`` to ``/<name>/<hops>``, then the page `end`."""

    name: str
    hops: int
    end: str


class Redirects(Struct, frozen=True):
    """Every redirect except those of the old catalogue; `moved` is from, to, status."""

    moved: list[tuple[str, str, int]]
    chain: list[RedirectChain]
    thread: list[LongRedirectChain]


class AccessionRegister(Struct, frozen=True):
    """The parts that make up the lines of the accession register."""

    lines_per_species: int
    places: list[str]
    kept: list[str]
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class DemoContent:
    """All texts. `seasons` is one sentence for each month, by its two digits."""

    halls: list[Hall]
    species: list[Species]
    seasons: dict[str, str]
    entries: list[JournalEntry]
    sections: list[ShopSection]
    products: list[Product]
    terms: list[Term]
    pages: list[WrittenPage]
    errors: list[ErrorResponse]
    redirects: Redirects
    register: AccessionRegister


class _Halls(Struct):
    hall: list[Hall]


class _Species(Struct):
    species: list[Species]


class _Journal(Struct):
    season: dict[str, str]
    entry: list[JournalEntry]


class _Shop(Struct):
    section: list[ShopSection]
    product: list[Product]


class _Glossary(Struct):
    term: list[Term]


class _Pages(Struct):
    page: list[WrittenPage]
    error: list[ErrorResponse]


def load_content() -> DemoContent:
    """Read the texts. Raises FileNotFoundError or msgspec.ValidationError: both are our fault."""
    journal = _read("journal", _Journal)
    shop = _read("shop", _Shop)
    pages = _read("pages", _Pages)
    return DemoContent(
        halls=_read("halls", _Halls).hall,
        species=_read("species", _Species).species,
        seasons=journal.season,
        entries=journal.entry,
        sections=shop.section,
        products=shop.product,
        terms=_read("glossary", _Glossary).term,
        pages=pages.page,
        errors=pages.error,
        redirects=_read("redirects", Redirects),
        register=_read("register", AccessionRegister),
    )


def slug_of(text: str) -> str:
    """A file name for an address: lower case, letters and digits, joined by hyphens."""
    spaced = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return "-".join(spaced.split())


def _read(name: str, kind: type[_T]) -> _T:
    return msgspec.toml.decode(resource_path("demo", f"{name}.toml").read_bytes(), type=kind)
