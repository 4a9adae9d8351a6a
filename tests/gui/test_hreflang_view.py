"""The matrix of language versions, where a site names very many."""

from gossamer.gui.details.hreflang_view import read_set
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows
from tests.gui.desk import BASE

_MOST = 400


def test_the_languages_of_the_page_itself_come_before_too_many_others() -> None:
    rows = FakeRows()
    first, other = (rows.add(f"{BASE}/{name}", Outcome.PAGE, status=200) for name in "ab")
    rows.link(first, other, "zz", kind=LinkKind.ALTERNATE, element="link href")
    for number in range(_MOST):
        rows.link(other, first, f"a{number}", kind=LinkKind.ALTERNATE, element="link href")
    found = read_set(rows, first)
    assert len(found.languages) == _MOST
    assert "zz" in found.languages
