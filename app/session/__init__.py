"""The interface that both shells drive; starts and watches the crawl host."""
