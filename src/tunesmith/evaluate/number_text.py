"""Numbers of tables as people read them."""

#: Where there is none.
NONE = "–"


def shown(value: float) -> str:
    """A number with as many digits as one reads.

    >>> shown(0.012345), shown(41.237), shown(123456.7), shown(0.0)
    ('0.0123', '41.24', '123,457', '0.00')
    """
    size = abs(value)
    if size >= 1000:
        return minus(f"{value:,.0f}")
    return minus(f"{value:.2f}" if size >= 1 or size == 0 else f"{value:.3g}")


def minus(number: str) -> str:
    """A number with a minus as it is printed.

    >>> minus("-0.5 … +0.25")
    '−0.5 … +0.25'
    """
    return number.replace("-", "\N{MINUS SIGN}")


def p_value(value: float | None) -> str:
    """As many digits as it has.

    >>> p_value(0.0321), p_value(0.00001), p_value(None)
    ('0.0321', '< 0.0001', '–')
    """
    if value is None:
        return NONE
    return f"{value:.4f}" if value >= 0.00005 else "< 0.0001"


def counted(count: int, thing: str) -> str:
    """How many there are.

    >>> counted(1, "epoch"), counted(2000, "epoch")
    ('1 epoch', '2,000 epochs')
    """
    return f"{count:,} {thing}{'s' if count != 1 else ''}"
