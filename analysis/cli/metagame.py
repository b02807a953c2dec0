"""`duelbench metagame`: which decks are left when everybody may build against everybody."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbench.analysis.cli import folders
from duelbench.analysis.cli.errors import ended

if TYPE_CHECKING:
    from duelbench.experiments.metagame_config import MetagameConfig


def metagame(
    config: Annotated[Path, typer.Argument(help="YAML file that describes the search.")],
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; all cores if not given.")] = None,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Folder that the folder is made in.")] = folders.RUNS,
) -> None:
    """Search for decks and report the metagame: the mixture of decks that nothing found beats.

    A pool begins with the decks of the config. In each round the mixture of the
    pool that no deck of it beats is found, and an evolutionary search looks for
    a deck that beats this mixture; it joins the pool if it proves itself in
    fresh deals. At the end the mixture meets the first decks in deals that the
    search never saw, an ordinary run in NAME/validation.

    \b
    A config (for games with decks):
      name: my_metagame
      game: tommy_walker
      decks: \\[decks/tommy_walker]     # what the pool begins with
      agent: {type: heuristic}        # plays both sides
      rounds: 12                      # at most; patience: 3 ends it earlier
      search: {population: 40, generations: 5, deals: 60, changes: 3}
      pool_deals: 400                 # between any two decks of the pool
      confirm_deals: 1000             # a new deck against the mixture
      validation_deals: 500           # of any two decks in the final table
      check_with:                     # further players of the final table
        search: {type: ismcts, simulations: 200}
      check_deals: 20
      cards: {amina: {at_power_1: 7400}}   # as in a run

    A search that was killed or interrupted goes on with the same command after
    its last whole round, and comes to the same decks.

    \b
    Example:
      duelbench metagame configs/metagame_tommy_walker.yaml
    """
    from duelbench.experiments.metagame_config import load_metagame_config

    settings = load_metagame_config(config)
    try:
        folder = _search(settings, runs, workers or folders.cores())
    except KeyboardInterrupt as ending:
        raise ended(ending, "whole rounds are kept") from None
    _show(folder)


def _search(settings: "MetagameConfig", runs: Path, workers: int) -> Path:
    from duelbench.analysis.cli.progress import display, show_run
    from duelbench.experiments.metagame_run import SearchProgress, run_metagame

    with display() as shown:

        def listen(now: SearchProgress) -> None:
            shown.show(now.what, now.done, now.total, "deals", f"{now.pool} decks in the pool")

        command = ["duelbench", *sys.argv[1:]]
        return run_metagame(settings, runs, workers, listen, lambda now: show_run(shown, now), command)


def _show(folder: Path) -> None:
    from duelbench.analysis.cli import results
    from duelbench.analysis.cli.tables import stdout_console, table
    from duelbench.analysis.metagame import read_metagame, write_metagame
    from duelbench.experiments.metagame_run import VALIDATION

    found = read_metagame(folder)
    files = write_metagame(folder, found)
    results.write(folder / VALIDATION, report=True)
    console = stdout_console()
    mixture = [(r.deck, f"{r.weight:.1%}", r.list) for r in found.mixture.itertuples()]
    console.print(table("The mixture", ["deck", "weight", "cards"], mixture, 3))
    against = [
        (r.deck, r.agent, f"{r.share:.1%}", r.note or f"{100 * r.low:.1f}–{100 * r.high:.1f}", r.deals)
        for r in found.versus.itertuples()
    ]
    columns = ["deck", "agent", "share", "interval", "deals"]
    console.print(table("What it scores against the first decks", columns, against, 2))
    cards = [
        (r.card, r.name_ja, f"{r.share:.1%}", f"{r.copies:.2f}", f"{r.in_decks:.1%}", f"{r.share_before:.1%}")
        for r in found.cards.itertuples()
    ]
    columns = ["card", "Japanese name", "share", "copies a deck", "decks with it", "share before"]
    console.print(table("Cards of the mixture, and of the first decks", columns, cards, 2))
    added = int((found.rounds["deck"] != "").sum())
    typer.echo(f"\n{added} of {len(found.rounds)} rounds found a deck that beats the mixture of the pool.")
    typer.echo(f"Folder      {folder}")
    if any((folder / "decks").iterdir()):
        typer.echo(f"Deck files  {folder / 'decks'}")
    typer.echo(f"Tables      {'  '.join(map(str, files))}")
    results.show_report(folder / VALIDATION / results.REPORT)
