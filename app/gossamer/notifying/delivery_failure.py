"""Why a message could not be delivered."""

from gossamer.model.translatable import Translatable


class DeliveryError(Exception):
    """A message was not delivered: a sentence or less for the user.

    It is tried again, unless it `is_final`: then that could not help. If it has `reached` its
    receiver, or may have, it is not changed any more.
    """

    def __init__(self, why: Translatable, *, is_final: bool = False, reached: bool = False) -> None:
        super().__init__(str(why))
        self.said = why
        self.is_final = is_final
        self.reached = reached
