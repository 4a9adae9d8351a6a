"""The look of the window: theme, style sheet, icons, outcome colours."""
