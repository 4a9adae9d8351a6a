"""The overview: charts of the crawl and the numbers behind them."""
