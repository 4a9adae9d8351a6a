"""What became of a missing page, in a sentence."""

from gossamer.model.comparison_results import ComparedPage, PageChange
from gossamer.model.missing_pages import fate_of
from gossamer.model.outcome import Outcome
from tests.cases import each_case


@each_case(
    ("fate", "status", "url", "sentence"),
    [
        (None, None, None, "nothing that the later crawl has read leads there"),
        (Outcome.TOO_DEEP, None, None, "Deeper than the depth limit."),
        (Outcome.GONE, 410, None, "Gone: the server returns status 410."),
        (Outcome.NO_LONGER_LINKED, 200, None, "but still there: the server returns status 200."),
        (Outcome.NO_LONGER_LINKED, 503, None, "No longer linked; the server returns status 503."),
        (Outcome.NO_LONGER_LINKED, 301, "/b", "No longer linked; redirects to /b."),
        (Outcome.NO_LONGER_LINKED, None, None, "robots.txt forbids the request, or no server"),
    ],
)
def test_the_fate_of_a_missing_page_says_no_more_than_the_crawl_knows(
    fate: Outcome | None, status: int | None, url: str | None, sentence: str
) -> None:
    page = ComparedPage(1, "/a", PageChange.MISSING, fate=fate, fate_status=status, fate_url=url)
    assert sentence in str(fate_of(page))
