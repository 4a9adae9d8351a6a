"""A site with a login: a form with a token against forgery, a second factor, cookie and storage."""

from collections.abc import Callable, Iterable
from urllib.parse import parse_qs

from tests.sites.cookie_sites import told
from tests.sites.ledger import Request
from tests.sites.responses import HTML, Response, html_page
from tests.sites.site import Site

USER, PASSWORD, CODE = "jo", "correct-horse", "246810"
SESSION = "s3cret-session"
TOKEN = "t0ken-of-jo"  # noqa: S105 - of a site that is made up
_FORGERY_TOKEN = "f0rgery"  # noqa: S105 - likewise
_LARGE = "style='position:fixed;left:0;top:0;width:100%;height:70%'"
"""A field that is hard to miss with a mouse."""
_LOGIN_FORM = f"""
<form method=post action=/login><input type=hidden name=csrf value={_FORGERY_TOKEN}>
<input name=user {_LARGE}><input type=password name=password><button>Log in</button></form>
"""
_CODE_FORM = f"<form method=post action=/code><input name=code {_LARGE}><button>Go</button></form>"
_STORE = f"""
<script>localStorage.setItem('token', '{TOKEN}'); sessionStorage.setItem('tab', '1')</script>
"""
_SHOW = f"""
<div id=app></div><script>if (localStorage.getItem('token') === '{TOKEN}')
document.getElementById('app').innerHTML = '<a href=/inside>inside</a>'</script>
"""
FORM = "<form method=post action={}><input name=user><input type=password name=password></form>"
"""A form without a token, for an address."""


def answering(*headers: tuple[str, str], status: int = 200, body: str = "") -> Response:
    """A page with this body."""
    return Response(status, html_page("answer", (), body), HTML, headers)


def by_post(
    site: Site, path: str, form: str, answer: Callable[[Request], Response] | Response
) -> None:
    """A page with a form that is sent to itself, or wherever it says, and what answers there."""

    def respond(request: Request) -> Response:
        if request.method != "POST":
            return Response(200, html_page("Log in", (), form), HTML)
        return answer if isinstance(answer, Response) else answer(request)

    site.answer(path, respond)


class LoginSite:
    """What `site` is to those who have logged in, and to others."""

    def __init__(self, site: Site, pages: Iterable[str] = ("/account",)) -> None:
        """Each of `pages` is for those who have the session's cookie; others come to `/login`.

        `/app` has a link to `/inside`, which its script shows those who have the token.
        """
        self.session: str | None = SESSION
        """The one that is valid now; None for none."""
        self._pages = list(pages)
        site.page("/", links=[*self._pages, "/app"])
        site.answer("/login", self._log_in)
        site.answer("/code", self._second_factor)
        site.page("/app", title="app", body=_SHOW)
        site.page("/inside", title="inside")
        for path in self._pages:
            site.answer(path, self._member)

    def _log_in(self, request: Request) -> Response:
        if request.method != "POST":
            forgery = ("Set-Cookie", f"csrf={_FORGERY_TOKEN}; Path=/")
            return Response(200, html_page("Log in", (), _LOGIN_FORM), HTML, (forgery,))
        typed = parse_qs(request.body.decode())
        is_own = told(request).get("csrf") == _FORGERY_TOKEN == typed.get("csrf", [""])[0]
        if not is_own or (typed.get("user"), typed.get("password")) != ([USER], [PASSWORD]):
            return Response(403, html_page("Wrong", (), _LOGIN_FORM))
        half = ("Set-Cookie", "half=1; Path=/code")
        return Response(302, b"", None, (("Location", "/code"), half))

    def _second_factor(self, request: Request) -> Response:
        if told(request).get("half") != "1":
            return Response(302, b"", None, (("Location", "/login"),))
        if parse_qs(request.body.decode()).get("code") != [CODE]:
            return Response(200, html_page("Code", (), _CODE_FORM))
        session = ("Set-Cookie", f"session={SESSION}; Path=/; HttpOnly; SameSite=Lax")
        return Response(302, b"", None, (("Location", self._pages[0]), session))

    def _member(self, request: Request) -> Response:
        if self.session is None or told(request).get("session") != self.session:
            return Response(302, b"", None, (("Location", "/login"),))
        return Response(200, html_page(f"members {request.path}", ["/"], _STORE))
