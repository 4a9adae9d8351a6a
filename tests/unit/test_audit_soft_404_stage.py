"""Soft 404 pages, by what their host answers for made-up URLs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.audit.rules.content import SOFT_404
from gossamer.audit.soft_404_hosts import host_sentences, is_home, names_error
from gossamer.extract.html_page import extract
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.settings.request_settings import Parser
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.store_batch import StoreBatch
from tests.cases import each_case
from tests.fakes.audited import audited
from tests.fakes.crawled import SITE, Crawled

MADE_UP = (f"{SITE}/made-up-1", f"{SITE}/made-up-2")
NOTHING = "We looked everywhere in our garden and could find nothing of that sort, dear visitor."
LONG = "Roses want sun and water and a patient friend who cuts them back in spring. " * 3
FRAME = " ".join(f"boilerplate{number}" for number in range(400))


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


def facts_of(text: str, title: str = "") -> PageFacts:
    markup = f"<title>{title}</title><body><p>{text}</p></body>"
    return extract(markup.encode(), f"{SITE}/", "utf-8", Parser.SELECTOLAX).facts


def page(crawled: Crawled, path: str, text: str, *links: str, title: str = "") -> None:
    facts = facts_of(text, title)
    crawled.page(
        path,
        *links,
        title=title,
        word_count=facts.word_count,
        content_hash=facts.content_hash,
        sketch=facts.sketch,
    )


def answer(
    url: str, text: str, title: str = "", kind: SiteCheck = SiteCheck.MADE_UP_URL, final: str = ""
) -> SiteCheckRow:
    facts = facts_of(text, title)
    return SiteCheckRow(
        SITE,
        kind,
        url,
        Outcome.PAGE,
        200,
        final or url,
        title=title,
        word_count=facts.word_count,
        content_hash=facts.content_hash,
        sketch=facts.sketch,
    )


def answers(
    crawled: Crawled, first: str, second: str | None = None, titles: tuple[str, str] = ("", "")
) -> None:
    """What two made-up URLs are answered; the same, unless told otherwise."""
    second = first if second is None else second
    rows = [
        answer(MADE_UP[0], first, titles[0]),
        answer(MADE_UP[1], second, titles[1], SiteCheck.SECOND_MADE_UP_URL),
    ]
    crawled.writer.commit(StoreBatch(site_checks=rows))


def soft(crawled: Crawled) -> list[str]:
    return audited(crawled).get("Content: Soft 404 Pages", [])


def test_pages_with_the_text_of_the_answer_for_a_made_up_url_are_listed(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/gone", "/roses")
    page(crawled, "/gone", NOTHING)
    page(crawled, "/roses", LONG + "Roses are red.")
    answers(crawled, NOTHING)
    assert soft(crawled) == ["/gone"]


def test_without_an_answer_for_a_made_up_url_no_text_is_compared(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/gone")
    page(crawled, "/gone", NOTHING)
    missing = SiteCheckRow(SITE, SiteCheck.MADE_UP_URL, MADE_UP[0], Outcome.CLIENT_ERROR, 404)
    crawled.writer.commit(StoreBatch(site_checks=[missing]))
    assert soft(crawled) == []


def test_pages_that_differ_in_a_few_words_from_the_answer_are_pages(crawled: Crawled) -> None:
    """A frame of hundreds of words is on all pages of the site, made up or not."""
    page(crawled, "/", f"{FRAME} {LONG}", "/gone", "/rose", "/tulip")
    page(crawled, "/gone", f"{FRAME} There is nothing here for you to see, sorry for that.")
    page(crawled, "/rose", f"{FRAME} A red rose, four feet high, flowers from June to frost.")
    page(crawled, "/tulip", f"{FRAME} A tulip, yellow, one foot high, flowers in early April.")
    answers(crawled, f"{FRAME} There is nothing here for you to see, sorry for that.")
    assert soft(crawled) == ["/gone"]


def test_answers_that_repeat_the_url_are_recognised_by_text_and_title(crawled: Crawled) -> None:
    def says(name: str) -> str:
        return f"Sorry, we have no {name} in our garden at all. Try our search, or go home."

    titles = tuple(f"Nothing at {url.rpartition('/')[2]}" for url in MADE_UP)
    answers(crawled, says("made-up-1"), says("made-up-2"), titles)  # type: ignore[arg-type]  # a pair
    page(crawled, "/", LONG, "/old-rose", "/tulip", title="Our garden")
    page(crawled, "/old-rose", says("old-rose"), title="Nothing at old-rose")
    page(crawled, "/tulip", LONG + "Tulips.", title="Nothing at all but a tulip")
    assert soft(crawled) == ["/old-rose"]


def test_the_home_page_is_none_though_made_up_urls_show_it(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/index.html", "/gone", "/rose", "/tulip")
    page(crawled, "/index.html", LONG)
    page(crawled, "/gone", LONG)
    page(crawled, "/rose", NOTHING)
    page(crawled, "/tulip", FRAME)
    answers(crawled, LONG)
    assert soft(crawled) == ["/gone"]


def test_a_shell_for_scripts_makes_no_page_a_soft_404(crawled: Crawled) -> None:
    paths = [f"/{number}" for number in range(4)]
    page(crawled, "/", "", *paths, title="App")
    for path in paths:
        page(crawled, path, "", title="App")
    answers(crawled, "", titles=("App", "App"))
    assert soft(crawled) == []


def test_most_of_many_pages_are_not_made_up(crawled: Crawled) -> None:
    paths = [f"/{number}" for number in range(20)]
    page(crawled, "/", LONG, *paths)
    for path in paths:
        page(crawled, path, LONG)
    answers(crawled, LONG)
    assert soft(crawled) == []


def test_pages_that_say_so_are_listed_whatever_the_host_answers(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/sorry")
    crawled.page("/sorry", title="Not found", issues=[SOFT_404.number])
    said_so = StoreBatch(decided=[(crawled.id("/sorry"), Outcome.PAGE_SOFT_ERROR, None)])
    crawled.writer.commit(said_so)
    assert soft(crawled) == ["/sorry"]
    assert soft(crawled) == ["/sorry"], "audited again"


def redirected(crawled: Crawled, to: str) -> None:
    row = answer(MADE_UP[0], LONG, final=to)
    crawled.writer.commit(StoreBatch(site_checks=[row]))


def test_urls_that_are_redirected_home_as_made_up_ones_are_listed(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/gone", "/index.php", "/moved", "/far", "/chain")
    crawled.redirect("/gone", "/")
    crawled.redirect("/index.php", "/")
    crawled.redirect("/moved", "/rose")
    crawled.redirect("/far", "https://other.example/")
    crawled.redirect("/chain", "/gone")
    page(crawled, "/rose", NOTHING)
    redirected(crawled, f"{SITE}/")
    assert soft(crawled) == ["/gone", "/chain"]


def test_a_redirect_home_is_none_where_made_up_urls_are_not_found(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/gone")
    crawled.redirect("/gone", "/")
    missing = SiteCheckRow(SITE, SiteCheck.MADE_UP_URL, MADE_UP[0], Outcome.CLIENT_ERROR, 404)
    crawled.writer.commit(StoreBatch(site_checks=[missing]))
    assert soft(crawled) == []


def test_a_site_that_asks_everybody_to_log_in_has_no_soft_404_pages(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/account")
    crawled.redirect("/account", "/login")
    page(crawled, "/login", "Your name and password, please.")
    redirected(crawled, f"{SITE}/login")
    assert soft(crawled) == []


def test_urls_that_are_redirected_to_an_error_page_are_listed(crawled: Crawled) -> None:
    page(crawled, "/", LONG, "/old")
    crawled.redirect("/old", "/page-not-found")
    page(crawled, "/page-not-found", NOTHING)
    redirected(crawled, f"{SITE}/page-not-found")
    assert soft(crawled) == ["/old"]


def test_a_host_that_answers_everything_is_told_once(crawled: Crawled) -> None:
    del crawled
    rows = [answer(MADE_UP[0], LONG), answer(MADE_UP[1], LONG, kind=SiteCheck.SECOND_MADE_UP_URL)]
    assert [str(each) for each in host_sentences(rows)] == [
        "example.com returns a page with status 200 for URLs that do not exist."
    ]
    (sentence,) = host_sentences([answer(MADE_UP[0], LONG, final=f"{SITE}/")])
    assert str(sentence) == f"example.com redirects URLs that do not exist to {SITE}/."


@each_case(
    "row",
    [
        SiteCheckRow(SITE, SiteCheck.MADE_UP_URL, MADE_UP[0]),
        SiteCheckRow(
            SITE, SiteCheck.MADE_UP_URL, MADE_UP[0], Outcome.CLIENT_ERROR, 404, MADE_UP[0]
        ),
        SiteCheckRow(SITE, SiteCheck.MADE_UP_URL, MADE_UP[0], Outcome.TIMEOUT, None, MADE_UP[0]),
        SiteCheckRow(
            SITE, SiteCheck.MADE_UP_URL, MADE_UP[0], Outcome.SERVER_ERROR, 503, MADE_UP[0]
        ),
        SiteCheckRow(SITE, SiteCheck.MADE_UP_URL, MADE_UP[0], Outcome.BLOCKED_BY_ROBOTS),
    ],
    ids=["to be asked", "not found", "no answer", "failed", "forbidden"],
)
def test_of_other_answers_there_is_nothing_to_tell(row: SiteCheckRow) -> None:
    assert host_sentences([row]) == []


@each_case("path", ["/", "", "/index.html", "/INDEX.php", "/default.aspx", "/home/"])
def test_home_pages_by_their_path(path: str) -> None:
    assert is_home(f"{SITE}{path}?x=1")


@pytest.mark.parametrize("path", ["/a", "/index/a", "/homepage", "/a/index.html"])
def test_other_pages_by_their_path(path: str) -> None:
    assert not is_home(f"{SITE}{path}")


def test_error_pages_by_their_path() -> None:
    assert all(names_error(f"{SITE}{path}") for path in ("/404", "/en/404.html", "/not-found/"))
    assert not any(names_error(f"{SITE}{path}") for path in ("/error-codes", "/404-ways", "/"))
