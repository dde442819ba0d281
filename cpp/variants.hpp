// Several variants of one allocation at once: for each of them the overlap of every draw, what is
// aligned to its features, and the worth of all its flips.
// Draws are matched to the allocation itself. Where prices prove that this stays the only optimal
// matching (firm.hpp), a variant takes no more than counting what is shared with the same partners;
// else the draw is matched to it anew. Per draw O(overlap + matching), and for each variant that or
// O(K * n / 64).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "alignment.hpp"
#include "edges.hpp"
#include "firm.hpp"
#include "movable.hpp"

namespace fangs {

struct Variant {
    Allocation allocation;            // with a feature without items at its end
    std::vector<std::size_t> origin;  // (n_features - 1), which of the reference each feature was
};

// All zero before; n_features without the empty one.
struct VariantOutput {
    std::int64_t* overlaps;  // (n_draws), total overlap of each draw
    std::int64_t* aligned;   // (n_items, n_features), draws whose aligned feature has the item
    std::int64_t* worth;     // (n_items, n_features + 1), as Neighbourhood::changes
    std::int64_t* n_anew;    // how many draws were matched anew; all others are as to the reference
};

template <class T>
class VariantPass {
public:
    // All are looked at, not copied. Every feature of the reference has an item.
    VariantPass(const Draws& draws, const Allocation& reference,
                const std::vector<Variant>& variants, const std::vector<VariantOutput>& out)
        : draws_(draws),
          reference_(reference),
          variants_(variants),
          out_(out),
          versions_(reference.n_features() * variants.size() * draws.n_words()),
          added_(reference.n_features() * variants.size()),
          common_values_(draws.n_items() * (reference.n_features() + 1), 0),
          common_(reference.n_features() + 1, draws.n_items(), common_values_.data()),
          n_anew_(variants.size()) {
        for (std::size_t v = 0; v < variants.size(); ++v) {
            note_versions(v);
            aligned_.emplace_back(reference.n_features(), draws.n_items(), out[v].aligned);
            worth_.emplace_back(reference.n_features() + 1, draws.n_items(), out[v].worth);
        }
    }

    void run(const Parallel& parallel) {
        const double share = 1.0 + 0.5 * static_cast<double>(variants_.size());
        parallel_for(
            parallel, draws_.size(), share * nanoseconds_per_draw(draws_, reference_),
            [&] { return make_worker(); }, [&](Worker& worker, std::size_t b) { visit(worker, b); },
            [&](Worker& worker) {
                for (std::size_t v = 0; v < variants_.size(); ++v) n_anew_[v] += worker.n_anew[v];
                worker.common.pour();
                for (Place& place : worker.places) {
                    place.aligned.pour();
                    place.worth.pour();
                }
            });
        for (std::size_t v = 0; v < variants_.size(); ++v) {
            add_common(v);
            *out_[v].n_anew = n_anew_[v];
        }
    }

private:
    // One variant's place on a worker's table.
    struct Place {
        Workbench<T> bench;
        Tally aligned, worth;
    };
    struct Worker {
        Workbench<T> bench;
        Tally common;
        std::vector<T> mates;                // (n_features)
        std::vector<const Word*> partners;   // (n_features), their item sets
        std::vector<T> shared;               // (n_features, n_variants)
        std::vector<std::int32_t> overlaps;  // (n_variants)
        std::vector<T> doubts;               // (n_variants)
        std::vector<bool> stays;  // (n_variants), whether the draw at hand is matched as it is
        std::vector<std::int64_t> n_anew;  // (n_variants)
        std::vector<T> weights = {};       // (n_features, stride)
        std::vector<Place> places = {};    // (n_variants), once some draw is not
        OptimalEdges<T> edges = {};
        EvenPrices<T> prices = {};
    };

    [[nodiscard]] Worker make_worker() {
        const std::size_t n_features = reference_.n_features(), n_variants = variants_.size();
        return {Workbench<T>(draws_, reference_),
                Tally(common_),
                std::vector<T>(n_features),
                std::vector<const Word*>(n_features),
                std::vector<T>(n_features * n_variants),
                std::vector<std::int32_t>(n_variants),
                std::vector<T>(n_variants),
                std::vector<bool>(n_variants),
                std::vector<std::int64_t>(n_variants)};
    }

    void make_places(Worker& worker) {
        for (std::size_t v = 0; v < variants_.size(); ++v)
            worker.places.push_back({Workbench<T>(draws_, variants_[v].allocation),
                                     Tally(aligned_[v]), Tally(worth_[v])});
    }

    void visit(Worker& worker, std::size_t b) {
        auto& bench = worker.bench;
        const bool is_firm = is_firm_draw(worker, b);
        if (is_firm) count_shared(worker);
        bool all_stay = true;
        for (std::size_t v = 0; v < variants_.size(); ++v) {
            worker.stays[v] = is_firm && (worker.doubts[v] == 0 || still_holds(worker, v));
            all_stay &= worker.stays[v];
        }
        if (all_stay) {
            put_partners(bench, bench.matching.rows.mate, worker.common);
            put_free(bench, worker.common);
            worker.common.add();
        } else if (worker.places.empty()) {
            make_places(worker);
        }
        for (std::size_t v = 0; v < variants_.size(); ++v) {
            const bool stays = worker.stays[v];
            out_[v].overlaps[b] = stays ? worker.overlaps[v] : match_anew(worker, v, b);
            if (stays && !all_stay) tally_as_matched(worker, v);
            worker.n_anew[v] += stays ? 0 : 1;
        }
    }

    // Matches the draw to the reference; whether that is proved to be the only optimal matching.
    [[nodiscard]] bool is_firm_draw(Worker& worker, std::size_t b) const {
        const std::size_t n_features = reference_.n_features();
        if (n_features > max_firm_features || n_features > draws_.n_features(b)) return false;
        auto& bench = worker.bench;
        bench.turn_to(b);
        bench.read(b);
        const T* weights = bench.weigh();
        bench.matching.solve(weights);
        const auto& mates = bench.matching.rows.mate;
        std::copy_n(mates.begin(), n_features, worker.mates.begin());
        const bool all_matched =
            std::ranges::find(worker.mates, Matching<T>::none) == worker.mates.end();
        return all_matched && worker.prices.prove(weights, bench.matching.stride(), worker.mates);
    }

    // What the features of all variants share with the partners that the reference has, and whether
    // the prices as they are leave it in doubt that they stay the only best ones. They do not where
    // a feature is ahead of the others even if these have gained all that is new in it.
    void count_shared(Worker& worker) const {
        const std::size_t n_variants = variants_.size(), n_features = reference_.n_features();
        for (std::size_t r = 0; r < n_features; ++r)
            worker.partners[r] = worker.bench.feature(static_cast<std::size_t>(worker.mates[r]));
        n_shared_in_groups<T>(versions_.data(), n_variants, worker.partners, draws_.n_words(),
                              worker.shared.data());
        std::int32_t* overlaps = worker.overlaps.data();
        T* doubts = worker.doubts.data();
        std::fill_n(overlaps, n_variants, 0);
        std::fill_n(doubts, n_variants, T{0});
        for (std::size_t r = 0; r < n_features; ++r) {
            const T limit = worker.prices.not_enough(r, static_cast<std::size_t>(worker.mates[r]));
            const T *shared = worker.shared.data() + r * n_variants,
                    *added = added_.data() + r * n_variants;
            for (std::size_t v = 0; v < n_variants; ++v) {
                overlaps[v] += shared[v];
                doubts[v] |= static_cast<T>(shared[v] <= static_cast<T>(limit + added[v]));
            }
        }
    }

    // Whether the draw is proved to stay matched to a variant as it is, by prices of its own.
    [[nodiscard]] bool still_holds(Worker& worker, std::size_t v) const {
        const auto& [allocation, origin] = variants_[v];
        const auto& matching = worker.bench.matching;
        worker.weights.resize(origin.size() * matching.stride());
        std::fill(worker.weights.begin(), worker.weights.end(), T{0});
        n_shared<T>({allocation.feature(0), origin.size(), draws_.n_words()},
                    {worker.bench.feature(0), matching.columns.size, draws_.n_words()},
                    matching.stride(), worker.weights.data());
        for (std::size_t f = 0; f < origin.size(); ++f)
            worker.mates[f] = matching.rows.mate[origin[f]];
        return worker.prices.hold(worker.weights.data(), matching.stride(), worker.mates);
    }

    void tally_as_matched(Worker& worker, std::size_t v) const {
        const auto& bench = worker.bench;
        Place& place = worker.places[v];
        for (std::size_t f = 0; f < reference_.n_features(); ++f)
            worker.mates[f] = bench.matching.rows.mate[variants_[v].origin[f]];
        put_partners(bench, worker.mates, place.aligned);
        put_partners(bench, worker.mates, place.worth);
        put_free(bench, place.worth);
        place.aligned.add();
        place.worth.add();
    }

    // Gives the draw's total overlap.
    std::int64_t match_anew(Worker& worker, std::size_t v, std::size_t b) const {
        const Allocation& allocation = variants_[v].allocation;
        Place& place = worker.places[v];
        auto& bench = place.bench;
        bench.turn_to(b);
        bench.read(b);
        const T* weights = bench.weigh();
        bench.matching.solve(weights);
        put_partners(bench, bench.matching.rows.mate, place.aligned);
        place.aligned.add();
        worker.edges.find(bench.matching, weights);
        for (std::size_t f = 0; f < allocation.n_features(); ++f)
            find_movable(bench, worker.edges, f, allocation.feature(f), allocation.n_words(),
                         place.worth.row(f));
        place.worth.add();
        return bench.matching.total();
    }

    // The items of the partner of each feature.
    void put_partners(const Workbench<T>& bench, const std::vector<T>& mates, Tally& tally) const {
        const std::size_t n_words = draws_.n_words();
        for (std::size_t r = 0; r < reference_.n_features(); ++r)
            if (mates[r] == Matching<T>::none)
                std::fill_n(tally.row(r), n_words, Word{0});
            else
                std::copy_n(bench.feature(static_cast<std::size_t>(mates[r])), n_words,
                            tally.row(r));
    }

    // The items that some unmatched feature of the draw has: what the birth of one may begin with.
    void put_free(const Workbench<T>& bench, Tally& tally) const {
        const auto& columns = bench.matching.columns;
        Word* row = tally.row(reference_.n_features());
        std::fill_n(row, draws_.n_words(), Word{0});
        for (std::size_t c = 0; c < columns.size; ++c)
            if (columns.mate[c] == Matching<T>::none)
                for (std::size_t w = 0; w < draws_.n_words(); ++w) row[w] |= bench.feature(c)[w];
    }

    // What draws that stay matched to all variants add.
    void add_common(std::size_t v) {
        const std::size_t n_features = reference_.n_features();
        const std::vector<std::size_t>& origin = variants_[v].origin;
        const std::int64_t* common = common_values_.data();
        std::int64_t *aligned = out_[v].aligned, *worth = out_[v].worth;
        for (std::size_t i = 0; i < draws_.n_items(); ++i) {
            for (std::size_t f = 0; f < n_features; ++f) {
                *aligned++ += common[origin[f]];
                *worth++ += common[origin[f]];
            }
            *worth++ += common[n_features];
            common += n_features + 1;
        }
    }

    void note_versions(std::size_t v) {
        const auto& [allocation, origin] = variants_[v];
        const std::size_t n_words = reference_.n_words();
        for (std::size_t f = 0; f < origin.size(); ++f) {
            const Word *before = reference_.feature(origin[f]), *now = allocation.feature(f);
            const std::size_t at = origin[f] * variants_.size() + v;
            std::copy_n(now, n_words, versions_.data() + at * n_words);
            int added = 0;
            for (std::size_t w = 0; w < n_words; ++w) added += std::popcount(now[w] & ~before[w]);
            added_[at] = static_cast<T>(added);
        }
    }

    const Draws& draws_;
    const Allocation& reference_;
    const std::vector<Variant>& variants_;
    const std::vector<VariantOutput>& out_;
    std::vector<Word> versions_;  // (n_features, n_variants, n_words), of the reference's features
    std::vector<T> added_;        // (n_features, n_variants), items that the reference has not
    std::vector<std::int64_t> common_values_;  // (n_items, n_features + 1)
    Counts common_;
    std::vector<std::atomic<std::int64_t>> n_anew_;  // (n_variants)
    std::deque<Counts> aligned_, worth_;
};

}  // namespace fangs
