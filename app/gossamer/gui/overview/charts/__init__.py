"""Charts drawn by the app: elements that can be hovered, focused, read out and clicked."""
