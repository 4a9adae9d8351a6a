"""Sentences, numbers and times as people read them, in the person's language and locale."""

from collections.abc import Iterable
from functools import reduce
from typing import Final
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QLocale

from gossamer.model.settings import SETTINGS
from gossamer.model.translatable import Translatable
from gossamer.urls.tree import display_host

_MINUTE: Final = 60
_HOUR: Final = 3600


def spoken(sentence: Translatable) -> str:
    """A sentence from below the window, translated. May be called in any thread."""
    return sentence.translated(lambda text: QCoreApplication.translate("Sentences", text))


def setting_labels(names: Iterable[str]) -> list[str]:
    """What the settings form calls the settings `names`; those that are in no form are left out."""
    settings = (SETTINGS[name] for name in names)
    return [spoken(Translatable(each.label)) for each in settings if each.section]


def listed(parts: Iterable[str]) -> str:
    """Several things with commas between them, as the language has them; empty ones left out."""
    return QCoreApplication.translate("Words", ", ").join(filter(None, parts))


def sentences(parts: Iterable[str]) -> str:
    """One sentence after the other, as the language sets them; empty ones left out."""
    pair = QCoreApplication.translate("Words", "{one} {next}")
    found = filter(None, parts)
    return reduce(lambda one, more: pair.format(one=one, next=more), found, next(found, ""))


def labelled(name: str, value: str) -> str:
    """A value with what it is: "Depth: 3"."""
    return QCoreApplication.translate("Words", "{name}: {value}").format(name=name, value=value)


def without_key(text: str) -> str:
    """`text` without what marks its access key ("&Open…", Chinese "打开(&O)…")."""
    marked = text.find("(&")
    if marked >= 0 and text[marked + 3 : marked + 4] == ")":
        text = text[:marked] + text[marked + 4 :]
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def number(value: int) -> str:
    """12345 as "12,345". The C locale, which has no separators, is taken for English."""
    return _locale().toString(value)


def decimal(value: float, digits: int = 1) -> str:
    """41.25 as "41.2", with `digits` after the point."""
    return _locale().toString(value, "f", digits)


def duration(seconds: float) -> str:
    """42.9 as "0:42", 3725 as "1:02:05"."""
    whole = max(0, int(seconds))
    minutes, second = divmod(whole, _MINUTE)
    if whole < _HOUR:
        return f"{minutes}:{second:02}"
    hours, minute = divmod(minutes, _MINUTE)
    return f"{hours}:{minute:02}:{second:02}"


def host_of(root: str) -> str:
    """The host in a root URL as typed, to name a crawl by; the text itself if there is none.

    >>> host_of("https://example.com/docs/")
    'example.com'
    >>> host_of("https://xn--exmple-cua.com:8000")
    'exämple.com:8000'
    """
    text = root.strip()
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host, colon, port = parts.netloc.rpartition("@")[2].partition(":")
        return f"{display_host(host)}{colon}{port}" or text
    except ValueError:
        return text


def named_site(host: str, others: int) -> str:
    """What a crawl of `host` and so many other addresses is called."""
    if others <= 0 or not host:
        return host
    words = QCoreApplication.translate("Words", "{host} and %Ln more", "", others)
    return words.format(host=host)


def _locale() -> QLocale:
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        return QLocale(QLocale.Language.English)
    return locale
