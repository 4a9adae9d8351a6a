"""The frame of the window: menus, tool bar, notices, layout, action handlers."""
