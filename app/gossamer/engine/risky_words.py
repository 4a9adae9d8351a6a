"""Recognises links that look like they sign out or delete something.

With a login, following such a link may end the session, or change what the user owns. Their
targets cannot be asked what they do, so their words count: of the URL and of the anchor text.

What is about such an act is not the act: "/blog/how-to-delete-cookies", "/wiki/Logout",
"/search?q=delete". So the words must be all that a part of a URL or a text says, but for words
that go with them ("/logout-confirm", "Remove from cart"); and what merely may mean an act counts
where the URL has the number of a thing beside it ("/files/5/trash").
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize
from urllib.parse import unquote, urlsplit

from gossamer.urls.url_parsing import is_hash_route


class Risk(IntEnum):
    """What words mean."""

    NONE = 0
    WITH_NUMBER = 1
    """They delete, if they stand beside the number of a thing."""
    WITH_THING = 2
    """Likewise, or in the folder of a thing: "/cart/empty"."""
    WITH_CONTRACT = 3
    """In the folder of what can be ended: "/account/close"."""
    MAY_SIGN_OUT = 4
    """At the end of a path, the value of an action, or all that a text says: "/exit"."""
    DELETES = 5
    SIGNS_OUT = 6


_STRANGE: Final = str.maketrans("ıđøłæ", "idola")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN: Final = re.compile(r"[\W_]+")


def _plain(text: str) -> str:
    """Without accents and capital letters."""
    letters = (letter for letter in normalize("NFKD", text) if not combining(letter))
    return "".join(letters).casefold().translate(_STRANGE)


def _set(words: str) -> frozenset[str]:
    return frozenset(_plain(words).split())


_SIGN_OUT: Final = _set("""
    logout logoff signout signoff logmeout endsession sessionend singlelogout abmelden abmeldung
    ausloggen deconnexion deconnecter sedeconnecter cerrarsesion finalizarsesion desconectar
    desconectarse terminarsessao encerrarsessao disconnetti disconnettersi uitloggen afmelden
    loggaut logud loggut kirjauduulos wyloguj wylogujsie odhlasit odhlasitse odhlaseni
    odhlasenie kijelentkezes deconectare cikisyap oturumukapat dangxuat odjava odjavi atsijungti
    logivalja выйти вийти αποσυνδεση wsignout1 wsignoutcleanup1
""")
"""The last two are those of WS-Federation."""
_MAY_SIGN_OUT: Final = _set("""
    exit quit disconnect bye quitter salir sair esci keluar cikis kilepes iesire izlaz wyjdz thoat
    выход вихід изход έξοδος
""")
"""These mean more than that: alone, or with the words below, and at the end of a URL they count."""
_WITH_MAY_SIGN_OUT: Final = _set("""
    user account session admin client member auth app confirm cuenta sesion usuario conta sessao
    compte utilisateur konto benutzer
""")
_REVOKE: Final = _set("revoke")
_REVOKED: Final = _set("""
    it this my the a all token tokens session sessions access key keys api authorization consent
    grant grants permission permissions invitation invite device devices
""")
_MOST_FOLDERS: Final = 2
"""Deeper, they are names of entries: "/w/cpp/utility/program/exit"."""
_IN_URLS: Final = _set("bye")
"""Words that say so in a URL; in a text, they may be a title."""
_SINGLE_LOGOUT: Final = _set("slo sls")
_SINGLE_LOGOUT_PATH: Final = re.compile(
    r".*/session/end|/slo(?:\.\w+)?|.*(?<![a-z])(?:saml2?|sso|idp|adfs|oidc|openid)(?![a-z]).*/sl[os](?:\.\w+)?/?",
    re.IGNORECASE,
)
"""Where SAML and OpenID Connect end a session; with a slash behind it, "/slo/" is a language."""
_REDIRECTORS: Final = _set("url u to link href target site out dest destination")
"""Parameters of "/exit?url=https://example.org/", which leads to another site."""
_DELETE: Final = _set("""
    delete remove unsubscribe deactivate loschen loeschen entfernen abbestellen supprimer
    desinscription effacer eliminar borrar excluir elimina cancella rimuovi verwijderen slett
    fjern radera poista usun skasuj odstranit smazat torles sterge kaldir hapus удалить διαγραφη
    tabort sil xoa udalit
""")
_MAY_DELETE: Final = _set("""
    del rm trash purge erase destroy clear empty flush apagar remover slet deletes removes
""")
_CLOSE: Final = _set("close cancel terminate kundigen kuendigen resilier cancelar")
_CONTRACTS: Final = _set("""
    account subscription membership konto abo compte abonnement cuenta suscripcion conta assinatura
""")
_WITH_SIGN_OUT: Final = _set("""
    user users member members account customer client admin session sessions my me now all out of
    from on this the other devices device everywhere here safely confirm confirmation special auth
    action do process servlet redirect success page php5 url current and konto benutzer compte
    utilisateur cuenta usuario conta single service saml sso idp oidc j spring acegi security
    your click site app system
""") - {"page", "url"}
_THINGS: Final = _set("""
    account accounts user users comment comments post posts item items entry entries message
    messages file files folder image images photo photos video picture page pages product products
    cart basket wishlist favorite favorites favourite favourites bookmark bookmarks address card
    order orders list topic thread reply review note task project record row session token member
    group subscription profile all selected form node row object entity event ticket issue
    contact customer article document attachment avatar cache history notification notifications
    trash
    eintrag beitrag kommentar artikel nachricht benutzer konto datei bild warenkorb compte
    utilisateur panier cuenta mensaje usuario carrito comentario conta mensagem carrinho
""")
_WITH_DELETE: Final = _THINGS | _set("""
    it this my me your the a from to of confirm confirmation now permanently ajax action do aus dem
    den das du le la mon ce
""")
_QUESTIONS: Final = _set("how when why what where who cant cannot wie wann warum como come")
_MOST_WORDS: Final = 5
"""What is longer is a title: "how to delete your account"."""
MOST_CHARACTERS: Final = 40
_ENDINGS: Final = _set("php php5 html htm asp aspx jsp jsf do cgi action json")

_UNSPACED_SIGN_OUT: Final = (
    *("退出登录", "退出登陆", "退出", "登出", "注销", "登錄出", "ログアウト", "サインアウト"),
    *("로그아웃", "تسجيل الخروج", "خروج", "התנתקות", "התנתק", "יציאה", "ออกจากระบบ"),
)
"""Of languages that do not part words, or join them otherwise."""
_UNSPACED_DELETE: Final = ("删除", "刪除", "移除", "削除", "退会", "삭제", "حذف", "מחק", "ลบ")
_UNSPACED_REST: Final = re.compile(
    r"登录|登入|登陆|系统|系統|账号|账户|帐号|帐户|帳號|安全|当前|所有|设备|我的|评论|回复|帖子|文章"
    r"|商品|订单|文件|图片|消息|记录|此|该|本|所选|选中|全部|アカウント|コメント|商品|この|すべて|する"
    r"|します|を|하기|계정|댓글|게시물|[\W_]"
)

_WHO: Final = re.compile(r"\([^)]*\)|\[[^\]]*\]|\S+@\S+")
"""Who is logged in: "Log out (jo)"."""
_NUMBER: Final = re.compile(r"\d+|[0-9a-f-]*\d[0-9a-f-]{7,}|[0-9a-f]{8,}", re.IGNORECASE)
_ENTRIES: Final = _set("""
    wiki glossary dictionary encyclopedia lexikon lexicon tag tags category categories topic topics
    docs doc documentation reference manual man
""")
"""Folders whose parts are names of entries."""
_READING: Final = _ENTRIES | _set("""
    blog blogs news article articles help faq support kb guide guides tutorial tutorials learn
    movie movies film films game games music book books
""")
_NO_ACTION: Final = _set("""
    s k w search query keyword keywords term terms text sort order orderby filter tag category lang
    next redirect redirecturl redirectto redirecturi return returnurl returnto url uri continue dest
    destination target goto ref referer referrer from back backurl service callback title
""") - {"title"}
"""Parameters whose values are looked for, or gone to afterwards."""


def risky_url(url: str) -> str:
    """The part of a serialised URL that says so, decoded; "" if none does."""
    if "%" not in url and not _may_say_so(url):  # nearly every one
        return ""
    address, mark, route = url.partition("#")
    split = urlsplit(f"{address}/{route[1:]}" if is_hash_route(mark + route) else url)
    path = [unquote(part) for part in split.path.split("/") if part]
    parameters = [part.partition("=") for part in re.split("[&;]", split.query) if part]
    has_number = any(_NUMBER.fullmatch(value) for _, _, value in parameters)
    is_redirector = any(_plain(name) in _REDIRECTORS for name, _, _ in parameters)
    found = _risky_path(path, has_number=has_number, is_redirector=is_redirector)
    if not found and _SINGLE_LOGOUT_PATH.fullmatch(split.path):
        return path[-1]
    return found or next(filter(None, (_risky_parameter(*pair) for pair in parameters)), "")


def is_to_read(url: str) -> bool:
    """Whether a URL is that of an article about something, as its folders say."""
    return any(_plain(part) in _READING for part in urlsplit(url).path.split("/")[:-1])


@lru_cache(maxsize=4096)
def risky_text(text: str) -> str:
    """An anchor text, if it says so; else ""."""
    words = _WHO.sub(" ", text)
    says_so = _risk(words) >= Risk.MAY_SIGN_OUT and _IN_URLS.isdisjoint(_words(words))
    return text.strip() if says_so else ""


_ICON_SETS: Final = _set("""
    fa fas far fal fab fad bi mdi ti tabler icon icons ico glyphicon feather lucide ion ios md la
    las ri bx bxs uil pi ph svg gg dashicons octicon oi material btn button link nav menu i img u
""")
_ICON_STYLES: Final = _set(
    "alt outline outlined fill filled line solid o circle can btn button link"
)
_SIGN_OUT_ICONS: Final = frozenset(
    {
        *("power off", "poweroff", "box arrow right", "right from bracket", "off"),
        *("arrow right from bracket", "exit to app", "power settings new"),
    }
)
"""What Font Awesome, Bootstrap and Material Design call theirs."""


@lru_cache(maxsize=4096)
def risky_icon(url: str, name: str) -> str:
    """The name of an icon, such as "fa-sign-out", if a link to `url` with it alone says so; or "".

    A "trash" is what something is thrown into, if the URL has its number, or a folder of its own.
    """
    words = _words(name) if len(name) <= MOST_CHARACTERS else []
    while words and words[0] in _ICON_SETS:
        words = words[1:]
    while words and (words[-1] in _ICON_STYLES or words[-1].isdigit()):
        words = words[:-1]
    said = " ".join(words)
    if said in _SIGN_OUT_ICONS or risky_text(said):
        return name
    if _risk(said) is Risk.NONE:
        return ""
    split = urlsplit(url)
    if split.path.rstrip("/").endswith(words[-1]):  # "/mail/trash" is where things are kept
        return ""
    numbered = split._replace(path=f"{split.path}/{'-'.join(words)}").geturl()
    return name if risky_url(numbered) else ""


def _risky_path(path: Sequence[str], *, has_number: bool, is_redirector: bool) -> str:
    for place, part in enumerate(path):
        risk = _risk(part)
        if not risk:
            continue
        folders = [_plain(each) for each in path[:place]]
        beside = (*path[max(0, place - 1) : place], *path[place + 1 : place + 2])
        is_numbered = has_number or any(map(_NUMBER.fullmatch, beside))
        if risk is Risk.MAY_SIGN_OUT and (is_redirector or place < len(path) - 1):
            continue  # "/exit?url=https://example.org/", "/salir/madrid"
        if _counts(risk, folders, is_numbered=is_numbered) or (
            risk is Risk.SIGNS_OUT and ":" in part  # "/wiki/Special:UserLogout"
        ):
            return part
    return ""


def _counts(risk: Risk, folders: Sequence[str], *, is_numbered: bool) -> bool:
    """Whether a part of a path in these folders acts, and is no name of an entry."""
    last = folders[-1] if folders else ""
    is_read = not _READING.isdisjoint(folders)
    match risk:
        case Risk.SIGNS_OUT:
            return _ENTRIES.isdisjoint(folders)
        case Risk.MAY_SIGN_OUT:
            return not is_read and len(folders) <= _MOST_FOLDERS
        case Risk.DELETES:
            return is_numbered or not is_read
        case Risk.WITH_CONTRACT:
            return last in _CONTRACTS
        case Risk.WITH_THING:
            return (is_numbered or last in _THINGS) and not is_read
    return is_numbered and not is_read


def _risky_parameter(name: str, equals: str, value: str) -> str:
    name, value = unquote(name), unquote(value.replace("+", " "))
    risk = _risk(name)
    plain = "".join(_words(name))
    is_exit = risk is Risk.MAY_SIGN_OUT or plain in _SINGLE_LOGOUT
    if (risk >= Risk.DELETES and value not in _NO) or (is_exit and value in _YES):
        return f"{name}{equals}{value}" if value else name
    if plain in _NO_ACTION or (plain == "q" and "/" not in value):
        return ""
    is_action = plain in _ACTIONS
    least = Risk.WITH_NUMBER if is_action else Risk.DELETES
    return next((part for part in re.split("[/.]", value) if _risk(part) >= least), "")


_NO: Final = frozenset({"0", "false", "no"})
_YES: Final = frozenset({"", "1", "true", "yes"})
_ACTIONS: Final = _set("""
    action act do op operation task mode cmd command method func function event
""")


@lru_cache(maxsize=4096)
def _risk(text: str) -> Risk:
    """What a text, or a part of a URL, means."""
    if len(text) > MOST_CHARACTERS:
        return Risk.NONE
    if not text.isascii() and (risk := _unspaced_risk(text)):
        return risk
    if not _may_say_so(text if text.isascii() else _plain(text)):
        return Risk.NONE
    words = _words(text)
    if not 0 < len(words) <= _MOST_WORDS or words[0] in _QUESTIONS:
        return Risk.NONE
    found = Risk.NONE
    for first in range(len(words)):
        for last in range(first + 1, min(len(words), first + 3) + 1):
            act, rest = "".join(words[first:last]), (*words[:first], *words[last:])
            found = max(found, _risk_of(act, rest, is_last=last == len(words)))
    return found


def _risk_of(act: str, rest: Sequence[str], *, is_last: bool) -> Risk:
    """What an act means together with the words around it."""
    if act in _SIGN_OUT:
        is_named = is_last and len(rest) == 1  # "forum-logout"
        return Risk.SIGNS_OUT if is_named or _are_in(rest, _WITH_SIGN_OUT) else Risk.NONE
    if act in _MAY_SIGN_OUT:
        return Risk.MAY_SIGN_OUT if _WITH_MAY_SIGN_OUT.issuperset(rest) else Risk.NONE
    return _risk_of_deleting(act, rest)


def _risk_of_deleting(act: str, rest: Sequence[str]) -> Risk:
    if act in _REVOKE:
        return Risk.DELETES if _REVOKED.issuperset(rest) else Risk.NONE
    if act in _DELETE:
        return Risk.DELETES if _are_in(rest, _WITH_DELETE) else Risk.WITH_NUMBER
    if act in _MAY_DELETE:
        is_of_thing = not _THINGS.isdisjoint(rest) and _are_in(rest, _WITH_DELETE)
        alone = Risk.WITH_NUMBER if rest else Risk.WITH_THING
        return Risk.DELETES if is_of_thing else alone
    if act not in _CLOSE:
        return Risk.NONE
    is_ended = not _CONTRACTS.isdisjoint(rest) and _are_in(rest, _WITH_DELETE | _CONTRACTS)
    return Risk.DELETES if is_ended else Risk.NONE if rest else Risk.WITH_CONTRACT


_ACTS: Final = _SIGN_OUT | _MAY_SIGN_OUT | _SINGLE_LOGOUT | _REVOKE | _DELETE | _MAY_DELETE | _CLOSE
_ROOTS: Final = tuple(
    act for act in sorted(_ACTS) if not any(each in act for each in _ACTS - {act})
)
"""Without one of them there is no act."""
_NO_SEPARATORS: Final = str.maketrans("", "", "-_./+=&?;:~!, ")


def _may_say_so(text: str) -> bool:
    closed = text.lower().translate(_NO_SEPARATORS)
    return any(root in closed for root in _ROOTS)


def _are_in(words: Sequence[str], known: frozenset[str]) -> bool:
    return all(word in known or word.isdigit() for word in words)


def _words(text: str) -> list[str]:
    plain = _plain(_HUMP.sub(" ", text))
    words = [word for word in _BETWEEN.split(plain) if word]
    return words[:-1] if len(words) > 1 and words[-1] in _ENDINGS and "." in text else words


def _unspaced_risk(text: str) -> Risk:
    for acts, risk in (
        (_UNSPACED_SIGN_OUT, Risk.SIGNS_OUT),
        (_UNSPACED_DELETE, Risk.DELETES),
    ):
        for act in acts:
            if act in text and not _UNSPACED_REST.sub("", text.replace(act, "", 1)):
                return risk
    return Risk.NONE
