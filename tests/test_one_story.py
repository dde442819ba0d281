"""One posterior, one story: no two functions contradict each other about the chains."""

import pytest

from support import one_story

TOLD = {}


@pytest.fixture(scope="module", params=list(one_story.shelf()))
def told(request):
    """What all functions say of one posterior of the shelf."""
    TOLD[request.param] = one_story.stories(one_story.shelf()[request.param])
    return TOLD[request.param]


def test_all_that_show_an_estimate_say_when_chains_are_apart(told):
    is_apart = told["chains"] == "apart"
    for where in ("note", "modes", "modes notebook", "summary", "certificate"):
        assert told[where] == ("apart" if is_apart else ""), where
    for where in ("print", "notebook", "report", "quick report"):
        assert (told[where] == "apart") == is_apart, where


def test_print_and_notebook_say_what_the_comparison_of_chains_says(told):
    of_chains = told["chains"] if told["chains"] in ("apart", "not converged") else ""
    assert told["print"] == told["notebook"] == of_chains


def test_the_report_says_what_the_comparison_of_chains_says(told):
    assert told["report"] == told["chains"]


def test_one_estimate_is_never_enough_for_chains_that_are_apart(told):
    assert told["enough"] == (told["n_modes"] == 1 and told["chains"] != "apart")
    if told["chains"] == "apart":
        assert not told["tick"]
        assert not told["weights"]


def test_the_table_of_the_docs_is_what_is_said():
    names = list(one_story.shelf())
    for name in names:
        TOLD.setdefault(name, None)
    found = {n: TOLD[n] or one_story.stories(one_story.shelf()[n]) for n in names}
    assert one_story.table(found) in one_story.PAGE.read_text()
