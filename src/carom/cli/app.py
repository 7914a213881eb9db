"""The `carom` command: its subcommands, and how errors reach a person at a terminal.

Bad input is one line on stderr, a bad scenario one for each fault, and exit code 2; a failed run one line and exit
code 1; an interruption exit code 130, a termination 143. What carom itself did not foresee is one line that asks for a
report, and exit code 3. Warnings are lines on stderr too, so that stdout holds the result alone. No traceback is shown;
``CAROM_DEBUG=1`` brings it back.
"""

from __future__ import annotations

import gc
import io
import logging
import os
import signal
import sys
import threading
import traceback
import warnings
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from carom.budget import VARIABLE
from carom.cli import doctor, explore, reproduce, schemes, study
from carom.cli.laws import advise, calibrate, impact
from carom.cli.laws import catalogue as laws
from carom.cli.motions import motion
from carom.cli.scenarios import check, cite, exchange, new, run
from carom.cli.suite import force_spectra, ida, separation, steady
from carom.errors import CaromError, CaromWarning, InputErrors, RunError
from carom.plain_text import visible

__all__ = ["app", "main"]

LONGEST_LINE = 1500
"""Characters: names from files may be as long as the files."""
UNFORESEEN = 3
"""Exit code of an error that carom itself is to blame for."""

# typer brings click along, in some versions under a name of its own: reach its errors through typer's
UsageError: Any = typer.BadParameter.__bases__[0]
ClickException: Any = UsageError.__bases__[0]

AGAIN = 0.05
"""Seconds after which an interruption that was dropped is tried again."""

app = typer.Typer(
    name="carom",
    help="Structures that hit each other: scenarios, studies, contact laws, ground motions, published cases.",
    add_completion=True,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and leave.")) -> None:
    if version:
        from carom import __version__

        print(f"carom {__version__}")
        raise typer.Exit


app.command("run")(run.run)
app.command("check")(check.check)
app.command("new")(new.new)
app.command("cite")(cite.cite)
app.command("export")(exchange.export)
app.command("compare-opensees")(exchange.compare_opensees)
app.command("laws")(laws.laws)
app.command("schemes")(schemes.schemes)
app.command("separation", short_help="Find the gap that each motion needs.")(separation)
app.command("ida", short_help="Incremental dynamic analysis.")(ida)
app.command("force-spectra", short_help="Peak force over two periods.")(force_spectra)
app.command("steady", short_help="Impact velocity under sines, over frequency.")(steady)
app.command("impact")(impact.impact)
app.command("advise", short_help="Estimate a contact stiffness.")(advise.advise)
app.add_typer(calibrate.app, name="calibrate")
app.command("reproduce")(reproduce.reproduce)
app.add_typer(motion.app, name="motion")
app.add_typer(study.app, name="study", short_help="The same question many times.")
app.command("app")(explore.app)
app.command("doctor")(doctor.doctor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    gc.set_threshold(100_000, 50, 50)  # imports make much that stays: looking through it again and again costs a tenth
    _warn_on_stderr()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without our letters gets their numbers
    budget = os.environ.get(VARIABLE)
    try:
        with _stoppable():
            return _run(arguments)
    except Stopped as stopped:  # out here, since impatient people press Ctrl-C while the first is being answered
        word = "interrupted" if stopped.number == signal.SIGINT else "terminated"
        return _complain(word, 128 + stopped.number)
    finally:  # --budget is for this command
        os.environ.pop(VARIABLE, None)
        if budget is not None:
            os.environ[VARIABLE] = budget


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = _invoke(arguments)
    except ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()
            return 2
        return _complain(error.format_message().rstrip() + _way_out(error), 2)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("interrupted", 130)
    except InputErrors as error:
        for line in error.lines:
            _complain(line, 2)
        return 2
    except CaromError as error:
        if os.environ.get("CAROM_DEBUG"):
            raise
        return _complain(str(error), 1 if isinstance(error, RunError) else 2)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), 2)
    except MemoryError:
        return _complain("There is not enough memory for this. Ask for less at once, or use a larger machine.", 1)
    except Exception as error:
        if os.environ.get("CAROM_DEBUG"):
            raise
        return _complain(_unforeseen(error), UNFORESEEN)
    return code if isinstance(code, int) else 0


def _invoke(arguments: Sequence[str] | None) -> Any:
    """Call the command; a stop that Python or a library has put into an error of its own is a stop all the same."""
    try:
        return app(args=None if arguments is None else list(arguments), standalone_mode=False)
    except Exception as error:
        behind: BaseException | None = error
        while behind is not None and not isinstance(behind, Stopped):
            behind = behind.__cause__ or behind.__context__
        if behind is not None:
            raise behind from None
        raise


def _unforeseen(error: Exception) -> str:
    """Return what is said of an error that no line of carom was written for: its kind, its place, what to do."""
    told = " ".join(str(error).split())
    kind = f"{type(error).__name__}: {told[:200]}" if told else type(error).__name__
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if f"{os.sep}carom{os.sep}" in frame.filename
    ]
    place = f", in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return (
        f"An error that carom did not foresee ({kind}{place}). The fault is carom's, not yours: please report it, with "
        "the command and its files. CAROM_DEBUG=1 before the command shows all of it."
    )


def _way_out(error: Any) -> str:
    """Return where the words of a command are told, after a complaint about them that names no better one."""
    context, names = getattr(error, "ctx", None), []
    while context is not None and context.parent is not None:
        names.append(context.info_name)
        context = context.parent
    if not names or "Did you mean" in error.format_message():
        return ""
    stop = "" if error.format_message().rstrip().endswith((".", "?")) else "."
    return f"{stop} See `carom {' '.join(reversed(names))} --help`."


class Stopped(BaseException):
    """Ctrl-C or SIGTERM; passes through everything that catches errors, and half-written files vanish on its way."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Turn the two signals into an exception while a command runs."""

    def stop(number: int, _: object) -> None:
        raise Stopped(number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop_again(dropped: Any) -> None:
        """Raise once more, a little later, what was raised where exceptions are dropped, such as in a callback."""
        if isinstance(dropped.exc_value, Stopped):
            waiting.append(threading.Timer(AGAIN, _signal_main_thread, (dropped.exc_value.number,)))
            waiting[-1].daemon = True
            waiting[-1].start()
        else:
            usual(dropped)

    waiting: list[threading.Timer] = []
    usual, sys.unraisablehook = sys.unraisablehook, stop_again
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        sys.unraisablehook = usual
        for again in waiting:
            again.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


def _signal_main_thread(number: int) -> None:
    """Let a signal come once more; where the system can, also to a thread that waits for something."""
    main_thread = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main_thread is not None:
        signal.pthread_kill(main_thread, number)
    else:
        interrupt_main(signal.Signals(number))


def _complain(message: str, code: int) -> int:
    line = visible(" ".join(message.split()))
    print(f"carom: {line if len(line) <= LONGEST_LINE else f'{line[:LONGEST_LINE]} …'}", file=sys.stderr)
    return code


def _warn_on_stderr() -> None:
    """Send our warnings to stderr, one line each; those of libraries, such as fonts without a letter, nowhere."""

    def show(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        if issubclass(category, CaromWarning):
            print(f"carom: warning: {visible(str(message))}", file=sys.stderr)

    warnings.showwarning = show
    for library in ("matplotlib", "fontTools"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    warnings.simplefilter("always", CaromWarning)
