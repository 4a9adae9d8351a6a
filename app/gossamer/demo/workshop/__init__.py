"""Example pages of the demo site, each with a fault that its text explains."""
