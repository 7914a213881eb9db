"""Small files of our own in the formats of strong-motion networks, with the samples that were printed into them."""

# ruff: noqa: E501 (lines of files, as long as they are there)

from __future__ import annotations

import gzip
import io
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from carom.units import standard_gravity as G
from tests.motions.samples import wave

COUNT, DT = 60, 0.01
THREE = (wave(), -0.5 * wave(), 0.3 * np.roll(wave(), 7))
"""Three components [g]."""


@dataclass(frozen=True)
class Sample:
    """A file, and what is in it."""

    content: bytes
    labels: tuple[str, ...]
    samples: tuple[np.ndarray, ...]
    """Of each component [m/s²], from the numbers as they were printed."""
    options: dict[str, object] = field(default_factory=dict)
    """Needed by `carom.read_motion`, the component aside."""
    digits: float = 1e-12
    """To which share of the peak they are read back."""

    @property
    def given(self) -> dict[str, object]:
        """All options for the first component."""
        return {**self.options, **({"component": self.labels[0]} if len(self.labels) > 1 else {})}


class Printed:
    """Numbers as a file has them, and the text of their lines."""

    def __init__(self, values: np.ndarray, form: str, width: int, per_line: int) -> None:
        words = [form.format(value).replace("0.", ".", 1)[-width:].rjust(width) for value in values]
        self.values = np.array([float(word) for word in words])
        lines = ["".join(words[k : k + per_line]) for k in range(0, len(words), per_line)]
        self.text = "\n".join(lines) + "\n"


def fixed(values: np.ndarray, decimals: int, width: int, per_line: int = 8) -> Printed:
    return Printed(values, f"{{:.{decimals}f}}", width, per_line)


def numbers(values: list[float], width: int, per_line: int, decimals: int | None = None) -> str:
    words = [(f"{int(v):d}" if decimals is None else f"{v:.{decimals}f}").rjust(width) for v in values]
    return "".join("".join(words[k : k + per_line]) + "\n" for k in range(0, len(words), per_line))


def volume_head(title: str, label: str, units: str, reals: int) -> str:
    text = [
        title, "NOWHERE EARTHQUAKE", "MAY 1, 2030  07:42 PDT", "99999-S0001-30121.01", "STATION NO. 99999   34.0N, 118.0W",
        "FIELD STATION", f"CHAN  1: {label}", "NOWHERE EARTHQUAKE     MAY 1, 2030", "HYPOCENTER: 34.0N, 118.0W", "INSTR PERIOD = .0388 SEC",
        f"NO. OF POINTS = {COUNT:6d}  RECORD LENGTH =   .590 SEC", units, "RMS ACCEL OF COMPLETE RECORD = .021 G.",
    ]  # fmt: skip
    return (
        "\n".join(text) + "\n" + numbers([1, 100, *[0] * 98], 5, 16) + numbers([0.04, *[0.0] * (reals - 1)], 10, 8, 3)
    )


def csmip_v2() -> Sample:
    text, kept = "", []
    for label, values in zip(("90 DEG", "UP", "0 DEG"), THREE, strict=True):
        body = fixed(100.0 * G * values, 3, 10)
        kept.append(0.01 * body.values)
        head = volume_head(
            f"CORRECTED ACCELEROGRAM   99999-S0001   CHAN  1: {label}     FROM", label, "UNITS CM/SEC/SEC", 100
        )
        others = f"{COUNT} POINTS OF VELOC DATA EQUALLY SPACED AT  .010 SEC.\n" + fixed(values, 3, 10).text
        text += f"{head} {COUNT} POINTS OF ACCEL DATA EQUALLY SPACED AT  .010 SEC.  (UNITS: CM/SEC/SEC)\n{body.text}"
        text += others + "/&  ----------  END OF DATA FOR CHANNEL  1  ----------\n"
    return Sample((text + "\x1a" * 40).encode(), ("090", "UP", "000"), tuple(kept))


def csmip_v1() -> Sample:
    body = fixed(wave(), 6, 9)
    head = volume_head(
        "Uncorrected Accelerogram Data   Processed: 07/06/30", "Up", "Units of uncor data are sec and g.", 50
    )
    title = f" {COUNT} Accelerogram points at 100 pts/sec in units of g.       Format: (8f9.6)  \n"
    return Sample((head + title + body.text).encode(), ("UP",), (G * body.values,))


def pairs(values: np.ndarray, lead: str = "") -> tuple[str, np.ndarray]:
    tenths = fixed(10.0 * values, 3, 7).values
    words = [f"{DT * k:7.3f}{value:7.3f}" for k, value in enumerate(tenths)]
    lines = [lead + "".join(words[k : k + 5]) for k in range(0, len(words), 5)]
    return "\n".join(lines) + "\n", 0.1 * G * tenths


def renadic() -> Sample:
    text, kept = "", []
    for label, values in zip(("EW", "NS", "V"), THREE, strict=True):
        body, samples = pairs(values)
        head = volume_head(
            "UNCORRECTED ACCELEROGRAM DATA   PROCESSED: 05/24/2031", label, "UNITS OF UNCOR ACCEL ARE SEC AND G/10.", 50
        )
        text += head.replace("HYPOCENTER: 34.0N, 118.0W", "UNIVERSIDAD DE CHILE - RENADIC") + body + "/&  END OF DATA\n"
        kept.append(samples)
    return Sample(text.replace("FIELD", "VI\xd1A").encode("latin-1"), ("EW", "NS", "UP"), tuple(kept))


def usc() -> Sample:
    body, samples = pairs(wave(), " ")
    text = [
        "FILE     0 OF UNCORRECTED ACCELEROGRAM DATA OF VOLUME I:", "NOWHERE EARTHQUAKE          18", "MAY 1, 2030    11", "IBB101 30.1 N",
        "STATION USC# 0001   34 05 22N, 118 26 05N     39", "1 FIELD RD., NOWHERE, CA      24", "COMP N10W                 9", "x", "x",
        "INSTR PERIOD =  .038 SEC", f"NO. OF POINTS = {COUNT:6d}      DURATION =    .590 SEC", "UNITS ARE SEC AND G/10", "RMS ACCLN.",
    ]  # fmt: skip
    head = "\n".join(text) + "\n" + numbers([0, 2, *[0] * 98], 5, 16) + numbers([0.038, *[0.0] * 49], 10, 8, 3)
    return Sample((head + body).encode(), ("350",), (samples,))


def bhrc() -> Sample:
    text, kept = "", []
    for label, values in zip("LVT", THREE, strict=True):
        body = Printed(10.0 * values, "{:.6E}", 13, 10)
        kept.append(0.1 * G * body.values)
        head = [
            "* VOL1DS FILE:  9999/01", "Inst Type = SSA-2", "Origin Time : 2030/05/01   12:23:16", "", label, "", f"COMP {label}1",
            "Field      Station   38.4 N 47.0 E   Altitude 1360m   Azimuth L 352   T 82", "Epicenter", "INSTR PERIOD =  .019 SEC",
            f"NO. OF POINTS = {COUNT:6d}      DURATION =    .600", "UNITS ARE SECONDS AND G/10", "",
        ]  # fmt: skip
        whole = numbers([0] * 88, 5, 14) + "".join(("  .000000E+00" * 5)[:70] + "\n" for _ in range(7))
        text += "\n".join(head) + "\n" + whole + body.text + "/&\n"
    return Sample(text.encode(), ("352", "UP", "082"), tuple(kept))


def cosmos(counts: bool = False) -> Sample:
    text, kept = "", []
    sensitivity, bit = 1.25, 2.384188
    for k, (label, values) in enumerate(zip(("360 deg", "Up", "90 deg"), THREE, strict=True)):
        worth = 1e-6 * bit / sensitivity
        body = Printed(np.rint(values / worth) - 40.0, "{:.0f}", 8, 10) if counts else fixed(values, 6, 9)
        kept.append(G * worth * (body.values - body.values.mean()) if counts else G * body.values)
        whole = [-999.0] * 100
        reals = [-999.0] * 100
        reals[61], reals[21], reals[41] = 1000.0 * DT, bit, sensitivity
        whole[53] = (360, 400, 90)[k]
        said = (
            "raw accel.   pts, approx 1 secs, units=counts (50),Format=(10I8)"
            if counts
            else "acceleration pts, approx 1 secs, units=g.     (02)Format=(8f9.6)"
        )
        text += (
            "Uncorrected acceleration  (Format v01.20 with 13 text lines) Src:  nowhere\nRcrd of May 1, 2030\nHypocenter:\nOrigin:\n"
            f"Statn No: 05- 99999 Code:CE-99999  CGS  Field\nCoords:\nRecorder:\nRcrd start time:\nSta Chan  {k + 1}: {label} (Rcrdr Chan 1)\n"
            "Raw record length =\nProcessed:\nRecord not filtered.\nValues used when unknown:   -999, -999.0\n"
            " 100 Integer-header values follow on  10 lines, Format= (10I8)\n" + numbers(whole, 8, 10)
            + " 100 Real-header values follow on  17 lines, Format= (6F13.6)\n" + numbers(reals, 13, 6, 6)
            + f'   1 Comment line(s) follow, each starting with a "|":\n|<SCNL>99999.HN{"NZE"[k]}.CE.--\n   {COUNT} {said}\n{body.text}'
            f"End-of-data for Chan  {k + 1} acceleration\n"
        )  # fmt: skip
    return Sample(text.encode(), ("360", "UP", "090"), tuple(kept))


def geonet() -> Sample:
    text, kept = "", []
    for label, values in zip(("N10E", "N80W", "Up"), THREE, strict=True):
        body = fixed(1000.0 * G * values, 1, 8, 10)
        kept.append(0.001 * body.values)
        head = [
            "Corrected accelerogram 20300501_110256_FIEL_20 GNS Science", "Site FIEL", "Field Station", "Instrument", "Resolution: 24-bit",
            "Accelerogram", "5 km south-west of Nowhere", "2030 May 01         11:02:56 UT", "Epicentre", f"Number of points  {COUNT}    Duration .6 sec",
            "Instrument corrected data at 0.010 sec intervals", "Band-pass filter transition bands are .10-.25 Hz", f"Component {label}  axis",
            "Acceleration:", "Velocity:", "Displacement:",
        ]  # fmt: skip
        text += "\n".join(head) + "\n" + numbers([0.0] * 100, 8, 10, 2) + body.text + body.text + body.text
    return Sample(text.encode(), ("010", "280", "UP"), tuple(kept))


def smc() -> Sample:
    words = [f"{v:.4E}".replace("E-0", "E-").replace("E+0", "E+") for v in 100.0 * G * wave()]
    values = np.array([float(word) for word in words])
    lines = ["".join(word.rjust(10) for word in words[k : k + 8]) for k in range(0, len(words), 8)]
    whole = [-32768.0] * 48
    whole[12:17] = [90, 360, 101, 2, COUNT]
    reals = "".join(
        "".join(f"{v:15.7E}" for v in ([1.7e38, 1.0 / DT, *[1.7e38] * 3] if k == 0 else [1.7e38] * 5)) + "\n"
        for k in range(10)
    )
    head = (
        "2 CORRECTED ACCELEROGRAM\n*\nFIELD\n     2030  05  01    0004 Nowhere\nMoment Mag=      7.1\n"
        "station = Field Station   component=    360\nepicentral dist =\ninst type=SMA-1      data source = USGS\n*\n*\n*\n"
    )
    return Sample(
        (head + numbers(whole, 10, 8) + reals + "|\n| a comment\n" + "\n".join(lines) + "\n").encode(),
        ("360",),
        (0.01 * values,),
    )


def knet() -> Sample:
    worth = 2000.0 / 8388608.0
    counts = np.rint(100.0 * G * wave() / worth) + 6900.0
    head = (
        "Origin Time       2030/05/01 19:51:00\nLat.              41.0\nLong.             142.5\nDepth. (km)       30\nMag.              6.2\n"
        "Station Code      FIEL03\nStation Lat.      41.4053\nStation Long.     141.1691\nStation Height(m) 4\nRecord Time       2030/05/01 19:51:38\n"
        f"Sampling Freq(Hz) 100Hz\nDuration Time(s)  {COUNT * DT:g}\nDir.              5\nScale Factor      2000(gal)/8388608\n"
        "Max. Acc. (gal)   22.485\nLast Correction   2030/05/01 19:51:38\nMemo.             \n"
    )
    body = Printed(counts, "{:.0f}", 9, 8)
    return Sample((head + body.text).encode(), ("EW",), (0.01 * worth * (counts - counts.mean()),))


def esm() -> Sample:
    body = fixed(100.0 * G * wave(), 6, 14, 1)
    head = (
        "EVENT_NAME: NOWHERE\nEVENT_DATE_YYYYMMDD: 20300501\nMAGNITUDE_W: \nNETWORK: XX\nSTATION_CODE: FIEL\nSTATION_NAME: Field\nLOCATION: \n"
        f"SAMPLING_INTERVAL_S: {DT:.6f}\nNDATA: {COUNT}\nSTREAM: HNE\nUNITS: cm/s^2\nDATA_TYPE: ACCELERATION\nUSER1: /home/dyna --le 0.100\nUSER2: \n"
    )
    return Sample((head + body.text).encode(), ("E",), (0.01 * body.values,))


def esd() -> Sample:
    words = [f"{v:.7E}".rjust(14) for v in -np.abs(G * wave())]
    values = np.array([float(word) for word in words])
    head = (
        "Event Date & Time             : 2030-05-01 01:32:39\nStation Code / Name           : 1 / Field, Nowhere\nOrientation                   : NS\n"
        f"Time Increment (s)            : {DT}\nNumber of Data                : {COUNT}\nPGA (m/s/s)                   : 5.0E+00\n"
        "Accelaration time series in m/s/s\n"
    )
    return Sample(
        (head + "\n".join("".join(words[k : k + 5]) for k in range(0, COUNT, 5)) + "\n").encode(), ("NS",), (values,)
    )


def columns(form: str, unit: float, times: bool = False) -> tuple[str, tuple[np.ndarray, ...]]:
    printed = [[form.format(value / unit) for value in G * values] for values in THREE]
    lines = [
        "".join(([f"{DT * k:10.3f}"] if times else []) + list(row)) for k, row in enumerate(zip(*printed, strict=True))
    ]
    return "\n".join(lines) + "\n", tuple(unit * np.array([float(word) for word in words]) for words in printed)


def cwb() -> Sample:
    body, kept = columns("{:10.3f}", 0.01, times=True)
    head = (
        "#Earthquake Information\n#Origin Time(GMT+08): 2030/05/01-23:50:42\n\n#Station Information\n#StationCode: FIEL\n#StationName: Field\n"
        "#RecordLength(sec): 1\n#SampleRate(Hz): 100\n#AmplitudeUnit:  gal. DCoffset(corr)\n#DataSequence: Time U(+); N(+); E(+)\n#Data: 4F10.3 \n"
    )
    return Sample((head + body).encode(), ("UP", "N", "E"), kept)


def afad() -> Sample:
    body, kept = columns("{:14.6f}", 0.01)
    head = (
        "STRONG GROUND MOTION RECORDS OF TURKIYE\nPLACE                   : KüTAHYA\nEARTHQUAKE DATE         : 2030/05/01 22:31:09 (GMT)\n"
        f"STATION ID              : 9999\nNUMBER OF DATA          : {COUNT}\nSAMPLING INTERVAL (sec) : {DT}\n"
        "RAW PGA VALUES (gal)    : (N-S) 1.2 (E-W) 1.2 (U-D) 0.6\nCopyright EARTHQUAKE DEPARTMENT\n       N-S          E-W          U-D\n"
    )
    return Sample((head + body).encode("latin-1"), ("NS", "EW", "UD"), kept)


def unam() -> Sample:
    body, kept = columns("{:10.4f}", 0.01)
    rule = "---------+" * 8
    head = (
        f"{'*' * 86}\n                       INSTITUTO DE INGENIERIA, UNAM\n{'*' * 86}\nARCHIVO ESTANDAR DE ACELERACION:\n"
        "NOMBRE DE LA ESTACION                  : CAMPO\nCLAVE DE LA ESTACION                   : CAMP\n                                       : \n"
        f"INTERVALO DE MUESTREO, C1-C6 (s)       : /{DT}/{DT}/{DT}\nFECHA DEL SISMO [GMT]                  : 2030/05/01\n"
        f"MAGNITUD(ES)                           : /M=7.1\nNUM. TOTAL DE MUESTRAS, C1-C6          : /{COUNT}/{COUNT}/{COUNT}\n"
        "UNIDADES DE LOS DATOS                  : Gal (cm/s/s)\nFORMATO DATOS (FORTRAN,10 campos/dato) : 3F10.4\n\n"
        f"DATOS DE ACELERACION:\n{rule}\n   CANAL-1   CANAL-2   CANAL-3\n         V      N00E      N90E\n{rule}\n"
    )
    return Sample((head + body).encode(), ("UP", "000", "090"), kept)


def sac() -> Sample:
    counts = np.rint(1e6 * wave()).astype("<f4")
    reals, whole = np.full(70, -12345.0, "<f4"), np.full(40, -12345, "<i4")
    reals[[0, 5, 6]] = DT, 0.0, DT * (COUNT - 1)
    whole[[6, 9, 15, 35, 36, 37, 38]] = 6, COUNT, 1, 1, 1, 1, 1
    whole[:6] = 2030, 121, 0, 0, 0, 0
    words = b"FIEL    " + b"-12345".ljust(16) + b"-12345  " * 17 + b"HNZ     " + b"XX      " + b"-12345  " * 2
    content = reals.tobytes() + whole.tobytes() + words + counts.tobytes()
    assert struct.unpack_from("<i", content, 304)[0] == 6
    return Sample(content, ("UP",), (1e-6 * G * counts.astype(float),), {"unit": "g", "scale": 1e-6, "dt": DT}, 1e-7)


def miniseed() -> Sample:
    import obspy

    stream, kept = obspy.Stream(), []
    for code, values in zip(("HNE", "HNN", "HNZ"), THREE, strict=True):
        counts = np.rint(1e6 * values).astype(np.int32)
        stream += obspy.Trace(counts, {"delta": DT, "network": "XX", "station": "FIEL", "channel": code})
        kept.append(1e-6 * G * counts)
    file = io.BytesIO()
    stream.write(file, format="MSEED")
    return Sample(file.getvalue(), ("E", "N", "UP"), tuple(kept), {"unit": "g", "scale": 1e-6})


NETWORKS: dict[str, tuple[str, Callable[[], Sample]]] = {
    "csmip-v2": ("csmip", csmip_v2), "csmip-v1": ("csmip", csmip_v1), "renadic": ("renadic", renadic), "usc": ("usc", usc),
    "bhrc": ("bhrc", bhrc), "cosmos": ("cosmos", cosmos), "cosmos-counts": ("cosmos", lambda: cosmos(counts=True)),
    "geonet": ("geonet", geonet), "smc": ("smc", smc), "k-net": ("k-net", knet), "esm": ("esm", esm), "esd": ("esd", esd),
    "cwb": ("cwb", cwb), "afad": ("afad", afad), "unam": ("unam", unam),
}  # fmt: skip
"""Samples by name: the reader, and the file."""
BINARY: dict[str, tuple[str, Callable[[], Sample]]] = {"sac": ("sac", sac), "miniseed": ("miniseed", miniseed)}
"""Those that ObsPy reads."""


def packed(content: bytes) -> bytes:
    return gzip.compress(content)
