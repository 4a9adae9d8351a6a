"""docs/packaging.md lists the licence of everything Gossamer is installed with."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import metadata

from tests.architecture.checkout import ROOT

LISTED = dict(
    re.findall(
        r"^\| ([\w-]+) \| ([\w. -]+) \|$",
        (ROOT / "docs" / "packaging.md").read_text(encoding="utf-8").partition("## Licences")[2],
        flags=re.MULTILINE,
    )
)
FREE_TO_USE = {
    "MIT",
    "ISC",
    "0BSD",
    "Zlib",
    "CC0-1.0",
    "Apache-2.0",
    "PSF-2.0",
    "MPL-1.1",
    "MPL-2.0",
    "CNRI-Python",
    "LGPL-3.0-only",
}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def names(requirements: Iterable[str]) -> Iterator[str]:
    """Return what is required when no extra is asked for."""
    for text in requirements:
        if "extra ==" not in text:
            yield plain(re.split(r"[^\w.-]", text, maxsplit=1)[0])


def installed_with(wanted: Iterable[str], found: set[str]) -> set[str]:
    """Add to what was found what is wanted, as far as it is installed here, and what that needs."""
    for name in wanted:
        if name not in found:
            with suppress(metadata.PackageNotFoundError):  # of another system or Python
                needs = metadata.distribution(name).requires or ()
                found.add(name)
                installed_with(names(needs), found)
    return found


def test_every_package_is_listed_with_its_licence() -> None:
    ours = {"gossamer", "gossamer-core"}
    needed = installed_with({"gossamer"}, set()) - ours
    assert {"pyside6-essentials", "aiohttp"} < needed
    assert needed - set(LISTED) == set()
    pins = (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8")
    pinned = {plain(name) for name in re.findall(r"^([\w.-]+)==", pins, flags=re.MULTILINE)}
    assert set(LISTED) - {"package"} - pinned == set()


def test_no_package_forces_its_licence_on_others() -> None:
    for name, licence in LISTED.items():
        choices = [set(choice.split(" AND ")) for choice in licence.split(" OR ")]
        assert name == "package" or any(
            all(each in FREE_TO_USE or each.startswith(("BSD-", "MIT-")) for each in choice)
            for choice in choices
        ), name
