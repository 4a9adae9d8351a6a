"""Recognises titles and headings of error pages, in the languages of most sites.

A title counts as a whole, or a part of it between separators: "Page not found | Example". A title
that merely contains such words does not: "404 ways to cook rice", "Lost and not found: a novel".
"""

import re
from enum import IntEnum
from typing import Final

from gossamer.model.lazy_pattern import lazy_pattern


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_LONGEST: Final = 200
"""The name of a page, not its text."""
_SEPARATORS: Final = lazy_pattern(
    r"\s+[-\u2013\u2014|\u00b7\u2022\u00bb\u203a:]\s+|\s*[|\u00bb\u203a]\s*|[!?.,\u3002\uff01\uff0c]+"
)
_CODE: Final = lazy_pattern(
    r"""
    [(\[]?\s*\#?\s*
    (?:http|https|status|error|fehler|erreur|errore|erro|fout|błąd|fel|ошибка|错误|錯誤|エラー)?
    [\s\-]*(?:status|error|code|fehler|nr\.?|no\.?)?[\s\-:\#]*
    (?<![0-9a-z])(?:404|410)(?![0-9a-z])
    \s*(?:error|errors?\ page|fehler|page|seite|status|错误|錯誤|エラー)?
    \s*[)\]]?\s*[:\-\u2013\u2014]?\s*
    """,
    re.VERBOSE,
)
"""The number of an error, with its name."""
_MISSING: Final = lazy_pattern(
    r"""
    # English
    (?:(?:sorry|o+ps|whoops|uh[\s-]?oh|error|we're\ssorry)\s)?(?:but\s)?
    (?:(?:the|this|that|your|our)\s)?(?:requested\s|web\s?)?
    (?:page|url|file|resource|document|content|address|link|website|article|product)
    (?:\s(?:that\s)?you(?:\srequested|(?:'re|\sare|\swere|\shave\sbeen)\s(?:looking|searching)\sfor
        |\stried\sto\s(?:access|reach|open)|\swant(?:ed)?|\sentered|\sfollowed))?
    \s(?:
        (?:(?:is|was|has\sbeen|be|could|can)\s?(?:not|n't)(?:\sbe|\sbeen)?
            |(?:cannot|can't)\sbe|not(?:\sbe)?)\s(?:found|located|available|displayed|here|there)
        |(?:does\snot|doesn't|did\snot|didn't|no\slonger)\s(?:seem\sto\s)?exists?
        |(?:is\s)?(?:currently\s|no\slonger\s)?(?:unavailable|available\sany\s?more)
        |is\sno\slonger\s(?:available|here)
        |(?:is\s|has\s)?(?:gone|missing|been\s(?:moved|removed|deleted))
    )
    |(?:sorry\s)?we\s(?:can't|cannot|can\snot|couldn't|could\snot|didn't|are\sunable\sto)
        \s(?:seem\sto\s)?(?:find|locate)\s(?:it|(?:the|this|that|your)\s(?:requested\s)?page
        (?:\s(?:that\s)?you(?:'re|\sare|\swere|\shave\sbeen)\slooking\sfor|\syou\s(?:requested|want))?
        |what\syou(?:'re|\sare|\swere)\slooking\sfor)
    |there(?:'s|\sis)\sno(?:thing|\spage)\s(?:here|at\sthis\s(?:address|url))
    |nothing\s(?:was\s)?(?:found|here)(?:\shere)?
    |(?:file|page)\sor\s(?:directory|file)\snot\sfound
    # German
    |(?:diese\s|die\s)?(?:(?:angeforderte|gesuchte|gewünschte|aufgerufene)\s)?(?:web)?seite\s(?:
        (?:wurde\s)?(?:leider\s)?nicht\s(?:gefunden|vorhanden|verfügbar)
        |(?:konnte|kann)\s(?:leider\s)?nicht\sgefunden\swerden
        |existiert\s(?:leider\s)?nicht(?:\smehr)?
        |ist\s(?:leider\s)?nicht\s(?:mehr\s)?(?:vorhanden|verfügbar))
    |(?:datei\s|inhalt\s)?nicht\sgefunden
    # French
    |(?:désolée?\s)?(?:cette\s|la\s)?page\s
        (?:(?:demandée|recherchée|que\svous\s(?:cherchez|recherchez|demandez))\s)?(?:
        (?:est\s)?(?:introuvable|inexistante|indisponible)
        |(?:n'a\s(?:pas\sété|pas\spu\sêtre|pu\sêtre)|non|n'est\spas)\s(?:trouvée|disponible)
        |n'existe\s(?:pas|plus))
    # Spanish
    |(?:lo\ssentimos\s)?(?:esta\s|la\s)?página\s
        (?:(?:solicitada|que\s(?:buscas|busca|estás\sbuscando))\s)?(?:inexistente
        |no\s(?:fue\s|ha\ssido\s|se\sha\s|se\s|está\s)?
            (?:encontrad[ao]|encuentra|encontró|existe|disponible|pudo\sser\sencontrada))
    |no\s(?:se\sha\sencontrado|se\sencontró|encontramos|hemos\sencontrado)\s(?:la|esta|esa)\spágina
        (?:\sque\sbuscas)?
    # Italian
    |(?:la\s|questa\s)?pagina\s(?:(?:richiesta|cercata|che\s(?:cerchi|stai\scercando))\s)?
        (?:inesistente|non\s(?:è\sstata\s|può\sessere\s|è\s)?(?:trovata|esiste|disponibile)(?:\spiù)?)
    # Portuguese
    |(?:desculpe\s)?(?:a\s|esta\s)?página\s(?:(?:solicitada|que\s(?:você\s)?procura)\s)?
        (?:inexistente|não\s(?:foi\s|pôde\sser\s|está\s)?(?:encontrada|existe|disponível))
    # Dutch
    |(?:sorry\s)?(?:deze\s|de\s)?(?:(?:opgevraagde|gevraagde|gezochte)\s)?pagina\s
        (?:die\s(?:u|je)\szoekt\s)?(?:bestaat\sniet(?:\smeer)?
        |(?:is\s|kan\s|kon\s)?niet\s(?:gevonden|beschikbaar|worden\sgevonden)(?:\sworden)?)
    # Polish
    |(?:przepraszamy\s)?(?:nie\s(?:znaleziono|odnaleziono|można\sznaleźć)\s(?:tej\s)?strony
        |(?:ta\s|żądana\s)?strona\snie\s(?:istnieje|została\s(?:odnaleziona|znaleziona)))
    # Russian
    |(?:извините\s)?(?:(?:данная|эта|запрошенная|такая)\s)?страница\s
        (?:не\s(?:найдена|существует|обнаружена)|удалена)
    |(?:такой\s)?страницы\sне\s(?:существует|найдено)
    # Chinese
    |(?:抱歉|对不起|對不起|很抱歉)?\s?(?:[您你]?(?:要|所)?(?:访问|请求|查找|查看|浏览|瀏覽|尋找|訪問)的)?
        [该此該]?(?:页面|网页|頁面|網頁|内容|文件)(?:已经?)?
        (?:不存在|未找到|找不到|没有找到|无法找到|被?删除|被?刪除|无法访问|不见了|走丢了)了?
        (?:或已?被?删除)?
    |(?:找不到|未找到|没有找到)(?:[您你]?(?:要|所)?(?:访问|请求|查找)的)?[该此該]?
        (?:页面|网页|頁面|網頁)
    # Japanese
    |(?:お探しの|ご指定の|指定された|お探しいただいた)?(?:ページ|url|ファイル)[がは]
        (?:見つかりません(?:でした)?|存在しません|ありません|削除されました|見つからない)
    """,  # noqa: RUF001 - letters of other alphabets
    re.VERBOSE,
)
"""Complete phrases for a page that does not exist."""
_STEMS: Final = _split("""
    found exist avail locat display gone missing moved deleted here find
    gefunden vorhanden verfügbar introuv trouv dispon encontr encuentr trovata esiste gevonden
    bestaat beschikbaar istnie znal strony найден существ обнаруж удален 存在 找 除 访问 不见 走丢
    見つか ありません hitta funn fundet finne löy nenalez nebyla nenaš pronađena намерена található
    găsit bulunama знайден βρέθηκε trobada ditemukan thấy tồn 없 ไม่พบ غير נמצא
""")
"""Everything that matches `_MISSING`, or is one of `_OTHER_LANGUAGES`, contains one of these."""
_ASCII_STEMS: Final = tuple(filter(str.isascii, _STEMS))
_FAILURE_STEMS: Final = _split("404 410 error gateway")
"""Every other title of an error page contains one of these. Most titles have none of either."""
_OTHER_LANGUAGES: Final = frozenset(
    phrase.casefold()
    for phrase in (
        *("sidan hittades inte", "sidan kunde inte hittas", "sidan kan inte hittas"),
        *("siden blev ikke fundet", "siden kunne ikke findes", "siden findes ikke"),
        *("siden ble ikke funnet", "siden finnes ikke", "finner ikke siden"),
        *("sivua ei löydy", "sivua ei löytynyt", "stránka nenalezena", "stránka nebyla nalezena"),
        *("stránka sa nenašla", "stranica nije pronađena", "страницата не \u0435 намерена"),
        *("az oldal nem található", "pagina nu a fost găsită", "sayfa bulunamad\u0131"),
        *("η σελίδα δεν βρέθηκε", "pàgina no trobada", "halaman tidak ditemukan"),
        *("không tìm thấy trang", "không tìm thấy trang này", "trang không tồn tại"),
        *("сторінку не знайдено", "페이지를 찾을 수 없습니다", "ไม่พบหน้า", "ไม่พบหน้านี้"),
        *("الصفحة غير موجودة", "הדף לא נמצא", "העמוד לא נמצא"),
    )
)
_FAILURES: Final = frozenset(
    (
        *("not found", "gone", "410 gone", "http not found"),
        *("500 internal server error", "internal server error", "error 500", "http error 500"),
        *("502 bad gateway", "bad gateway", "503 service unavailable", "service unavailable"),
        *("503 service temporarily unavailable", "service temporarily unavailable"),
        *("504 gateway timeout", "504 gateway time-out", "gateway timeout"),
        *("error establishing a database connection", "application error", "server error"),
    )
)
"""The default texts of servers, which are also titles of articles about them."""


class ErrorTitle(IntEnum):
    """Whether a title or a heading is that of an error page."""

    NONE = 0
    PERHAPS = 1
    """It may also be the title of an article about errors."""
    SURELY = 2


def error_title(text: str | None) -> ErrorTitle:
    """Whether `text`, a title or a heading, is that of an error page."""
    if not text or len(text) > _LONGEST:
        return ErrorTitle.NONE
    folded = " ".join(text.casefold().replace("\u2019", "'").split())
    stems = _ASCII_STEMS if folded.isascii() else _STEMS
    if not _has_piece_of(stems, folded) and not _has_piece_of(_FAILURE_STEMS, folded):
        return ErrorTitle.NONE
    return max(map(_kind, (folded, *_SEPARATORS.split(folded))))


def _kind(part: str) -> ErrorTitle:
    part = part.strip(" .!?:-\u2013\u2014\u3002\uff01")
    if not part:
        return ErrorTitle.NONE
    rest = _CODE.sub(" ", part, count=1).strip(" .!:-\u2013\u2014()")
    if not rest or rest in _FAILURES:  # first: `_MISSING`, which matches none, is long to compile
        return ErrorTitle.PERHAPS
    if not _has_piece_of(_STEMS, part):
        return ErrorTitle.NONE
    for said in (part, rest):
        if said in _OTHER_LANGUAGES or _MISSING.fullmatch(said):
            return ErrorTitle.SURELY
    return ErrorTitle.NONE


def _has_piece_of(stems: tuple[str, ...], text: str) -> bool:
    for stem in stems:  # noqa: SIM110 - in half the time
        if stem in text:
            return True
    return False
