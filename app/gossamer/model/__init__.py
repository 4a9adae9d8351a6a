"""Values only: settings, outcomes, pages, messages, states, errors. No I/O."""
