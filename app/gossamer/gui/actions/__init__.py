"""Declares every action of the window once and builds menus, buttons and shortcuts from it."""
