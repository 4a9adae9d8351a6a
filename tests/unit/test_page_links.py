"""Links as columns."""

import pytest

from gossamer.model.link_kinds import LinkKind
from gossamer.model.visit import IndexedColumn, Link, PageLinks, SparseColumn
from tests.cases import each_case


@each_case(
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
        Link(1, LinkKind.ANCHOR, "one", "", "a", "top", 36, "body > a"),
        Link(0, LinkKind.ANCHOR, "two", "nofollow", "a"),
    ]
    assert list(PageLinks.of(links)) == links


@pytest.mark.parametrize("texts", [[], [""], ["", "a"], ["a", "b", "a", ""]])
def test_a_text_for_each_link_is_kept_once(texts: list[str]) -> None:
    column = IndexedColumn.of(texts)
    assert column.spread(len(texts)) == texts
    assert len(set(column.texts)) == len(column.texts)


@pytest.mark.parametrize(
    "column", [IndexedColumn(["a"], [0]), IndexedColumn(["a"], [0, 1]), IndexedColumn([], [0, -1])]
)
def test_indexes_of_other_links_or_texts_are_refused(column: IndexedColumn) -> None:
    with pytest.raises(ValueError, match="differ in length"):
        PageLinks([0, 0], bytes([1, 1]), ["", ""], paths=column)


@pytest.mark.parametrize("traits", [[36], [36, 36, 36]])
def test_traits_of_other_links_are_refused(traits: list[int]) -> None:
    with pytest.raises(ValueError, match="differ in length"):
        PageLinks([0, 0], bytes([1, 1]), ["", ""], traits=traits)
