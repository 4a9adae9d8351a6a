"""Every action of the window declared once, and made into menus, buttons and shortcuts."""
