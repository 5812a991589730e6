"""The web of table and hall alike: server, request guard, rate limits, cookies, live streams."""
