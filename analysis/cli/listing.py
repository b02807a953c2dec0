"""What there is to choose from: games with their rule options, agents with their parameters."""

from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from duelbench.analysis.cli.tables import table

if TYPE_CHECKING:
    from duelbench.envs.game import Game, Option


def print_games(console: Console) -> None:
    from duelbench.envs.registry import game_names, load_game

    games = [load_game(name) for name in game_names()]
    columns = ["game", "title", "Japanese title", "actions", "cards", "rule options"]
    lines = [(g.name, g.title, g.title_ja, g.num_actions, len(g.card_ids), len(g.options)) for g in games]
    console.print(table("Games", columns, lines, text_columns=3))
    for game in games:
        if game.notice:
            console.print(f"{game.name}: {game.notice}", style="yellow")
    console.print("More about one: duelbench games NAME")


def print_game(console: Console, name: str) -> None:
    """Raises BadInput for an unknown game."""
    from duelbench.envs.registry import load_game

    game = load_game(name)
    console.print(f"{game.name}: {game.title}（{game.title_ja}）, rules version {game.version}", style="bold")
    console.print(f"{game.num_actions} actions, {len(game.card_ids)} cards, {game.view_size} numbers in an observation")
    if game.deck_rules is not None:
        console.print(f"Decks of exactly {game.deck_rules.size} cards. How to write one: duelbench decks --help")
    if game.notice:
        console.print(game.notice, style="yellow")
    options = [(o.name, _plain(o.default), _allowed(o), o.meaning) for o in game.options]
    columns = ["option", "default", "allowed", "meaning"]
    console.print(table("Rule options (section `rules` of a config)", columns, options, 4))
    if game.card_fields:
        fields = [(f.name, f.allowed, f.meaning) for f in game.card_fields]
        title = "What a config may change about cards (section `cards`)"
        console.print(table(title, ["field", "allowed", "meaning"], fields, 3))
    console.print(table("Cards", ["id", "number", "name", "Japanese name", "text"], _cards(game), 5))


def print_observation(name: str | None) -> None:
    """Raises BadInput for an unknown game, or without one."""
    from duelbench.envs.errors import BadInput
    from duelbench.envs.layout import layout_page
    from duelbench.envs.registry import game_names, load_game

    if name is None:
        raise BadInput(f"--observation needs the name of a game (known: {', '.join(game_names())})")
    typer.echo(layout_page(load_game(name)), nl=False)


def print_agents(console: Console) -> None:
    from duelbench.agents.catalogue import agent_types

    lines = [(kind.name, kind.meaning, ", ".join(p.name for p in kind.parameters)) for kind in agent_types()]
    console.print(table("Types of agents", ["type", "meaning", "parameters"], lines, 3))
    console.print("More about one: duelbench agents TYPE.")
    console.print(
        "Any of them may be kept from playing cards, or made to: {type: heuristic, never: [death]}; or always."
    )
    console.print("Your own: `type: module:Class`, a class derived from duelbench.agents.agent.Agent and made as")
    console.print("Class(game, table, **parameters); its module may lie in the current folder.")


def print_agent(console: Console, name: str) -> None:
    """Raises BadInput for an unknown type."""
    from duelbench.agents.catalogue import agent_types
    from duelbench.envs.errors import BadInput
    from duelbench.envs.game import did_you_mean

    kinds = {kind.name: kind for kind in agent_types()}
    if name not in kinds:
        raise BadInput(f"unknown agent type {name!r}{did_you_mean(name, kinds)}")
    kind = kinds[name]
    console.print(f"{kind.name}: {kind.meaning}", style="bold")
    lines = [(p.name, p.type, "by game" if p.by_game else _plain(p.default), p.meaning) for p in kind.parameters]
    if lines:
        console.print(table("Parameters", ["parameter", "type", "default", "meaning"], lines, 4))
    else:
        console.print("It has no parameters.")
    known = [p for p in kind.parameters if not p.by_game]
    if all(p.default is not None for p in known):  # else it says what must be given
        settings = "".join(f", {p.name}: {_plain(p.default)}" for p in known)
        console.print(f"In a config: agents: {{my_{kind.name}: {{type: {kind.name}{settings}}}}}")
    if any(p.name == "train" for p in kind.parameters):
        _print_training(console, kind.name)


def _print_training(console: Console, kind: str) -> None:
    from duelbench.agents.training import TrainSettings

    settings = TrainSettings.model_fields.items()
    lines = [(name, _plain(facts.default), facts.description or "") for name, facts in settings]
    title = "Settings of a training (a file for `duelbench train`, or an entry of the section `train` of a run)"
    console.print(table(title, ["setting", "default", "meaning"], lines, 3))
    agents = f"agents: {{mine: {{type: {kind}, train: short}}}}"
    console.print(f"In a config: {agents}, train: {{short: {{steps: 1_000_000}}}}")
    console.print(f"With the policy that comes with the package: {{type: {kind}, checkpoint: pretrained}}")


def _cards(game: "Game") -> list[tuple[Any, ...]]:
    numbers = range(len(game.card_ids))
    return list(zip(game.card_ids, numbers, game.card_names, game.card_names_ja, game.card_texts, strict=True))


def _allowed(option: "Option") -> str:
    if isinstance(option.values, range):
        return f"{option.values[0]} to {option.values[-1]}"
    return ", ".join(map(_plain, option.values))


def _plain(value: Any) -> str:
    """A value as a config would have it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:_}" if isinstance(value, int) and value >= 100_000 else str(value)
