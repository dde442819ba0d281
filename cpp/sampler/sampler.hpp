// Collapsed Gibbs sampler of the linear-Gaussian feature model under an IBP or AIBD prior.
// Griffiths and Ghahramani 2011; slice sampling of the scales (Neal 2003); alpha is conjugate.
// O(n K (K + D)) per sweep, and O(n^2 K) more for the AIBD.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sampler/feature_prior.hpp"
#include "sampler/linear_gaussian.hpp"
#include "sampler/random.hpp"

namespace fangs {

// A positive number with a Gamma(shape, rate) prior, or fixed at its value if shape is 0.
struct Positive {
    double value = 1.0;
    double shape = 0.0;
    double rate = 0.0;
    [[nodiscard]] bool sampled() const noexcept { return shape > 0.0; }
};

// A sweep visits each item: its bits in random order, each given all else; then the number of
// features that it has alone, from the exact conditional. Then alpha and the scales are updated.
class GibbsSampler {
public:
    static constexpr std::size_t most_features = 4096;

    GibbsSampler(LinearGaussian model, FeaturePrior prior, Positive alpha, Positive sigma_x,
                 Positive sigma_a, const std::array<std::uint64_t, 4>& state)
        : model_(std::move(model)),
          prior_(std::move(prior)),
          alpha_(alpha),
          sigma_x_(sigma_x),
          sigma_a_(sigma_a),
          random_(state) {
        for (std::size_t i = 1; i <= model_.n_items(); ++i)
            harmonic_ += 1.0 / static_cast<double>(i);
        start();
    }

    [[nodiscard]] const LinearGaussian& model() const noexcept { return model_; }
    [[nodiscard]] double alpha() const noexcept { return alpha_.value; }
    [[nodiscard]] double log_likelihood() {
        model_.gather(model_.n_items());
        return model_.log_likelihood(model_.sigma_x(), model_.sigma_a());
    }
    void set_data(std::span<const double> data) {
        model_.set_data(data);
        start();
    }

    // Runs whole sweeps. Returns false if `stop` was raised: then the last sweep is incomplete and
    // the state must be discarded.
    bool run(std::size_t n_sweeps, const std::atomic<bool>& stop) {
        for (std::size_t s = 0; s < n_sweeps; ++s) {
            start();
            for (std::size_t i = 0; i < model_.n_items(); ++i) {
                if (stop.load(std::memory_order_relaxed)) return false;
                if (i % refresh_every == refresh_every - 1) model_.refresh(model_.n_items());
                update_item(i);
            }
            update_alpha();
            update_scales();
        }
        return true;
    }

    // For tests: the conditionals of item i, without the features that it has alone. The state
    // stays the same up to the order of its columns.
    struct Conditionals {
        std::vector<std::uint8_t> matrix;  // (n, K): without the features i has alone
        std::vector<double> log_odds;      // (K): of each bit given all else
        std::vector<double> singles;       // probability of 0, 1, ... features of its own
        std::size_t n_singles;             // current number of features of its own
    };
    [[nodiscard]] Conditionals conditionals(std::size_t i) {
        Conditionals result;
        result.n_singles = open(i);
        for (std::size_t k = 0; k < model_.n_features(); ++k)
            result.log_odds.push_back(log_odds(k, i, result.n_singles));
        for (std::size_t row = 0; row < model_.n_items(); ++row)
            for (std::size_t k = 0; k < model_.n_features(); ++k)
                result.matrix.push_back(model_.matrix()[row * model_.stride() + k]);
        set_singles_weights(i);
        const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
        for (const double w : weights_) result.singles.push_back(w / total);
        close(i, result.n_singles);
        return result;
    }

private:
    static constexpr std::size_t refresh_every = 128;  // items between fresh factors

    void start() {
        model_.refresh(model_.n_items());
        prior_.assign(model_.matrix(), model_.stride(), model_.n_features());
    }

    std::size_t open(std::size_t i) {
        return model_.open(i, [this](std::size_t k) { prior_.drop(k); });
    }

    void close(std::size_t i, std::size_t singles) {
        if (model_.n_features() + singles > most_features)
            throw std::runtime_error(
                "the sampler reached more than 4096 features; sigma_x or sigma_a does not fit the "
                "scale of the data, or alpha is very large");
        for (std::size_t s = 0; s < singles; ++s) {
            prior_.append();
            prior_.set(model_.n_features() + s, i, true);
        }
        model_.close(singles);
    }

    [[nodiscard]] double log_odds(std::size_t k, std::size_t i, std::size_t singles) const {
        const double gain = model_.gain_of_switch(k, singles);
        return prior_.log_odds(k, i, model_.others(k)) + (model_.has(k) ? -gain : gain);
    }

    void update_item(std::size_t i) {
        // Features that i has alone stay in the model while its other bits are drawn: without them
        // those bits would come from another distribution.
        const std::size_t singles = open(i);
        // The order must be random: new features come last, so a fixed scan would depend on their
        // ages.
        scan_.resize(model_.n_features());
        std::iota(scan_.begin(), scan_.end(), std::size_t{0});
        for (std::size_t left = scan_.size(); left > 0; --left) {
            std::swap(scan_[left - 1], scan_[random_.below(left)]);
            const std::size_t k = scan_[left - 1];
            const bool one =
                random_.uniform() * (1.0 + portable_exp(-log_odds(k, i, singles))) < 1.0;
            if (one != model_.has(k)) {
                model_.switch_bit(k);
                prior_.set(k, i, one);
            }
        }
        set_singles_weights(i);
        double left = random_.uniform() * std::accumulate(weights_.begin(), weights_.end(), 0.0);
        std::size_t fresh = 0;
        while (fresh + 1 < weights_.size() && left >= weights_[fresh]) left -= weights_[fresh++];
        close(i, fresh);
    }

    // weights[s] is proportional to Poisson(s; alpha f) p(x_i | s features of its own), where f is
    // the prior mass of the feature {i}: 1/n for the IBP; for the AIBD 1/position times the
    // probability that every later item declines it.
    // As s grows the density is at most v_s^(-D/2), falling, so once s + 1 > 2 rate the rest sums
    // to less than twice rate^(s+1)/(s+1)! v_s^(-D/2); we stop when that is negligible.
    void set_singles_weights(std::size_t i) {
        const double rate = alpha_.value * prior_.singleton(i);
        const double log_rate = portable_log(rate);
        const double d = static_cast<double>(model_.n_dims());
        weights_.clear();
        double log_poisson = 0.0, largest = -std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s <= most_features; ++s) {
            const double log_weight = log_poisson + model_.log_density(s);
            weights_.push_back(log_weight);
            largest = std::max(largest, log_weight);
            const double next = static_cast<double>(s + 1);
            log_poisson += log_rate - portable_log(next);
            const double bound = log_poisson - 0.5 * d * portable_log(model_.variance(s));
            if (next > 2.0 * rate && bound < largest - 42.0) break;
        }
        for (double& w : weights_) w = portable_exp(w - largest);
    }

    void update_alpha() noexcept {
        if (!alpha_.sampled()) return;
        const double shape = alpha_.shape + static_cast<double>(model_.n_features());
        alpha_.value = random_.gamma(shape) / (alpha_.rate + harmonic_);
    }

    void update_scales() {
        if (!sigma_x_.sampled() && !sigma_a_.sampled()) return;
        model_.gather(model_.n_items());
        if (sigma_x_.sampled())
            slice(sigma_x_, [this](double s) { return scale_likelihood(s, sigma_a_.value); });
        if (sigma_a_.sampled())
            slice(sigma_a_, [this](double s) { return scale_likelihood(sigma_x_.value, s); });
        model_.set_scales(sigma_x_.value, sigma_a_.value);
    }

    // Beyond a ratio of a million the Gram matrix of repeated features is singular in doubles.
    [[nodiscard]] double scale_likelihood(double sigma_x, double sigma_a) {
        if (!(sigma_x > 1e-6 * sigma_a)) return -std::numeric_limits<double>::infinity();
        return model_.log_likelihood(sigma_x, sigma_a);
    }

    // One slice-sampling step on the logarithm, stepping out by one and shrinking.
    template <class LogLikelihood>
    void slice(Positive& scale, LogLikelihood&& log_likelihood) {
        const auto height = [&](double log_value) {
            const double value = portable_exp(log_value);
            return scale.shape * log_value - scale.rate * value + log_likelihood(value);
        };
        const double now = portable_log(scale.value);
        const double level = height(now) - random_.exponential();
        double low = now - random_.uniform(), high = low + 1.0;
        while (height(low) > level) low -= 1.0;
        while (height(high) > level) high += 1.0;
        for (;;) {
            const double candidate = low + random_.uniform() * (high - low);
            if (height(candidate) > level) {
                scale.value = portable_exp(candidate);
                return;
            }
            (candidate < now ? low : high) = candidate;
            if (!(high - low > 1e-12)) return;  // only `now` itself reaches the level: stay
        }
    }

    LinearGaussian model_;
    FeaturePrior prior_;
    Positive alpha_, sigma_x_, sigma_a_;
    Random random_;
    double harmonic_ = 0.0;
    std::vector<std::size_t> scan_;
    std::vector<double> weights_;
};

}  // namespace fangs
