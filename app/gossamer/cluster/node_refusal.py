"""The messages that explain why a node is not used."""

import errno
from typing import Final

from gossamer.model.translatable import Sentence, Translatable

_FULL: Final[Sentence] = "The disk of the node {name} with {path} is full; free some space there."
_NOT_WRITABLE: Final[Sentence] = (
    "{path} on the node {name} cannot be written; check its permissions there, or have the node's "
    "environment variable GOSSAMER_ARCHIVES name another folder."
)
_FAILING: Final[Sentence] = (
    "{path} on the node {name} cannot be read or written; check its disk there."
)
_SENTENCES: Final[dict[int, Sentence]] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR), _NOT_WRITABLE),
}


class NodeRefusedError(Exception):
    """A node cannot be used. `said` is why, `may_pass` whether it may be of use later.

    Otherwise it stays refused as long as it lives.
    """

    def __init__(self, said: Translatable, *, may_pass: bool = False) -> None:
        """Take the sentence."""
        super().__init__(str(said))
        self.said = said
        self.may_pass = may_pass


def refused_by_disk(name: str, path: str, problem: int) -> NodeRefusedError:
    """The error for a node whose disk rejects its archive; `problem` is the system's number."""
    sentence = _SENTENCES.get(problem, _FAILING)
    return NodeRefusedError(Translatable(sentence, {"name": name, "path": path}), may_pass=True)
