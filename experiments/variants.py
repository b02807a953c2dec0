"""Variants: the same game with other rules or other cards, so that the same deals can be played in each.

A config lists what varies, and every combination becomes a variant:

    vary:
      rules: {death_can_extend: [true, false]}
      cards: {death: {number: [5, 13, 21]}}

Seeds do not depend on the variant: a deal has the same shuffles and the agents the same streams in all of them, so
that what differs in the results comes from the change (common random numbers).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from duelbench.envs.document import Location, kind_of
from duelbench.envs.errors import BadInput
from duelbench.envs.game import Game, did_you_mean
from duelbench.envs.patches import Patches, patch_name

AS_CONFIGURED = ""
"""The name of the variant that changes nothing."""
MOST_VARIANTS = 1000

Where = Callable[[Location], str]
"""How a message begins, from the location of the fault below the key `vary`."""


@dataclass(frozen=True)
class Variant:
    """What differs from the game as the config has it."""

    name: str = AS_CONFIGURED
    rules: Mapping[str, Any] = field(default_factory=dict)
    cards: Patches = field(default_factory=dict)
    never: str = ""
    """The id of a card that its holder never plays (`experiments.holders`); empty for none."""
    replaced: str = ""
    """The id of a card in whose place another one stands, so that the config's own changes of it fall away."""


def variant(rules: Mapping[str, Any], cards: Patches) -> Variant:
    """The variant with these changes, named by them: `death_can_extend=false, death.number=5`."""
    told = [*(f"{name}={str(v).lower() if isinstance(v, bool) else v}" for name, v in rules.items()), patch_name(cards)]
    return Variant(", ".join(part for part in told if part), rules, cards)


def with_patches(base: Patches, more: Patches) -> dict[str, dict[str, Any]]:
    """Both together; where both change one field, `more` counts."""
    return {card: {**base.get(card, {}), **more.get(card, {})} for card in (*base, *(c for c in more if c not in base))}


def read_variants(game: Game, data: Any, where: Where) -> list[Variant]:
    """The variants that the key `vary` asks for; the one as configured alone for None.

    Raises BadInput, with its place, for anything that varies in no known way, and for more than MOST_VARIANTS.
    """
    if data is None:
        return [Variant()]
    axes = list(_axes(data, where))
    found = [variant(*_parts(choice)) for choice in product(*axes)] if axes else []
    if not found:
        raise BadInput(f"{where(())}: found nothing that varies; expected rules or cards with lists of values")
    if len(found) > MOST_VARIANTS:
        raise BadInput(f"{where(())}: found {len(found)} combinations, allowed: up to {MOST_VARIANTS}")
    for one in found:
        game.resolved_rules(one.rules, where(("rules",)))
        if one.cards:
            game.check_patches(one.cards, where(("cards",)))
    return found


_Choice = tuple[str, ...]
"""`rules`, option; or `cards`, id, field."""


def _axes(data: Any, where: Where) -> Iterator[list[tuple[_Choice, Any]]]:
    for section, things in _mapping(data, where, ()).items():
        if section not in ("rules", "cards"):
            raise BadInput(f"{where((section,))}: unknown key {section!r}{did_you_mean(section, ('rules', 'cards'))}")
        for name, below in _mapping(things, where, (section,)).items():
            fields = {(): below} if section == "rules" else _mapping(below, where, (section, name))
            for last, values in fields.items():
                path = (section, name, *((last,) if last else ()))
                yield [(path, value) for value in _values(values, where, path)]


def _kind(data: Any) -> str:
    return "none" if data in ([], {}) else kind_of(data)


def _mapping(data: Any, where: Where, location: Location) -> dict[Any, Any]:
    if not isinstance(data, Mapping) or not data:
        raise BadInput(f"{where(location)}: found {_kind(data)}; expected a mapping with at least one key")
    return dict(data)


def _values(values: Any, where: Where, location: Location) -> list[Any]:
    if not isinstance(values, list) or not values:
        raise BadInput(f"{where(location)}: found {_kind(values)}; expected a list of values to compare")
    if len({(type(value), str(value)) for value in values}) < len(values):
        raise BadInput(f"{where(location)}: found a value twice; expected different ones")
    return values


def _parts(choice: tuple[tuple[_Choice, Any], ...]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    rules: dict[str, Any] = {}
    cards: dict[str, dict[str, Any]] = {}
    for path, value in choice:
        if path[0] == "rules":
            rules[path[1]] = value
        else:
            cards.setdefault(path[1], {})[path[2]] = value
    return rules, cards
