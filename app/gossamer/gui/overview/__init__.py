"""The crawl at a glance: charts and the numbers behind them."""
