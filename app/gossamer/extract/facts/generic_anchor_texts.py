"""Recognises link texts that say nothing about the target, such as "click here"."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import filterfalse
from typing import Final
from unicodedata import category

from gossamer.extract.phrase_hashes import word_hash
from gossamer.model.lazy_pattern import lazy_pattern

_TEXTS: Final[Mapping[str, str]] = {
    "en": """
click here|click|click this|click this link|click for more|click to read|here|right here|go here
this|this link|this page|link|link here|more|more here|more info|more information|read more|read on
read this|read more here|read full article|learn more|find out more|see more|see here|show more
view more|details|continue reading|discover more|go|go now|start|information|download here""",
    "de": """
hier|hier klicken|klick hier|klicken sie hier|klicke hier|mehr|mehr erfahren|mehr lesen|mehr infos
mehr informationen|weiterlesen|weitere informationen|weitere infos|zum artikel
lesen sie mehr|jetzt lesen|details ansehen|mehr dazu|mehr anzeigen|hier entlang|dieser link""",
    "fr": """
ici|cliquez ici|cliquer ici|clique ici|en savoir plus|lire la suite|lire plus|plus|plus d'infos
plus d'informations|voir plus|suite|la suite|découvrir|en lire plus|ce lien""",
    "es": """
aquí|haga clic aquí|haz clic aquí|clic aquí|pulse aquí|pincha aquí|leer más|más|más información
saber más|ver más|seguir leyendo|continuar leyendo|este enlace|enlace|aprende más""",
    "pt": """
aqui|clique aqui|clica aqui|ler mais|leia mais|saiba mais|mais|mais informações|ver mais|veja mais
continue lendo|este link""",
    "it": """
qui|clicca qui|cliccate qui|leggi|leggi tutto|leggi di più|scopri di più|scopri
continua a leggere|maggiori informazioni|di più|per saperne di più|questo link""",
    "nl": """
hier|klik hier|hier klikken|lees meer|lees verder|meer|meer info|meer informatie|meer lezen
verder lezen""",
    "da": "her|klik her|læs mere|mere|se mere",
    "no": "her|klikk her|les mer|mer|se mer",
    "sv": "här|klicka här|läs mer|mer|se mer",
    "fi": "täällä|täältä|lue lisää|lisää|klikkaa tästä",
    "pl": """
tutaj|kliknij tutaj|czytaj więcej|więcej|czytaj dalej|dowiedz się więcej|zobacz więcej""",
    "cs": "zde|klikněte zde|více|číst více|číst dále|více informací",
    "sk": "tu|kliknite sem|viac|čítať viac",
    "hu": "itt|kattintson ide|bővebben|tovább|részletek",
    "ro": "aici|click aici|citește mai mult|mai mult|detalii|află mai multe",
    "ru": """
здесь|тут|нажмите здесь|жмите сюда|подробнее|читать далее|далее|ещё|еще|узнать больше
читать полностью|ссылка""",
    "bg": "тук|натиснете тук|повече|прочети повече",
    "uk": "тут|читати далі|докладніше|більше",
    "el": "εδώ|κάντε κλικ εδώ|περισσότερα|διαβάστε περισσότερα",
    "tr": "tıklayın|buraya tıklayın|burada|devamı|devamını oku|daha fazla|detaylar",  # noqa: RUF001 - i without a dot
    "zh": """
点击这里|点击此处|点这里|点击|这里|此处|更多|查看更多|了解更多|阅读更多|详情|查看详情|查看|详细|阅读全文|链接
點擊這裡|點擊此處|按此|按這裡|這裡|此處|查看更多|了解更多|閱讀更多|詳情|查看詳情|詳細|閱讀全文|連結""",
    "ja": """
こちら|ここ|ここをクリック|こちらをクリック|こちらへ|もっと見る|もっと読む|続きを読む|続き|詳細|詳細はこちら
詳しくはこちら|詳しくはこちらへ""",
    "ko": """
여기|여기를 클릭|여기를 클릭하세요|더보기|더 보기|자세히|자세히 보기|더 알아보기|계속 읽기""",
    "ar": "هنا|اضغط هنا|انقر هنا|المزيد|اقرأ المزيد|اقرأ أكثر",
    "he": "כאן|לחץ כאן|לחצו כאן|עוד|קרא עוד|קראו עוד|לפרטים",
    "hi": "यहाँ|यहाँ क्लिक करें|और पढ़ें|अधिक पढ़ें",
    "th": "ที่นี่|คลิกที่นี่|อ่านต่อ|อ่านเพิ่มเติม|เพิ่มเติม",
    "vi": "tại đây|ở đây|nhấn vào đây|xem thêm|đọc thêm|chi tiết",
    "id": "di sini|klik di sini|klik disini|selengkapnya|baca selengkapnya|lihat selengkapnya",
}
"""In lower case, by language."""
_SAME: Final = {"nb": "no", "nn": "no", "iw": "he", "ms": "id"}
"""Other codes for a language, or for one that is close enough."""

_MAX_LENGTH: Final = 40
_MAX_REMEMBERED: Final = 20_000
_MARKS: Final = "PSZC"
"""Categories of Unicode: punctuation, symbols, spaces, control characters."""

_CODE: Final = lazy_pattern(r"[-#@$%&/\\]+\w|<[^ ]*>$|.*\(\)$")
"""How options, anchors, tags and functions are written, which link texts may name."""
_BY_LANGUAGE: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(text for line in texts.strip().splitlines() for text in line.split("|"))
    for language, texts in _TEXTS.items()
}
_GENERIC: Final = frozenset().union(*_BY_LANGUAGE.values())
_HASH_BITS: Final = 12


def _bits() -> bytes:
    """A bit for each hash of the ASCII ones."""
    bits = bytearray(2**_HASH_BITS // 8)
    for text in filter(str.isascii, _GENERIC):
        number = word_hash(text.encode()) >> 64 - _HASH_BITS
        bits[number // 8] |= 1 << number % 8
    return bytes(bits)


_PLAIN: Final = str.maketrans("\u2019\u00a0\u202f", "'  ")
GENERIC_BITS: Final = _bits()
"""The bits by which C recognises that most link texts are none of these: one for each hash, without
marks around it and in lower case. Texts beyond ASCII are left to Python."""
_AMBIGUOUS: Final = frozenset({"her", "mais", "meer", "mer", "mere", "plus", "qui", "suite", "tu"})
"""Texts with a meaning in another language, such as "plus" in English."""


class GenericTexts:
    """Finds such texts among those of pages in one language.

    Remembers the others, which many pages share. Without a language, all lists count.
    """

    def __init__(self, language: str = "") -> None:
        own = _BY_LANGUAGE.get(language, frozenset())
        self._listed = _GENERIC - (_AMBIGUOUS - own) if language else _GENERIC
        self._ordinary: set[str] = set()
        self._generic: set[str] = set()

    def among(self, texts: Iterable[str]) -> set[str]:
        """Those of `texts` that, without surrounding marks, could be on a link to anything.

        An empty text counts as generic.

        >>> GenericTexts().among(["Read more »", "Read more about spiders"])
        {'Read more »'}
        """
        found: set[str] = set()
        for text in filterfalse(self._ordinary.__contains__, texts):
            if not text or text in self._generic:
                found.add(text)
            elif len(text) <= _MAX_LENGTH:
                if _words(text) in self._listed and not _CODE.match(text):
                    self._generic.add(text)
                    found.add(text)
                else:
                    self._ordinary.add(text)
        if len(self._ordinary) + len(self._generic) > _MAX_REMEMBERED:
            self._ordinary.clear()
            self._generic.clear()
        return found


@lru_cache(maxsize=64)
def generic_texts(language: str | None) -> GenericTexts:
    """The generic texts for pages that declare this language, such as "pt-BR"; None for none."""
    primary = (language or "").replace("_", "-").partition("-")[0].strip().lower()
    return _in_language(_SAME.get(primary, primary))


_in_language = lru_cache(maxsize=64)(GenericTexts)


def _words(text: str) -> str:
    """`text` in lower case without the marks around it, with straight apostrophes and spaces."""
    start, end = 0, len(text)
    if text[0].isalpha() and text[-1].isalpha():  # as nearly all
        return text.lower().translate(_PLAIN)
    while start < end and category(text[start])[0] in _MARKS:
        start += 1
    while start < end and category(text[end - 1])[0] in _MARKS:
        end -= 1
    return text[start:end].lower().translate(_PLAIN)
