"""The map of the posterior: distances, stress and colours are what they stand for."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

import fangs
from fangs.engine import ThreadedEngine
from fangs.plot import embedding
from fangs.plot.posterior_map import COLORS, NEAREST, best_draw_near
from oracles import reference as ref
from support.strategies import noisy_draws


def embed(draws, others=(), n_landmarks=200, seed=0):
    engine = ThreadedEngine(draws, 1)
    rng = np.random.default_rng(seed)
    others = [np.asarray(m, dtype=np.uint8) for m in others]
    return embedding.embed(engine, others, n_landmarks=n_landmarks, rng=rng)


def euclid(points, others):
    return np.sqrt(((points[:, None] - others[None]) ** 2).sum(axis=2))


def sets_on_a_line(n_items=12):
    """Draws with the first k items: the loss between two is the difference of their k."""
    return [(np.arange(n_items) < k).astype(np.uint8)[:, None] for k in range(1, n_items + 1)]


@pytest.mark.parametrize("n_landmarks", [200, 6])
def test_draws_on_a_line_are_placed_without_stress(n_landmarks):
    draws = sets_on_a_line()
    found = embed(draws, draws[2:4], n_landmarks)
    losses = [[ref.faro_loss(x, y) for y in draws] for x in draws]
    assert euclid(found.draws, found.draws) == pytest.approx(np.array(losses), abs=1e-9)
    assert found.others == pytest.approx(found.draws[2:4], abs=1e-9)
    assert found.stress == pytest.approx(0, abs=1e-9)


def test_the_stress_is_kruskals():
    draws = noisy_draws(np.random.default_rng(1), 6, 3, 15, noise=0.3)
    found = embed(draws)
    losses = np.array([[ref.faro_loss(x, y) for y in draws] for x in draws])
    errors = losses - euclid(found.draws, found.draws)
    assert found.stress == pytest.approx(np.sqrt((errors**2).sum() / (losses**2).sum()))


def test_points_are_the_principal_coordinates():
    # Gower (1966): the leading eigenvectors of the doubly centred squares, times their root.
    draws = noisy_draws(np.random.default_rng(2), 7, 3, 12, noise=0.3)
    squares = np.array([[ref.faro_loss(x, y) for y in draws] for x in draws]) ** 2
    middle = np.eye(12) - 1 / 12
    values, vectors = np.linalg.eigh(-middle @ squares @ middle / 2)
    points = vectors[:, ::-1][:, :2] * np.sqrt(values[::-1][:2])
    assert np.abs(embed(draws).draws) == pytest.approx(np.abs(points))


@pytest.mark.parametrize("draws", [[[[1]]], [[[1], [0]]] * 5, [np.zeros((3, 0))] * 3])
def test_equal_draws_are_one_point(draws):
    found = embed(draws, draws[:1])
    assert np.ptp(found.draws, axis=0).tolist() == [0, 0]
    assert found.stress == 0


def points_of(ax, label):
    (shown,) = (c for c in ax.collections if c.get_label() == label)
    return shown.get_offsets()


def names(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_modes_have_colours_and_stars(draws):
    found = fangs.modes(draws, seed=1)
    ax = fangs.plot.map(draws, modes=found, others={"truth": draws[0]})
    assert names(ax) == ["mode 1, 75 %", "mode 2, 25 %", "estimates", "best draw", "truth"]
    first, second = points_of(ax, "mode 1, 75 %"), points_of(ax, "mode 2, 25 %")
    assert (len(first), len(second)) == (300, 100)
    stars = points_of(ax, "estimates")
    assert np.linalg.norm(stars[0] - stars[1]) == pytest.approx(78, abs=8)
    assert np.linalg.norm(stars[0] - first.mean(axis=0)) < 8
    colors = [to_hex(c.get_facecolor()[0]).upper() for c in ax.collections[:2]]
    assert colors == [color.upper() for color in COLORS[:2]]
    assert [text.get_text() for text in ax.texts][:2] == ["1", "2"]
    assert any(text.get_text().startswith("stress 0.") for text in ax.texts)


def test_draws_can_be_coloured_by_chain(draws):
    found = fangs.modes(draws, seed=1)
    ax = fangs.plot.map(draws, modes=found, color="chain")
    assert names(ax)[:4] == [f"chain {c}" for c in (0, 1, 2, 3)]
    assert len(points_of(ax, "chain 3")) == 100


def test_one_estimate_is_one_star(draws, estimate):
    ax = fangs.plot.map(draws, modes=estimate)
    assert names(ax)[-2:] == ["estimate", "best draw"]
    assert names(ax)[0] == "chain 0"  # one mode: chains tell more
    ax = fangs.plot.map(list(draws), modes=estimate)
    assert names(ax) == ["draws", "estimate", "best draw"]


def test_many_draws_are_thinned_and_it_is_said(draws, estimate):
    ax = fangs.plot.map(draws, modes=estimate, max_draws=150, n_landmarks=40, color="mode")
    assert len(points_of(ax, "mode 1, 100 %")) == 150
    assert any("150 of 400 draws" in text.get_text() for text in ax.texts)


def test_the_best_draw_is_the_best_of_those_near_the_estimate(draws, estimate):
    best, loss = best_draw_near(estimate, ThreadedEngine(draws, 1), np.arange(400), a=1.0)
    near = np.argsort(estimate.losses, kind="stable")[:NEAREST]
    losses = {int(b): fangs.expected_loss(draws[b], draws) for b in near}
    assert losses[best] == loss == min(losses.values())
    assert loss == fangs.alternatives.draws(draws).expected_loss


def test_shares_and_the_best_draw_go_by_weight(draws):
    # Mode 2 weighs as much as mode 1, and 50 draws of mode 1 do not count.
    weights = np.where(np.arange(400) < 300, 2, 5)
    weights[:50] = 0
    samples = fangs.Samples(draws, weights=weights)
    ax = fangs.plot.map(samples, modes=fangs.modes(samples, n_modes=2, seed=1))
    shares = names(ax)[:2]
    assert shares == ["mode 1, 50 %", "mode 2, 50 %"]
    assert sorted(len(points_of(ax, share)) for share in shares) == [100, 250]


def test_each_chain_of_a_map_has_a_look_of_its_own(many):
    ax = fangs.plot.map(many, modes=fangs.estimate(many, seed=1), color="chain", seed=1)
    looks = set()
    for points in ax.collections[:16]:
        color = tuple(points.get_facecolor()[0][:3])
        looks.add((color, points.get_paths()[0].vertices.tobytes()))
    assert len(looks) == 16
