"""Plans of SQLite are told in the words of whoever asks."""

import pytest

from gossamer.sql_console.query_plan import plan_steps, plan_text
from tests.cases import each_case


@each_case(
    ("detail", "told"),
    [
        ("SCAN u", "reads every row of the URLs"),
        ("SCAN l USING INDEX link_redirect", "reads every row of the links"),
        ("SCAN my_view", "reads every row of my_view"),
        ("SCAN CONSTANT ROW", "takes values that the query names"),
        ("SCAN 3 CONSTANT ROWS", "takes values that the query names"),
        (
            "SEARCH u USING INTEGER PRIMARY KEY (rowid=?)",
            "finds rows of the URLs at once, by their number",
        ),
        (
            "SEARCH l USING PRIMARY KEY (source=? AND target=?)",
            "finds rows of the links at once, by source, target",
        ),
        (
            "SEARCH visit_content_type USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            "finds rows of the texts at once, by their number",
        ),
        (
            "SEARCH u USING AUTOMATIC COVERING INDEX (url=?)",
            "makes an index of the URLs for this query alone",
        ),
        ("USE TEMP B-TREE FOR LAST TERM OF ORDER BY", "sorts the rows, for LAST TERM OF ORDER BY"),
        ("CORRELATED SCALAR SUBQUERY 2", "runs a subquery again for each row"),
        ("LIST SUBQUERY 1", "runs a subquery once, and keeps its rows"),
        ("MATERIALIZE a", "works out a first, and keeps it"),
        ("CO-ROUTINE (subquery-3)", "works out (subquery-3) row by row"),
        ("UNION USING TEMP B-TREE", "puts the rows of several queries together (UNION)"),
        ("MERGE (UNION ALL)", "puts the rows of several queries together (UNION ALL)"),
        ("BLOOM FILTER ON l (source=?)", "leaves out early what cannot match in the links"),
        ("INDEX 2", "one of these conditions"),
        ("SOMETHING NEW", "takes a step that SQLite calls something new"),
    ],
)
def test_a_step_is_told_in_the_readers_words(detail: str, told: str) -> None:
    (step,) = plan_steps([(1, 0, 0, detail)])
    assert str(step.text) == told


@pytest.mark.parametrize("table", ["l", "i", "link"])
def test_where_all_links_are_read_it_says_what_helps(table: str) -> None:
    steps = [(1, 0, 0, "COMPOUND QUERY"), (2, 1, 0, f"SCAN {table}")]
    first, second, advice = plan_text(steps)
    assert (first, second.startswith("  reads")) == ("runs several queries", True)
    assert advice.startswith("    ! ")
    assert "destination = '…'" in advice
