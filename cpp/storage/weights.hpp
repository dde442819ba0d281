// How much each draw counts: whole numbers, so that sums over draws are exact.
// Without weights every draw counts once; a weight of 3 equals three copies of the draw.
// O(1) per draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fangs {

class DrawWeights {
public:
    DrawWeights() = default;  // all 1
    explicit DrawWeights(std::vector<std::int64_t> values) : values_(std::move(values)) {
        for (const std::int64_t value : values_) largest_ = std::max(largest_, value);
    }

    [[nodiscard]] std::int64_t operator[](std::size_t draw) const noexcept {
        return values_.empty() ? 1 : values_[draw];
    }
    // The largest weight, or 1 where all are smaller. What holds sums of few draws goes by it.
    [[nodiscard]] std::int64_t largest() const noexcept { return largest_; }

private:
    std::vector<std::int64_t> values_;  // (n_draws), or empty
    std::int64_t largest_ = 1;
};

}  // namespace fangs
