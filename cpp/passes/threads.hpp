// Shares work out over threads: the only place where threads start.
// Threads take small blocks from one counter; the calling thread works too and looks for Ctrl-C.
// A block takes about 50 microseconds, so that a pass stops within a tenth of a second.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace fangs {

struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

struct Parallel {
    std::size_t n_threads = 1;
    std::function<bool()> should_stop;  // called on the calling thread only; may be empty
};

// Number of threads that pay for themselves: starting one costs about as much as 100 microseconds
// of work, so small problems stay on the calling thread.
[[nodiscard]] inline std::size_t useful_threads(std::size_t n_threads,
                                                double nanoseconds) noexcept {
    const double most = nanoseconds / 100'000.0;
    return most < 2.0 ? 1 : std::min(n_threads, static_cast<std::size_t>(most));
}

// Calls work(worker, index) for every index in [0, count), where worker = make_worker() belongs to
// one thread, and finish(worker) at the end of each thread. `nanoseconds` estimates one index.
template <class MakeWorker, class Work, class Finish>
void parallel_for(const Parallel& parallel, std::size_t count, double nanoseconds,
                  MakeWorker&& make_worker, Work&& work, Finish&& finish) {
    using Clock = std::chrono::steady_clock;
    const std::size_t n_threads =
        useful_threads(parallel.n_threads, nanoseconds * static_cast<double>(count));
    const std::size_t block =
        std::clamp(static_cast<std::size_t>(50'000.0 / std::max(nanoseconds, 1.0)), std::size_t{1},
                   std::max<std::size_t>(count / (4 * n_threads), 1));
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::vector<std::exception_ptr> failures(n_threads);

    const auto run = [&](std::size_t thread) {
        try {
            auto worker = make_worker();
            auto asked = Clock::now();
            while (!stop.load(std::memory_order_relaxed)) {
                const std::size_t begin = next.fetch_add(block, std::memory_order_relaxed);
                if (begin >= count) break;
                for (std::size_t i = begin; i < std::min(begin + block, count); ++i)
                    work(worker, i);
                if (thread == 0 && parallel.should_stop &&
                    Clock::now() - asked > std::chrono::milliseconds(50)) {
                    if (parallel.should_stop()) throw Interrupted();
                    asked = Clock::now();
                }
            }
            finish(worker);
        } catch (...) {
            failures[thread] = std::current_exception();
            stop = true;
        }
    };

    {
        std::vector<std::jthread> threads;
        threads.reserve(n_threads - 1);
        try {
            for (std::size_t t = 1; t < n_threads; ++t) threads.emplace_back(run, t);
        } catch (const std::system_error&) {
            // The system gives no more threads: those that run share the work.
        }
        run(0);
    }
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace fangs
