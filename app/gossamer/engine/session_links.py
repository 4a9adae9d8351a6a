"""Recognises links that look like they sign out or delete something.

With a login, following such a link may end the session, or change what the person owns. Their
targets cannot be asked what they do, so their words count: of the URL and of the anchor text.
"""

import re
from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize
from urllib.parse import unquote, urlsplit

_SIGN_OUT: Final = """
    logout logoff signout signoff logmeout endsession abmelden ausloggen deconnexion deconnecter
    sedeconnecter cerrarsesion finalizarsesion desconectar desconectarse salir terminarsessao
    encerrarsessao sair disconnetti disconnettersi esci uitloggen afmelden loggaut logud loggut
    kirjauduulos wyloguj wylogujsie odhlasit odhlasenie kijelentkezes deconectare cikisyap
    oturumukapat dangxuat keluar выйти выход αποσυνδεση
"""
_DELETE: Final = """
    delete remove destroy erase trash purge unsubscribe deactivate loschen loeschen entfernen
    abbestellen supprimer effacer desinscription eliminar borrar excluir apagar remover elimina
    cancella rimuovi
    verwijderen slet fjern slett radera tabort poista usun skasuj odstranit smazat torles sterge
    kaldir hapus удалить διαγραφη
"""
_UNSPACED: Final = (
    *("退出", "登出", "注销", "登錄出", "ログアウト", "サインアウト", "退会", "로그아웃"),
    *("删除", "刪除", "移除", "削除", "삭제", "تسجيل الخروج", "حذف", "התנתק", "מחק", "ออกจากระบบ"),
)
"""Of languages that do not part words, or join them otherwise: found anywhere in a short text."""
_MOST_WORDS: Final = 3
"""What is longer is a title: "how to delete your account"."""
_MOST_CHARACTERS: Final = 40
_ENDINGS: Final = frozenset(
    {"php", "html", "htm", "asp", "aspx", "jsp", "jsf", "do", "cgi", "action"}
)
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN: Final = re.compile(r"[\W_]+")
_PARTS: Final = re.compile(r"[/&=;]")


def _plain(text: str) -> str:
    """Without accents and capital letters."""
    letters = (letter for letter in normalize("NFKD", text) if not combining(letter))
    return "".join(letters).casefold()


_WORDS: Final = frozenset(_plain(_SIGN_OUT + _DELETE).split())


def risky_url(url: str) -> str:
    """The part of a serialised URL that says so, decoded; "" if none does."""
    split = urlsplit(url)
    parts = [*split.path.split("/"), *_PARTS.split(split.query)]
    return next((found for part in parts if part and (found := risky_text(unquote(part)))), "")


@lru_cache(maxsize=4096)
def risky_text(text: str) -> str:
    """An anchor text, or a part of a URL, if it says so; else ""."""
    if len(text) > _MOST_CHARACTERS:
        return ""
    if any(word in text for word in _UNSPACED):
        return text
    plain = _plain(_HUMP.sub(" ", text))
    words = [word for word in _BETWEEN.split(plain) if word and word not in _ENDINGS]
    if not 0 < len(words) <= _MOST_WORDS:
        return ""
    counts = range(1, len(words) + 1)
    ends = {"".join(words[:n]) for n in counts} | {"".join(words[-n:]) for n in counts}
    return text.strip() if ends & _WORDS else ""
