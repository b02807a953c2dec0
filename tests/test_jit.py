"""The decorator of compiled functions: no stale rule, no effect on other people's cache, one version a rule."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from duelbench.envs import jit
from duelbench.envs.rng import STREAM, below, new_stream, next_bits, shuffle, uniform

CALLER = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from envs.kernel import kernel
answer = kernel(np.arange(3))
print(int(answer), sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))
"""
KERNEL = """
from envs.jit import rule
from envs.callee import step
@rule
def kernel(numbers):
    return step(numbers[1])
"""
CALLEE = "from envs.jit import rule\n@rule\ndef step(number):\n    return number + {}\n"

compiled_only = pytest.mark.skipif(jit.INTERPRETED, reason="there is no cache without compilation")


def answer_of(root: Path) -> tuple[int, int, int]:
    """(what the kernel returns, cache hits, cache misses) in a process of its own."""
    env = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", CALLER, str(root)], env=env, check=True, capture_output=True, text=True
    )
    answer, hits, misses = (int(word) for word in done.stdout.split())
    return answer, hits, misses


@compiled_only
def test_an_edited_callee_in_another_file_is_noticed(tmp_path):
    package = tmp_path / "envs"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(jit.__file__, package / "jit.py")
    (package / "kernel.py").write_text(KERNEL)
    (package / "callee.py").write_text(CALLEE.format(10))
    assert answer_of(tmp_path) == (11, 0, 1)
    assert answer_of(tmp_path) == (11, 1, 0)
    (package / "callee.py").write_text(CALLEE.format(20))
    assert answer_of(tmp_path) == (21, 0, 1)
    assert answer_of(tmp_path) == (21, 1, 0)


@compiled_only
def test_other_peoples_cache_folder_is_left_alone():
    before = numba.config.CACHE_DIR

    @jit.rule
    def anything(x):
        return x

    assert before == numba.config.CACHE_DIR


@compiled_only
def test_integers_of_every_width_share_one_version_of_a_rule():
    @jit.rule
    def double(x):
        return 2 * x

    @jit.rule
    def caller(small):
        return double(small[0]) + double(3) + double(np.int64(4))

    assert caller(np.array([100], np.int8)) == 200 + 6 + 8
    assert len(double.signatures) == 1


def test_a_stream_gives_the_published_numbers_of_splitmix64():
    """The first outputs for seed 1234567, as printed by the reference implementation in C."""
    stream = new_stream(1234567)
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [int(next_bits(stream)) for _ in range(5)] == expected


def test_below_and_uniform_stay_in_their_range_and_reach_all_of_it():
    stream = new_stream(3)
    assert {int(below(stream, 7)) for _ in range(500)} == set(range(7))
    assert all(0.0 <= uniform(stream) < 1.0 for _ in range(500))


def test_shuffle_permutes_only_the_front():
    stream, cards = new_stream(5), np.arange(10)
    shuffle(stream, cards, 6)
    assert sorted(cards[:6]) == list(range(6))
    assert list(cards[6:]) == [6, 7, 8, 9]
    assert list(cards[:6]) != list(range(6))


def test_two_streams_of_one_record_array_do_not_touch_each_other():
    streams = np.zeros(2, STREAM).view(np.recarray)
    next_bits(streams[0])
    assert streams.rng[0] != 0
    assert streams.rng[1] == 0
