"""The messages between a shell and the process that fills in the forms of a login."""

from msgspec import Struct

from gossamer.model.html_forms import Fields, PageForm
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable

# ---------------------------------------------------------------- shell → form process


class OpenForm(Struct, tag=True, frozen=True):
    """Fetch the page `url` without any cookie, for a crawl with these settings and secrets."""

    url: str
    settings: CrawlSettings
    secrets: Secrets = NO_SECRETS


class SubmitForm(Struct, tag=True, frozen=True):
    """Send a form of the page that was fetched last, and follow where that leads."""

    form: PageForm
    fields: Fields

    def __repr__(self) -> str:
        return f"SubmitForm({self.form!r}, …)"


FormCommand = OpenForm | SubmitForm

# ---------------------------------------------------------------- form process → shell


class FormPage(Struct, frozen=True, tag=True, kw_only=True):
    """The page to which a form, or the first address, has led; `url` is that of the page."""

    url: str
    status: int | None = None
    title: str = ""
    forms: tuple[PageForm, ...] = ()
    frames: tuple[str, ...] = ()
    has_captcha: bool = False
    has_token_element: bool = False
    is_html: bool = False
    elsewhere: str = ""
    """The address at another site that it redirects to, which is not requested."""
    retry_after_s: float | None = None
    trouble: Translatable | None = None
    """Why there is no response."""
    has_cookies: bool = False
    """Whether there are any cookies so far, for any site."""
    login: Secrets = NO_SECRETS
    """The cookies so far, for the sites of the crawl."""
