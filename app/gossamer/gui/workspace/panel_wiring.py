"""How the panels follow each other: what is selected in one is shown in the details."""

from gossamer.gui.details.details_panel import DetailsPanel
from gossamer.gui.trees.discovery_tree import DiscoveryPanel
from gossamer.gui.trees.folder_tree import FoldersPanel
from gossamer.gui.workspace.table_panel import TablePanel


def connect_panels(
    discovery: DiscoveryPanel, folders: FoldersPanel, table: TablePanel, details: DetailsPanel
) -> None:
    """Connect selection, folder filter, and "show in table".

    "Show in tree" is left to the window, which has to bring the tree to the front first.
    """
    panels = (discovery, folders, table)
    for panel in panels:
        panel.url_selected.connect(details.select_url)
        panel.inlinks_wanted.connect(details.show_inlinks)
        for follower in panels:
            if follower is not panel:
                panel.url_selected.connect(follower.follow)
    for other in (discovery, folders, details):
        other.table_wanted.connect(table.select_url)
    details.url_selected.connect(table.select_url)
    for tree in (discovery, folders):
        details.url_selected.connect(tree.follow)
    discovery.found_on_wanted.connect(table.set_found_on)
    for tree in (discovery, folders):
        tree.acts.said.connect(table.summary.show_message)
    folders.folder_selected.connect(
        lambda folder_id: table.set_folder(folder_id, folders.folder_path(folder_id))
    )
