"""Translates sentences and details made below the window, and joins their parts."""

from collections.abc import Iterable
from functools import reduce
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication

from gossamer.model.outcome_details import Detail
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.model.translatable import Translatable
from gossamer.urls.url_folders import display_host


def spoken(sentence: Translatable) -> str:
    """A sentence from below the window, translated. May be called in any thread."""
    return sentence.translated(lambda text: QCoreApplication.translate("Sentences", text))


def detail_words(detail: Detail | None) -> str:
    """A detail in the language of the window; "" for none."""
    return "" if detail is None else spoken(detail.said)


def setting_labels(names: Iterable[str]) -> list[str]:
    """The labels of the settings `names` in the form; those that are in no form are left out."""
    settings = (SETTINGS[name] for name in names)
    return [spoken(Translatable(each.label)) for each in settings if each.section]


def listed(parts: Iterable[str]) -> str:
    """Several things separated by commas, in the language's way; empty ones left out."""
    return QCoreApplication.translate("Words", ", ").join(filter(None, parts))


def sentences(parts: Iterable[str]) -> str:
    """Several sentences in sequence, in the language's way; empty ones left out."""
    pair = QCoreApplication.translate("Words", "{one} {next}")
    found = filter(None, parts)
    return reduce(lambda one, more: pair.format(one=one, next=more), found, next(found, ""))


def labelled(name: str, value: str) -> str:
    """A value with its label: "Depth: 3"."""
    return QCoreApplication.translate("Words", "{name}: {value}").format(name=name, value=value)


def without_key(text: str) -> str:
    """`text` without its access key ("&Open…", Chinese "打开(&O)…")."""
    marked = text.find("(&")
    if marked >= 0 and text[marked + 3 : marked + 4] == ")":
        text = text[:marked] + text[marked + 4 :]
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


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
    """The name of a crawl of `host` and this many other addresses."""
    if others <= 0 or not host:
        return host
    words = QCoreApplication.translate("Words", "{host} and %Ln more", "", others)
    return words.format(host=host)
