"""Units of a kernel made machine code: here, or in a process of its own on another core.

That process runs this file alone, which needs nothing but LLVM. It reads jobs from its standard input and writes what
became of each to its standard output; where the input ends, it ends at once, whatever it is about: who started it needs
it no more, or is gone.
"""

from __future__ import annotations

import json
import os
import queue
import struct
import sys
import threading
from collections.abc import Sequence
from typing import IO, Any, NamedTuple

from llvmlite import binding as _llvm

__all__ = ["READY", "Job", "machine_code", "read_parts", "serve", "write_parts"]

llvm: Any = _llvm

READY = b"ready"
"""First word of a worker."""
SIZE = struct.Struct("<Q")
"""How many parts a message has, and how many bytes each of them."""


class Job(NamedTuple):
    """What is to be made machine code."""

    text: str
    """The unit, in LLVM's words."""
    beside: tuple[bytes, ...]
    """Modules that are linked to it, as LLVM keeps them."""
    symbol: str
    """What others call; all else is the unit's own."""
    level: int
    """How much LLVM does for speed, from 0 to 3."""


def machine_code(job: Job, machine: Any) -> bytes:
    """Return a unit as an object file for a target machine."""
    module = llvm.parse_assembly(job.text)
    for each in job.beside:
        module.link_in(llvm.parse_bitcode(each))
    optimise(module, machine, job.level, {job.symbol})
    module.verify()
    code: bytes = machine.emit_object(module)
    return code


def optimise(module: Any, machine: Any, level: int, outside: set[str]) -> None:
    """Have LLVM do all it can, but repeat no loop's body, which compiles longer and runs no faster.

    Only what stands `outside` is called from elsewhere.
    """
    for each in (*module.functions, *module.global_variables):
        if each.name not in outside and not each.is_declaration:
            each.linkage = llvm.Linkage.internal
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization = False
    options.loop_unrolling = options.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def write_parts(stream: IO[bytes], parts: Sequence[bytes]) -> None:
    """Write a message of several parts."""
    stream.write(SIZE.pack(len(parts)))
    for each in parts:
        stream.write(SIZE.pack(len(each)))
        stream.write(each)
    stream.flush()


def read_parts(stream: IO[bytes]) -> list[bytes]:
    """Read a message of several parts; EOFError where there is none."""
    return [_read(stream, _size(stream)) for _ in range(_size(stream))]


def _size(stream: IO[bytes]) -> int:
    (size,) = SIZE.unpack(_read(stream, SIZE.size))
    return int(size)


def _read(stream: IO[bytes], size: int) -> bytes:
    found = stream.read(size)
    if len(found) < size:
        raise EOFError
    return found


def serve(settings: dict[str, Any]) -> None:
    """Do the jobs that come in, for the target machine with these settings, until no more can come."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    waiting: queue.SimpleQueue[list[bytes]] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                waiting.put(read_parts(source))
        finally:
            os._exit(0)

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(**settings)
    write_parts(sink, [READY])
    threading.Thread(target=listen, daemon=True).start()
    while True:
        text, symbol, level, *beside = waiting.get()
        job = Job(text.decode(), tuple(beside), symbol.decode(), int(level))
        write_parts(sink, [machine_code(job, machine)])


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
