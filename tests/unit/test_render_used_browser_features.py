"""The interfaces of the browser that a page names."""

from gossamer.render.used_browser_features import UsedBrowserFeatures
from tests.cases import each_case


@each_case(
    ("source", "expected"),
    [
        (b"new IntersectionObserver(f)", UsedBrowserFeatures(has_observer=True)),
        (b"addEventListener('scroll',f)", UsedBrowserFeatures(listens_to_scrolling=True)),
        (b'w.addEventListener( "scroll",f)', UsedBrowserFeatures(listens_to_scrolling=True)),
        (b"$(window).on('resize scroll', f)", UsedBrowserFeatures(listens_to_scrolling=True)),
        (b'$(w).on("scroll.lazy", f)', UsedBrowserFeatures(listens_to_scrolling=True)),
        (b"<body onscroll='f()'>", UsedBrowserFeatures(listens_to_scrolling=True)),
        (b"$(window).scroll(function(){})", UsedBrowserFeatures(listens_to_scrolling=True)),
        (b"$(window).scroll(()=>1)", UsedBrowserFeatures(listens_to_scrolling=True)),
        (b"indexedDB.open('a')", UsedBrowserFeatures(works_in_real_time=True)),
        (b"new Worker('/w.js')", UsedBrowserFeatures(works_in_real_time=True)),
        (b"new SharedWorker('/w.js')", UsedBrowserFeatures(works_in_real_time=True)),
        (b"window.scroll(0, 10); el.scroll({top: 1})", UsedBrowserFeatures()),
        (b"'cancel scroll wheel'.split(' ')", UsedBrowserFeatures()),
        (b".on('scrollbar', f)", UsedBrowserFeatures()),
    ],
)
def test_what_a_source_names(source: bytes, expected: UsedBrowserFeatures) -> None:
    found = UsedBrowserFeatures()
    found.look_for(b"nothing")
    assert found == UsedBrowserFeatures()
    found.look_for(source)
    assert found == expected
    found.look_for(b"nothing")
    assert found == expected
