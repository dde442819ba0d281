"""Text tables of others: CmdStan's files, encodings, separators, and what they nearly are."""

from __future__ import annotations

import numpy as np
import pytest

import fangs
from support.refusals import refuses

CMDSTAN = """\
# stan_version_major = 2
# method = sample (Default)
#   sample
#     num_samples = 4
#     num_warmup = 2
#     save_warmup = {save}
#     thin = 1 (Default)
lp__,accept_stat__,Z.1.1,Z.2.1,Z.1.2,Z.2.2
{rows}# Adaptation terminated
# Step size = 0.9
-7.1,0.9,1,1,0,1
-7.2,0.8,1,0,0,1
#
#  Elapsed Time: 0.01 seconds (Sampling)
"""


def test_files_of_cmdstan_are_a_chain_each(tmp_path):
    paths = [tmp_path / f"out_{chain}.csv" for chain in (1, 2)]
    for path in paths:
        path.write_text(CMDSTAN.format(save="false (Default)", rows=""))
    stack = np.array([[[1, 0], [1, 1]], [[1, 0], [0, 1]]] * 2)
    assert fangs.read(paths) == fangs.Samples(stack, chains=[0, 0, 1, 1])


def test_the_warm_up_of_cmdstan_is_not_taken_for_draws(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text(CMDSTAN.format(save="1", rows="-9,1,0,0,0,0\n-8,1,0,0,0,0\n"))
    with refuses("out.csv", "first 2 draws", "burn_in=2", error=ValueError):
        fangs.read(path)
    assert fangs.read(path, burn_in=2).n_ones.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("draw,item\n1,1\n", ["draw", "item"]),
        ("item,feature\n1,1\n", ["item", "feature"]),
        ("draw,item,feature\n1,1\n", ["2", "3"]),
        ("draw,item,feature\n", ["no row"]),
        ("# only a comment\n", ["no row"]),
        ("draw,item,feature,item\n1,1,1,1\n", ["'item'"]),
        ("Z[1,1],Z[2,1]\n1,0\n", ["quotes"]),
        ("Z.1.1,Z.2.1\n1,0\n1\n", ["1", "2"]),
        ("Z.1.1,Z.2.1\n1,x\n", ["x"]),
        ("Z.1.1,Z.2.1\n1,2\n", ["2"]),
        ("Z.1.1,Z.2.1\n", ["empty"]),
    ],
)
def test_near_misses_of_tables(text, words, tmp_path):
    (tmp_path / "d.csv").write_text(text)
    with refuses("d.csv", *words, error=ValueError):
        fangs.read(tmp_path / "d.csv")


def test_text_of_another_encoding_is_refused(tmp_path):
    table = "draw,item,feature\n1,é,1\n"
    (tmp_path / "d.csv").write_bytes(table.encode("latin-1"))
    with refuses("d.csv", "UTF-8", error=ValueError):
        fangs.read(tmp_path / "d.csv")
    (tmp_path / "bom.csv").write_text(table, encoding="utf-8-sig")
    assert fangs.read(tmp_path / "bom.csv").items == ("é",)
