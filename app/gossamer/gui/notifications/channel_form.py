"""The channels of a notification rule: a choice for each kind, and its fields."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import buddy, describe
from gossamer.notifying.channels import (
    CommandChannel,
    DesktopChannel,
    EmailChannel,
    NotificationChannel,
    WebhookChannel,
    checked_channel,
    new_secret_id,
    secret_name,
    server_address,
    server_parts,
)
from gossamer.notifying.command_words import join_command, split_command
from gossamer.notifying.webhook_signature import new_secret

_INDENT: Final = 24
_Kind = TypeVar("_Kind", EmailChannel, WebhookChannel, CommandChannel)


class ChannelForm(QWidget):
    """Fills in channels: the desktop, e-mails through one server, a webhook, a program.

    Other channels of a rule, from the command line, are listed and can be removed.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desktop = QCheckBox(self.tr("&Desktop notification"))
        self.by_email = QCheckBox(self.tr("&E-mail"))
        self.to = _field("me@example.com, you@example.com")
        self.from_address = _field("me@example.com")
        self.server = _field("mail.example.com")
        self.encryption = QComboBox()
        for words, scheme in (
            ("TLS", "smtps"),
            ("STARTTLS", "smtp"),
            (self.tr("None: a server of this computer"), "smtp+plain"),
        ):
            self.encryption.addItem(words, scheme)
        self.encryption.setMinimumHeight(CONTROL_HEIGHT)
        self.user = _field("")
        self.password = _field("")
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.by_webhook = QCheckBox(self.tr("&Webhook"))
        self.address = _field("https://example.com/hook")
        self.signed = QCheckBox(self.tr("Si&gned, so that the receiver can check who sent it"))
        self.secret = _field("")
        self.secret.setReadOnly(True)
        self.renew = QPushButton(self.tr("New secret"))
        self.by_program = QCheckBox(self.tr("&Program"))
        self.command = _field("notify-me --from gossamer")
        self.others = QVBoxLayout()
        self._others: list[tuple[QCheckBox, NotificationChannel]] = []
        self._hook: WebhookChannel | None = None
        self._new_secret = new_secret()
        self._new_id = new_secret_id()
        self._lay_out()
        self._connect()
        self.desktop.setChecked(True)

    def channels(self) -> tuple[NotificationChannel, ...]:
        """Those filled in; UsageError."""
        return tuple(map(checked_channel, self._filled_in()))

    def secrets(self) -> dict[str, str]:
        """What the keyring is to keep, by its names there.

        An empty password stands for the one that the keyring has.
        """
        found: dict[str, str] = {}
        for channel in self.channels():
            name = secret_name(channel)
            if name is None:
                continue
            if isinstance(channel, EmailChannel):
                if self.password.text():
                    found[name] = self.password.text()
            elif isinstance(channel, WebhookChannel) and channel.secret_id == self._new_id:
                found[name] = self._new_secret
        return found

    def show_channels(self, channels: Sequence[NotificationChannel]) -> None:
        """Fill these in."""
        emails = _of(channels, EmailChannel)
        shown: list[NotificationChannel] = [
            each
            for each in emails
            if (each.server, each.sender) == (emails[0].server, emails[0].sender)
        ]
        self.desktop.setChecked(any(isinstance(each, DesktopChannel) for each in channels))
        self.by_email.setChecked(bool(emails))
        if emails:
            self._show_emails(emails, len(shown))
        for hook in _of(channels, WebhookChannel)[:1]:
            self._show_webhook(hook)
            shown.append(hook)
        for program in _of(channels, CommandChannel)[:1]:
            self.by_program.setChecked(True)
            self.command.setText(join_command(program.argv))
            shown.append(program)
        for each in channels:
            if each not in shown and not isinstance(each, DesktopChannel):
                self._show_other(each)

    def _show_emails(self, emails: Sequence[EmailChannel], count: int) -> None:
        first = emails[0]
        scheme, host, user = server_parts(first.server)
        same = [e.address for e in emails if (e.server, e.sender) == (first.server, first.sender)]
        self.to.setText(", ".join(same[:count]))
        self.from_address.setText(first.sender)
        self.server.setText(host)
        self.encryption.setCurrentIndex(self.encryption.findData(scheme))
        self.user.setText(user)
        self.password.setPlaceholderText(self.tr("Unchanged"))

    def _show_webhook(self, hook: WebhookChannel) -> None:
        self._hook = hook
        self.by_webhook.setChecked(True)
        self.address.setText(hook.url)
        self.signed.setChecked(hook.is_signed)
        self._show_secret()

    def _show_other(self, channel: NotificationChannel) -> None:
        box = QCheckBox(formatting.clean(spoken(channel.said)).replace("&", "&&"))
        box.setChecked(True)
        self.others.addWidget(box)
        self._others.append((box, channel))

    # ------------------------------------------------------------ what is filled in

    def _filled_in(self) -> Iterator[NotificationChannel]:
        if self.desktop.isChecked():
            yield DesktopChannel()
        if self.by_email.isChecked():
            yield from self._emails()
        if self.by_webhook.isChecked():
            yield self._webhook()
        if self.by_program.isChecked():
            yield CommandChannel(split_command(self.command.text().strip()))
        yield from (channel for box, channel in self._others if box.isChecked())

    def _emails(self) -> Iterator[NotificationChannel]:
        addresses = [each.strip() for each in self.to.text().split(",")]
        addresses = [each for each in addresses if each] or [""]
        server = server_address(
            str(self.encryption.currentData()),
            self.server.text().strip(),
            self.user.text().strip(),
        )
        sender = self.from_address.text().strip() or addresses[0]
        yield from (EmailChannel(each, server, sender) for each in addresses)

    def _webhook(self) -> WebhookChannel:
        url = self.address.text().strip()
        if not self.signed.isChecked():
            return WebhookChannel(url)
        kept = self._kept_hook()
        return WebhookChannel(url, self._new_id) if kept is None else kept

    def _kept_hook(self) -> WebhookChannel | None:
        """The webhook there was, if it is to have the same secret still."""
        hook = self._hook
        if hook is None or not hook.is_signed or hook.url != self.address.text().strip():
            return None
        return hook

    def _show_secret(self) -> None:
        """The receiver needs it, and it is shown here alone."""
        is_signed = self.signed.isChecked()
        is_kept = self._kept_hook() is not None
        self.secret.setVisible(is_signed)
        self.renew.setVisible(is_signed and is_kept)
        self.secret.setText(self._new_secret if is_signed and not is_kept else "")
        self.secret.setPlaceholderText(self.tr("Stored") if is_kept else "")

    def _renew(self) -> None:
        self._hook = None
        self._show_secret()

    # ------------------------------------------------------------ assembly

    def _connect(self) -> None:
        self.signed.toggled.connect(self._show_secret)
        self.address.textChanged.connect(self._show_secret)
        self.renew.setAutoDefault(False)
        self.renew.clicked.connect(self._renew)
        self.to.textChanged.connect(
            lambda text: self.from_address.setPlaceholderText(text.split(",")[0].strip())
        )

    def _lay_out(self) -> None:
        describe(self.to, self.tr("Several addresses with commas between them."))
        describe(self.secret, self.tr("Copy it to the receiver now: it is not shown again."))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(self.desktop)
        column.addWidget(self.by_email)
        mail = (
            (self.tr("To"), self.to),
            (self.tr("From"), self.from_address),
            (self.tr("Mail server"), self.server),
            (self.tr("Encryption"), self.encryption),
            (self.tr("User"), self.user),
            (self.tr("Password"), self.password),
        )
        column.addWidget(_below(self.by_email, *mail))
        column.addWidget(self.by_webhook)
        secret = QWidget()
        row = QHBoxLayout(secret)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.secret, 1)
        row.addWidget(self.renew)
        self.secret.setAccessibleName(self.tr("Secret of the signature"))
        hook = ((self.tr("Address"), self.address), ("", self.signed), ("", secret))
        column.addWidget(_below(self.by_webhook, *hook))
        column.addWidget(self.by_program)
        column.addWidget(_below(self.by_program, (self.tr("Command"), self.command)))
        column.addLayout(self.others)
        self._show_secret()


def _of(channels: Sequence[NotificationChannel], kind: type[_Kind]) -> list[_Kind]:
    return [each for each in channels if isinstance(each, kind)]


def _below(box: QCheckBox, *rows: tuple[str, QWidget]) -> QWidget:
    """The fields of a choice, in sight while it is chosen."""
    fields = QWidget()
    form = QFormLayout(fields)
    form.setContentsMargins(_INDENT, 0, 0, theme.SPACE_S)
    form.setHorizontalSpacing(theme.SPACE_M)
    form.setVerticalSpacing(theme.SPACE_XS)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for name, field in rows:
        if name:
            label = buddy(name, field)
            label.setMinimumHeight(CONTROL_HEIGHT)  # around the text of the field
            form.addRow(label, field)
        else:
            form.addRow("", field)
    fields.setVisible(False)
    box.toggled.connect(fields.setVisible)
    return fields


def _field(example: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(example)
    field.setMinimumHeight(CONTROL_HEIGHT)
    return field
