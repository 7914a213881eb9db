"""Every assignment given a variable of its own, by Numba's algorithm, looking only at blocks that name the variable.

Numba goes through the whole function twice for every variable that is set more than once.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from numba.core import ir as _ir
from numba.core import ssa as _ssa
from numba.core.analysis import compute_cfg_from_blocks as _flow

from carom.backends.relied_on import require

__all__ = ["names_read", "single_assignment"]

flow: Any = _flow
ir: Any = _ir
ssa: Any = _ssa

require({
    _ir: ("Assign", "Block", "Inst", "Var"),
    _ssa: ("_CacheListVars", "_FixSSAVars", "_FreshVarHandler", "_compute_phi_locations", "_iterated_domfronts"),
})  # fmt: skip


def names_read(statement: Any) -> list[str]:
    """Return the names of the variables that a statement reads."""
    told = statement.value if isinstance(statement, ir.Assign) else statement
    if isinstance(told, ir.Var):
        return [told.name]
    return [each.name for each in told.list_vars()] if isinstance(told, ir.Inst) else []


def single_assignment(blocks: dict[Any, Any]) -> dict[Any, Any]:
    """Return blocks in which every variable is set at one place, with Numba's phi nodes where several meet."""
    blocks = dict(blocks)
    graph = flow(blocks)
    set_in, named_in, violating = _variables(blocks, graph)
    frontiers = ssa._iterated_domfronts(graph) if violating else {}
    lists = ssa._CacheListVars()
    for name in violating:
        states: dict[str, Any] = {
            "scope": next(iter(blocks.values())).scope, "varname": name, "cfg": graph,
            "defmap": defaultdict(list), "phimap": defaultdict(list),
        }  # fmt: skip
        _rewrite(blocks, dict.fromkeys(set_in.get(name, ())), states, ssa._FreshVarHandler())
        states["phi_locations"] = ssa._compute_phi_locations(frontiers, states["defmap"])
        _rewrite(blocks, named_in[name], states, ssa._FixSSAVars(lists))
        for label, phis in states["phimap"].items():
            if phis:
                blocks[label] = _block(blocks[label], phis + blocks[label].body)
    return blocks


Places = dict[str, dict[Any, None]]
"""Labels of blocks, by the names of variables, in the order of the blocks."""


def _variables(blocks: dict[Any, Any], graph: Any) -> tuple[dict[str, list[Any]], Places, list[str]]:
    """Return where variables are set and where named, and those that are set several times or not before all use."""
    set_in: dict[str, list[Any]] = {}
    named_in: Places = {}
    read_in: Places = {}
    for label, block in blocks.items():
        for statement in block.body:
            target = statement.target.name if isinstance(statement, ir.Assign) else None
            if target is not None:
                set_in.setdefault(target, []).append(label)
                named_in.setdefault(target, {})[label] = None
            for name in names_read(statement):
                named_in.setdefault(name, {})[label] = None
                if name != target:
                    read_in.setdefault(name, {})[label] = None
    violating = {name: None for name, places in set_in.items() if len(places) > 1}
    above = graph.dominators()
    for name, readers in read_in.items():
        if name not in violating and any(above[label].isdisjoint(set_in.get(name, ())) for label in readers):
            violating[name] = None
    return set_in, named_in, list(violating)


def _rewrite(blocks: dict[Any, Any], labels: dict[Any, None], states: dict[str, Any], handler: Any) -> None:
    found = {}
    for label in labels:
        block = blocks[label]
        states["label"], states["block"] = label, block
        found[label] = _block(block, [
            handler.on_assign(states, each) if isinstance(each, ir.Assign) else handler.on_other(states, each)
            for each in block.body
        ])  # fmt: skip
    blocks.update(found)


def _block(block: Any, body: list[Any]) -> Any:
    made = ir.Block(scope=block.scope, loc=block.loc)
    made.body = body
    return made
