"""What a crawl does about a link, by its kind alone, where a test has no engine to say so."""

from gossamer.model.link_kinds import OUTLINK_KINDS, LinkAction, LinkKind
from gossamer.model.messages.crawl_messages import BulkAction, BulkActionKind, UrlSelection


def usual_action(kind: LinkKind) -> LinkAction:
    """Follow what takes a reader on, record the rest."""
    followed = kind in OUTLINK_KINDS or kind is LinkKind.REDIRECT
    return LinkAction.FOLLOW if followed else LinkAction.RECORD


def cancelled(*ids: int) -> BulkAction:
    """A user takes these URLs out."""
    return BulkAction(BulkActionKind.CANCEL, UrlSelection(ids=ids))
