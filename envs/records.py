"""What goes into compiled code and what may: blank records, and whole numbers."""

from functools import cache
from typing import Any

import numpy as np


def blank(count: int, dtype: np.dtype) -> np.ndarray:
    """`count` zeroed records in a plain array whose elements have their fields as attributes.

    Give such arrays, rather than recarrays or single records, to compiled code that is called often: Numba
    takes about 1 microsecond to recognise one, and more than 10 to find the data of a single record.
    """
    return np.zeros(count, _with_attributes(dtype))


@cache
def _with_attributes(dtype: np.dtype) -> np.dtype:
    """The same layout, with elements of type np.record; one object for each layout, so that it is hashed once."""
    return np.dtype((np.record, dtype))


def array_around(record: np.record) -> np.ndarray | None:
    """The one-element array whose element `record` is, if it came out of `blank(1, ...)`."""
    array: Any = record.base
    return array if type(array) is np.ndarray and array.shape == (1,) else None


def is_whole(value: Any) -> bool:
    """Whether `value` is a whole number of Python's or NumPy's; truth values are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
