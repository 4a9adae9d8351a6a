"""Builds the documentation as a site, and has Gossamer check its links, titles and descriptions.

Usage: .venv/bin/python packaging/documentation.py    into dist/docs

Nothing is loaded from the network, neither here nor by the pages. Whatever Sphinx warns of is an
error. English lies at the top and Chinese in `zh/`: two builds, because Sphinx knows one language
in each.
"""

from __future__ import annotations

import functools
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from documentation_pages import CHINESE, REPO, pages
from script_arguments import script_arguments
from sphinx.application import Sphinx

from gossamer import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OUTPUT: Final = REPO / "dist" / "docs"
THEME: Final = REPO / "packaging" / "documentation_theme"
START: Final = "index"
_LISTS: Final = (START, "window/index")
"""Pages that list others, from which the contents of the site are made."""
_SECTION: Final = re.compile(r"^## (.+)$", re.MULTILINE)
_ITEM: Final = re.compile(r"^- \[([^\]]+)\]\(((?!\w+:|\.\.|zh/)[^)#]+)\.md\)", re.MULTILINE)
_LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)#\s]+)\.md(#[^)\s]+)?\)")
_APART: Final = ("issues/", "adr/")
"""Folders whose pages are in no contents: there are hundreds, and an index leads to them."""
_BROKEN: Final = ("errors", "URL: Broken Bookmark")
"""What leads nowhere, as `gossamer audit --fail-on` calls it."""
_UNNAMED: Final = (
    "Page Titles: Missing",
    "Page Titles: Duplicate",
    "Meta Description: Missing",
    "Meta Description: Duplicate",
    "H1: Missing",
    "Images: Missing Alt Text",
)
"""What search engines and readers need to tell pages apart; named likewise."""


@dataclass(frozen=True)
class Edition:
    """The site in one language."""

    code: str
    prefix: str
    """What the ids of its pages begin with."""
    title: str
    other_code: str
    other_name: str


EDITIONS: Final = (
    Edition("en", "", "Gossamer", "zh-CN", "简体中文"),
    Edition("zh_CN", CHINESE, "Gossamer 文档", "en", "English"),
)


class DocumentationError(Exception):
    """What is wrong with the documentation, in a sentence; details were printed."""


def main() -> int:
    """Build all of it and check it."""
    build(pages(), OUTPUT)
    with served(OUTPUT) as address:
        check_links(address)
    print(f"documentation: {OUTPUT.relative_to(REPO)}/index.html")
    return 0


def build(texts: Mapping[str, str], output: Path) -> None:
    """Make the site of these pages, by their ids, in `output`, in place of what is there.

    Raises DocumentationError for anything that Sphinx warns of.
    """
    shutil.rmtree(output, ignore_errors=True)
    # Sphinx declares what it knows once for each process. A copy need not import it again; on
    # macOS, libraries of the system do not survive a fork.
    how = get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(len(EDITIONS), how) as pool:
        made = [pool.submit(build_edition, each, dict(texts), output) for each in EDITIONS]
    if not all(each.result() for each in made):
        raise DocumentationError("Sphinx warns of what stands above.")


def build_edition(edition: Edition, texts: Mapping[str, str], output: Path) -> bool:
    """Make the site in one language; whether Sphinx had nothing to warn of."""
    with tempfile.TemporaryDirectory(prefix="gossamer-docs-") as folder:
        source = Path(folder) / "source"
        write_source(edition, texts, source)
        site = Sphinx(
            source,
            confdir=None,
            outdir=output / edition.prefix,
            doctreedir=Path(folder) / "doctrees",
            buildername="html",
            confoverrides=configuration(edition),
            status=None,
            warningiserror=True,
        )
        site.connect(
            "html-page-context",
            lambda _app, name, _template, context, _tree: context.update(
                other_language=_address_in_other(name, edition, texts),
                other_language_code=edition.other_code,
                other_language_name=edition.other_name,
            ),
        )
        site.build()
        return not site.statuscode


def write_source(edition: Edition, texts: Mapping[str, str], folder: Path) -> None:
    """Write what Sphinx reads for one language: its pages, and the pictures beside them."""
    for name, text in texts.items():
        if _edition_of(name) == edition:
            own = name.removeprefix(edition.prefix)
            file = folder / f"{own}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_prepared(own, name, text, edition), encoding="utf-8")
    pictures = REPO / "docs" / edition.prefix / "images"
    if pictures.is_dir():
        shutil.copytree(pictures, folder / "images")


def configuration(edition: Edition) -> dict[str, Any]:
    """What would stand in Sphinx's conf.py."""
    return {
        "project": edition.title,
        "author": "Gossamer contributors",
        "version": __version__,
        "release": __version__,
        "language": edition.code,
        "extensions": ["myst_parser", "documentation_search", "documentation_markup"],
        "myst_heading_anchors": 6,
        "highlight_language": "none",
        "exclude_patterns": ["README.md"],
        "templates_path": [str(THEME)],
        "html_theme": "furo",
        "html_theme_options": {"navigation_with_keys": True, "top_of_page_buttons": []},
        "html_title": edition.title,
        "html_logo": str(REPO / "resources" / "icons" / "gossamer.svg"),
        "html_favicon": str(REPO / "resources" / "icons" / "gossamer.svg"),
        "html_static_path": [str(THEME / "static")],
        "html_css_files": ["gossamer.css"],
        "html_sidebars": {
            "**": [
                "sidebar/brand.html",
                "sidebar/languages.html",
                "sidebar/search.html",
                "sidebar/scroll-start.html",
                "sidebar/navigation.html",
                "sidebar/scroll-end.html",
            ]
        },
        "html_copy_source": False,
        # They would be part of the headings. The contents of each page lead to its sections.
        "html_permalinks": False,
        "html_scaled_image_link": False,
        "html_show_sphinx": False,
        "html_show_copyright": False,
        "html_use_index": False,
    }


def _edition_of(name: str) -> Edition:
    return EDITIONS[name.startswith(CHINESE)]


def _prepared(own: str, name: str, text: str, edition: Edition) -> str:
    """A page as Sphinx reads it."""
    text = _LINK.sub(lambda link: _led_out(link, name, edition), text)
    if own in _LISTS:
        return text + _contents(text)
    return f"---\norphan: true\n---\n\n{text}" if own.startswith(_APART) else text


def _led_out(link: re.Match[str], name: str, edition: Edition) -> str:
    """A link, in HTML where it leads to a page in another language."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link[2]))
    if _edition_of(target) == edition:
        return link[0]
    return f'<a href="{link[2]}.html{link[3] or ""}">{link[1]}</a>'


def _contents(text: str) -> str:
    """The contents of the site: the pages that `text` lists, under the same headings."""
    parts = ["", *_SECTION.split(text)]
    listed = {
        heading: _ITEM.findall(body) for heading, body in zip(parts[::2], parts[1::2], strict=True)
    }
    return "".join(_toctree(heading, items) for heading, items in listed.items() if items)


def _toctree(heading: str, items: list[tuple[str, str]]) -> str:
    caption = f":caption: {heading}\n" if heading else ""
    entries = "".join(f"{name} <{page}>\n" for name, page in items)
    return f"\n```{{toctree}}\n:hidden:\n{caption}\n{entries}```\n"


def _address_in_other(name: str, edition: Edition, texts: Mapping[str, str]) -> str:
    """Where the same page is in the other language, from this page; else its start page."""
    other = next(each for each in EDITIONS if each != edition)
    target = other.prefix + (name if other.prefix + name in texts else START)
    here = posixpath.dirname(edition.prefix + name)
    return posixpath.relpath(f"{target}.html", here or ".")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; yields its address."""
    handler = functools.partial(_QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
        finally:
            server.shutdown()
            thread.join()


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        """Say nothing of each request."""


def check_links(address: str) -> None:
    """Crawl the site with Gossamer.

    Raises DocumentationError if a link leads nowhere, or a page has no title or description of its
    own.
    """
    with tempfile.TemporaryDirectory(prefix="gossamer-docs-") as home:
        project = str(Path(home) / "docs.gossamer")
        gossamer = [sys.executable, "-P", "-m", "gossamer"]
        bounds = [word for check in _BROKEN + _UNNAMED for word in ("--fail-on", check)]
        own = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        environment = os.environ | own
        audited = subprocess.run(
            [*gossamer, "audit", address, "-o", project, "--quiet", "--json", *bounds],
            env=environment,
            stdout=subprocess.PIPE,
            check=False,
        )
        if audited.returncode:
            issues = json.loads(audited.stdout)["issues"] if audited.stdout else ()
            found = {each["name"] for each in issues if each["urls"]}
            broken = [each for each in (_BROKEN[1], *_UNNAMED) if each in found]
            for view in ("broken-links", *(f"issue:{each}" for each in broken)):
                subprocess.run(
                    [*gossamer, "export", project, view, "-o", "-"],
                    env=environment,
                    check=False,
                )
            raise DocumentationError(
                "links lead nowhere, or pages have no name of their own; they are listed above."
            )


if __name__ == "__main__":
    script_arguments(__doc__)
    try:
        sys.exit(main())
    except DocumentationError as error:
        sys.exit(f"documentation: {error}")
