"""Rules that one response decides. Planted sites compare what they list with the stages."""

from typing import Any, Final

from msgspec.structs import replace

from gossamer.audit.live_response_issues import with_issues
from gossamer.audit.rule_catalogue import RULES
from gossamer.model.fields.page_flags import ContentFlag, Directive
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkTrait
from gossamer.model.outcome import Outcome
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.visit import Link, PageLinks, Visit
from tests.cases import each_case
from tests.fakes.audited_pages import ADDRESS, GOOD_FACTS

_SITE: Final = "https://site.example/"
_NONE: Final = "Links: Pages Without Internal Outlinks"
_INTERNAL: Final = "Links: Pages With High Internal Outlinks"
_EXTERNAL: Final = "Links: Pages With High External Outlinks"
_FEW: Final = replace(DEFAULTS, internal_outlinks_max=2, external_outlinks_max=1)


def issues(visit: Visit, url: str = ADDRESS) -> set[str]:
    """The full names of the rules that hold for a visit, in a crawl of one host."""
    visit = with_issues(url, visit, _FEW, lambda each: each.startswith(_SITE))
    return {RULES[number].full_name(DEFAULTS) for number in visit.issues}


def page(*targets: str, kind: LinkKind = LinkKind.ANCHOR, **response: Any) -> Visit:
    """A good page with a link to each of these URLs."""
    facts = replace(GOOD_FACTS, canonical=ADDRESS, **response.pop("facts", {}))
    links = PageLinks.of([Link(place, kind) for place in range(len(targets))])
    return Visit(Outcome.PAGE, 200, targets=list(targets), links=links, facts=facts, **response)


@each_case(
    ("visit", "expected"),
    [
        (page(f"{_SITE}a"), set()),
        (page(), {_NONE}),
        (page(ADDRESS, "https://other.example/", "mailto:a@site.example"), {_NONE}),
        (page(f"{_SITE}a.png", kind=LinkKind.IMAGE), {_NONE}),
        (page(facts={"directives": Directive.NOINDEX}), set()),
        (page(warnings=[ResponseWarning.SIZE_LIMIT]), set()),
        (page(*(f"{_SITE}{n}" for n in range(2))), set()),
        (page(*(f"{_SITE}{n}" for n in range(3))), {_INTERNAL}),
        (page(*(f"{_SITE}{n}" for n in range(3)), kind=LinkKind.SCRIPT), {_NONE}),
        (page(f"{_SITE}a", "https://other.example/", "mailto:a@site.example"), set()),
        (page(f"{_SITE}a", *(f"https://other.example/{n}" for n in range(2))), {_EXTERNAL}),
    ],
)
def test_where_the_links_of_a_page_lead(visit: Visit, expected: set[str]) -> None:
    assert issues(visit) & {_NONE, _INTERNAL, _EXTERNAL} == expected


def image(size_bytes: int, **response: Any) -> Visit:
    """A checked image of this size."""
    told = {"content_type": "image/png", "content_type_header": "image/png", **response}
    return Visit(response.pop("outcome", Outcome.CHECKED), 200, size_bytes=size_bytes, **told)


@each_case(
    ("visit", "is_large"),
    [
        (image(102_400), False),
        (image(102_401), True),
        (image(102_401, content_type="text/css"), False),
        (replace(image(102_401), status=404, outcome=Outcome.CLIENT_ERROR), False),
    ],
)
def test_large_images(visit: Visit, *, is_large: bool) -> None:
    assert ("Images: Over 100 kB" in issues(visit)) is is_large


@each_case(
    ("visit", "url", "is_bad"),
    [
        (page(facts={"content": ContentFlag.BAD_CONTENT_TYPE}), ADDRESS, True),
        (page(), ADDRESS, False),
        (image(9, content_type="text/plain", content_type_header=""), ADDRESS, True),
        (image(9, content_type="text/plain", content_type_header="text"), ADDRESS, True),
        (image(9, content_type="text/plain", content_type_header="a b/c"), ADDRESS, True),
        (image(9, content_type_header="png"), ADDRESS, True),
        (image(9, content_type="text/plain", content_type_header="text/plain"), ADDRESS, False),
        (image(9, content_type="text/plain"), "https://other.example/a", False),
    ],
)
def test_content_types(visit: Visit, url: str, *, is_bad: bool) -> None:
    assert ("Security: Bad Content Type" in issues(visit, url)) is is_bad


def shown(*links: Link, url: str = ADDRESS, **response: Any) -> dict[str, list[int]]:
    """The positions of the links for whose targets rules hold, of a page with these links."""
    made = page(f"{_SITE}a.png", "data:,", **response)
    made = replace(made, links=PageLinks.of(links))
    visit = with_issues(url, made, _FEW, lambda each: each.startswith(_SITE))
    found: dict[str, list[int]] = {}
    for number, place in visit.link_issues:
        found.setdefault(RULES[number].full_name(DEFAULTS), []).append(place)
    return found


def picture(alt: str = "", traits: int = 0, element: str = "body img", target: int = 0) -> Link:
    """A link to an image."""
    return Link(target, LinkKind.IMAGE, alt, element=element, traits=traits)


_NO_ALT: Final = {"Images: Missing Alt Attribute": [1]}
_ANCHOR: Final = Link(0, LinkKind.ANCHOR, "x" * 101, traits=LinkTrait.NO_ALT)


@each_case(
    ("links", "response", "expected"),
    [
        ((_ANCHOR, picture(traits=LinkTrait.NO_ALT)), {}, _NO_ALT),
        ((_ANCHOR, picture(traits=LinkTrait.EMPTY_ALT)), {}, {"Images: Missing Alt Text": [1]}),
        ((_ANCHOR, picture("Alt")), {}, {}),
        ((_ANCHOR, picture("x" * 100)), {}, {}),
        ((_ANCHOR, picture("x" * 101)), {}, {"Images: Alt Text Over 100 Characters": [1]}),
        ((_ANCHOR, picture("x" * 101, element="picture source")), {}, {}),
        ((_ANCHOR, picture(traits=LinkTrait.NO_ALT, target=1)), {}, {}),
        (
            (picture(traits=LinkTrait.NO_SIZE), picture(traits=LinkTrait.NO_SIZE)),
            {},
            {"Images: Missing Size Attributes": [0, 1]},
        ),
        (
            (_ANCHOR, picture(traits=LinkTrait.NO_ALT)),
            {"facts": {"directives": Directive.NOINDEX}},
            {},
        ),
        ((_ANCHOR, picture(traits=LinkTrait.NO_ALT)), {"url": "https://other.example/"}, {}),
    ],
)
def test_how_a_page_shows_images(
    links: tuple[Link, ...], response: dict[str, Any], expected: dict[str, list[int]]
) -> None:
    assert shown(*links, **response) == expected


@each_case(
    ("visit", "url", "expected"),
    [
        (image(2 * 1024 * 1024), ADDRESS, []),
        (image(2 * 1024 * 1024 + 1), ADDRESS, [2008]),
        (image(2 * 1024 * 1024 + 1), "https://other.example/a", []),
        (replace(image(2 * 1024 * 1024 + 1), status=404), ADDRESS, []),
        (page(size_bytes=2 * 1024 * 1024 + 1), ADDRESS, []),
    ],
)
def test_large_files(visit: Visit, url: str, expected: list[int]) -> None:
    decided = with_issues(url, visit, _FEW, lambda each: each.startswith(_SITE))
    assert decided.resource_issues == expected


@each_case(
    ("visit", "url", "expected"),
    [
        (image(9), ADDRESS, [906]),
        (image(9), "https://other.example/a", [906]),
        (image(9), "ftp://site.example/a", []),
        (image(9, content_type="font/woff"), ADDRESS, []),
        (page(), ADDRESS, []),
    ],
)
def test_images_that_styles_may_name(visit: Visit, url: str, expected: list[int]) -> None:
    decided = with_issues(url, visit, _FEW, lambda each: each.startswith(_SITE))
    assert decided.background_issues == expected


@each_case(
    ("status", "outcome", "expected"),
    [
        (503, Outcome.SERVER_ERROR, {"Server Error (5xx)"}),
        (600, Outcome.UNEXPECTED_STATUS, {"Unverified"}),
        (998, Outcome.UNEXPECTED_STATUS, {"Unverified"}),
        (999, Outcome.UNEXPECTED_STATUS, {"Refused to Robots"}),
        (403, Outcome.CLIENT_ERROR, {"Client Error (4xx)", "Refused to Robots"}),
    ],
)
def test_statuses_above_599_are_unverified_unless_they_turn_robots_away(
    status: int, outcome: Outcome, expected: set[str]
) -> None:
    group = "Response Codes: Internal "
    assert issues(Visit(outcome, status)) == {f"{group}{each}" for each in expected}
