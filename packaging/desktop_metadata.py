"""What desktops and software centres know of Gossamer, declared once.

The desktop file, the MIME type and the AppStream component are made of this by
`desktop_files.py`, the icons by `program_icons.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shell import REPO

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CHINESE: Final = "zh_CN"
HOMEPAGE: Final = "https://gossamer.example"
"""Who publishes Gossamer puts their site here; names below .example lead nowhere (RFC 2606)."""


@dataclass(frozen=True)
class Text:
    """A text in English and in Simplified Chinese."""

    english: str
    chinese: str

    def translations(self) -> Mapping[str, str]:
        """The other languages, by the names that desktops have for them."""
        return {CHINESE: self.chinese}


@dataclass(frozen=True)
class Icon:
    """A drawing (SVG) and its place in the icon theme of desktops."""

    name: str
    context: str
    drawing: Path
    small_drawing: Path | None = None
    """A simpler one for small sizes."""


@dataclass(frozen=True)
class FileType:
    """A kind of file that Gossamer opens."""

    mime_type: str
    suffix: str
    comment: Text
    application_id: int
    """SQLite's, in bytes 68 to 71 of the file."""
    icon: Icon


def source_constant(name: str) -> str:
    """A text that `gossamer/__init__.py` declares; it is read, as it cannot be imported here."""
    lines = (REPO / "app" / "gossamer" / "__init__.py").read_text("utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith(f"{name} = "))
    return line.split('"')[1]


VERSION: Final = source_constant("__version__")
DESKTOP_ID: Final = source_constant("DESKTOP_ID")
PROGRAM_ICON: Final = Icon(
    name=DESKTOP_ID,
    context="apps",
    drawing=REPO / "resources" / "icons" / "gossamer.svg",
    small_drawing=REPO / "resources" / "icons" / "gossamer-small.svg",
)
COMMAND: Final = "gossamer"
NAME: Final = "Gossamer"
GENERIC_NAME: Final = Text("Website Crawler", "网站爬虫")
SUMMARY: Final = Text("Crawl websites and find what is wrong with them", "抓取网站并找出其中的问题")
DESCRIPTION: Final = (
    Text(
        "Gossamer crawls a website as search engines do and shows every page, link and redirect. "
        "It names what is wrong, from broken links and missing titles to contradictory canonicals, "
        "and says how to mend it.",
        "Gossamer 像搜索引擎一样抓取网站，显示每个页面、链接和重定向，"
        "指出从失效链接、缺失标题到互相矛盾的规范网址等问题，并说明如何修正。",
    ),
    Text(
        "A crawl is a file on your computer, written while it runs: nothing is lost, and nothing "
        "is sent to anyone but the sites that you crawl. Compare two crawls to see what changed, "
        "crawl at given times, and be told when something breaks. The command line does the same "
        "in scripts.",
        "每次抓取都是您电脑上的一个文件，边抓取边写入：不会丢失任何内容，"
        "除所抓取的网站外也不会向任何人发送数据。您可以对比两次抓取以查看变化，"
        "按计划抓取，并在出现问题时收到通知。命令行可以在脚本中完成同样的工作。",
    ),
)
CATEGORIES: Final = ("Network", "WebDevelopment", "Qt")
KEYWORDS: Final = tuple(
    Text(*pair)
    for pair in (
        ("crawler", "爬虫"),
        ("spider", "蜘蛛"),
        ("seo", "搜索引擎优化"),
        ("sitemap", "站点地图"),
        ("redirects", "重定向"),
        ("links", "链接"),
        ("audit", "审计"),
    )
)
PROJECT: Final = FileType(
    mime_type="application/x-gossamer-project",
    suffix=".gossamer",
    comment=Text("Gossamer project", "Gossamer 项目"),
    application_id=0x476F7373,
    # Flatpak hands on only icons whose names begin with the id.
    icon=Icon(
        name=f"{DESKTOP_ID}.project",
        context="mimetypes",
        drawing=REPO / "packaging" / "desktop" / "project.svg",
    ),
)
FILE_TYPES: Final = (PROJECT,)
"""No URL schemes: a crawler that opened links from other programs would act as a browser."""
ICONS: Final = (PROGRAM_ICON, *(each.icon for each in FILE_TYPES))
DEVELOPER: Final = "Gossamer contributors"
LICENCE: Final = "MIT"
METADATA_LICENCE: Final = "CC0-1.0"
BRAND_COLOURS: Final = {"light": "#dfe8ff", "dark": "#1d2a4d"}
PICTURES: Final = (
    ("window.png", Text("A crawl in the window", "窗口中的一次抓取")),
    ("window-dark.png", Text("The same in dark colours", "深色外观")),
)
"""Made by `screenshots.py`, in each of the folders."""
PICTURE_FOLDERS: Final = {"": "images", "zh_CN": "zh/images"}
"""Where they lie below docs and on the homepage, by language; those in English come first."""
