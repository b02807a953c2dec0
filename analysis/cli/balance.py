"""`duelbench balance`: what single cards and rules are worth, by playing the same deals with and without them."""

from pathlib import Path
from typing import Annotated

import typer

from duelbench.analysis.cli import folders
from duelbench.analysis.cli.errors import ended
from duelbench.envs.errors import BadInput


def balance(
    config: Annotated[Path, typer.Argument(help="YAML file of a run with a section balance.")],
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; all cores if not given.")] = None,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Folder that run folders are made in.")] = folders.RUNS,
    dry: Annotated[bool, typer.Option("--dry", help="Only tell what would be played.")] = False,
    report: Annotated[bool, typer.Option("--report/--no-report", help="Write report.html.")] = True,
) -> None:
    """Find out what cards are worth: play the same deals with and without them.

    Each agent of the config plays against itself. All deals are played as
    configured; then a card is changed, and those deals are played again in which
    one seat holds more copies of it than the other. What that seat, the holder,
    scores less is the effect of the card at this strength of play.

    \b
    The section balance of the config says what is changed:
      cards: all                   or a list of ids
      changes: \\[blank,             the card loses its text
                {number: 3},       a number of it, more by three than it is
                {exchange: ID},    it trades texts with another card
                dealt_to_other]    the other seat gets it (Tarot Duel)
      sweep: {CARD: {FIELD: \\[values]}}   the share of the holder by a number
      stand_ins: {CARD: all}       decks with other cards in its place: the
                                   number at which they do as well is fair
      rules: all                   each other value of the rule options
      forbid: \\[ids]                the holder never plays the card
      false_discoveries: 0.05      share of false ones among those marked
    `duelbench games NAME` lists ids, fields and options.

    A study is a run: it resumes, `duelbench verify` and `replay` work on it, and
    `duelbench run` plays the same games.

    \b
    Examples:
      duelbench balance configs/balance_tarot_duel.yaml --dry
      duelbench balance configs/balance_tarot_duel.yaml
    """
    from duelbench.analysis.cli.tables import stdout_console
    from duelbench.experiments.config import load_config

    settings = load_config(config)
    if settings.asked is None:
        raise BadInput(f"{config}: has no section balance; `duelbench balance --help` tells what may stand in it")
    if dry:
        from duelbench.analysis.cli.balance_words import print_plan

        print_plan(stdout_console(), settings)
        return
    from duelbench.analysis.cli import results

    try:
        folder = results.play(settings, runs, workers)
    except KeyboardInterrupt as ending:
        raise ended(ending, "what was finished is kept") from None
    _show(folder, report)


def _show(folder: Path, report: bool) -> None:
    from duelbench.analysis.balance_tables import balance_tables, read_balance_rows, write_balance_tables
    from duelbench.analysis.cli import results
    from duelbench.analysis.cli.balance_words import print_tables
    from duelbench.analysis.cli.tables import stdout_console
    from duelbench.experiments.folder import load_run_config

    config = load_run_config(folder, agents_play=False)
    tables = balance_tables(read_balance_rows(folder), config)
    paths = write_balance_tables(folder, tables)
    if config.load_game().card_use is not None:
        paths += _write_use_of_cards(folder)
    results.write(folder, report)
    print_tables(stdout_console(), tables, config)
    for path in paths:
        typer.echo(f"Table       {path}")
    results.show_files(folder, report)


def _write_use_of_cards(folder: Path) -> list[Path]:
    """How the cards were drawn and played in the game as configured, at each strength; returns the CSV file."""
    from duelbench.analysis.card_use import card_table
    from duelbench.analysis.cli.progress import display
    from duelbench.analysis.table_files import write_table
    from duelbench.experiments.variants import AS_CONFIGURED

    with display() as shown:
        table = card_table(
            folder, None, AS_CONFIGURED, True, lambda done, total: shown.show("replay", done, total, "games")
        )
    return [path for path in write_table(folder, "cards", table) if path.suffix == ".csv"]
