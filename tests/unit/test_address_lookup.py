"""Queries that ask for an address find it by its number, and mean what they meant."""

from gossamer.sql_console.address_lookup import with_ids
from gossamer.sql_console.named_views import named_views
from tests.cases import each_case

COLUMNS = {
    "internal": ("address", "title_1", "url_id"),
    "issues": ("address", "url_id"),
    "links": ("source", "destination", "source_id", "destination_id"),
}
_A = "'https://a.example/'"
KNOWN = {"https://a.example/": 7, "it's": 8}


def rewritten(sql: str) -> str:
    return with_ids(sql, lambda name: COLUMNS.get(name, ()), KNOWN.get).sql


@each_case(
    ("sql", "expected"),
    [
        ("SELECT 1 FROM internal WHERE address = $A", "WHERE (url_id = 7 AND address = $A)"),
        ("SELECT 1 FROM internal WHERE NOT ADDRESS=$A;", "NOT (url_id = 7 AND ADDRESS=$A);"),
        ("SELECT 1 FROM internal WHERE address = 'it''s'", "(url_id = 8 AND address = 'it''s')"),
        ("SELECT 1 FROM internal WHERE address = 'x' OR 1", "(url_id = -1 AND address = 'x') OR 1"),
        (
            "SELECT 1 FROM internal AS `i` JOIN links l ON l.source = $A AND i.address = 'x'",
            "ON (l.source_id = 7 AND l.source = $A) AND (i.url_id = -1 AND i.address = 'x')",
        ),
        (
            "SELECT 1 FROM links WHERE (destination = $A)",
            "WHERE ((destination_id = 7 AND destination = $A))",
        ),
        (
            "SELECT 1 FROM internal WHERE url_id IN (SELECT source_id FROM links WHERE source=$A)",
            "links WHERE (source_id = 7 AND source=$A))",
        ),
    ],
)
def test_an_address_is_found_by_its_number(sql: str, expected: str) -> None:
    assert rewritten(sql.replace("$A", _A)).endswith(expected.replace("$A", _A))


@each_case(
    "sql",
    [
        "SELECT 1 FROM internal WHERE address = $A COLLATE NOCASE",
        "SELECT 1 FROM internal WHERE address = $A || 'x'",
        "SELECT 1 FROM internal WHERE 'x' || address = $A",
        "SELECT 1 FROM internal WHERE title_1 = $A",
        "SELECT 1 FROM other WHERE address = $A",
        "SELECT 1 FROM other o JOIN internal i WHERE o.address = $A",
        "SELECT 1 FROM internal, other WHERE address = $A",
        "SELECT source AS address FROM links WHERE address = $A",
        "SELECT 5 url_id FROM internal WHERE address = $A",
        "WITH internal AS (SELECT 1) SELECT 1 FROM internal WHERE address = $A",
        "SELECT 1 FROM (SELECT address FROM internal) WHERE address = $A",
        "SELECT 1 FROM links, (SELECT address FROM internal) i WHERE i.address = $A",
        "SELECT 1 FROM internal WHERE 1 BETWEEN 0 AND address = $A",
        "SELECT 1 FROM internal WHERE address = x'61'",
        "SELECT 1 FROM internal WHERE address = 'unfinished",
        "address = $A",
        "",
    ],
)
def test_what_may_mean_something_else_stays(sql: str) -> None:
    sql = sql.replace("$A", _A)
    assert rewritten(sql) == sql


@each_case(
    ("sql", "expected"),
    [
        ("SELECT i. FROM internal AS i", [("i", "internal")]),
        (
            'select 1 from "Internal" i, links l left join issues on 1',
            [("i", "internal"), ("l", "links"), ("issues", "issues")],
        ),
        ("SELECT 1 FROM a WHERE b IN (SELECT c FROM d e)", [("a", "a"), ("e", "d")]),
        ("SELECT 1 FROM", []),
        ("SELECT 1 FROM (SELECT 2 FROM x) y", [("x", "x")]),
    ],
)
def test_views_are_known_by_their_names(sql: str, expected: list[tuple[str, str]]) -> None:
    assert named_views(sql) == expected
