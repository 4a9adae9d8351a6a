"""The interfaces of the browser that a page names."""

from gossamer.render.page_interfaces import PageInterfaces
from tests.cases import each_case


@each_case(
    ("source", "expected"),
    [
        (b"new IntersectionObserver(f)", PageInterfaces(has_observer=True)),
        (b"addEventListener('scroll',f)", PageInterfaces(listens_to_scrolling=True)),
        (b'w.addEventListener( "scroll",f)', PageInterfaces(listens_to_scrolling=True)),
        (b"$(window).on('resize scroll', f)", PageInterfaces(listens_to_scrolling=True)),
        (b'$(w).on("scroll.lazy", f)', PageInterfaces(listens_to_scrolling=True)),
        (b"<body onscroll='f()'>", PageInterfaces(listens_to_scrolling=True)),
        (b"$(window).scroll(function(){})", PageInterfaces(listens_to_scrolling=True)),
        (b"$(window).scroll(()=>1)", PageInterfaces(listens_to_scrolling=True)),
        (b"indexedDB.open('a')", PageInterfaces(works_in_real_time=True)),
        (b"new Worker('/w.js')", PageInterfaces(works_in_real_time=True)),
        (b"new SharedWorker('/w.js')", PageInterfaces(works_in_real_time=True)),
        (b"window.scroll(0, 10); el.scroll({top: 1})", PageInterfaces()),
        (b"'cancel scroll wheel'.split(' ')", PageInterfaces()),
        (b".on('scrollbar', f)", PageInterfaces()),
    ],
)
def test_what_a_source_names(source: bytes, expected: PageInterfaces) -> None:
    found = PageInterfaces()
    found.look_for(b"nothing")
    assert found == PageInterfaces()
    found.look_for(source)
    assert found == expected
    found.look_for(b"nothing")
    assert found == expected
