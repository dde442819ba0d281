// Several variants of one allocation at once: for each of them the overlap of every draw, what is
// aligned to its features, and the worth of all its flips.
// Draws are matched to the allocation itself. Where prices prove that this stays the only optimal
// matching (firm.hpp), a variant takes no more than counting what is shared; else the draw is
// matched to it anew. Per draw O(overlap + matching), and for each variant that or O(K * n / 64).
#pragma once

#include <algorithm>
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
struct Priced {
    std::int64_t* overlaps;  // (n_draws), total overlap of each draw
    std::int64_t* aligned;   // (n_items, n_features), draws whose aligned feature has the item
    std::int64_t* worth;     // (n_items, n_features + 1), as Neighbourhood::changes
};

template <class T>
class VariantPass {
public:
    // All are looked at, not copied. Every feature of the reference has an item.
    VariantPass(const Draws& draws, const Allocation& reference,
                const std::vector<Variant>& variants, const std::vector<Priced>& out)
        : draws_(draws),
          reference_(reference),
          variants_(variants),
          out_(out),
          has_items_(reference.n_features(), 1),
          common_values_(draws.n_items() * (reference.n_features() + 1), 0),
          common_(reference.n_features() + 1, draws.n_items(), common_values_.data()) {
        for (std::size_t v = 0; v < variants.size(); ++v) {
            differing_.push_back(differences(variants[v]));
            for (const auto& [entries, added] : differing_.back())
                most_differing_ = std::max(most_differing_, entries);
            variant_has_items_.push_back(features_with_items(variants[v].allocation));
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
                worker.common.pour();
                for (Place& place : worker.places) {
                    place.aligned.pour();
                    place.worth.pour();
                }
            });
        for (std::size_t v = 0; v < variants_.size(); ++v) add_common(v);
    }

private:
    // One variant's place on a worker's table.
    struct Place {
        Workbench<T> bench;
        Tally aligned, worth;
        bool stays;  // whether the draw at hand is matched as it is to the reference
        std::int64_t overlap;
    };
    struct Worker {
        Workbench<T> bench;
        Tally common;
        std::vector<Place> places;
        OptimalEdges<T> edges;
        std::vector<T> firm, scratch;  // (n_features + 1)
    };

    struct Difference {
        int entries = 0, added = 0;
    };

    [[nodiscard]] Worker make_worker() {
        const std::size_t n_rows = reference_.n_features() + 1;
        Worker worker{Workbench<T>(draws_, reference_), Tally(common_),        {}, {},
                      std::vector<T>(n_rows),           std::vector<T>(n_rows)};
        for (std::size_t v = 0; v < variants_.size(); ++v)
            worker.places.push_back({Workbench<T>(draws_, variants_[v].allocation),
                                     Tally(aligned_[v]), Tally(worth_[v]), false, 0});
        return worker;
    }

    void visit(Worker& worker, std::size_t b) {
        auto& bench = worker.bench;
        const bool is_firm = is_firm_draw(worker, b);
        bool all_stay = true;
        for (std::size_t v = 0; v < variants_.size(); ++v) {
            Place& place = worker.places[v];
            place.stays = is_firm && (is_ahead(worker, v) || still_holds(worker, v, b));
            all_stay &= place.stays;
        }
        if (all_stay) {
            put_partners(bench, bench.matching.rows.mate, worker.common);
            put_free(bench, worker.common);
            worker.common.add();
        }
        for (std::size_t v = 0; v < variants_.size(); ++v) {
            if (!worker.places[v].stays)
                match_anew(worker, v, b);
            else if (!all_stay)
                tally_as_matched(worker, v);
            out_[v].overlaps[b] = worker.places[v].overlap;
        }
    }

    // Matches the draw to the reference; whether that is the only optimal matching.
    [[nodiscard]] bool is_firm_draw(Worker& worker, std::size_t b) const {
        if (reference_.n_features() > max_firm_features) return false;
        auto& bench = worker.bench;
        bench.turn_to(b);
        bench.read(b);
        const T* weights = bench.weigh();
        auto& matching = bench.matching;
        matching.solve(weights);
        T least = firmness(matching, weights, has_items_, worker.firm.data());
        if (least <= most_differing_)
            least = firmed(matching, weights, has_items_, worker.firm.data());
        return least > 0;
    }

    // Whether the partners of all features are ahead of others by the prices as they are; counts
    // what is shared with them on the way.
    [[nodiscard]] bool is_ahead(Worker& worker, std::size_t v) const {
        const auto& rows = worker.bench.matching.rows;
        const auto& columns = worker.bench.matching.columns;
        const auto& [allocation, origin] = variants_[v];
        Place& place = worker.places[v];
        place.overlap = 0;
        for (std::size_t f = 0; f < origin.size(); ++f) {
            const std::size_t r = origin[f];
            const auto mate = static_cast<std::size_t>(rows.mate[r]);
            const int own =
                n_shared(allocation.feature(f), worker.bench.feature(mate), draws_.n_words());
            place.overlap += own;
            if (differing_[v][r].entries < worker.firm[r]) continue;
            // The best of the others can have gained no more than the feature has.
            const int others = rows.dual[r] - worker.firm[r] + differing_[v][r].added;
            if (own - columns.dual[mate] <= others && !is_ahead(worker, place, f, mate))
                return false;
        }
        return true;
    }

    // The same of one feature, by a look at all columns.
    [[nodiscard]] bool is_ahead(const Worker& worker, Place& place, std::size_t f,
                                std::size_t mate) const {
        const auto& columns = worker.bench.matching.columns;
        const T* weights = place.bench.weigh_row(f, worker.bench.feature(0), columns.size);
        int other = 0;
        for (std::size_t c = 0; c < columns.size; ++c)
            if (c != mate) other = std::max(other, weights[c] - columns.dual[c]);
        return weights[mate] - columns.dual[mate] > other;
    }

    // The same, where prices may move.
    [[nodiscard]] bool still_holds(Worker& worker, std::size_t v, std::size_t b) const {
        const auto& known = worker.bench.matching;
        auto& bench = worker.places[v].bench;
        auto& matching = bench.matching;
        bench.turn_to(b);
        bench.read(b);
        const T* weights = bench.weigh();
        std::copy_n(known.columns.dual.data(), known.columns.size, matching.columns.dual.data());
        for (std::size_t f = 0; f < reference_.n_features(); ++f) {
            const T mate = known.rows.mate[variants_[v].origin[f]];
            matching.rows.mate[f] = mate;
            matching.columns.mate[static_cast<std::size_t>(mate)] = static_cast<T>(f);
        }
        reprice(matching, weights);
        const T least = firmed(matching, weights, variant_has_items_[v], worker.scratch.data());
        worker.places[v].overlap = matching.total();
        return least > 0;
    }

    void tally_as_matched(Worker& worker, std::size_t v) const {
        const auto& bench = worker.bench;
        Place& place = worker.places[v];
        for (std::size_t f = 0; f < reference_.n_features(); ++f)
            worker.scratch[f] = bench.matching.rows.mate[variants_[v].origin[f]];
        put_partners(bench, worker.scratch, place.aligned);
        put_partners(bench, worker.scratch, place.worth);
        put_free(bench, place.worth);
        place.aligned.add();
        place.worth.add();
    }

    void match_anew(Worker& worker, std::size_t v, std::size_t b) const {
        const Allocation& allocation = variants_[v].allocation;
        Place& place = worker.places[v];
        auto& bench = place.bench;
        bench.turn_to(b);
        bench.read(b);
        const T* weights = bench.weigh();
        bench.matching.solve(weights);
        place.overlap = bench.matching.total();
        put_partners(bench, bench.matching.rows.mate, place.aligned);
        place.aligned.add();
        worker.edges.find(bench.matching, weights);
        for (std::size_t f = 0; f < allocation.n_features(); ++f)
            find_movable(bench, worker.edges, f, allocation.feature(f), allocation.n_words(),
                         place.worth.row(f));
        place.worth.add();
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

    // In how many entries each feature of the reference differs from the variant // (n_features)
    [[nodiscard]] std::vector<Difference> differences(const Variant& variant) const {
        std::vector<Difference> differing(reference_.n_features());
        for (std::size_t f = 0; f < differing.size(); ++f) {
            const std::size_t r = variant.origin[f];
            for (std::size_t w = 0; w < reference_.n_words(); ++w) {
                const Word before = reference_.feature(r)[w],
                           now = variant.allocation.feature(f)[w];
                differing[r].entries += std::popcount(before ^ now);
                differing[r].added += std::popcount(now & ~before);
            }
        }
        return differing;
    }

    [[nodiscard]] static std::vector<std::uint8_t> features_with_items(
        const Allocation& allocation) {
        std::vector<std::uint8_t> has_items(allocation.n_features());
        for (std::size_t f = 0; f < has_items.size(); ++f)
            has_items[f] = any(allocation.feature(f), allocation.n_words());
        return has_items;
    }

    const Draws& draws_;
    const Allocation& reference_;
    const std::vector<Variant>& variants_;
    const std::vector<Priced>& out_;
    std::vector<std::uint8_t> has_items_;                       // (n_features)
    std::vector<std::vector<std::uint8_t>> variant_has_items_;  // each (n_features + 1)
    std::vector<std::vector<Difference>> differing_;            // each (n_features)
    int most_differing_ = 0;
    std::vector<std::int64_t> common_values_;  // (n_items, n_features + 1)
    Counts common_;
    std::deque<Counts> aligned_, worth_;
};

}  // namespace fangs
