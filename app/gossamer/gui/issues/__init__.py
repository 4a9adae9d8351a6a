"""What is wrong with the site: issues, the rules behind them, and the run of the site audit."""
