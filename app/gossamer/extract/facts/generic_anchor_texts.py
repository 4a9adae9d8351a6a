"""Knows link texts that say nothing of the target, such as "click here"."""

from typing import Final
from unicodedata import category

_TEXTS: Final = """
click here|click|click this|click this link|click for more|click to read|here|go here|this|this link
this page|link|link here|more|more here|more info|more information|read more|read on|read this
read more here|read full article|learn more|find out more|see more|see here|show more|view more
details|continue reading|discover more
go|go now|start|information|download here
hier|hier klicken|klick hier|klicken sie hier|klicke hier|mehr|mehr erfahren|mehr lesen|mehr infos
mehr informationen|weiter|weiterlesen|weitere informationen|weitere infos|zum artikel|lesen sie mehr
jetzt lesen|details ansehen|mehr dazu|mehr anzeigen|hier entlang|dieser link
ici|cliquez ici|cliquer ici|clique ici|en savoir plus|lire la suite|lire plus|plus|plus d'infos
plus d'informations|voir plus|suite|la suite|découvrir
en lire plus|ce lien
aquí|haga clic aquí|haz clic aquí|clic aquí|pulse aquí|pincha aquí|leer más|más|más información
saber más|ver más|seguir leyendo|continuar leyendo|este enlace|enlace|aprende más
aqui|clique aqui|clica aqui|ler mais|leia mais|saiba mais|mais|mais informações|ver mais|veja mais
continue lendo|este link
qui|clicca qui|cliccate qui|leggi|leggi tutto|leggi di più|scopri di più|scopri
continua a leggere|maggiori informazioni|di più|per saperne di più|questo link
klik hier|hier klikken|lees meer|lees verder|meer|meer info|meer informatie|meer lezen|verder lezen
klikk her|klik her|klicka här|her|här|les mer|læs mere|läs mer|mer|mere|lue lisää|lisää|täältä
tutaj|kliknij tutaj|czytaj więcej|więcej|czytaj dalej|dowiedz się więcej|zobacz więcej
zde|klikněte zde|více|číst více|číst dále|více informací|kliknite sem|viac|kattintson ide
bővebben|tovább|részletek|aici|click aici|citește mai mult|mai mult|detalii|află mai multe
здесь|тут|нажмите здесь|жмите сюда|подробнее|читать далее|далее|ещё|еще|узнать больше
читать полностью|ссылка|тук|натиснете тук|повече|прочети повече|тут|читати далі|докладніше|більше
εδώ|κάντε κλικ εδώ|περισσότερα|διαβάστε περισσότερα
tıklayın|buraya tıklayın|burada|devamı|devamını oku|daha fazla|detaylar
点击这里|点击此处|点这里|点击|这里|此处|更多|查看更多|了解更多|阅读更多|详情|查看详情|查看|详细|阅读全文|链接
點擊這裡|點擊此處|按此|按這裡|這裡|此處|查看更多|了解更多|閱讀更多|詳情|查看詳情|詳細|閱讀全文|連結
こちら|ここ|ここをクリック|こちらをクリック|こちらへ|もっと見る|もっと読む|続きを読む|続き|詳細|詳細はこちら|詳しくはこちら|詳しくはこちらへ
여기|여기를 클릭|여기를 클릭하세요|더보기|더 보기|자세히|자세히 보기|더 알아보기|계속 읽기
هنا|اضغط هنا|انقر هنا|المزيد|اقرأ المزيد|اقرأ أكثر|כאן|לחץ כאן|לחצו כאן|עוד|קרא עוד|קראו עוד|לפרטים
यहाँ|यहाँ क्लिक करें|और पढ़ें|अधिक पढ़ें|ที่นี่|คลิกที่นี่|อ่านต่อ|อ่านเพิ่มเติม|เพิ่มเติม
tại đây|ở đây|nhấn vào đây|xem thêm|đọc thêm|chi tiết|di sini|klik di sini|klik disini
selengkapnya|baca selengkapnya|lihat selengkapnya|lebih lanjut
"""  # noqa: RUF001 - Turkish has an i without a dot
"""In lower case, by language: English, German, French, Spanish, Portuguese, Italian, Dutch, Nordic
and Eastern European languages, Russian and neighbours, Greek, Turkish, Chinese, Japanese, Korean,
Arabic, Hebrew, Hindi, Thai, Vietnamese, Indonesian."""

_MAX_LENGTH: Final = 40
_MAX_REMEMBERED: Final = 20_000
_MARKS: Final = "PSZC"
"""Categories of Unicode: punctuation, symbols, spaces, control characters."""

_GENERIC: Final = frozenset(
    text for line in _TEXTS.strip().splitlines() for text in line.split("|")
)


class GenericTexts:
    """Finds such texts among those of a page; remembers the others, which pages have in common."""

    def __init__(self) -> None:
        self._ordinary: set[str] = {""}
        self._generic: set[str] = set()

    def among(self, texts: set[str]) -> set[str]:
        """Those of `texts` that, without marks around them, could stand on a link to anything.

        >>> GenericTexts().among({"Read more »", "Read more about spiders"})
        {'Read more »'}
        """
        found: set[str] = set()
        for text in texts - self._ordinary:
            if text in self._generic:
                found.add(text)
            elif len(text) <= _MAX_LENGTH:
                if _words(text) in _GENERIC:
                    self._generic.add(text)
                    found.add(text)
                else:
                    self._ordinary.add(text)
        if len(self._ordinary) + len(self._generic) > _MAX_REMEMBERED:
            self._ordinary.clear()
            self._generic.clear()
        return found


def _words(text: str) -> str:
    """`text` in lower case without the marks around it, with straight apostrophes."""
    start, end = 0, len(text)
    while start < end and category(text[start])[0] in _MARKS:
        start += 1
    while start < end and category(text[end - 1])[0] in _MARKS:
        end -= 1
    return text[start:end].lower().replace("\u2019", "'")
