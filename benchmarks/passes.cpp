// Runs one pass of the core over draws read from a file, for instructions.py to count.
// passes FILE PASS, where the file holds, as r_fangs.write() leaves them, an allocation and then
// the draws. Only what happens inside measured() is counted.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "passes/alignment.hpp"
#include "passes/evaluation.hpp"
#include "passes/neighbourhood.hpp"
#include "passes/tally.hpp"
#include "passes/template.hpp"
#include "passes/threads.hpp"
#include "storage/allocation.hpp"
#include "storage/bits.hpp"
#include "storage/draws.hpp"

namespace {

using namespace fangs;

struct Problem {
    Allocation allocation;
    Draws draws;
};

Problem read_problem(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const auto integers = [&](std::size_t count) {
        std::vector<std::int32_t> values(count);
        file.read(reinterpret_cast<char*>(values.data()),
                  static_cast<std::streamsize>(count * sizeof(std::int32_t)));
        return std::vector<std::size_t>(values.begin(), values.end());
    };
    const auto size = integers(2);
    const std::size_t n_items = size[0], n_words = words_for(n_items);
    const auto widths = integers(size[1]);
    const auto matrix = [&](std::size_t width) {
        std::vector<char> bytes(n_items * width);
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        std::vector<Word> columns(n_words * width, 0);
        for (std::size_t c = 0; c < width; ++c)
            for (std::size_t i = 0; i < n_items; ++i)
                if (bytes[c * n_items + i] != 0) set_bit(columns.data() + c * n_words, i);
        return columns;
    };
    Problem problem{Allocation(n_items, widths[0]), Draws(n_items)};
    const auto columns = matrix(widths[0]);
    for (std::size_t c = 0; c < widths[0]; ++c)
        std::copy_n(columns.data() + c * n_words, n_words, problem.allocation.feature(c));
    for (std::size_t b = 1; b < widths.size(); ++b)
        problem.draws.append(matrix(widths[b]).data(), widths[b]);
    if (!file) {
        std::fprintf(stderr, "%s ends too early\n", path);
        std::exit(1);
    }
    return problem;
}

// callgrind counts while this function runs (--toggle-collect), so it must not be inlined.
template <class Pass>
[[gnu::noinline]] void measured(Pass&& pass) {
    pass();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: passes FILE align|solve|support|flip|evaluate|template\n");
        return 1;
    }
    using T = std::int16_t;
    const auto [allocation, draws] = read_problem(argv[1]);
    const std::string pass = argv[2];
    const Parallel alone{1, {}};
    std::vector<std::int64_t> values(allocation.n_features() * allocation.n_items());
    Counts counts(allocation.n_features(), allocation.n_items(), values.data());
    std::int64_t checked = 0;  // printed, so that nothing is optimised away
    if (pass == "align") {
        std::vector<std::int64_t> overlaps(draws.size());
        measured(
            [&] { align<T>(draws, {}, allocation, {overlaps.data(), nullptr, &counts}, alone); });
        checked = std::accumulate(overlaps.begin(), overlaps.end(), std::int64_t{0});
    } else if (pass == "solve") {
        measured([&] {
            checked = Neighbourhood<T>(draws, {}, allocation, nullptr, alone).total_overlap();
        });
    } else if (pass == "support") {
        Neighbourhood<T> nearby(draws, {}, allocation, nullptr, alone);
        measured([&] { nearby.flip_support(values.data(), alone); });
        checked = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    } else if (pass == "flip") {
        // One flip in every feature, one after another, at different items.
        Neighbourhood<T> nearby(draws, {}, allocation, nullptr, alone);
        for (std::size_t f = 0; f < allocation.n_features(); ++f) {
            const std::vector<Flip> flips{{(f * 7919) % allocation.n_items(), f}};
            measured([&] { nearby.flip(flips, nullptr, alone); });
        }
        checked = nearby.total_overlap();
    } else if (pass == "evaluate") {
        std::vector<std::int64_t> overlaps(draws.size()), supported(values.size());
        Counts support(allocation.n_features(), allocation.n_items(), supported.data());
        const EvaluationOutput out{overlaps.data(), nullptr, &counts, &support};
        measured([&] { evaluate<T>(draws, {}, allocation, out, alone); });
        checked = std::accumulate(supported.begin(), supported.end(), std::int64_t{0});
    } else if (pass == "template") {
        std::vector<std::size_t> walk(std::min<std::size_t>(draws.size(), 128));
        std::iota(walk.begin(), walk.end(), std::size_t{0});
        Template<T> grown(draws);
        const std::atomic<bool> stop{false};
        Check check(StopOrAsk{&stop, nullptr});
        measured([&] { grown.grow(walk, 2, check); });
        for (std::size_t f = 0; f < grown.n_features(); ++f)
            for (std::size_t i = 0; i < draws.n_items(); ++i) checked += grown.count(i, f);
    } else {
        std::fprintf(stderr, "no pass is called %s\n", argv[2]);
        return 1;
    }
    std::printf("%lld\n", static_cast<long long>(checked));
}
