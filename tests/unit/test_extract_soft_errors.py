"""Pages that need JavaScript, and error pages that are given for good ones."""

import pytest

from gossamer.extract.html_page import extract
from gossamer.model.outcome import Outcome
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

SCRIPT = "<script src=/static/js/main.js></script>"
PROSE = "<p>" + "What there is to read stands in the page. " * 10
ARTICLE = "<p>" + "The status says that the server has nothing at this address. " * 8
NAV = "".join(f"<a href=/{name}>{name}</a>" for name in ("one", "two", "three", "four"))

pytestmark = pytest.mark.parametrize("parser", list(Parser))


def outcome(parser: Parser, body: str, *, charset: str = "utf-8") -> Outcome:
    return extract(body.encode(charset), "http://a.test/", charset, parser).outcome


@each_case(
    "body",
    [
        f"<title>Shop</title><div id=root></div>{SCRIPT}",
        f'<noscript>You need to enable JavaScript.</noscript><div id="root"></div>{SCRIPT}',
        f"<DIV class=x ID='app'>\n  <!-- mounted here -->\n</DIV>{SCRIPT}",
        f'<div id="__next"></div>{SCRIPT}',
        f'<div id="__nuxt">Loading…</div>{SCRIPT}',
        f"<app-root></app-root>{SCRIPT}",
        f'<script type="application/ld+json">{{}}</script><div id=root></div>{SCRIPT}',
        '<div id=root></div><script src="/json/app.js"></script>',
        '<div id=root></div><script data-from=json src="/app.js"></script>',
        f"<my-shop>Please wait</my-shop><a href=/imprint>Imprint</a>{SCRIPT}",
        f"<noscript><p>We're sorry, but this works only with Javascript on.</noscript>{SCRIPT}",
        "<title>t</title><body><script>document.write('hello')</script>",
    ],
)
def test_a_page_that_scripts_write(parser: Parser, body: str) -> None:
    assert outcome(parser, body) is Outcome.PAGE_NEEDS_SCRIPTS


@each_case(
    "body",
    [
        "<div id=root></div>",
        "<p>Short.",
        f"<p>Short, with a script for counting visitors.{SCRIPT}",
        f"<div id=root>{PROSE}</div>{SCRIPT}",
        f"<div id=root>{PROSE * 3}</div><div id=app></div>{SCRIPT}",
        f"<div id=root></div>{NAV}{SCRIPT}",
        f"<div id=rooted></div><p>Short.{SCRIPT}",
        f"<noscript><img src=/count.gif></noscript><p>Short.{SCRIPT}",
        '<img src=/a.png alt=""><script type="application/ld+json">{}</script>',
        '<img src=/a.png alt=""><SCRIPT id=a TYPE=Application/JSON>{}</SCRIPT>',
        '<img src=/a.png alt=""><script type = "application/feed+json" id=a>{}</script>',
        f"<head>{SCRIPT}</head><frameset><frame src=/menu><frame src=/text></frameset>",
        "",
    ],
)
def test_a_page_that_can_be_read(parser: Parser, body: str) -> None:
    assert outcome(parser, body) is Outcome.PAGE


@each_case(
    "head",
    [
        "<title>404 Not Found</title>",
        "<title>Page not found | Example</title>",
        "<title>Example - Page not found!</title>",
        "<title>  PAGE\n NOT FOUND </title>",
        "<title>Example</title><h1>Page Not Found</h1>",
        "<title>Seite nicht gefunden \u2013 Beispiel</title>",
        "<title>Page introuvable</title>",
        "<title>Página no encontrada | Tienda</title>",
        "<title>Страница не найдена</title>",
        "<title>页面不存在</title>",
        "<title>Sidan kunde inte hittas</title>",
        "<title>Sivua ei löytynyt | Kauppa</title>",
        "<title>Siden findes ikke</title>",
        "<title>Finner ikke siden</title>",
        "<title>Stránka sa nenašla</title>",
        "<title>Stranica nije pronađena</title>",
        "<title>Страницата не \u0435 намерена</title>",
        "<title>\u0397 σελίδα δεν βρέθηκε</title>",
        "<title>Pàgina no trobada</title>",
        "<title>404 - Halaman tidak ditemukan</title>",
        "<title>Không tìm thấy trang</title>",
        "<title>ไม่พบหน้านี้</title>",
        "<title>העמוד לא נמצא</title>",
        "<h1>ページが見つかりません。</h1>",
        "<title>500 Internal Server Error</title>",
        "<h1>Oops! That page can\u2019t be found.</h1>",
        "<title>Page not found (404)</title>",
        "<title>HTTP Status 404 \u2013 Not Found</title>",
        "<title>Error 404 (Not Found)!!1</title>",
        "<title>404 - File or directory not found.</title>",
        "<title>Not Found (#404)</title>",
        "<h1>Sorry, we couldn't find that page</h1>",
        "<h1>The page you are looking for does not exist.</h1>",
        "<h1>This page isn't available</h1>",
        "<h1>We can't find the page you're looking for</h1>",
        "<title>Shop: 404</title><h1>404</h1>",
        "<h1>Die angeforderte Seite wurde nicht gefunden</h1>",
        "<h1>Diese Seite existiert leider nicht mehr.</h1>",
        "<title>Fehler 404 | Beispiel</title>",
        "<h1>Désolé, la page demandée n\u2019existe pas</h1>",
        "<title>Erreur 404 - Exemple</title>",
        "<h1>La página que buscas no existe</h1>",
        "<h1>Lo sentimos, no encontramos la página</h1>",
        "<h1>La pagina richiesta non esiste</h1>",
        "<h1>A página solicitada não foi encontrada</h1>",
        "<h1>Deze pagina bestaat niet</h1>",
        "<title>Pagina niet gevonden - Voorbeeld</title>",
        "<h1>Strona nie została znaleziona</h1>",
        "<h1>Nie znaleziono strony</h1>",
        "<h1>Запрашиваемая страница</h1><title>Ошибка 404</title>",
        "<h1>Такой страницы не существует</h1>",
        "<h1>抱歉\uff0c您访问的页面不存在</h1>",
        "<title>404错误 - 网站</title>",
        "<h1>找不到您访问的页面</h1>",
        "<h1>お探しのページは見つかりませんでした</h1>",
        "<h1>Error establishing a database connection</h1>",
    ],
)
def test_an_error_page_that_is_given_for_a_good_one(parser: Parser, head: str) -> None:
    assert outcome(parser, f"{head}{NAV}<p>Sorry.") is Outcome.PAGE_SOFT_ERROR


@each_case(
    "head",
    [
        "<title>Page not found | Example</title><h1>Page not found</h1>",
        "<title>404 | Example</title><h1>Oops! That page can\u2019t be found.</h1>",
        "<title>Seite nicht gefunden</title><h1>Fehler 404</h1>",
    ],
)
def test_a_title_and_a_heading_tell_of_an_error_above_any_text(parser: Parser, head: str) -> None:
    assert outcome(parser, f"{head}{PROSE * 9}") is Outcome.PAGE_SOFT_ERROR


@each_case(
    "body",
    [
        "<title>How to find what was not found</title><p>Text.",
        "<title>Not found: a novel by nobody</title><p>Text.",
        "<title>404 ways to cook rice</title><p>Text.",
        "<title>The page not found in any book</title><p>Text.",
        f"<title>404 Not Found - HTTP</title>{PROSE * 4}",
        f"<title>404 Not Found - HTTP</title><h1>404 Not Found</h1>{PROSE * 9}",
        f"<title>Page not found</title><h1>A song of the lost</h1>{PROSE * 9}",
        f"<title>Songs of the lost</title><h1>Page not found</h1>{PROSE * 9}",
        "<title></title><h1></h1><p>Text.",
        "<title>Peugeot 404 - Wikipedia</title><p>A car.",
        "<title>Area code 410</title><p>Of Maryland.",
        "<title>Room 404 | Hotel</title><p>A quiet room.",
        "<title>How to design a 404 page</title><p>Text.",
        "<title>Custom error pages</title><h1>What to say on a page not found</h1><p>Text.",
        "<title>When a page cannot be found: redirects</title><p>Text.",
        f"<title>HTTP 404 - Wikipedia</title><h1>HTTP 404</h1>{ARTICLE}",
        f"<title>404 Not Found | API reference</title><h1>404 Not Found</h1>{ARTICLE}",
        f"<title>Internal server error</title><h1>Error 500</h1>{ARTICLE}",
        "<title>No page left behind</title><p>Text.",
        "<h1>Was tun, wenn eine Seite nicht gefunden wird</h1><p>Text.",
        "<h1>如何设计页面不存在的提示</h1><p>Text.",
        "<p>Page not found",
    ],
)
def test_what_merely_speaks_of_errors(parser: Parser, body: str) -> None:
    assert outcome(parser, body) is Outcome.PAGE


def test_charsets_make_no_difference(parser: Parser) -> None:
    body = f"<div id=root></div>{SCRIPT}"
    assert outcome(parser, body, charset="utf-16") is Outcome.PAGE_NEEDS_SCRIPTS
    body = "<title>Страница не найдена</title>"
    assert outcome(parser, body, charset="windows-1251") is Outcome.PAGE_SOFT_ERROR


def test_endless_markup_takes_no_time(parser: Parser) -> None:
    """Each of these makes a careless pattern look at the rest of the page from everywhere."""
    for part in ("<div id=root", "<a-b ", "<noscript>", "<div id=root><!--", "<noscript x"):
        assert outcome(parser, SCRIPT + part * 2_000) in {Outcome.PAGE, Outcome.PAGE_NEEDS_SCRIPTS}
