"""The fingerprint of draws by its definition: Python's whole numbers, item sets as bits."""

WORD = 2**64


def mix(x):
    """SplitMix64: one step of the generator from state x (Vigna's reference)."""
    z = (x + 0x9E3779B97F4A7C15) % WORD
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def hash_of(draw):
    """Hash of one draw, a matrix of 0 and 1; empty columns mean nothing."""
    n_items = len(draw)
    total = 0
    for column in zip(*[[int(entry) for entry in row] for row in draw], strict=True):
        number = sum(entry << item for item, entry in enumerate(column))
        if number:
            state = 0
            for _ in range(-(-n_items // 64)):
                state = mix(state ^ number % WORD)
                number //= WORD
            total += state
    return mix(total % WORD ^ mix(n_items))


def of_draws(draws, weights=None):
    weights = [1] * len(draws) if weights is None else weights
    total = sum(w * hash_of(draw) for w, draw in zip(weights, draws, strict=True)) % WORD
    return format(mix(total ^ mix(len(draws[0]) ^ mix(sum(weights)))), "016x")
