"""Where the response for a URL is stored in a copy of a site on disk. Pure functions of values.

A path has only small letters, digits, `-`, `_` and `.`, so that all systems can have it: those that
do not tell capitals apart, and Windows, which reserves names. It begins with scheme and host, and
nothing in a URL leads out of there. Two URLs never share one: unless all of a URL can be read off
its path, the name has a digest of it. Folders have no dots, files do, so none is in the place of
another.
"""

import posixpath
import re
from hashlib import blake2b
from typing import Final

from gossamer.urls.url_parsing import host_of

MAX_PATH: Final = 140
"""Characters of a path; Windows has room for 260 with the folder that it is in."""
_MAX_NAME: Final = 40
_RESERVED: Final = re.compile(r"con|prn|aux|nul|conin|conout|clock|com[0-9]|lpt[0-9]")
_UNSAFE: Final = re.compile(r"[^a-z0-9_-]+")
_PLAIN_HOST: Final = re.compile(r"(?=.{1,40}\Z)[a-z0-9]([a-z0-9-]*\.)*[a-z0-9-]*[a-z0-9](:[0-9]+)?")
_PLAIN_FOLDER: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_WITH_DIGEST: Final = re.compile(r"(?:.*-)?[0-9a-f]{16}")


def offline_path(url: str, suffix: str) -> str:
    """The path, with slashes, of the response for a serialised http or https URL.

    `suffix` is that of its content, with its dot.
    """
    scheme, _, rest = url.partition("://")
    top = "https" if scheme == "https" else "http"
    host = host_of(url)
    path = rest.partition("?")[0].partition("/")[2]
    *folders, name = path.split("/")
    stem = name.removesuffix(suffix) or "index"
    place = f"{top}/{_host_folder(host)}"
    whole = "/".join([place, *map(_safe, folders), stem + suffix])
    # A page without a name is that of its folder; any other tells its suffix itself.
    tells_all = name == ("" if stem == "index" else stem + suffix)
    if tells_all and _is_plain(url, host, folders, stem) and len(whole) <= MAX_PATH:
        return whole
    digest = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    named = "/".join([place, *map(_safe, folders), f"{_safe(stem)}-{digest}{suffix}"])
    return named if len(named) <= MAX_PATH else f"{place}/{digest}{suffix}"


def relative_path(page: str, target: str) -> str:
    """How a page at one path of a copy names another."""
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def _is_plain(url: str, host: str, folders: list[str], stem: str) -> bool:
    scheme = url.partition("://")[0]
    return (
        url.startswith(f"{scheme}://{host}/")
        and "?" not in url
        and _PLAIN_HOST.fullmatch(host) is not None
        and all(_is_plain_name(each) for each in [*folders, stem])
        and not _RESERVED.fullmatch(host.partition(".")[0].partition(":")[0])
        and not _WITH_DIGEST.fullmatch(stem)
    )


def _is_plain_name(name: str) -> bool:
    return bool(_PLAIN_FOLDER.fullmatch(name)) and not _RESERVED.fullmatch(name)


def _host_folder(host: str) -> str:
    """Names with dots stay as they are: no file stands beside them."""
    first = host.partition(".")[0].partition(":")[0]
    if _PLAIN_HOST.fullmatch(host) and not _RESERVED.fullmatch(first):
        return host.replace(":", "_")
    return _safe(host)


def _safe(name: str) -> str:
    cleaned = _UNSAFE.sub("_", name.lower())[:_MAX_NAME] or "_"
    return f"{cleaned}_" if _RESERVED.fullmatch(cleaned) else cleaned
