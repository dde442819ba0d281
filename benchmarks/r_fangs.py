"""The R package fangs, called through Rscript: what it found, how long it took, and on the way."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

SCRIPT = Path(__file__).with_suffix(".R")


@dataclass(frozen=True)
class Found:
    """One run of the R package."""

    matrix: np.ndarray
    expected_loss: float
    seconds: float
    """Elapsed inside fangs(), which leaves out reading the draws."""
    seconds_start: float
    seconds_sweeten: float
    n_iter: int
    trace: tuple[tuple[float, float], ...]
    """(seconds, expected loss) as it reported them while it ran; empty when quiet."""

    def seconds_for(self, n_iter):
        """What it would have taken for this many iterations at the same pace."""
        if self.n_iter == 0:
            raise ValueError("R made no iteration in the time it was given; grant it more")
        return self.seconds + self.seconds_sweeten / self.n_iter * (n_iter - self.n_iter)


def version():
    """Return the versions of R and of its package, or None where one of them is missing."""
    if shutil.which("Rscript") is None:
        return None
    ask = 'cat("R", format(getRversion()), "fangs", format(packageVersion("fangs")))'
    answer = subprocess.run(["Rscript", "-e", ask], capture_output=True, text=True)
    return answer.stdout.strip() if answer.returncode == 0 else None


def estimate(
    draws,
    *,
    a=1.0,
    n_init=16,
    n_sweet=4,
    n_iter=1000,
    max_seconds=1e6,
    n_cores=2,
    seed=1,
    quiet=True,
):
    """Run R's search over the draws, (n, K_b) arrays; n_iter=0 is R's own default, n*K."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "draws.bin"
        write(draws, path)
        settings = (n_init, n_sweet, n_iter, max_seconds, n_cores, seed, int(quiet), a)
        command = ["Rscript", str(SCRIPT), str(path), *map(str, settings)]
        # R reports progress with \r on one line: read what is there, as it comes.
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        ) as process:
            text, trace, began = "", [], None
            while chunk := process.stdout.read(65536):
                now = perf_counter()
                text += chunk.decode()
                if began is None and "BEGIN" in text:
                    began = now
                losses = re.findall(r"E\(loss\) is ([0-9.]+)", chunk.decode())
                trace += [(now - began, float(loss)) for loss in losses]
            errors = process.stderr.read().decode()
        if process.returncode != 0:
            raise RuntimeError(f"Rscript failed: {errors}")
    result = re.search(r"RESULT (.*)", text)[1].split()
    entries = re.search(r"ESTIMATE([ 01]*)", text)[1].split()
    matrix = np.array(entries, dtype=np.uint8).reshape(len(draws[0]), int(result[5]), order="F")
    loss, seconds, start, sweeten = (float(x) for x in result[:4])
    return Found(matrix, loss, seconds, start, sweeten, int(result[4]), tuple(trace))


def write(draws, path):
    """Write sizes as 32-bit integers, then every draw column by column, a byte per entry."""
    with open(path, "wb") as file:
        widths = [draw.shape[1] for draw in draws]
        np.array([len(draws[0]), len(draws), *widths], dtype="<i4").tofile(file)
        for draw in draws:
            file.write(np.asarray(draw, dtype=np.uint8).tobytes(order="F"))
