"""Which page of the help is about a widget: what F1 opens where.

A page is named by its id in the documentation (`packaging/documentation_pages.py`), such as
`window/table`, or by a declaration: `issues/SLUG`, `settings/NAME`, `columns/urls/NAME`,
`columns/links/NAME`, `tabs/KEY`.
"""

from typing import Final, Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from gossamer.audit.site_rule import SiteRule
from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.fields.link_record import LINK_FIELDS

START: Final = "window/start"
"""The default page."""
_PROPERTY: Final = "help"


def explain(widget: QWidget, page: str) -> None:
    """Let F1 in `widget`, and in its children, open the page with this id."""
    widget.setProperty(_PROPERTY, page)


def page_about(rule: SiteRule | None) -> str:
    """The page about an issue; the one about issues in general for none."""
    return "window/issues" if rule is None else f"issues/{rule.slug}"


def page_about_setting(name: str) -> str:
    """The page about the setting with this name."""
    return f"settings/{name}"


def page_about_field(field: DeclaredField) -> str:
    """The page about the field that a column of URLs or links shows."""
    return f"columns/{'links' if field in LINK_FIELDS else 'urls'}/{field.name}"


@runtime_checkable
class ExplainsItself(Protocol):
    """A widget that knows the current part: a table with its columns."""

    def help_page(self) -> str:
        """The id of a page; "" if the one about the whole widget will do."""


@runtime_checkable
class OpensHelp(Protocol):
    """A window that has a help window."""

    def open_help_page(self, page: str) -> None:
        """Open the page with this id."""


def open_page_about(widget: QWidget) -> None:
    """Open the page about `widget` in the help of the window that it or its dialog belongs to."""
    open_page(widget, page_for(widget))


def open_page(widget: QWidget, page: str) -> None:
    """Open a page in the help of the window that `widget` or its dialog belongs to."""
    owner: QWidget | None = widget
    while owner is not None and not isinstance(owner, OpensHelp):
        owner = owner.parentWidget()
    if isinstance(owner, OpensHelp):
        owner.open_help_page(page)


def page_for(widget: QWidget | None) -> str:
    """The page about `widget` or its closest ancestor."""
    while widget is not None:
        if isinstance(widget, ExplainsItself) and (own := widget.help_page()):
            return own
        page = widget.property(_PROPERTY)
        if isinstance(page, str):
            return page
        widget = widget.parentWidget()
    return START
