"""Decides when a message that has not arrived is tried again, and when it is given up."""

from typing import Final

from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.store.notification_outbox import OutboxMessage

DELAYS_S: Final = (60.0, 300.0, 900.0, 3_600.0, 4 * 3_600.0, 12 * 3_600.0)
"""Between one try and the next; the last one stays."""
KEEP_S: Final = 3 * 86_400.0
"""After that, a message that fails again is given up."""
MAX_TRIES: Final = 60


def delay_after(tries: int) -> float:
    """The seconds to the next try of a message that has been tried so often."""
    return DELAYS_S[min(tries, len(DELAYS_S) - 1)]


def is_given_up(failure: DeliveryError, message: OutboxMessage, now_s: float) -> bool:
    """Whether a message that has just failed so is not tried again."""
    is_late = now_s - message.created_at > KEEP_S or message.tries >= MAX_TRIES
    return failure.is_final or is_late
