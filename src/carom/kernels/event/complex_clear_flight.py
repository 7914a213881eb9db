"""Complex modes in flight over whole samples, eight side by side: what `clear_flight` does, and what they ask beyond.

Their loads follow the slope of the ground's acceleration too, so that they change from sample to sample, and the loads
do their work on sums of complex modes.
"""

from carom.kernels.event.clear_flight import BEGIN as TILE_BEGIN
from carom.kernels.event.clear_flight import (
    CONSTANT_LOAD,
    DAMPED,
    END,
    END_LOAD,
    PARTICIPATES,
    SOFTNESS,
    START,
    STIFF,
    STOP,
    TILE,
    WIDTH,
    WORK,
    carry_tiles,
    find_largest_shapes,
    line_sum,
    load_tiles,
    overlap_at_end,
    store_tiles,
    tiles_at,
    write_histories,
)
from carom.kernels.event.complex_states import ground_at
from carom.kernels.ledger import DAMPING, INPUT, write_balance
from carom.kernels.modal.energy import area_between
from carom.kernels.rows import OPEN, OVERLAP, STATUS
from carom.kernels.tables import Doubled, Histories, Shaking, Tables
from carom.kernels.types import Vector, unit

LAG = WIDTH  # lines that complex modes have beside those of their tiles, behind the first: constant loads
BY_GROUND = 2 * WIDTH
BY_LOAD = 3 * WIDTH
LINES = 4  # how many there are


def lay_lines(tiles: int, at: int, doubled: Doubled, small: Vector) -> None:
    """Lay out what complex modes ask for beyond others in lines of eight, as the tiles lie, which begin at `at`."""
    for n in range(tiles):
        tile = small[at : at + TILE]
        begin, line = int(tile[TILE_BEGIN]), n * LINES * WIDTH
        for j in range(int(tile[STOP]) - begin):
            doubled.lines[line + j] = doubled.steady[begin + j]
            doubled.lines[line + LAG + j] = doubled.lags[begin + j]
            doubled.lines[line + BY_GROUND + j] = doubled.work[0, begin + j]
            doubled.lines[line + BY_LOAD + j] = doubled.work[1, begin + j]
        at += TILE


def slope_tiles(i: int, tiles: int, at: int, doubled: Doubled, shaking: Shaking, small: Vector) -> None:
    """Write the loads that tiles take in sample `i`, and the accelerations under them at its start."""
    for n in range(tiles):
        tile = small[at : at + TILE]
        lines = doubled.lines[n * LINES * WIDTH : (n + 1) * LINES * WIDTH]
        first, slope = ground_at(i, doubled.support[int(tile[TILE_BEGIN])], shaking)
        for j in range(WIDTH):
            constant = lines[j] - lines[LAG + j] * slope
            load = constant - tile[PARTICIPATES + j] * first
            tile[CONSTANT_LOAD + j], tile[END_LOAD + j] = constant, load
            tile[END + 2 * WIDTH + j] = (
                load - tile[DAMPED + j] * tile[END + WIDTH + j] - tile[STIFF + j] * tile[END + j]
            )
        at += TILE


def tile_work(i: int, tiles: int, at: int, doubled: Doubled, shaking: Shaking, small: Vector) -> float:
    """Return the work of the loads in sample `i`, which tiles have been carried over [J]."""
    work, dt = 0.0, shaking.dt
    for n in range(tiles):
        tile = small[at : at + TILE]
        lines = doubled.lines[n * LINES * WIDTH : (n + 1) * LINES * WIDTH]
        first, slope = ground_at(i, doubled.support[int(tile[TILE_BEGIN])], shaking)
        last = first + slope * dt
        for j in range(WIDTH):
            q, v, w = tile[START + j], tile[START + WIDTH + j], tile[START + 2 * WIDTH + j]
            q1, v1, w1 = tile[END + j], tile[END + WIDTH + j], tile[END + 2 * WIDTH + j]
            loads = 2.0 * tile[END_LOAD + j] + tile[PARTICIPATES + j] * (last - first)  # at both ends
            soft = tile[SOFTNESS + j]
            area = (0.5 * loads * dt - (v1 - v) - tile[DAMPED + j] * (q1 - q)) * soft
            area = area if soft > 0.0 else area_between(q, q1, v, v1, w, w1, dt)
            by_ground, by_load = lines[BY_GROUND + j], lines[BY_LOAD + j]
            done = (by_load - by_ground * last) * q1 - (by_load - by_ground * first) * q + by_ground * slope * area
            tile[WORK + j] = done
        work += line_sum(WORK, tile)
        at += TILE
    return work


@unit
def clear_complex_flight(
    i: int, tiles: int, balance: float, flight: Tables, doubled: Doubled, shaking: Shaking, histories: Histories
) -> int:
    """Do what `clear_flight.clear_flight` does, of complex modes."""
    modes, contacts, floors, small, run = flight.modes, flight.contacts, flight.floors, flight.small, flight.run
    at = tiles_at(modes.shape[0], floors.shape[0])
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] != OPEN:
            return i
    begun, last = i, shaking.ground.shape[1] - 1
    find_largest_shapes(i, modes.shape[0], floors, small)
    load_tiles(i, tiles, at, shaking.scale, doubled.support, shaking.ground, modes, small)
    clear = True
    while i < last and clear:
        slope_tiles(i, tiles, at, doubled, shaking, small)
        clear, rise, _, _, _ = carry_tiles(
            i, tiles, at, shaking.scale, shaking.dt, doubled.support, shaking.ground, modes, small
        )  # fmt: skip
        for c in range(contacts.shape[0]):
            if clear:
                contacts[c, OVERLAP + 1] = overlap_at_end(c, tiles, at, contacts, small)
                clear = max(contacts[c, OVERLAP], contacts[c, OVERLAP + 1]) + rise < 0.0
        if clear:
            run[INPUT] += tile_work(i, tiles, at, doubled, shaking, small)
            i += 1
            for c in range(contacts.shape[0]):
                contacts[c, OVERLAP] = contacts[c, OVERLAP + 1]
            if i < histories.ledger.shape[0]:
                write_balance(0.0, 0.0, run[DAMPING] + run[INPUT] + balance, run, histories.ledger[i])
            if i < histories.q.shape[0]:
                write_histories(i, tiles, at, small, histories.q, histories.v)
    if i > begun:
        store_tiles(END if clear else START, tiles, at, modes, small)
    return i
