"""Pages that the screen of a phone shows well, and others that just fail to: 411 by 731 pixels."""

from typing import Final, NamedTuple

from gossamer.model.fields.page_flags import RenderFlag

_NONE: Final = RenderFlag(0)
_SMALL_TARGETS, _WIDE = RenderFlag.SMALL_TARGETS, RenderFlag.WIDE_CONTENT
_SMALL_TEXT, _OVERLAY = RenderFlag.SMALL_TEXT, RenderFlag.OVERLAY
_VIEWPORT: Final = '<meta name="viewport" content="width=device-width, initial-scale=1">'
_TEXT: Final = f"<p>{'words of some text that can be read ' * 20}</p>"
_NO_MARGIN: Final = "<style>body{margin:0}</style>"


class PhonePage(NamedTuple):
    """A page, and what is wrong with it."""

    name: str
    body: str
    flags: RenderFlag = _NONE
    head: str = _VIEWPORT

    @property
    def html(self) -> bytes:
        """Itself."""
        return f"<!doctype html><title>{self.name}</title>{self.head}{self.body}".encode()


def _box(width_px: int) -> str:
    return f"{_NO_MARGIN}{_TEXT}<div style='width:{width_px}px;height:20px;background:red'></div>"


def _text_in(size_px: float) -> str:
    return f"<style>body{{font-size:{size_px}px}}</style>{_TEXT}"


def _shares(small_percent: int) -> str:
    large = ("word" * (100 - small_percent))[: 100 - small_percent]
    wrapped = "<wbr>".join(large[at : at + 10] for at in range(0, len(large), 10))
    return f"<p>{wrapped}<p style='font-size:8px'>{'x' * small_percent}"


def _targets(side_px: int, gap_px: int) -> str:
    one = f"display:inline-block;width:{side_px}px;height:{side_px}px;margin-right:{gap_px}px"
    links = "".join(f"<a style='{one}' href=/{number}></a>" for number in range(4))
    return f"{_TEXT}<div style='font-size:0'>{links}</div>"


def _above(style: str, inside: str = "Subscribe") -> str:
    return f"{_TEXT * 3}<div style='background:blue;{style}'>{inside}</div>"


PHONE_PAGES: Final = (
    PhonePage("text", _TEXT),
    PhonePage("no viewport", _TEXT, _WIDE | _SMALL_TEXT, head=""),
    PhonePage("as wide as the screen", _box(411)),
    PhonePage("wider than the screen", _box(413), _WIDE),
    PhonePage(
        "wider, and not zoomed out", _box(600), _WIDE, _VIEWPORT.replace("=1", "=1,minimum-scale=1")
    ),
    PhonePage("wider, and cut off", "<style>html,body{overflow-x:hidden}</style>" + _box(600)),
    PhonePage("text of 12 px", _text_in(12)),
    PhonePage("text of 11.9 px", _text_in(11.9), _SMALL_TEXT),
    PhonePage("40% of it small", _shares(40)),
    PhonePage("41% of it small", _shares(41), _SMALL_TEXT),
    PhonePage("targets of 24 px that touch", _targets(24, 0)),
    PhonePage("targets of 20 px, 24 apart", _targets(20, 4)),
    PhonePage("targets of 20 px, 23 apart", _targets(20, 3), _SMALL_TARGETS),
    PhonePage(
        "links in text",
        "<p style='font-size:12px;line-height:1'>go to <a href=/a>one</a> and <a href=/b>two</a> x",
    ),
    PhonePage(
        "links in a list",
        _TEXT
        + "<ul style='font-size:12px;line-height:14px'><li><a href=/a>one</a><li><a href=/>two</a>",
        _SMALL_TARGETS,
    ),
    PhonePage("frames", "<frameset><frame src=/frame></frameset>"),
    PhonePage("a form that is its own parent", f"<form><input name=parentElement>{_TEXT}</form>"),
    PhonePage("banner over 40%", _above("position:fixed;top:0;left:0;width:100%;height:40%")),
    PhonePage(
        "banner over 60%", _above("position:fixed;top:0;left:0;width:100%;height:60%"), _OVERLAY
    ),
    PhonePage(
        "modal dialog",
        _TEXT * 3
        + "<dialog id=asks style='width:100%;height:90%'>Subscribe</dialog>"
        + "<script>document.getElementById('asks').showModal()</script>",
        _OVERLAY,
    ),
    PhonePage("background that stays", _above("position:fixed;inset:0;z-index:-1", "")),
    PhonePage(
        "all of it in a box that stays", f"<div style='position:fixed;inset:0'>{_TEXT}</div>"
    ),
)
