// Solves the linear programme of estimation over given columns by an interior point method.
// Stops inside the set of good prices, not at a vertex of it: such prices leave slack for most
// columns, which keeps the proof short. Mehrotra 1992, doi:10.1137/0802028; around 30 steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "bounds/columns/programme_newton.hpp"
#include "bounds/columns/programme_point.hpp"

namespace fangs {

// When the solver stops.
struct ProgrammeLimits {
    double tolerance;  // gap that is small enough
    double enough;     // prices whose value is at most this are good enough
};

struct ProgrammeSolution {
    std::vector<double> multiplicities;  // (n_columns)
    std::vector<double> prices;          // (n_features)
    double value, gap;                   // the optimum is between value - gap and value
};

// Throws OutOfTime where there is no time even for a first solution.
[[nodiscard]] inline ProgrammeSolution solve_programme(const Programme& programme,
                                                       const ProgrammeLimits& limits) {
    constexpr int max_steps = 100, patience = 5;  // steps in all, and steps without a smaller gap
    constexpr double most_of_the_way = 0.99, least_centring = 1e-4;
    ProgrammePoint point(programme);
    ProgrammeStep step(programme);
    ProgrammeNewton newton(programme);
    ProgrammeSolution best;
    const auto keep = [&] {
        best = {point.x, point.y, programme.unit * point.value, programme.unit * point.gap};
        for (std::size_t c = 0; c < programme.n_columns; ++c)
            best.multiplicities[c] += programme.least[c];
    };
    keep();
    const double n_products =
        static_cast<double>(point.z.size() + point.u.size() + point.y.size() +
                            static_cast<std::size_t>(std::count(programme.is_free.begin(),
                                                                programme.is_free.end(), true)));
    try {
        for (int n_steps = 0, without_gain = 0; n_steps < max_steps && without_gain < patience;
             ++n_steps) {
            if (best.gap <= limits.tolerance || best.value <= limits.enough) break;
            programme.parallel.ask();
            if (!newton.load(point)) break;  // rounding errors allow no more
            step = ProgrammeStep(programme);
            const StepEffect ahead = newton.direct(point, 0.0, step);
            const double primal = 1.0 / std::max(ahead.primal, 1.0);
            const double dual = 1.0 / std::max(ahead.dual, 1.0);
            const double left = point.products + primal * ahead.by_primal + dual * ahead.by_dual +
                                primal * dual * ahead.by_both;
            const double share = std::max(std::pow(left / point.products, 3.0), least_centring);
            const StepEffect effect =
                newton.direct(point, share * point.products / n_products, step);
            const bool is_inside =
                point.move(step, std::min(1.0, most_of_the_way / std::max(effect.primal, 0.1)),
                           std::min(1.0, most_of_the_way / std::max(effect.dual, 0.1)));
            if (!is_inside || !std::isfinite(point.gap)) break;
            ++without_gain;
            if (programme.unit * point.gap < best.gap) {
                keep();
                without_gain = 0;
            }
        }
    } catch (const OutOfTime&) {
        return best;  // so far
    }
    return best;
}

}  // namespace fangs
