"""Names to things: laws, cases, readers, schemes are found, never listed.

A `Registry` knows the package whose modules hold its members and imports them, those of rooms in it too, on first
use; each member registers itself by a decorator. Spelling is forgiven (case, accents, spaces, hyphens, underscores),
unknown names are answered with the known ones.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from carom.errors import InputError, UnknownNameError

__all__ = ["Registry", "late"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Members of one kind by name and alias, discovered in `package` on first use."""

    def __init__(self, kind: str, package: str | None = None) -> None:
        self.kind = kind
        self._package = package
        self._complete = package is None
        self._looking = False
        self._lock = threading.RLock()
        self._members: dict[str, T] = {}
        self._aliases: dict[str, tuple[str, ...]] = {}
        self._lookup: dict[str, str] = {}

    def register(self, name: str, member: T, aliases: Iterable[str] = ()) -> T:
        """Add `member`; a name that is taken by something else is refused."""
        aliases = tuple(aliases)
        for spelling in (name, *aliases):
            holder = self._lookup.get(_key(spelling))
            if holder is not None and holder != name:
                raise InputError(f"The {self.kind} name '{spelling}' is already taken by '{holder}'.")
        if name in self._members and _origin(self._members[name]) != _origin(member):
            raise InputError(f"The {self.kind} '{name}' is already registered. Choose another name.")
        self._members[name] = member
        self._aliases[name] = aliases
        for spelling in (name, *aliases):
            self._lookup[_key(spelling)] = name
        return member

    def name_of(self, name: object) -> str:
        """Resolve a spelling or an alias to the registered name."""
        self._discover()
        found = self._lookup.get(_key(name)) if isinstance(name, str) else None
        if found is None:
            aliases = [alias for some in self._aliases.values() for alias in some]
            raise UnknownNameError(self.kind, name, self._members, also=aliases)
        return found

    def __contains__(self, name: object) -> bool:
        self._discover()
        return isinstance(name, str) and _key(name) in self._lookup

    def get(self, name: object) -> T:
        """Return the member of that name or alias."""
        return self._members[self.name_of(name)]

    def aliases(self, name: str) -> tuple[str, ...]:
        """Return the other names of a member."""
        return self._aliases[self.name_of(name)]

    def names(self) -> list[str]:
        """Return all registered names, sorted."""
        self._discover()
        return sorted(self._members)

    def __iter__(self) -> Iterator[T]:
        return iter([self._members[name] for name in self.names()])

    def __len__(self) -> int:
        self._discover()
        return len(self._members)

    def _discover(self) -> None:
        """Import the modules of the package, once; a second thread waits until all members are there."""
        if self._complete:
            return
        with self._lock:
            if self._complete or self._looking:  # looking: a member asks for another one while it is imported
                return
            self._looking = True
            try:
                _import_all(str(self._package))
            finally:
                self._looking = False
            self._complete = True


def late(path: str) -> Callable[..., Any]:
    """Bind ``"package.module:function"`` when called.

    For a convenience method whose work is done in a room further right, such as ``law.calibrated``: the
    method's own room stays free of that import.
    """
    module, _, function = path.partition(":")

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(importlib.import_module(module), function)(*args, **kwargs)

    return call


def _import_all(package: str) -> None:
    """Import the modules of a package and of the packages in it."""
    found = importlib.import_module(package)
    for module in pkgutil.iter_modules(found.__path__, package + "."):
        if module.ispkg:
            _import_all(module.name)
        else:
            importlib.import_module(module.name)


def _key(name: object) -> str:
    plain = unicodedata.normalize("NFKD", str(name)).lower()  # accents fall off: Schäfer is schafer
    return re.sub(r"[^a-z0-9]", "", plain)


def _origin(member: object) -> tuple[object, object]:
    """Identity that survives reloading a module (or re-running a notebook cell)."""
    return getattr(member, "__module__", None), getattr(member, "__qualname__", member)
