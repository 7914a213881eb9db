"""Files of the kernel cache, damaged: what is read is what was written, or nothing is."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from carom.kept_files import DamagedFileError, keep, read_kept
from tests.damage import damaged
from tests.mutations.trial import Trial

__all__ = ["mutate_cache"]


def mutate_cache(seed: int) -> Trial:
    """Damage a kept file of random content and size."""
    chance = random.Random(seed)
    content = chance.randbytes(chance.choice((0, 1, 100, 10_000, 1_000_000)))
    with tempfile.TemporaryDirectory(prefix="carom-mutation-") as folder:
        path = Path(folder) / "kernel-0123456789abcdef.cpu"
        keep(path, content)
        whole = path.read_bytes()
        changed = damaged(whole, chance)
        path.write_bytes(changed)
        try:
            read = bytes(read_kept(path))
        except DamagedFileError:
            return Trial("told", "a whole file was taken for damaged" if changed == whole else "")
    return Trial("same", "" if read == content else "other content, without a word")
