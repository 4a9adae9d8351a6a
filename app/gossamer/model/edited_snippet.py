"""A title and a description as a user would like them."""

from typing import NamedTuple


class EditedSnippet(NamedTuple):
    """Title and description of a page as edited, and as the page has them."""

    url: str
    title: str
    description: str
    original_title: str
    original_description: str
