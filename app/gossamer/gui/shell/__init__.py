"""The frame of the window: menus, tool bar, progress, messages, layout."""
