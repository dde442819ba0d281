"""Every object, and every file that it can be written to, gives the plain list of matrices."""

import pytest

from conformance.real import HAS_FILES, real_rows
from conformance.rows import demanded, file_rows, object_rows
from conformance.verbs import inspect_rows, request_rows


@demanded(object_rows())
def test_an_object_gives_its_draws(row, tmp_path):
    row.demand(tmp_path)


@demanded(file_rows())
def test_a_file_gives_the_draws_of_its_object(row, tmp_path):
    row.demand(tmp_path)


@demanded(request_rows())
def test_every_verb_understands_a_request(row, tmp_path):
    row.demand(tmp_path)


@demanded(inspect_rows())
def test_inspect_counts_what_is_there(row, tmp_path):
    row.demand(tmp_path)


@pytest.mark.skipif(not HAS_FILES, reason="REAL names no folder with files")
@demanded(real_rows())
def test_a_container_of_r_is_read(row, tmp_path):
    row.demand(tmp_path)


def test_every_row_is_there_once():
    makers = (object_rows, file_rows, request_rows, inspect_rows, real_rows)
    ids = [row.id for rows in makers for row in rows()]
    assert len(ids) == len(set(ids))
