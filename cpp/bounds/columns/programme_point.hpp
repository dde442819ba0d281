// A point of the linear programme over given columns, with all slacks positive, and steps from it.
// docs/theory-bounds.md, "The linear programme"; Mehrotra 1992, doi:10.1137/0802028.
// O(features * columns) to move; draws go by blocks, so sums are the same for any number of
// threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bounds/columns/pricing_problem.hpp"
#include "passes/threads.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"

namespace fangs {

// The programme: columns, how often each must be used, and whether it may be used more often.
// Weights are 1 on average: steps are poor where variables differ much in size.
struct Programme {
    Programme(const PricingProblem& problem, const Allocation& columns,
              std::vector<double> at_least, std::vector<bool> may_grow, const Parallel& threads)
        : first(problem.first),
          n_columns(columns.n_features()),
          weights(problem.n_draws()),
          cost(n_columns),
          least(std::move(at_least)),
          is_free(std::move(may_grow)),
          overlaps(problem.n_features() * n_columns),
          parallel(threads) {
        for (const std::int64_t weight : problem.weights) unit += static_cast<double>(weight);
        unit /= static_cast<double>(problem.n_draws());
        for (std::size_t b = 0; b < weights.size(); ++b)
            weights[b] = static_cast<double>(problem.weights[b]) / unit;
        const double threshold =
            static_cast<double>(problem.item_cost) / static_cast<double>(problem.scale) / unit;
        for (std::size_t c = 0; c < n_columns; ++c) {
            std::int64_t size = 0;
            for (std::size_t w = 0; w < problem.n_words; ++w)
                size += std::popcount(columns.feature(c)[w]);
            cost[c] = threshold * static_cast<double>(size);
        }
        over_draws([&](std::size_t b, std::size_t) {
            for (std::size_t f = first[b]; f < first[b + 1]; ++f)
                for (std::size_t c = 0; c < n_columns; ++c) {
                    int shared = 0;
                    for (std::size_t w = 0; w < problem.n_words; ++w)
                        shared += std::popcount(problem.set(f)[w] & columns.feature(c)[w]);
                    overlaps[f * n_columns + c] = static_cast<float>(shared);
                }
        });
    }

    [[nodiscard]] std::size_t n_draws() const noexcept { return weights.size(); }
    [[nodiscard]] std::size_t n_features() const noexcept { return first.back(); }
    [[nodiscard]] std::size_t n_blocks() const noexcept {
        return (n_draws() + draws_per_block() - 1) / draws_per_block();
    }

    // Calls work(draw, block) for all draws; a block belongs to one thread.
    template <class Work>
    void over_draws(Work&& work) const {
        const double nanoseconds =
            4.0 * static_cast<double>(n_features() * n_columns) / static_cast<double>(n_blocks());
        parallel_for(
            parallel, n_blocks(), nanoseconds, [] { return 0; },
            [&](int, std::size_t block) {
                const std::size_t begin = block * draws_per_block();
                for (std::size_t b = begin; b < std::min(begin + draws_per_block(), n_draws()); ++b)
                    work(b, block);
            },
            [](int) {});
    }

    const std::vector<std::size_t>& first;  // (n_draws + 1), into the features
    std::size_t n_columns;
    std::vector<double> weights;  // (n_draws)
    std::vector<double> cost;     // (n_columns)
    std::vector<double> least;    // (n_columns)
    std::vector<bool> is_free;    // (n_columns)
    std::vector<float> overlaps;  // (n_features, n_columns)
    const Parallel& parallel;
    double unit = 0.0;  // the mean weight

private:
    [[nodiscard]] std::size_t draws_per_block() const noexcept { return n_draws() / 64 + 1; }
};

// A change of all variables and slacks of a point.
struct ProgrammeStep {
    explicit ProgrammeStep(const Programme& programme)
        : x(programme.n_columns),
          r(programme.n_columns),
          z(programme.n_features() * programme.n_columns),
          u(programme.n_draws() * programme.n_columns),
          v(programme.n_draws() * programme.n_columns),
          y(programme.n_features()),
          s(programme.n_features()) {}

    std::vector<double> x, r, z, u, v, y, s;  // the shapes of ProgrammePoint
};

// Multiplicities x, matches z, column duals u and prices y. Slacks: d of u + y >= overlap, s of "a
// feature is matched once", v of "a column is matched as often as it is used", r of "a column earns
// no more than it costs". The products z d, s y, v u and x r all go to zero together.
struct ProgrammePoint {
    explicit ProgrammePoint(const Programme& from)
        : programme(from),
          x(from.n_columns),
          r(from.n_columns),
          z(from.n_features() * from.n_columns),
          d(from.n_features() * from.n_columns),
          u(from.n_draws() * from.n_columns),
          v(from.n_draws() * from.n_columns),
          y(from.n_features()),
          s(from.n_features()) {
        const std::size_t n_columns = from.n_columns;
        double total = 0.0;
        for (const double weight : from.weights) total += weight;
        std::size_t most = n_columns;
        for (std::size_t b = 0; b < from.n_draws(); ++b)
            most = std::max(most, from.first[b + 1] - from.first[b]);
        for (std::size_t c = 0; c < n_columns; ++c) {
            x[c] = from.is_free[c] ? 1.0 : 0.0;
            const double price = from.cost[c] / (2.0 * total);
            const double share =
                std::min(from.least[c] + x[c], 1.0) / static_cast<double>(2 * most);
            for (std::size_t b = 0; b < from.n_draws(); ++b) u[b * n_columns + c] = price;
            for (std::size_t f = 0; f < from.n_features(); ++f) {
                z[f * n_columns + c] = share;
                y[f] = std::max(y[f], from.overlaps[f * n_columns + c] - price);
            }
        }
        for (double& price : y) price += 1.0;
        move(ProgrammeStep(from), 0.0, 0.0);
    }

    // Goes a part of the step and finds the slacks; false if one is not positive.
    bool move(const ProgrammeStep& step, double primal, double dual) {
        const std::size_t n_columns = programme.n_columns;
        struct Sums {
            explicit Sums(std::size_t n) : earned(n) {}
            std::vector<double> earned;
            double products = 0.0, prices = 0.0, gain = 0.0;
            bool is_inside = true;
        };
        std::vector<Sums> sums(programme.n_blocks(), Sums(n_columns));
        for (std::size_t c = 0; c < n_columns; ++c) x[c] += primal * step.x[c];
        programme.over_draws([&](std::size_t b, std::size_t block) {
            Sums& sum = sums[block];
            const double weight = programme.weights[b];
            double *ub = u.data() + b * n_columns, *vb = v.data() + b * n_columns;
            for (std::size_t c = 0; c < n_columns; ++c) {
                ub[c] += dual * step.u[b * n_columns + c];
                vb[c] = programme.least[c] + x[c];
                sum.earned[c] += weight * ub[c];
            }
            for (std::size_t f = programme.first[b]; f < programme.first[b + 1]; ++f) {
                y[f] += dual * step.y[f];
                double matched = 0.0, gain = 0.0, slack_products = 0.0;
                const float* overlap = programme.overlaps.data() + f * n_columns;
                for (std::size_t c = 0, at = f * n_columns; c < n_columns; ++c, ++at) {
                    z[at] += primal * step.z[at];
                    d[at] = ub[c] + y[f] - overlap[c];
                    vb[c] -= z[at];
                    matched += z[at];
                    gain += overlap[c] * z[at];
                    slack_products += z[at] * d[at];
                    sum.is_inside = sum.is_inside && z[at] > 0.0 && d[at] > 0.0;
                }
                s[f] = 1.0 - matched;
                sum.products += slack_products + s[f] * y[f];
                sum.prices += weight * y[f];
                sum.gain += weight * gain;
                sum.is_inside = sum.is_inside && s[f] > 0.0 && y[f] > 0.0;
            }
            for (std::size_t c = 0; c < n_columns; ++c) {
                sum.products += vb[c] * ub[c];
                sum.is_inside = sum.is_inside && vb[c] > 0.0 && ub[c] > 0.0;
            }
        });
        bool is_inside = true;
        double gain = 0.0;
        value = products = 0.0;
        for (const Sums& sum : sums) {
            products += sum.products;
            value += sum.prices;
            gain += sum.gain;
            is_inside = is_inside && sum.is_inside;
        }
        for (std::size_t c = 0; c < n_columns; ++c) {
            double earned = 0.0;
            for (const Sums& sum : sums) earned += sum.earned[c];
            value += programme.least[c] * (earned - programme.cost[c]);
            gain -= programme.cost[c] * (programme.least[c] + x[c]);
            r[c] = programme.is_free[c] ? programme.cost[c] - earned : 1.0;
            if (!programme.is_free[c]) continue;
            products += x[c] * r[c];
            is_inside = is_inside && x[c] > 0.0 && r[c] > 0.0;
        }
        gap = value - gain;
        return is_inside;
    }

    const Programme& programme;
    std::vector<double> x, r;  // (n_columns)
    std::vector<double> z, d;  // (n_features, n_columns)
    std::vector<double> u, v;  // (n_draws, n_columns)
    std::vector<double> y, s;  // (n_features)
    // The total of the prices less what columns that must be used cost; by how much it can exceed
    // the optimum; and the sum of all products.
    double value = 0.0, gap = 0.0, products = 0.0;
};

}  // namespace fangs
