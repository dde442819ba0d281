// The Newton system of a point: all but the multiplicities are eliminated draw by draw.
// docs/theory-bounds.md, "The linear programme"; Mehrotra 1992, doi:10.1137/0802028.
// O(columns^2 * features) to factorise, O(columns * features) per direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "bounds/columns/programme_point.hpp"

namespace fangs {

// Four sums at a time, which compilers vectorise, with the same bits.
[[nodiscard]] inline double dot(const double* x, const double* y, std::size_t n) noexcept {
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += x[i + lane] * y[i + lane];
    for (; i < n; ++i) sums[0] += x[i] * y[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Cholesky factor of a symmetric matrix, in its lower triangle; false if it is not positive.
[[nodiscard]] inline bool factorise(double* matrix, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const double left = matrix[i * n + j] - dot(matrix + i * n, matrix + j * n, j);
            if (j < i)
                matrix[i * n + j] = left / matrix[j * n + j];
            else if (left > 0.0)
                matrix[i * n + i] = std::sqrt(left);
            else
                return false;
        }
    return true;
}

inline void solve_factorised(const double* factor, std::size_t n, double* right) noexcept {
    for (std::size_t i = 0; i < n; ++i)
        right[i] = (right[i] - dot(factor + i * n, right, i)) / factor[i * n + i];
    for (std::size_t i = n; i-- > 0;) {
        right[i] /= factor[i * n + i];
        for (std::size_t j = 0; j < i; ++j) right[j] -= factor[i * n + j] * right[i];
    }
}

// What a whole step does: the largest share of a variable that it takes away, and the change of the
// sum of all products, which is bilinear in how far the two kinds of variables go.
struct StepEffect {
    double primal = 0.0, dual = 0.0;
    double by_primal = 0.0, by_dual = 0.0, by_both = 0.0;

    void add(double x, double dx, double y, double dy) noexcept {
        if (-dx > primal * x) primal = -dx / x;
        if (-dy > dual * y) dual = -dy / y;
        by_primal += dx * y;
        by_dual += x * dy;
        by_both += dx * dy;
    }
    void add(const StepEffect& other) noexcept {
        primal = std::max(primal, other.primal);
        dual = std::max(dual, other.dual);
        by_primal += other.by_primal;
        by_dual += other.by_dual;
        by_both += other.by_both;
    }
};

class ProgrammeNewton {
public:
    explicit ProgrammeNewton(const Programme& programme)
        : programme_(programme),
          ratio_(programme.n_features() * programme.n_columns),
          u_weight_(programme.n_draws() * programme.n_columns),
          first_inner_(programme.n_draws() + 1),
          outer_(programme.n_columns * programme.n_columns) {
        for (std::size_t b = 0; b < programme.n_draws(); ++b) {
            const std::size_t n = programme.first[b + 1] - programme.first[b];
            first_inner_[b + 1] = first_inner_[b] + n * n;
        }
        inner_.resize(first_inner_.back());
        workspaces_.resize(programme.n_blocks());
    }

    // Factorises the system at a point; false where rounding errors allow no more.
    [[nodiscard]] bool load(const ProgrammePoint& at) {
        const std::size_t n_columns = programme_.n_columns;
        for (Workspace& own : workspaces_) {
            own.outer.assign(n_columns * n_columns, 0.0);
            own.is_positive = true;
        }
        programme_.over_draws(
            [&](std::size_t b, std::size_t block) { eliminate(at, b, workspaces_[block]); });
        std::fill(outer_.begin(), outer_.end(), 0.0);
        for (const Workspace& own : workspaces_) {
            if (!own.is_positive) return false;
            for (std::size_t i = 0; i < outer_.size(); ++i) outer_[i] += own.outer[i];
        }
        for (std::size_t c = 0; c < n_columns; ++c) {
            if (programme_.is_free[c]) {
                outer_[c * n_columns + c] += at.r[c] / at.x[c];
                continue;
            }
            for (std::size_t other = 0; other < n_columns; ++other)
                outer_[c * n_columns + other] = outer_[other * n_columns + c] = 0.0;
            outer_[c * n_columns + c] = 1.0;
        }
        return factorise(outer_.data(), n_columns);
    }

    // Turns a step into the one after which all products are `goal`, to second order in the step
    // that is given.
    StepEffect direct(const ProgrammePoint& at, double goal, ProgrammeStep& step) {
        const std::size_t n_columns = programme_.n_columns;
        clear_sums();
        programme_.over_draws([&](std::size_t b, std::size_t block) {
            set_goals(at, goal, b, step);
            eliminate_goals(b, step, nullptr, workspaces_[block]);
        });
        std::vector<double> dx(n_columns);
        for (std::size_t c = 0; c < n_columns; ++c) {
            if (!programme_.is_free[c]) continue;
            dx[c] = (goal - at.x[c] * at.r[c] - step.x[c] * step.r[c]) / at.x[c];
            for (const Workspace& own : workspaces_) dx[c] += own.earned[c];
        }
        solve_factorised(outer_.data(), n_columns, dx.data());
        step.x = dx;
        clear_sums();
        programme_.over_draws([&](std::size_t b, std::size_t block) {
            eliminate_goals(b, step, dx.data(), workspaces_[block]);
            finish(at, b, step, workspaces_[block]);
        });
        StepEffect effect;
        for (const Workspace& own : workspaces_) effect.add(own.effect);
        for (std::size_t c = 0; c < n_columns; ++c) {
            step.r[c] = 0.0;
            if (!programme_.is_free[c]) continue;
            for (const Workspace& own : workspaces_) step.r[c] -= own.earned[c];
            effect.add(at.x[c], step.x[c], at.r[c], step.r[c]);
        }
        return effect;
    }

private:
    // What the draws of one block need and add up.
    struct Workspace {
        std::vector<double> outer, rows, earned, of_u, y, u;
        StepEffect effect;
        bool is_positive = true;
    };

    [[nodiscard]] std::size_t n_features(std::size_t b) const noexcept {
        return programme_.first[b + 1] - programme_.first[b];
    }

    void clear_sums() {
        for (Workspace& own : workspaces_) {
            own.earned.assign(programme_.n_columns, 0.0);
            own.effect = StepEffect{};
        }
    }

    void eliminate(const ProgrammePoint& at, std::size_t b, Workspace& own) {
        const std::size_t n_columns = programme_.n_columns, n = n_features(b);
        const std::size_t start = programme_.first[b] * n_columns;
        double* ratio = ratio_.data() + start;
        double* u_weight = u_weight_.data() + b * n_columns;
        double* inner = inner_.data() + first_inner_[b];
        for (std::size_t c = 0; c < n_columns; ++c)
            u_weight[c] = at.v[b * n_columns + c] / at.u[b * n_columns + c];
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t c = 0, i = k * n_columns; c < n_columns; ++c, ++i) {
                ratio[i] = at.z[start + i] / at.d[start + i];
                u_weight[c] += ratio[i];
            }
        own.rows.resize(n * n_columns);
        double* rows = own.rows.data();
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t f = programme_.first[b] + k;
            double weight = at.s[f] / at.y[f];
            for (std::size_t c = 0, i = k * n_columns; c < n_columns; ++c, ++i) {
                rows[i] = ratio[i] / u_weight[c];
                weight += ratio[i];
            }
            for (std::size_t j = 0; j <= k; ++j)
                inner[k * n + j] = -dot(rows + k * n_columns, ratio + j * n_columns, n_columns);
            inner[k * n + k] += weight;
        }
        if (!factorise(inner, n)) {
            own.is_positive = false;
            return;
        }
        // rows become the factor's inverse times rows, so that their squares add to the system.
        const double root = std::sqrt(programme_.weights[b]);
        for (std::size_t k = 0; k < n; ++k) {
            double* row = rows + k * n_columns;
            for (std::size_t j = 0; j < k; ++j) {
                const double by = inner[k * n + j];
                for (std::size_t c = 0; c < n_columns; ++c) row[c] -= by * rows[j * n_columns + c];
            }
            for (std::size_t c = 0; c < n_columns; ++c) row[c] /= inner[k * n + k];
        }
        for (std::size_t i = 0; i < n * n_columns; ++i) rows[i] *= root;
        for (std::size_t c = 0; c < n_columns; ++c)
            own.outer[c * n_columns + c] += programme_.weights[b] / u_weight[c];
        add_squares(rows, n, own.outer.data());
    }

    // outer += rows' rows, in the lower triangle; two rows at a time save half of the stores.
    void add_squares(const double* rows, std::size_t n, double* outer) const noexcept {
        const std::size_t n_columns = programme_.n_columns;
        std::size_t k = 0;
        for (; k + 2 <= n; k += 2) {
            const double *x = rows + k * n_columns, *y = x + n_columns;
            for (std::size_t i = 0; i < n_columns; ++i) {
                const double xi = x[i], yi = y[i];
                double* line = outer + i * n_columns;
                for (std::size_t j = 0; j <= i; ++j) line[j] += xi * x[j] + yi * y[j];
            }
        }
        for (; k < n; ++k) {
            const double* x = rows + k * n_columns;
            for (std::size_t i = 0; i < n_columns; ++i)
                for (std::size_t j = 0; j <= i; ++j) outer[i * n_columns + j] += x[i] * x[j];
        }
    }

    // The right-hand sides of a draw, in the places of the step.
    void set_goals(const ProgrammePoint& at, double goal, std::size_t b,
                   ProgrammeStep& step) const {
        const std::size_t n_columns = programme_.n_columns, place = b * n_columns;
        double *u = step.u.data() + place, *v = step.v.data() + place;
        for (std::size_t c = 0; c < n_columns; ++c)
            v[c] = (goal - at.v[place + c] * at.u[place + c] - v[c] * u[c]) / at.u[place + c];
        for (std::size_t f = programme_.first[b]; f < programme_.first[b + 1]; ++f) {
            const double dy = step.y[f];
            double of_y = (goal - at.s[f] * at.y[f] - step.s[f] * dy) / at.y[f];
            for (std::size_t c = 0, i = f * n_columns; c < n_columns; ++c, ++i) {
                step.z[i] = (goal - step.z[i] * (u[c] + dy)) / at.d[i] - at.z[i];
                v[c] += step.z[i];
                of_y += step.z[i];
            }
            step.y[f] = of_y;
        }
        std::copy_n(v, n_columns, u);
    }

    // The changes of y and u of a draw that the right-hand sides give, for given changes of x.
    void eliminate_goals(std::size_t b, const ProgrammeStep& step, const double* dx,
                         Workspace& own) const {
        const std::size_t n_columns = programme_.n_columns, n = n_features(b);
        const double* ratio = ratio_.data() + programme_.first[b] * n_columns;
        const double* u_weight = u_weight_.data() + b * n_columns;
        own.of_u.resize(n_columns);
        own.y.resize(n);
        own.u.resize(n_columns);
        for (std::size_t c = 0; c < n_columns; ++c) {
            own.of_u[c] = step.u[b * n_columns + c] - (dx == nullptr ? 0.0 : dx[c]);
            own.u[c] = own.of_u[c] / u_weight[c];
        }
        for (std::size_t k = 0; k < n; ++k)
            own.y[k] = step.y[programme_.first[b] + k] -
                       dot(ratio + k * n_columns, own.u.data(), n_columns);
        solve_factorised(inner_.data() + first_inner_[b], n, own.y.data());
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t c = 0; c < n_columns; ++c)
                own.of_u[c] -= ratio[k * n_columns + c] * own.y[k];
        for (std::size_t c = 0; c < n_columns; ++c) {
            own.u[c] = own.of_u[c] / u_weight[c];
            own.earned[c] += programme_.weights[b] * own.u[c];
        }
    }

    void finish(const ProgrammePoint& at, std::size_t b, ProgrammeStep& step,
                Workspace& own) const {
        const std::size_t n_columns = programme_.n_columns, place = b * n_columns;
        StepEffect effect = own.effect;
        double *u = step.u.data() + place, *v = step.v.data() + place;
        for (std::size_t c = 0; c < n_columns; ++c) {
            u[c] = own.u[c];
            v[c] = step.x[c];
        }
        for (std::size_t k = 0; k < own.y.size(); ++k) {
            const std::size_t f = programme_.first[b] + k;
            step.y[f] = own.y[k];
            step.s[f] = 0.0;
            for (std::size_t c = 0, i = f * n_columns; c < n_columns; ++c, ++i) {
                const double dd = u[c] + own.y[k];
                step.z[i] -= ratio_[i] * dd;
                v[c] -= step.z[i];
                step.s[f] -= step.z[i];
                effect.add(at.z[i], step.z[i], at.d[i], dd);
            }
            effect.add(at.s[f], step.s[f], at.y[f], step.y[f]);
        }
        for (std::size_t c = 0; c < n_columns; ++c)
            effect.add(at.v[place + c], v[c], at.u[place + c], u[c]);
        own.effect = effect;
    }

    const Programme& programme_;
    std::vector<double> ratio_;             // (n_features, n_columns), z / d
    std::vector<double> u_weight_;          // (n_draws, n_columns)
    std::vector<std::size_t> first_inner_;  // (n_draws + 1), into inner_
    std::vector<double> inner_;             // a factor per draw
    std::vector<double> outer_;             // (n_columns, n_columns), a factor
    std::vector<Workspace> workspaces_;     // (n_blocks)
};

}  // namespace fangs
