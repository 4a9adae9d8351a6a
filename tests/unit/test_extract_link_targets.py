"""The addresses that the links of a page lead to, whichever parser has found them."""

from gossamer.extract.link_targets import MAX_TARGET, MAX_TARGETS, Targets
from gossamer.urls.url_joining import Base


def test_a_long_base_with_many_links_stays_bounded() -> None:
    targets = Targets(Base("https://example.com/" + "x" * (MAX_TARGET // 2) + "/"))
    numbers = [targets.number(f"{number}")[0] for number in range(2000)]
    assert numbers[-1] < 0
    assert MAX_TARGETS - MAX_TARGET < sum(map(len, targets.urls)) <= MAX_TARGETS


def test_links_are_numbered_together_as_they_are_one_by_one() -> None:
    base = Base("https://example.com/" + "x" * (MAX_TARGET // 2) + "/")
    together, of_parts, one_by_one = Targets(base), Targets(base), Targets(base)
    hrefs = ["b", "/a", "b", "javascript:b()", "../x", "/a", *map(str, range(2000)), "/a", "z"]
    for start, end in ((0, 1), (1, 5), (5, 900), (900, len(hrefs))):
        numbers = [one_by_one.number(href)[0] for href in hrefs[start:end]]
        assert together.numbers(hrefs[start:end]) == numbers
        assert of_parts.numbers_of_parts(hrefs[start:end]) == numbers
    assert together.urls == of_parts.urls == one_by_one.urls
    assert numbers[-1] < 0
