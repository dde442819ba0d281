// An allocation, its optimal matching with every draw, and the exact worth of all single flips.
// Switching an entry on raises a draw's total overlap by 1 iff some optimal partner of the feature
// has the item; switching it off lowers it by 1 iff every optimal partner has it (and the feature
// cannot stay unmatched). One pass of optimal edges therefore prices all n*K flips at once.
// Draws whose matching cannot change for a while are passed over (firm.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment.hpp"
#include "edges.hpp"
#include "firm.hpp"
#include "matchings.hpp"

namespace fangs {

template <class T>
class Neighbourhood {
public:
    Neighbourhood(const Draws& draws, Allocation allocation, const Parallel& parallel)
        : draws_(draws),
          allocation_(std::move(allocation)),
          kept_(draws, allocation_.n_features()),
          firm_(draws.size(), allocation_) {
        loose_total_ = rematch(firm_.others(), parallel, solver());
    }

    // Overlaps of firm draws are written anew when they are needed.
    Neighbourhood(const Neighbourhood& other)
        : draws_(other.draws_),
          allocation_(other.allocation_),
          kept_(other.kept_, other.firm_.others()),
          firm_(other.firm_),
          loose_total_(other.loose_total_) {}

    [[nodiscard]] std::int64_t total_overlap() const noexcept {
        return firm_.total_overlap() + loose_total_;
    }
    [[nodiscard]] const Allocation& allocation() const noexcept { return allocation_; }

    [[nodiscard]] std::size_t n_firm() const { return firm_.size(); }

    // Bytes held beside the draws.
    [[nodiscard]] std::size_t bytes() const noexcept { return kept_.bytes() + firm_.bytes(); }

    // Flips these entries (each at most once) and repairs the matchings that may change.
    void flip(std::span<const Flip> flips, const Parallel& parallel) {
        std::vector<std::size_t> changed;
        bool is_birth = false;
        for (const auto& [item, feature] : flips) {
            is_birth |= !any(allocation_.feature(feature), allocation_.n_words());
            flip_bit(allocation_.feature(feature), item);
            changed.push_back(feature);
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        loose_total_ = rematch(firm_.others(), parallel, [&](Workbench<T>& bench, std::size_t b) {
            const T* weights = current_weights(bench, b, flips);
            if (changed.size() > allocation_.n_features() / 2) {
                bench.matching.solve(weights);  // cheaper than so many repairs
                return;
            }
            kept_.load(bench.matching, b);
            bench.matching.repair(weights, changed);
        });
        if (is_birth)
            loose_total_ += rematch(firm_.dismiss_all(), parallel, solver());
        else
            rematch_loosened(firm_.flip(flips, allocation_), parallel);
    }

    // For each entry the number of draws whose total overlap a flip of it would change: gained
    // where the entry is 0, lost where it is 1 // (n_items, n_features), all 0 before
    void changes(std::int64_t* values, const Parallel& parallel) {
        struct Worker {
            Workbench<T> bench;
            OptimalEdges<T> edges;
            Tally loose, firm;
            std::int64_t firm_overlap;
        };
        const std::size_t n_items = allocation_.n_items(), n_features = allocation_.n_features();
        Counts loose(n_features, n_items, values);
        Counts firm(firm_.is_tried() ? n_features : 0, n_items, firm_.counts());
        const std::vector<std::uint8_t> has_items = features_with_items();
        std::atomic<std::int64_t> firm_overlap{0};
        const auto is_admitted = [&](Worker& worker, std::size_t b, const T* weights) {
            auto& matching = worker.bench.matching;
            if (firmed(matching, weights, has_items, firm_.left(b)) <= 0) return false;
            firm_.admit(b);
            kept_.save(matching, b);
            worker.firm_overlap += matching.total();
            tally_firm(worker.bench, b, worker.firm);
            return true;
        };
        visit(
            firm_.others(), parallel,
            [&] {
                return Worker{Workbench<T>(draws_, allocation_), {}, Tally(loose), Tally(firm), 0};
            },
            [&](Worker& worker, std::size_t b) {
                auto& bench = worker.bench;
                bench.turn_to(b);
                bench.read(b);
                const T* weights = kept_.weights(b);
                if (weights == nullptr) weights = bench.weigh();
                kept_.load(bench.matching, b);
                if (firm_.is_tried() &&
                    firmness(bench.matching, weights, has_items, firm_.left(b)) > 0 &&
                    is_admitted(worker, b, weights))
                    return;
                worker.edges.find(bench.matching, weights);
                // Even if that fails and moves prices: of an only matching they decide no more.
                if (firm_.is_tried() && worker.edges.is_only_one() &&
                    is_admitted(worker, b, weights))
                    return;
                for (std::size_t r = 0; r < n_features; ++r)
                    find_movable(bench, worker.edges, r, worker.loose.row(r));
                worker.loose.add();
            },
            [&](Worker& worker) {
                worker.loose.pour();
                worker.firm.pour();
                firm_overlap += worker.firm_overlap;
            });
        firm_.add(firm_overlap);
        loose_total_ -= firm_overlap;
        for (std::size_t at = 0; at < firm_.n_counts(); ++at) values[at] += firm_.counts()[at];
    }

    // As align() does, to some of the features in some order; firm draws are matched already.
    void align_to(const std::vector<std::size_t>& features, std::int64_t* overlaps,
                  std::int64_t* values, const Parallel& parallel) const {
        const std::size_t n_items = allocation_.n_items(), n_words = allocation_.n_words();
        Allocation reference(n_items, features.size());
        for (std::size_t f = 0; f < features.size(); ++f)
            std::copy_n(allocation_.feature(features[f]), n_words, reference.feature(f));
        Counts counts(features.size(), n_items, values);
        align<T>(draws_, firm_.others(), reference, {overlaps, nullptr, &counts}, parallel);
        if (firm_.n_counts() == 0) return;
        for (std::size_t i = 0; i < n_items; ++i)
            for (std::size_t f = 0; f < features.size(); ++f)
                values[i * features.size() + f] +=
                    firm_.counts()[i * allocation_.n_features() + features[f]];
        struct Nothing {};
        const std::vector<std::size_t> firm = firm_.members();
        const double nanoseconds =
            5.0 * static_cast<double>(allocation_.n_features() * (1 + allocation_.n_words()));
        parallel_for(
            parallel, firm.size(), nanoseconds, [] { return Nothing{}; },
            [&](Nothing, std::size_t at) { overlaps[firm[at]] = overlap_as_matched(firm[at]); },
            [](Nothing) {});
    }

private:
    // The overlaps after these flips, kept ones updated in place.
    [[nodiscard]] const T* current_weights(Workbench<T>& bench, std::size_t b,
                                           std::span<const Flip> flips) {
        bench.turn_to(b);
        T* weights = kept_.weights(b);
        // Where more than a third of all words of the features changed, counting anew is cheaper.
        if (weights == nullptr ||
            3 * flips.size() > allocation_.n_features() * allocation_.n_words()) {
            bench.read(b);
            return bench.weigh(weights);
        }
        const std::size_t n_columns = bench.matching.columns.size, first = draws_.first_feature(b);
        for (const auto& [item, feature] : flips) {
            const T step = test_bit(allocation_.feature(feature), item) ? T{1} : T{-1};
            T* line = weights + feature * bench.matching.stride();
            for (std::size_t c = 0; c < n_columns; ++c)
                line[c] = static_cast<T>(line[c] + (draws_.has(first + c, item) ? step : T{0}));
        }
        return weights;
    }

    template <class MakeWorker, class Work, class Finish>
    void visit(const std::vector<std::size_t>& draws, const Parallel& parallel,
               MakeWorker&& make_worker, Work&& work, Finish&& finish) const {
        parallel_for(
            parallel, draws.size(), nanoseconds_per_draw(draws_, allocation_), make_worker,
            [&](auto& worker, std::size_t at) { work(worker, draws[at]); }, finish);
    }

    // Solves or repairs these draws, and adds up their overlaps.
    template <class Work>
    [[nodiscard]] std::int64_t rematch(const std::vector<std::size_t>& draws,
                                       const Parallel& parallel, Work&& work) {
        struct Worker {
            Workbench<T> bench;
            std::int64_t total;
        };
        std::atomic<std::int64_t> total{0};
        visit(
            draws, parallel, [&] { return Worker{Workbench<T>(draws_, allocation_), 0}; },
            [&](Worker& worker, std::size_t b) {
                work(worker.bench, b);
                kept_.save(worker.bench.matching, b);
                worker.total += worker.bench.matching.total();
            },
            [&](Worker& worker) { total += worker.total; });
        return total;
    }

    [[nodiscard]] auto solver() noexcept {
        return [this](Workbench<T>& bench, std::size_t b) {
            bench.turn_to(b);
            bench.read(b);
            bench.matching.solve(bench.weigh(kept_.weights(b)));
        };
    }

    // Looks whether draws are firm after all; else matches them anew, and what they added as firm
    // ones is taken away.
    void rematch_loosened(const std::vector<std::size_t>& draws, const Parallel& parallel) {
        if (draws.empty()) return;
        struct Worker {
            Workbench<T> bench;
            Tally tally;
            std::int64_t before, after;
        };
        std::vector<std::int64_t> values(firm_.n_counts(), 0);
        Counts counts(allocation_.n_features(), allocation_.n_items(), values.data());
        const std::vector<std::uint8_t> has_items = features_with_items();
        std::atomic<std::int64_t> before{0}, after{0};
        visit(
            draws, parallel,
            [&] { return Worker{Workbench<T>(draws_, allocation_), Tally(counts), 0, 0}; },
            [&](Worker& worker, std::size_t b) {
                auto& bench = worker.bench;
                bench.read(b);
                if (is_still_firm(bench, b)) {
                    firm_.admit(b);
                    return;
                }
                bench.turn_to(b);
                const T* weights = bench.weigh(kept_.weights(b));
                kept_.load(bench.matching, b);
                reprice(bench.matching, weights);
                if (firmed(bench.matching, weights, has_items, firm_.left(b)) > 0) {
                    firm_.admit(b);
                } else {
                    tally_firm(bench, b, worker.tally);
                    worker.before += overlap_as_matched(b);
                    bench.matching.solve(weights);
                    worker.after += bench.matching.total();
                }
                kept_.save(bench.matching, b);
            },
            [&](Worker& worker) {
                worker.tally.pour();
                before += worker.before;
                after += worker.after;
            });
        for (std::size_t at = 0; at < values.size(); ++at) firm_.counts()[at] -= values[at];
        firm_.add(-before);
        loose_total_ += after;
    }

    // Whether the features of a draw that was read which had all the flips they bear turn out to
    // bear more, at the prices kept; the other features need no look then.
    [[nodiscard]] bool is_still_firm(Workbench<T>& bench, std::size_t b) {
        const std::size_t n_columns = draws_.n_features(b);
        const T *mate = kept_.mates(b), *price = kept_.prices(b);
        T* left = firm_.left(b);
        for (std::size_t r = 0; r < allocation_.n_features(); ++r) {
            if (left[r] > 0) continue;
            const T* weights = bench.weigh_row(r, n_columns);
            int own = 0, other = 0;
            for (std::size_t c = 0; c < n_columns; ++c) {
                const int value = weights[c] - price[c];
                if (static_cast<T>(c) == mate[r])
                    own = value;
                else
                    other = std::max(other, value);
            }
            left[r] = static_cast<T>(own - other);
            if (left[r] <= 0) return false;
        }
        return true;
    }

    [[nodiscard]] std::vector<std::uint8_t> features_with_items() const {
        std::vector<std::uint8_t> has_items(allocation_.n_features());
        for (std::size_t r = 0; r < has_items.size(); ++r)
            has_items[r] = any(allocation_.feature(r), allocation_.n_words());
        return has_items;
    }

    // What a firm draw that was read adds: the partner of each feature; any free one for a feature
    // without items, and there are none where a feature with items is unmatched.
    void tally_firm(const Workbench<T>& bench, std::size_t b, Tally& tally) const {
        const std::size_t n_words = draws_.n_words(), n_rows = allocation_.n_features();
        const T* mate = kept_.mates(b);
        for (std::size_t r = 0; r < n_rows; ++r) {
            Word* row = tally.row(r);
            if (mate[r] != Matching<T>::none) {
                std::copy_n(bench.feature(static_cast<std::size_t>(mate[r])), n_words, row);
                continue;
            }
            std::fill_n(row, n_words, Word{0});
            for (std::size_t c = 0; c < draws_.n_features(b); ++c) {
                if (std::find(mate, mate + n_rows, static_cast<T>(c)) != mate + n_rows) continue;
                for (std::size_t w = 0; w < n_words; ++w) row[w] |= bench.feature(c)[w];
            }
        }
        tally.add();
    }

    // The overlap of a draw with the allocation as it is, by the matching it had.
    [[nodiscard]] std::int64_t overlap_as_matched(std::size_t b) const noexcept {
        std::int64_t shared = 0;
        for (std::size_t r = 0; r < allocation_.n_features(); ++r) {
            const T mate = kept_.mates(b)[r];
            if (mate == Matching<T>::none) continue;
            shared += n_shared(allocation_.feature(r), draws_,
                               draws_.first_feature(b) + static_cast<std::size_t>(mate));
        }
        return shared;
    }

    // The items whose flip in feature r changes this draw's overlap: of those absent, the ones
    // that any optimal partner has; of those present, the ones that all of them have.
    void find_movable(const Workbench<T>& bench, const OptimalEdges<T>& edges, std::size_t r,
                      Word* movable) const noexcept {
        const std::size_t n_words = draws_.n_words();
        const Word *present = allocation_.feature(r), *partners = edges.partners(r);
        if (edges.has_no_choice(r)) {
            std::copy_n(bench.feature(static_cast<std::size_t>(bench.matching.rows.mate[r])),
                        n_words, movable);
            return;
        }
        for (std::size_t w = 0; w < n_words; ++w) {
            Word in_any = 0, in_all = edges.may_be_unmatched(r) ? Word{0} : ~Word{0};
            for_each_bit(partners, edges.n_words(), [&](std::size_t c) {
                in_any |= bench.feature(c)[w];
                in_all &= bench.feature(c)[w];
            });
            movable[w] = (in_any & ~present[w]) | (in_all & present[w]);
        }
    }

    const Draws& draws_;
    Allocation allocation_;
    Matchings<T> kept_;
    FirmDraws<T> firm_;
    std::int64_t loose_total_ = 0;  // overlap of the draws that are not firm
};

}  // namespace fangs
