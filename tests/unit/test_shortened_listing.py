"""Lists with their first entries and the number of the others, written and read again."""

from gossamer.model.shortened_listing import ShortenedListing, read_listing, shortened
from tests.cases import each_case


@each_case(
    "text",
    ["de http://[ and , more", "de and 1,23 more", "de and \u0661 more", " and 1 more"],
)
def test_what_nobody_has_written_is_left_as_it_is(text: str) -> None:
    assert read_listing(text) == ShortenedListing(text)


@each_case(
    ("count", "text", "found"),
    [
        (1, "de /de", ShortenedListing("de /de")),
        (2, "de /de, fr /fr", ShortenedListing("de /de, fr /fr")),
        (3, "de /de, fr /fr and 1 more", ShortenedListing("de /de, fr /fr", 1)),
        (1001, "de /de, fr /fr and 999 more", ShortenedListing("de /de, fr /fr", 999)),
        (1002, "de /de, fr /fr and 1,000 more", ShortenedListing("de /de, fr /fr", 1000)),
    ],
)
def test_what_is_written_is_read_again(count: int, text: str, found: ShortenedListing) -> None:
    entries = ["de /de", "fr /fr", "it /it"][:count]
    assert str(shortened(entries, 2, count, ", ")) == text
    assert read_listing(text) == found
