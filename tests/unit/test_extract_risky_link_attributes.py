"""Links that say besides their text that they sign out or delete, and those that do not."""

from gossamer.engine.risky_words import risky_icon, risky_text
from gossamer.extract.html_page import extract
from gossamer.extract.risky_link_attributes import RiskWords, RiskyTargets
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

ACTS = RiskWords(risky_text, risky_icon)
PAGE = "http://site.test/list"


def acts(html: str, parser: Parser = Parser.SELECTOLAX) -> RiskyTargets:
    """The paths that are told, with the words that say so."""
    found = extract(html.encode(), PAGE, "utf-8", parser, acts=ACTS)
    by_get, by_method = (
        {url.removeprefix("http://site.test"): words for url, words in told.items()}
        for told in (found.acts, found.acts_by_method)
    )
    return RiskyTargets(by_get, by_method)


@each_case(
    ("link", "words"),
    [
        ("<a href=/x data-confirm='Really?'>x</a>", 'data-confirm="Really?"'),
        ("<a href=/x data-turbo-confirm='Sure?'>Page</a>", 'data-turbo-confirm="Sure?"'),
        ("<a href=/x hx-confirm=Sure>Page</a>", 'hx-confirm="Sure"'),
        (
            """<a href=/x onclick="return confirm('Sure?')">x</a>""",
            """onclick="return confirm('Sure?')\"""",
        ),
        ("<a href=/x title='Sign out of your account'>Jo</a>", "Sign out of your account"),
        ("<a href=/x aria-label='Log out'>Jo Doe</a>", "Log out"),
        ("<a href=/x><img src=/i.png title=Abmelden></a>", "Abmelden"),
        ("<a href=/x><i class='fas fa-sign-out-alt'></i></a>", "fa-sign-out-alt"),
        ("<a href=/x><i class='fa-solid fa-right-from-bracket'></i></a>", "fa-right-from-bracket"),
        (
            "<a href=/x>⏻<i class='bi bi-power'></i><b class=bi-box-arrow-right>",
            "bi-box-arrow-right",
        ),
        ("<a href=/x><svg><use href='/all.svg#icon-logout'></svg></a>", "icon-logout"),
        ("<a href=/x><img src=/img/logout.png?v=2 alt=''></a>", "logout"),
        ("<a href=/x><i class=material-icons>exit_to_app</i></a>", "exit_to_app"),
        ("<a href=/x><i data-lucide=log-out></i></a>", "log-out"),
        ("<a href=/x class=logout></a>", "logout"),
        ("<map><area href=/x alt='Log out'></map>", "Log out"),
    ],
)
def test_a_link_says_so_by_a_question_its_names_or_its_icon(link: str, words: str) -> None:
    for parser in Parser:
        assert acts(f"<title>t</title><p>{link}", parser) == ({"/x": words}, {})


@each_case(
    ("link", "method"),
    [
        ("<a href=/x data-method=delete>Archive</a>", 'data-method="delete"'),
        ("<a href=/x data-turbo-method=' POST '>x</a>", 'data-turbo-method="POST"'),
        ("<a href=/x hx-delete=/x>Archive</a>", "hx-delete"),
        ("<a href=/x data-hx-delete='/x' title=x>x</a>", "data-hx-delete"),
        ("<a href=/x data-method=delete data-confirm='Sure?'>x</a>", 'data-method="delete"'),
    ],
)
def test_a_link_says_so_by_its_method(link: str, method: str) -> None:
    for parser in Parser:
        assert acts(f"<title>t</title><p>{link}", parser) == ({}, {"/x": method})


@each_case(
    "link",
    [
        "<a href=/x data-method=get>Show</a>",
        "<a href=/x title='How to delete a page'>More</a>",
        "<a href=/x><i class='fa fa-home'></i></a>",
        "<a href=/x><i class='fa fa-sign-in'></i></a>",
        "<a href=/x><i class='bi bi-box-arrow-up-right'></i></a>",
        "<a href=/x><i class='fa fa-power-off'></i> Energy saving</a>",
        "<a href=/x><img src=/remove-stains.png></a>",
        "<a href=/mail/trash><i class='fa fa-trash'></i></a>",
        "<a href=/wiki/Delete><i class='fa fa-trash'></i></a>",
        "<a href=# title=Delete>x</a>",
        "<a href=#dialog data-method=delete>x</a>",
    ],
)
def test_another_link_does_not(link: str) -> None:
    assert acts(f"<p>{link}") == ({}, {})


def test_what_scripts_delete_and_another_link_shows_is_a_page() -> None:
    shows = "<a href=/posts/5>First post</a>"
    for deletes in (
        "<a href=/posts/5 data-method=delete>x</a>",
        "<a href=/posts/5 hx-delete=/5>x</a>",
    ):
        assert acts(shows + deletes) == acts(deletes + shows) == ({}, {"/posts/5": ""})
        for other in ("<a href=/posts/5 title=Delete>x</a>", "<a href=/posts/5>Delete</a>"):
            assert acts(deletes + other).by_get == {"/posts/5": "Delete"}
            assert acts(deletes + other).by_method["/posts/5"]


def test_what_is_thrown_into_the_trash_has_a_number() -> None:
    icon = "<i class='fa fa-trash-alt'></i>"
    links = "".join(f"<a href={url}>{icon}</a>" for url in ("/files/5", "/files?id=7", "/garbage"))
    assert acts(links).by_get == {"/files/5": "fa-trash-alt", "/files?id=7": "fa-trash-alt"}


def test_without_a_login_nobody_looks() -> None:
    html = b"<a href=/x data-method=delete>x</a>"
    assert extract(html, PAGE, "utf-8", Parser.SELECTOLAX).acts == {}
