"""What the declarations of link kinds say together."""

from collections import Counter

from gossamer.model.link_kinds import INLINK_KINDS, OUTLINK_KINDS, LinkAction, LinkKind
from gossamer.model.settings.scope_settings import CHECKED_KINDS, FOLLOWED_KINDS, OUTLINK_NAMES
from gossamer.model.settings.setting_types import KIND_NAMES


def test_an_attribute_of_an_element_makes_links_of_one_kind_only() -> None:
    places = Counter(
        place
        for kind in LinkKind
        for table in (kind.declaration.elements, kind.declaration.more_attributes)
        for place in table.items()
    )
    main_attributes = Counter(tag for kind in LinkKind for tag in kind.declaration.elements)
    assert max(places.values()) == max(main_attributes.values()) == 1


def test_a_relation_or_meta_name_belongs_to_one_kind_only() -> None:
    for words in ("rels", "meta_names"):
        counts = Counter(word for kind in LinkKind for word in getattr(kind.declaration, words))
        assert max(counts.values()) == 1


def test_numbers_fit_into_the_byte_that_a_page_has_for_each_link() -> None:
    assert 0 < min(LinkKind) <= max(LinkKind) < 256


def test_a_number_or_a_name_leads_to_its_kind() -> None:
    assert LinkKind(3) is LinkKind["FRAME"] is LinkKind.FRAME


def test_outlinks_take_visitors_to_another_page_and_inlinks_bring_files_as_well() -> None:
    assert {LinkKind.ANCHOR, LinkKind.AREA, LinkKind.FRAME} <= OUTLINK_KINDS
    assert LinkKind.IMAGE in INLINK_KINDS - OUTLINK_KINDS
    assert OUTLINK_KINDS < INLINK_KINDS
    assert INLINK_KINDS.isdisjoint({LinkKind.CANONICAL, LinkKind.FORM, LinkKind.REDIRECT})


def test_by_default_pages_are_followed_and_their_files_are_checked() -> None:
    assert FOLLOWED_KINDS == ("anchor", "area", "frame", "canonical")
    assert (
        *("image", "script", "stylesheet", "alternate", "pagination", "icon", "media"),
        *("css", "amp"),
    ) == CHECKED_KINDS
    assert OUTLINK_NAMES == ("anchor", "area", "frame")


def test_settings_name_every_kind_but_redirects_and_what_sitemaps_say() -> None:
    fixed = {LinkKind.REDIRECT, LinkKind.DELAYED_REFRESH, LinkKind.SITEMAP, LinkKind.SITEMAP_INDEX}
    assert set(KIND_NAMES.values()) == set(LinkKind) - fixed
    assert LinkKind.REDIRECT.declaration.action is LinkAction.RECORD
