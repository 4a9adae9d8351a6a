"""Plain values without I/O: settings, outcomes, pages, messages, states, errors."""
