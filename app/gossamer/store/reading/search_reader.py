"""Reads what full-text search shows besides rows: the texts of pages, and parts of them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from gossamer.model.index_progress import Indexing, IndexProgress
from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.search_excerpts import Excerpt, excerpt
from gossamer.model.search_query import RELEVANCE, Search, SearchField, SearchTerm, terms_of
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.reading.project_connection import ProjectConnection
from gossamer.store.stored_texts import StoredTexts

if TYPE_CHECKING:
    from array import array


class SearchReader(ProjectConnection):
    """Reads texts of pages. Raises as `Reader` does."""

    @cached_property
    def _texts(self) -> StoredTexts:
        return StoredTexts(self._connection)

    def has_texts(self) -> bool:
        """Whether the texts of pages were kept."""
        return self._row("SELECT 1 FROM text_block LIMIT 1", ()) is not None

    def texts_to_enter(self) -> int:
        """How many blocks of texts the search index does not have yet."""
        from gossamer.store.searching.incremental_indexing import waiting_blocks  # noqa: PLC0415 - few crawls are searched

        with self._reading():
            return waiting_blocks(self._connection)

    def tell_indexing(self, tell: Callable[[IndexProgress], None] | None) -> None:
        """Have `tell` called, on the thread that searches, while an index is made for a search."""
        self._functions.hits.tell_progress = tell

    def choose_indexing(self, indexing: Indexing) -> None:
        """Say what searches do where very many texts are not in the index yet."""
        self._functions.hits.indexing = indexing

    def first_ids(self, view: View, filter_: Filter, order: Order) -> "array[int] | None":
        """The first of `ids`, where these are the results of a search: sooner than all are read.

        None where they are not. UsageError as `ids`.
        """
        search = filter_.search
        is_plain = view is View.ALL and filter_ == Filter(search=search)
        if search is None or not is_plain or order not in {Order(), Order(RELEVANCE)}:
            return None
        with self._reading():
            return self._functions.hits.first(search)

    def page_text(self, url_id: int) -> str | None:
        """The content of a page, a line a block; None where the project has not kept it."""
        with self._reading():
            found = self._texts.of([url_id], is_strict=False).get(url_id)
        return None if found is None else found.decode("utf-8", "replace")

    def excerpts(self, ids: Sequence[int], search: Search) -> dict[int, Excerpt]:
        """Of those of these pages that have a text, the part with the words of a search.

        Where the text does not have them, what a link to the page says, after an arrow, or its
        address.
        """
        terms = [] if search.is_absent else terms_of(search.query)
        with self._reading():
            texts = self._texts.of(ids, is_strict=False)
            found = {
                url_id: excerpt(text.decode("utf-8", "replace"), terms)
                for url_id, text in texts.items()
            }
            elsewhere = [url_id for url_id, each in found.items() if terms and not each.marks]
            return found | self._excerpts_elsewhere(elsewhere, terms)

    def _excerpts_elsewhere(
        self, ids: Sequence[int], terms: Sequence[SearchTerm]
    ) -> dict[int, Excerpt]:
        """Of pages whose text lacks the words, where else they are: in links, or the address."""
        of_links = [each for each in terms if each.field in {None, SearchField.ANCHOR}]
        of_address = [each for each in terms if each.field in {None, SearchField.ADDRESS}]
        found: dict[int, Excerpt] = {}
        for chunk in chunks(ids):
            urls = self._rows(f"SELECT id, url FROM url WHERE id IN ({marks(len(chunk))})", chunk)  # noqa: S608 - marks only
            said = {url_id: excerpt(unquote(url), of_address) for url_id, url in urls}
            links = self._functions.hits.texts_of_links(chunk, of_links) if of_links else {}
            said |= {url_id: excerpt(f"→ {text}", of_links) for url_id, text in links.items()}
            found.update((url_id, each) for url_id, each in said.items() if each.marks)
        return found
