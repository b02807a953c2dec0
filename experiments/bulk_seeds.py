"""The seeds of many games at once: what `seeds.derived_seed` gives one by one, for whole columns of keys.

NumPy documents `SeedSequence` as stable, so its algorithm is written down here once more, for arrays: O'Neill's
`seed_seq` variant with a pool of four 32-bit words ("Developing a seed_seq Alternative", 2015).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from duelbench.experiments.seeds import words_of

_POOL = 4
_INIT_A, _MULT_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _MULT_B = 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_SHIFT = np.uint32(16)
_WORD = 2**32

KeyPart = str | int | np.ndarray
"""A text or a number (below 2**32) that all keys share; uint32[n] with a number for each; uint32[n, 4] of `names`."""


def derived_seeds(experiment: int, *key: KeyPart) -> np.ndarray:
    """uint64[n]: `derived_seed(experiment, *k)` for the n keys k that `key` stands for, column by column."""
    words = [*_words_of_number(experiment), *(word for part in key for word in _words_of_part(part))]
    pool = _mixed_pool(words)
    low, high = (_drawn(pool[i], i) for i in range(2))
    return np.asarray(low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32))


def names(known: Sequence[str], which: np.ndarray) -> np.ndarray:
    """uint32[n, 4]: the part of n keys in which the texts known[which[0]], known[which[1]], ... stand."""
    return np.array([words_of(name) for name in known], np.uint32)[which]


def _words_of_number(number: int) -> list[np.ndarray]:
    """Filled up with zeros to the size of the pool, as NumPy does before a spawn key."""
    words: list[np.ndarray] = []
    while number or len(words) < _POOL:
        words.append(np.array([number % _WORD], np.uint32))
        number //= _WORD
    return words


def _words_of_part(part: KeyPart) -> list[np.ndarray]:
    if isinstance(part, str):
        return [np.array([word], np.uint32) for word in words_of(part)]
    columns = np.atleast_2d(np.asarray(part, np.uint32).T)
    return list(columns)


def _mixed_pool(words: list[np.ndarray]) -> list[np.ndarray]:
    """The pool of every key after all its words (arrays of n or of 1) have been mixed in."""
    constants = _constants(_INIT_A, _MULT_A)
    pool = [_hashed(word, constants) for word in words[:_POOL]]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                pool[target] = _mixed(pool[target], _hashed(pool[source], constants))
    for word in words[_POOL:]:
        for target in range(_POOL):
            pool[target] = _mixed(pool[target], _hashed(word, constants))
    return pool


def _constants(first: int, factor: int) -> Iterator[tuple[np.uint32, np.uint32]]:
    """What successive hashes begin with and multiply by."""
    while True:
        following = first * factor % _WORD
        yield np.uint32(first), np.uint32(following)
        first = following


def _hashed(word: np.ndarray, constants: Iterator[tuple[np.uint32, np.uint32]]) -> np.ndarray:
    start, factor = next(constants)
    value = (word ^ start) * factor
    return np.asarray(value ^ value >> _SHIFT)


def _mixed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    value: np.ndarray = left * _MIX_LEFT - right * _MIX_RIGHT  # of 32-bit numbers, which wrap around
    return np.asarray(value ^ value >> _SHIFT)


def _drawn(word: np.ndarray, place: int) -> np.ndarray:
    """The word that is drawn from a place of the pool."""
    constants = _constants(_INIT_B, _MULT_B)
    for _ in range(place):
        next(constants)
    return _hashed(word, constants)
