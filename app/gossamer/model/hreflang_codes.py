"""How codes of hreflang annotations are compared."""


def comparable_code(code: str) -> str:
    """The form in which codes that mean the same are equal: `en_GB` and `en-gb`."""
    return code.strip().lower().replace("_", "-")
