// Aligns every draw to one allocation: the matching of each draw, and counts over all of them.
// One pass, shared over threads; O(overlap + matching) per draw.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "draws.hpp"
#include "matching.hpp"
#include "overlap.hpp"
#include "tally.hpp"
#include "threads.hpp"

namespace fangs {

// Rough cost of one draw in nanoseconds, to judge how many threads are worth starting.
[[nodiscard]] inline double nanoseconds_per_draw(const Draws& draws,
                                                 const Allocation& allocation) noexcept {
    const double n_draws = static_cast<double>(std::max<std::size_t>(draws.size(), 1));
    const double n_words = static_cast<double>(draws.n_words());
    const double n_columns = static_cast<double>(draws.total_features()) / n_draws;
    const double pairs = static_cast<double>(allocation.n_features()) * n_columns;
    return 100.0 + n_columns * n_words * 5.0 + pairs * (0.8 + 0.3 * n_words);
}

// One thread's place to work on one draw at a time.
template <class T>
class Workbench {
public:
    Workbench(const Draws& draws, const Allocation& allocation)
        : draws_(draws),
          n_rows_(allocation.n_features()),
          overlaps_(allocation),
          sets_(draws.max_features() * draws.n_words()) {}

    // Gives the matching the draw's shape.
    void turn_to(std::size_t draw) { matching.resize(n_rows_, draws_.n_features(draw)); }

    // Brings the draw's features.
    void read(std::size_t draw) noexcept { draws_.read(draw, sets_.data()); }

    // Overlaps with the draw that was read, into own or given room.
    [[nodiscard]] T* weigh(T* room = nullptr) {
        if (room == nullptr) {
            weights_.resize(n_rows_ * matching.stride());
            room = weights_.data();
        }
        overlaps_.compute(sets_.data(), matching.columns.size, matching.stride(), room);
        return room;
    }

    [[nodiscard]] const Word* feature(std::size_t column) const noexcept {
        return sets_.data() + column * draws_.n_words();
    }

    Matching<T> matching;

private:
    const Draws& draws_;
    std::size_t n_rows_;
    Overlaps<T> overlaps_;
    std::vector<Word> sets_;  // (n_columns, n_words)
    std::vector<T> weights_;  // (n_features, stride)
};

struct AlignmentOutput {
    std::int64_t* overlaps;      // (n_draws), total overlap of each draw, or null
    std::int32_t* permutations;  // (n_draws, n_features), the draw's column or -1, or null
    Counts* counts;  // (n_items, n_features), draws whose aligned feature has the item, or null
};

template <class T>
void align(const Draws& draws, const Allocation& reference, const AlignmentOutput& out,
           const Parallel& parallel) {
    struct Worker {
        Workbench<T> bench;
        Tally tally;
    };
    Counts nothing(0, 0, nullptr);
    const std::size_t n_features = reference.n_features();
    parallel_for(
        parallel, draws.size(), nanoseconds_per_draw(draws, reference),
        [&] {
            return Worker{Workbench<T>(draws, reference),
                          Tally(out.counts ? *out.counts : nothing)};
        },
        [&](Worker& worker, std::size_t b) {
            worker.bench.turn_to(b);
            worker.bench.read(b);
            auto& matching = worker.bench.matching;
            matching.solve(worker.bench.weigh());
            if (out.overlaps) out.overlaps[b] = matching.total();
            for (std::size_t r = 0; r < n_features; ++r) {
                const T mate = matching.rows.mate[r];
                if (out.permutations) out.permutations[b * n_features + r] = mate;
                if (!out.counts) continue;
                if (mate == Matching<T>::none)
                    std::fill_n(worker.tally.row(r), draws.n_words(), Word{0});
                else
                    std::copy_n(worker.bench.feature(static_cast<std::size_t>(mate)),
                                draws.n_words(), worker.tally.row(r));
            }
            worker.tally.add();
        },
        [](Worker& worker) { worker.tally.pour(); });
}

}  // namespace fangs
