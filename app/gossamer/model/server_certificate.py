"""What is known of the certificate of an https server."""

from msgspec import Struct

from gossamer.model.outcome_details import Detail


class ServerCertificate(Struct, frozen=True, gc=False):
    """The certificate that an https origin showed, and when it was seen. Times are Unix times.

    `subject` and `issuer` are organisation and common name, `host_names` what it is valid for.
    `detail` says why it was not accepted; None if it was.
    """

    origin: str
    seen_at: float
    not_before: float
    not_after: float
    subject: str
    issuer: str
    host_names: tuple[str, ...]
    fingerprint: str
    """SHA-256 of the certificate, in hexadecimal."""
    detail: Detail | None = None
