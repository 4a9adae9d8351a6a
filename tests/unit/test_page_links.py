"""Links as columns."""

import pytest

from gossamer.model.link_kinds import LinkKind
from gossamer.model.visit import Link, PageLinks, SparseColumn


@pytest.mark.parametrize(
    "texts",
    [[], [""], ["a"], ["", "", "x", ""], ["x", "a", "a", "y"], ["a", "b", "c", "d"], ["a"] * 300],
)
def test_encoded_texts_are_decoded_unchanged(texts: list[str]) -> None:
    column = SparseColumn.of(texts)
    assert column.spread(len(texts), column.usual, column.others) == texts
    assert column.fits(len(texts))


@pytest.mark.parametrize("texts", [["nofollow", "", ""], ["", "nofollow", "nofollow"], ["", ""]])
def test_positions_of_some_texts(texts: list[str]) -> None:
    column = SparseColumn.of(texts)
    wanted = [position for position, text in enumerate(texts) if text == "nofollow"]
    assert column.where(lambda text: text == "nofollow", len(texts)) == wanted


@pytest.mark.parametrize(
    "column", [SparseColumn("", [2], ["x"]), SparseColumn("", [0], []), SparseColumn("", [], ["x"])]
)
def test_a_column_of_other_links_is_refused(column: SparseColumn) -> None:
    with pytest.raises(ValueError, match="differ in length"):
        PageLinks([0, 0], bytes([1, 1]), ["", ""], column)


def test_encoded_links_are_decoded_unchanged() -> None:
    links = [
        Link(0, LinkKind.STYLESHEET, "", "stylesheet", "link"),
        Link(1, LinkKind.ANCHOR, "one", "", "a", "top"),
        Link(0, LinkKind.ANCHOR, "two", "nofollow", "a"),
    ]
    assert list(PageLinks.of(links)) == links
