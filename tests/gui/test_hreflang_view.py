"""The matrix of language versions."""

import pytest

from gossamer.gui.details.hreflang_view import read_set
from gossamer.gui.look.theme import Role
from gossamer.model.fields.indexability import Indexability
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


@pytest.mark.parametrize(
    ("outcome", "status", "reason", "role"),
    [
        (Outcome.PENDING, None, Indexability.UNKNOWN, "muted"),
        (Outcome.EXCLUDED, None, Indexability.UNKNOWN, "muted"),
        (Outcome.CONNECTION_REFUSED, None, Indexability.NO_RESPONSE, "error"),
        (Outcome.CLIENT_ERROR, 404, Indexability.CLIENT_ERROR, "error"),
        (Outcome.BLOCKED_BY_ROBOTS, None, Indexability.BLOCKED_BY_ROBOTS, "error"),
    ],
)
def test_a_version_that_was_never_requested_is_no_error(
    outcome: Outcome, status: int | None, reason: Indexability, role: Role
) -> None:
    rows = FakeRows()
    first = rows.add(f"{BASE}/a", Outcome.PAGE, status=200)
    other = rows.add(f"{BASE}/b", outcome, status=status, indexability_reason=reason)
    rows.link(first, other, "de", kind=LinkKind.ALTERNATE, element="link href")
    [cell] = read_set(rows, first).annotations[first, "de"]
    assert cell.role == role
