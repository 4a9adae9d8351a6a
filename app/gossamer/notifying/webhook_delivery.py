"""Delivers messages to webhooks."""

from typing import Final

from gossamer import __version__
from gossamer.fetch.webhook_request import WebhookFailedError, post
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import WebhookChannel
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.notification_messages import Message, json_of
from gossamer.notifying.webhook_signature import signature

LIMIT_S: Final = 30.0
_GONE: Final = 410


async def deliver_to_webhook(
    channel: WebhookChannel,
    message: Message,
    now_s: float,
    secret: str | None,
    limit_s: float = LIMIT_S,
) -> Translatable:
    """Post the message; returns the response, or raises DeliveryError.

    A `secret` is required if the channel is signed.
    """
    body = json_of(message)
    timestamp = int(now_s)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Gossamer/{__version__}",
        "webhook-id": message.id,
        "webhook-timestamp": str(timestamp),
    }
    if channel.is_signed:
        if not secret:
            raise DeliveryError(said("no secret is stored for this webhook; add the rule again"))
        headers["webhook-signature"] = signature(secret, message.id, timestamp, body)
    try:
        status = await post(channel.url, body, headers, limit_s)
    except WebhookFailedError as e:
        raise DeliveryError(e.said, is_final=e.status == _GONE, reached=e.reached) from e
    return said("the server returned status {status}", status=status)
