"""The one random generator of games and agents: splitmix64 (Steele, Lea & Flood 2014) on a record's `rng` field.

A game's state carries such a field, and so does every agent's stream, so that a game's outcome depends on
nothing but its seeds: not on the version of a library, the order of threads or the hash seed.
"""

import numpy as np

from duelbench.envs.jit import rule
from duelbench.envs.records import blank

STREAM = np.dtype([("rng", np.uint64)])
"""An agent's private stream: a record with nothing but the generator's state."""


def new_stream(seed: int) -> np.record:
    """A stream for one agent in one game; `seed` is any integer in [0, 2**64)."""
    stream: np.record = blank(1, STREAM)[0]
    stream.rng = seed
    return stream


def numpy_generator(stream: np.record) -> np.random.Generator:
    """A NumPy generator seeded from the stream, for agents written in plain Python."""
    return np.random.default_rng(int(next_bits(stream)))


@rule
def next_bits(holder):
    """64 random bits as uint64; advances `holder.rng`."""
    holder.rng += np.uint64(0x9E3779B97F4A7C15)
    bits = holder.rng
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@rule
def below(holder, count):
    """A uniform integer in [0, count), by multiplying instead of dividing; the bias is below 2**-27 for cards."""
    return np.int64(((next_bits(holder) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@rule
def uniform(holder):
    """A uniform float in [0, 1)."""
    return np.float64(next_bits(holder) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@rule
def shuffle(holder, cards, count):
    """Put the first `count` entries of `cards` in a uniformly random order."""
    for i in range(count - 1, 0, -1):
        j = below(holder, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
