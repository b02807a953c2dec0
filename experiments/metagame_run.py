"""A search for decks from its config to its folder: resumable, and the same with any number of processes.

runs/NAME/
  config.yaml, manifest.json, status.json
  pool.json            the pool, what its decks scored and what each round found
  decks/*.yaml         the decks of the mixture that the search found, as deck files
  mixture.json         their weights
  validation/          an ordinary run: these decks and the first ones, in fresh deals
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from duelbench.envs.decks import Deck, deck_data
from duelbench.envs.document import read_document
from duelbench.envs.errors import BadInput
from duelbench.experiments.atomic import make_folder, write_bytes, write_json
from duelbench.experiments.config import RunConfig, make_config
from duelbench.experiments.ending import ended_from_outside
from duelbench.experiments.executors.local_workers import die_with_parent
from duelbench.experiments.folder import differences, take_lock
from duelbench.experiments.manifest import manifest, now
from duelbench.experiments.metagame_config import MetagameConfig
from duelbench.experiments.metagame_play import Meeting, pieces, play_in_worker
from duelbench.experiments.metagame_pool import Pool, load_pool
from duelbench.experiments.metagame_search import begin, finished, play_round
from duelbench.experiments.run import Listener as RunListener
from duelbench.experiments.run import run
from duelbench.experiments.seeds import derived_seed

VALIDATION = "validation"
_DEALS_A_PIECE = 20


@dataclass(frozen=True)
class SearchProgress:
    """How far a piece of the search is, in deals."""

    what: str
    done: int
    total: int
    pool: int
    """Decks in the pool."""


Listener = Callable[[SearchProgress], None]


def run_metagame(
    config: MetagameConfig,
    root: str | Path = "runs",
    workers: int = 1,
    progress: Listener | None = None,
    validation_progress: RunListener | None = None,
    command: list[str] | None = None,
) -> Path:
    """Bring the search's folder below `root` to its end and return it; a finished one returns at once.

    Raises BadInput when the folder is in use or was made by another config; KeyboardInterrupt passes through. The
    same call goes on after the last whole round.
    """
    if workers < 1:
        raise BadInput(f"workers is {workers}; expected at least 1")
    folder = Path(root) / config.name
    make_folder(folder / "decks")
    lock = take_lock(folder)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, lock)
        stack.enter_context(ended_from_outside())
        _match_config(folder, config, command)
        pool = load_pool(folder / "pool.json")
        _note(folder, "running", pool)
        try:
            with _player(config, workers, progress or (lambda _: None), pool) as play:
                _search(config, folder, pool, play)
            _write_mixture(config, folder, pool)
            validate(config, folder, pool, workers, validation_progress)
        except KeyboardInterrupt:
            _note(folder, "interrupted", pool)
            raise
        except Exception as error:
            _note(folder, "failed", pool, error=str(error))
            raise
        _note(folder, "finished", pool)
    return folder


def validate(
    config: MetagameConfig, folder: Path, pool: Pool, workers: int, progress: RunListener | None = None
) -> Path:
    """Play the decks of the mixture and the first ones against each other in deals that the search did not see."""
    return run(validation_config(config, pool), folder, workers, progress)


def validation_config(config: MetagameConfig, pool: Pool) -> RunConfig:
    """The ordinary run that checks what the search found."""
    game = config.load_game()
    decks = {deck.name: deck_data(game, deck) for deck in (*config.first_decks, *_found(config, pool).values())}
    pairs = len(decks) * (len(decks) - 1) // 2
    return make_config(
        {
            "name": VALIDATION,
            "game": config.game,
            "rules": dict(config.rules),
            "cards": dict(config.cards),
            "decks": decks,
            "seed": derived_seed(config.seed, VALIDATION) >> 1,  # a config's seed has 63 bits
            "deals": config.validation_deals * pairs,
            "deals_with": dict.fromkeys(config.check_with, config.check_deals * pairs),
            "agents": {"player": config.agent, **config.check_with},
            "matchups": [[name, name] for name in ("player", *config.check_with)],
        },
        config.folder,
    )


def mixture_of(pool: Pool) -> dict[str, float]:
    """The weights of the decks in the final mixture, those without weight left out."""
    mixture = pool.mixture()
    return {name: float(weight) for name, weight in zip(pool.names, mixture, strict=True) if weight > 1e-9}


def _search(config: MetagameConfig, folder: Path, pool: Pool, play: Callable[..., list[np.ndarray]]) -> None:
    if not len(pool):
        begin(config, pool, play)
        pool.save(folder / "pool.json")
    while not finished(config, pool):
        play_round(config, pool, play)
        pool.save(folder / "pool.json")
        _note(folder, "running", pool)


def _found(config: MetagameConfig, pool: Pool) -> dict[str, Deck]:
    """The decks of the mixture that the search has found, by name."""
    first = {deck.name for deck in config.first_decks}
    cards = dict(zip(pool.names, pool.decks, strict=True))
    return {name: Deck(name, "", cards[name]) for name in mixture_of(pool) if name not in first}


def _write_mixture(config: MetagameConfig, folder: Path, pool: Pool) -> None:
    game = config.load_game()
    for name, deck in _found(config, pool).items():
        text = yaml.safe_dump(deck_data(game, deck), sort_keys=False, allow_unicode=True)
        write_bytes(folder / "decks" / f"{name}.yaml", text.encode())
    write_json(folder / "mixture.json", mixture_of(pool))


@contextlib.contextmanager
def _player(
    config: MetagameConfig, workers: int, listener: Listener, pool: Pool
) -> Iterator[Callable[[Sequence[Meeting], str], list[np.ndarray]]]:
    """A function that plays meetings in worker processes and puts the answers in order."""
    data, folder = config.resolved(), str(config.folder)
    key = f"{config.name} {config.seed}"
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _end_with_parent) as executor:

        def play(meetings: Sequence[Meeting], what: str) -> list[np.ndarray]:
            parts = pieces(meetings, _DEALS_A_PIECE)
            total, done = sum(len(part.deals) for _, part in parts), 0
            answers: list[list[np.ndarray]] = [[] for _ in meetings]
            jobs: list[tuple[str, dict[str, Any], str, Meeting]] = [(key, data, folder, part) for _, part in parts]
            for (index, part), shares in zip(parts, executor.map(play_in_worker, jobs), strict=True):
                answers[index].append(shares)
                done += len(part.deals)
                listener(SearchProgress(what, done, total, len(pool)))
            return [np.concatenate(shares) for shares in answers]

        try:
            yield play
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def _end_with_parent() -> None:
    """Let a worker end when its parent does, however that ends; a pool's worker alone would wait for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C ends
    threading.Thread(target=die_with_parent, daemon=True).start()


def _match_config(folder: Path, config: MetagameConfig, command: list[str] | None) -> None:
    path, wanted = folder / "config.yaml", config.resolved()
    if (folder / "pool.json").exists():
        differing = differences(read_document(path).data, wanted)
        if differing:
            way_out = "Change the search's name, or delete the folder"
            raise BadInput(f"{folder}: made by another config: {'; '.join(differing)}. {way_out}")
        return
    write_bytes(path, yaml.safe_dump(wanted, sort_keys=False, allow_unicode=True).encode())
    write_json(folder / "manifest.json", manifest(config.load_game(), wanted, command))


def _note(folder: Path, state: str, pool: Pool, **more: str) -> None:
    told = {"state": state, "rounds": len(pool.rounds), "decks": len(pool), "updated": now()}
    write_json(folder / "status.json", told | more)
