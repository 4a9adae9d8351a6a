"""Whether a Content-Type header names a type: the audit asks in Python and in SQL."""

from gossamer.model.content_types import names_type
from tests.cases import each_case


@each_case(
    ("header", "names_one"),
    [
        ("text/css", True),
        ("text/css; charset=utf-8", True),
        (" text/css ;charset=utf-8", True),
        ("application/vnd.api+json", True),
        ("", False),
        ("png", False),
        ("text/", False),
        ("text/;charset=utf-8", False),
        ("/css", False),
        ("//a", False),
        ("/a/b", False),
        ("a b/c", False),
        ("html;profile=a/b", False),
    ],
)
def test_a_type_has_two_names_with_a_slash_between(header: str, *, names_one: bool) -> None:
    assert names_type(header) is names_one
