"""Sends one request per job and reads its answer; the only importer of aiohttp."""
