"""What the truth about a site is read from: leaving idle markup out makes no difference."""

from hypothesis import example, given
from hypothesis import strategies as st

from tests.sites.link_scan import ScannedPage, without_idle_markup

PIECES = (
    *["<", ">", '"', "'", "=", "/", "-", "!", "&amp;", " ", "\n", "a", "é"],
    *["<p>", '<td class="x" data-y=1>', "</td>", "<br/>", '<i title="a > b">', "<b title='<a'>"],
    *["<a href=/1>", "<a href='/2'>", '<a class=b href="/3?a=1&amp;b=2"/>', "<A HREF=/4>", "</a>"],
    *[
        '<a title="<b>" href="/5">',
        '<a title=">" href="/6">',
        "<a href=it's>",
        '<a href="/7',
        "<a ",
    ],
    *["<area href=/8>", "<iframe src=/9>", "</iframe>", "<frame src=/10 />", "<base href=/b/>"],
    *["<img src=/i>", "<link rel=stylesheet href=/s>", "<title>", "</title>", "<title>t</title>"],
    *["<script>", '<script src="/j">', "</script>", "</script >", "<style>", "</style>", "</p"],
    *["<!--", "-->", "--", "<!-- <a href=/c> -->", "<!-->", "<!DOCTYPE html>", "<!doctype x ["],
    *["<?xml?>", "<![CDATA[", "]]>", "<textarea>", "</textarea>", "<noscript>", "<plaintext>"],
    *["<meta http-equiv=refresh content='0;url=/r'>", "<svg:a href=/n>", "<x-y href=/m>", "< a>"],
)


def facts(page: ScannedPage) -> tuple[object, ...]:
    return page.title, page.base, page.links, page.resources, page.refresh


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("<p title='<a href=/1>'><a href=/2>")
@example("<!-- <p> --><a href=/1><!-- > <a href=/2> --")
@example("<title>a <b>c</b></title><a href=/1>")
def test_removing_markup_without_effect_leaves_the_extract_unchanged(html: str) -> None:
    assert facts(ScannedPage(html)) == facts(ScannedPage(html, whole=True))


def test_markup_without_effect_is_removed() -> None:
    html = '<!DOCTYPE html><p class="x">a<!-- b --><a href="/1">c</a><br/></p><title>d</title>'
    assert without_idle_markup(html) == '<a href="/1"><title>d</title>'
