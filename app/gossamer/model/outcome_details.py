"""Details of an outcome: a code with values, stored compactly and shown as a sentence.

A detail is made where its cause is found, travels and is stored as code and values, and becomes
words where it is shown: in the language of the window, in English in exports and on the command
line. A code, once assigned, keeps its meaning: project files have it.
"""

from enum import Enum
from functools import cached_property, lru_cache
from string import Formatter
from typing import Final, Self, TypeAlias

import msgspec

from gossamer.model.text_cleaning import clean_text, one_line
from gossamer.model.translatable import Translatable, said

MAX_CHARACTERS: Final = 500
"""Of the words of a server or a library."""
_PARSE: Final = Formatter().parse

Value: TypeAlias = "str | int | float | Detail"


class DetailCode(Enum):
    """The codes of details as stored, each with a template for its words.

    Called with the values by name, a member makes a detail.
    """

    template: str

    def __new__(cls, code: str, words: Translatable) -> Self:
        """`words` has no values yet."""
        member = object.__new__(cls)
        member._value_ = code
        member.template = words.template
        return member

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the values, in the order in which they are stored."""
        return tuple(name for _, name, _, _ in _PARSE(self.template) if name)

    def __call__(self, **values: "str | float | Detail") -> "Detail":  # float: or an integer
        """A detail with these values, one for each placeholder. Texts are made safe."""
        if values.keys() != set(self.names):
            raise TypeError(f"{self} has the values {self.names}, not {tuple(values)}")
        return Detail(self, tuple(_storable(values[name]) for name in self.names))

    # Several at once, and words that are not ours.
    BOTH = "both", said("{first}; {second}")
    TEXT = "text", said("{text}")
    EXCEPTION = "exception", said("{kind}: {message}")

    # Why a URL is not requested.
    EXCLUDE_PATTERN = "exclude-pattern", said("exclude pattern {pattern}")
    TRAP_PATTERN = "trap-pattern", said("{pattern}")
    TRAP_FAR = "trap-far", said("far from the roots: {pattern}")
    TRAP_SESSION = "trap-session", said("session ids of {page}")
    TRAP_ORDER = "trap-order", said("orders of parameters in {folder}")
    TRAP_FOLDER = "trap-folder", said("the folder {folder}")
    TRAP_FOLDERS = "trap-folders", said("folders with nothing new")
    TRAP_HOSTS = "trap-hosts", said("hosts with nothing new")
    ROBOTS_LINE = "robots-line", said("{robots_txt}, line {line}: {rule}")
    ROBOTS_UNREADABLE = "robots-unreadable", said("{robots_txt} could not be read: {why}")
    ROBOTS_STATUS = "robots-status", said("{robots_txt} returned {status}")
    ROBOTS_TXT = "robots-txt", said("{robots_txt}")
    LOOPBACK_ADDRESS = "loopback-address", said("{host} is a loopback address")
    PRIVATE_ADDRESS = "private-address", said("{host} is a private address")
    LINK_LOCAL_ADDRESS = "link-local-address", said("{host} is a link-local address")
    METADATA_ADDRESS = (
        "metadata-address",
        said("{host} is a cloud metadata address"),
    )
    SPECIAL_ADDRESS = "special-address", said("{host} is not a public address")

    # What is worth knowing of a response.
    COOKIES = "cookies", said("requested again with the cookies set by a redirect")
    REFRESH = "refresh", said("after {seconds} s")
    CHALLENGE = "challenge", said("by {service}")
    LOCATION = "location", said("Location: {location}")
    STATUS = "status", said("status {status}")
    STATUS_REDIRECT = "status-redirect", said("status {status}, redirects to {url}")
    CUT = "cut", said("cut at {size} bytes")
    FIRST_BYTES = "first-bytes", said("only its first {number:,} bytes were read")
    FIRST_TAGS = "first-tags", said("only the first {number:,} tags were read")
    FIRST_ELEMENTS = "first-elements", said("only the first {number:,} elements were read")
    FIRST_LINKS = "first-links", said("only the first {number:,} links were kept")

    # Sitemaps.
    FIRST_ENTRIES = "first-entries", said("only its first {number:,} entries were read")
    FIRST_TRANSLATIONS = (
        "first-translations",
        said("only its first {number:,} translations were read"),
    )
    GZIP_CUT = "gzip-cut", said("its compressed data is cut")
    GZIP_DAMAGED = "gzip-damaged", said("its compressed data is damaged")
    EMPTY = "empty", said("it is empty")
    NOTHING_LEFT = "nothing-left", said("it is empty: {why}")
    HTML_PAGE = "html-page", said("it is an HTML page")
    NO_LIST = "no-list", said("it is neither XML nor a URL list")
    NO_XML = "no-xml", said("it looks like XML, but {why}")
    NO_ELEMENTS = "no-elements", said("has no elements")
    OTHER_XML = (
        "other-xml",
        said("it is another kind of XML: its root element is {element}"),
    )
    XML_ENTITIES = "xml-entities", said("it declares entities")
    XML_DEPTH = "xml-depth", said("its elements are nested too deeply")
    XML_ELEMENTS = "xml-elements", said("it has more than {number:,} elements")
    XML_TAG = "xml-tag", said("it has a tag of more than {number:,} bytes")
    XML_TEXT = "xml-text", said("it has a text of more than {number:,} characters")
    XML_MALFORMED = (
        "xml-malformed",
        said("it is not well-formed XML: {why}: line {line}, column {column}"),
    )
    XML_SYNTAX = "xml-syntax", said("syntax error")
    XML_NO_ELEMENT = "xml-no-element", said("no element found")
    XML_TOKEN = "xml-token", said("not well-formed (invalid token)")
    XML_UNCLOSED = "xml-unclosed", said("unclosed token")
    XML_MISMATCH = "xml-mismatch", said("mismatched tag")
    XML_ATTRIBUTE_TWICE = "xml-attribute-twice", said("duplicate attribute")
    XML_JUNK = "xml-junk", said("junk after document element")
    XML_UNDEFINED_ENTITY = "xml-undefined-entity", said("undefined entity")
    XML_CHARACTER = "xml-character", said("reference to invalid character number")
    XML_DECLARATION = "xml-declaration", said("XML or text declaration not at start of entity")
    XML_BAD_DECLARATION = "xml-bad-declaration", said("XML declaration not well-formed")
    XML_CDATA = "xml-cdata", said("unclosed CDATA section")
    XML_PREFIX = "xml-prefix", said("unbound prefix")

    # Reading and decoding.
    PARSER_FAILED = "parser-failed", said("the parser {parser} failed: {message}")
    TOOK_LONG = "took-long", said("it took more than {seconds} s")
    CODING_CUT = "coding-cut", said("the compressed data ended too early")
    CODING_TIMES = "coding-times", said("the body is compressed {times} times over")
    CODING_MEMBERS = "coding-members", said("{coding}: more than {most} members")
    CODING_DAMAGED = "coding-damaged", said("{coding}: {why}")
    DATA_FORMAT = "data-format", said("the data has another format")
    DATA_CHECKSUM = "data-checksum", said("the checksum does not match")
    DATA_MEMORY = "data-memory", said("the data takes too much memory to decompress")
    DATA_DAMAGED = "data-damaged", said("the data is damaged")
    WORKER_ENDED = "worker-ended", said("the page worker exited")
    WORKER_REPLACED = "worker-replaced", said("the page worker is being replaced")
    NODE_LOST = "node-lost", said("the node was lost")
    WORKER_STUCK = "worker-stuck", said("the page worker hung and was killed")

    # Time.
    DEADLINE = "deadline", said("the deadline passed")
    NO_WHOLE_ANSWER = "no-whole-answer", said("no complete response within {seconds} s")
    NO_CONNECTION_WITHIN = "no-connection-within", said("no connection within {seconds} s")
    PACE = "pace", said("less than {least} bytes per second")

    # Archives.
    ARCHIVE_OTHER = "archive-other", said("its content is in another archive")
    ARCHIVE_DAMAGED = "archive-damaged", said("its record in the archive is damaged")
    ARCHIVE_RENDERING = (
        "archive-rendering",
        said("the archive does not have all that a browser needs to show it as the crawl did"),
    )
    ARCHIVE_NOTHING = "archive-nothing", said("the archive has no record of it")

    # Connections.
    CONNECTING = "connecting", said("while connecting: {why}")
    SERVER_CLOSED = "server-closed", said("the server closed the connection")
    NO_RESPONSE = "no-answer", said("the connection closed without a response")
    WITHIN_HEADERS = "within-headers", said("the connection closed within the headers")
    WITHIN_BODY = "within-body", said("the connection closed within the body")
    AT_ADDRESS = "at-address", said("{why} ({address}, port {port})")
    CONNECTION_FAILED = "connection-failed", said("no connection")
    CONNECTION_REFUSED = "connection-refused", said("connection refused")
    CONNECTION_RESET = "connection-reset", said("connection reset by the server")
    CONNECTION_ABORTED = "connection-aborted", said("connection aborted")
    CONNECTION_TIMED_OUT = "connection-timed-out", said("connection timed out")
    HOST_UNREACHABLE = "host-unreachable", said("no route to the host")
    NETWORK_UNREACHABLE = "network-unreachable", said("network is unreachable")
    NETWORK_DOWN = "network-down", said("network is down")
    NO_LOCAL_ADDRESS = "no-local-address", said("no local port left to connect from")
    NOT_PERMITTED = "not-permitted", said("not permitted on this computer")
    TOO_MANY_FILES = "too-many-files", said("too many open files")
    NO_MEMORY = "no-memory", said("not enough memory")
    SYSTEM_ERROR = "system-error", said("system error {name}: {message}")

    # Host names.
    NAME_UNKNOWN = "name-unknown", said("host name not known")
    NAME_WITHOUT_ADDRESS = "name-without-address", said("host name without an address")
    NAME_MALFORMED = (
        "name-malformed",
        said("not a host name: a part of it is empty or too long"),
    )
    NAME_SERVER_SILENT = "name-server-silent", said("temporary failure of the name server")
    NAME_SERVER_FAILED = "name-server-failed", said("failure of the name server")

    # Proxies.
    PROXY = "proxy", said("the proxy: {why}")
    PROXY_STATUS = "proxy-status", said("the proxy returned {status}")
    PROXY_STATUS_REASON = "proxy-status-reason", said("the proxy returned {status} {reason}")
    PROXY_PASSWORD = "proxy-password", said("it wants a user and a password, or other ones")
    PROXY_SCHEMES = (
        "proxy-schemes",
        said("it accepts only {schemes} authentication; for proxies, Gossamer knows Basic"),
    )
    SOCKS_FAILURE = "socks-failure", said("general failure")
    SOCKS_FORBIDDEN = "socks-forbidden", said("connection not allowed by its rules")
    SOCKS_HOST = "socks-host", said("host unreachable")
    SOCKS_TTL = "socks-ttl", said("TTL expired")
    SOCKS_COMMAND = "socks-command", said("command not supported")
    SOCKS_ADDRESS = "socks-address", said("address type not supported")
    SOCKS_REJECTED = "socks-rejected", said("request rejected or failed")
    SOCKS_SIGN_IN = "socks-sign-in", said("it requires another authentication method")
    SOCKS_MALFORMED = "socks-malformed", said("its reply is malformed")

    # TLS: certificates.
    CERTIFICATE_EXPIRED = "certificate-expired", said("certificate has expired")
    CERTIFICATE_FUTURE = "certificate-future", said("certificate is not yet valid")
    CERTIFICATE_SELF_SIGNED = "certificate-self-signed", said("self-signed certificate")
    CERTIFICATE_SELF_SIGNED_CHAIN = (
        "certificate-self-signed-chain",
        said("self-signed certificate in certificate chain"),
    )
    CERTIFICATE_ISSUER = (
        "certificate-issuer",
        said("unable to get local issuer certificate"),
    )
    CERTIFICATE_FIRST = "certificate-first", said("unable to verify the first certificate")
    CERTIFICATE_CHAIN_LONG = "certificate-chain-long", said("certificate chain too long")
    CERTIFICATE_REVOKED = "certificate-revoked", said("certificate revoked")
    CERTIFICATE_AUTHORITY = "certificate-authority", said("invalid CA certificate")
    CERTIFICATE_PURPOSE = "certificate-purpose", said("unsuitable certificate purpose")
    CERTIFICATE_SIGNATURE = "certificate-signature", said("certificate signature failure")
    CERTIFICATE_KEY_WEAK = "certificate-key-weak", said("certificate key too weak")
    CERTIFICATE_AUTHORITY_KEY_WEAK = (
        "certificate-authority-key-weak",
        said("CA certificate key too weak"),
    )
    CERTIFICATE_DIGEST_WEAK = (
        "certificate-digest-weak",
        said("CA signature digest algorithm too weak"),
    )
    CERTIFICATE_HOST = (
        "certificate-host",
        said("Hostname mismatch, certificate is not valid for '{host}'."),
    )
    CERTIFICATE_ADDRESS = (
        "certificate-address",
        said("IP address mismatch, certificate is not valid for '{host}'."),
    )

    # TLS: handshakes.
    TLS_WRONG_VERSION = "tls-wrong-version", said("wrong version number")
    TLS_HTTP = "tls-http", said("http request")
    TLS_UNSUPPORTED = "tls-unsupported", said("unsupported protocol")
    TLS_END = "tls-end", said("unexpected eof while reading")
    TLS_WEAK_KEY = "tls-weak-key", said("dh key too small")
    TLS_ERROR = "tls-error", said("TLS error: {reason}")
    TLS_ALERT = "tls-alert", said("TLS alert: {alert}")
    ALERT_HANDSHAKE = "alert-handshake", said("handshake failure")
    ALERT_PROTOCOL_VERSION = "alert-protocol-version", said("protocol version")
    ALERT_NAME = "alert-name", said("unrecognized name")
    ALERT_INTERNAL = "alert-internal", said("internal error")
    ALERT_ACCESS = "alert-access", said("access denied")
    ALERT_CERTIFICATE = "alert-certificate", said("certificate required")
    ALERT_SECURITY = "alert-security", said("insufficient security")
    ALERT_PARAMETER = "alert-parameter", said("illegal parameter")
    ALERT_DECODE = "alert-decode", said("decode error")

    # Responses that are not HTTP.
    HTTP_STATUS_LINE = "http-status-line", said("no status line")
    HTTP_STATUS = "http-status", said("a status of {status}")
    HTTP_STATUS_DIGITS = "http-status-digits", said("a status of {digits} digits")
    HTTP_INTERIM = "http-interim", said("more than {most} interim responses")
    HTTP_HEADERS_BYTES = "http-headers-bytes", said("more than {most} bytes of headers")
    HTTP_HEADER_BYTES = "http-header-bytes", said("a header of more than {most} bytes")
    HTTP_HEADERS = "http-headers", said("more than {most} headers")
    HTTP_HEADERS_END = "http-headers-end", said("headers without end")
    HTTP_LENGTHS = "http-lengths", said("Content-Length headers that differ")
    HTTP_CHUNK_LINE = "http-chunk-line", said("a line of more than {size} KiB between chunks")
    HTTP_TRAILERS = "http-trailers", said("trailers of more than {size} KiB")
    HTTP_CHUNK_LONG = "http-chunk-long", said("a chunk longer than its size")
    HTTP_CHUNK_SIZE = "http-chunk-size", said("an invalid chunk size")
    HTTP_BODY_SHORT = "http-body-short", said("the body ended before its Content-Length")
    HTTP_CHUNKS_SHORT = "http-chunks-short", said("the body ended before its last chunk")
    HTTP_MALFORMED = "http-malformed", said("malformed: {message}")


class Detail(msgspec.Struct, frozen=True, array_like=True):
    """One detail. Its values are in the order of `DetailCode.names`."""

    code: DetailCode
    values: tuple[Value, ...] = ()

    @property
    def said(self) -> Translatable:
        """The words, to be translated."""
        values = (each.said if isinstance(each, Detail) else each for each in self.values)
        return Translatable(self.code.template, dict(zip(self.code.names, values, strict=True)))

    def __str__(self) -> str:
        """In English: the same as `said`, in a third of the time, as sheets have many."""
        code = self.code
        return code.template.format_map(dict(zip(code.names, self.values, strict=True)))


class DetailedError(Exception):
    """An exception with a detail that says what went wrong."""

    def __init__(self, detail: Detail) -> None:
        super().__init__(str(detail))
        self.detail = detail


class NotArchivedError(DetailedError):
    """The archive that replaces the network has no response."""


def joined(*details: Detail | None) -> Detail | None:
    """Several details as one; None if there are none."""
    whole: Detail | None = None
    for each in details:
        whole = DetailCode.BOTH(first=whole, second=each) if whole and each else whole or each
    return whole


def free_text(text: str) -> Detail:
    """The words of others, as they are: they are not translated."""
    return DetailCode.TEXT(text=text)


def foreign_text(text: str) -> Detail:
    """A library's message about data from the web: as `free_text`, one short line."""
    return free_text(one_line(text, MAX_CHARACTERS))


def unforeseen(problem: BaseException) -> Detail:
    """The detail of an unforeseen exception; its own detail if it has one."""
    if isinstance(problem, DetailedError):
        return problem.detail
    message = one_line(str(problem), MAX_CHARACTERS)
    return DetailCode.EXCEPTION(kind=type(problem).__name__, message=message)


def in_english(detail: Detail | None) -> str | None:
    """The words, for exports."""
    return None if detail is None else str(detail)


def detail_text(detail: Detail | None) -> str | None:
    """The detail as it is stored: a JSON array of the code and the array of values."""
    return None if detail is None else _ENCODER.encode(detail).decode()


def detail_of(stored: object) -> Detail | None:
    """The detail that is `stored`; an invalid text, as in a damaged file, is kept as it is.

    TypeError for anything but text.
    """
    if stored is None:
        return None
    if not isinstance(stored, str):
        raise TypeError("a detail is stored as text")
    return _decoded(stored)


def checked_response(stored: object) -> tuple[int, str | None] | None:
    """The status of a former page by its stored detail, and where it redirects to."""
    match detail_of(stored):
        case Detail(code=DetailCode.STATUS, values=(int(status),)):
            return status, None
        case Detail(code=DetailCode.STATUS_REDIRECT, values=(int(status), str(url))):
            return status, url
    return None


@lru_cache(maxsize=1_000)  # of a million URLs, a few dozen have different details
def _decoded(text: str) -> Detail:
    try:
        detail = _DECODER.decode(text)
        str(detail)  # or it would fail where it is shown
    except (msgspec.DecodeError, ValueError, RecursionError):
        return free_text(text)
    return detail


def _storable(value: Value) -> Value:
    if isinstance(value, str):
        return clean_text(value, len(value) + 1)
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole and isinstance(value, float) else value


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Detail)
