"""What an act on a folder leaves in the settings of a crawl."""

from msgspec.structs import replace

from gossamer.model.messages.crawl_messages import Act, Action, UrlSelection
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.folder_priority import QueuePriority, decided
from gossamer.urls.url_filters import folder_pattern

_TURNS = {
    Action.HOLD: QueuePriority.HELD,
    Action.RELEASE: QueuePriority.USUAL,
    Action.FIRST: QueuePriority.FIRST,
}


def settings_after(settings: CrawlSettings, act: Act) -> CrawlSettings:
    """The settings with what `act` decides about what will be found in its folder, if it has one.

    A selection of everything is the folder of all folders.
    A pattern for what is excluded, a turn for what is held back, released, or to be asked first.
    """
    folder = act.selection.folder
    if act.action is Action.EXCLUDE and folder:
        exclude = dict.fromkeys((*settings.exclude, folder_pattern(folder)))
        return replace(settings, exclude=tuple(exclude))
    if act.action is Action.INCLUDE:
        pattern = folder_pattern(folder)
        return replace(settings, exclude=tuple(p for p in settings.exclude if p != pattern))
    if act.action in _TURNS and act.selection == UrlSelection(folder=folder):
        return replace(settings, turns=decided(settings.turns, folder, _TURNS[act.action]))
    return settings
