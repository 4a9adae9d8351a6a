"""How the window looks: theme, style sheet, icons, the colours of outcomes."""
