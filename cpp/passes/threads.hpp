// Shares work out over threads: the only place where threads start.
// Threads take small blocks from one counter; the calling thread works too, and asks for Ctrl-C and
// the deadline, also while it waits for the others. A pass stops within a tenth of a second.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace fangs {

struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("interrupted") {}
};

// The time granted to a pass is over.
struct OutOfTime : std::runtime_error {
    OutOfTime() : std::runtime_error("out of time") {}
};

// Asks at most every 20 milliseconds, because asking takes longer than looking at the clock.
class Checkpoint {
public:
    // `ask` throws if the work must end; it may be empty.
    explicit Checkpoint(const std::function<void()>& ask) : ask_(ask) {}

    void operator()() {
        if (!ask_ || Clock::now() - asked_ < interval) return;
        ask_();
        asked_ = Clock::now();
    }

    static constexpr auto interval = std::chrono::milliseconds(20);

private:
    using Clock = std::chrono::steady_clock;

    const std::function<void()>& ask_;
    Clock::time_point asked_ = Clock::now();
};

// What long work calls: as check() between its parts, or as check(n_operations), which asks once in
// a million simple operations, because even looking at the clock takes as long as some of them.
template <class Ask>
class Check {
public:
    explicit Check(Ask ask) : ask_(std::move(ask)) {}

    void operator()() { ask_(); }
    void operator()(std::size_t n_operations) {
        pending_ += n_operations;
        if (pending_ < together) return;
        pending_ = 0;
        ask_();
    }

private:
    static constexpr std::size_t together = 1'000'000;

    Ask ask_;
    std::size_t pending_ = 0;
};

struct Parallel {
    std::size_t n_threads = 1;
    std::function<void()> ask;  // called on the calling thread only; throws to end the pass
};

// The same threads for work of its own that may take these seconds; then OutOfTime ends it.
[[nodiscard]] inline Parallel limited(const Parallel& parallel, double seconds) {
    const auto began = std::chrono::steady_clock::now();
    return {parallel.n_threads, [ask = parallel.ask, began, seconds] {
                if (ask) ask();
                const std::chrono::duration<double> elapsed =
                    std::chrono::steady_clock::now() - began;
                if (elapsed.count() >= seconds) throw OutOfTime();
            }};
}

// Waits for its threads at the end of the block; std::jthread is not in every libc++ (macOS).
struct JoinedThreads {
    std::vector<std::thread> threads;

    JoinedThreads() = default;
    JoinedThreads(const JoinedThreads&) = delete;
    JoinedThreads& operator=(const JoinedThreads&) = delete;
    ~JoinedThreads() {
        for (auto& thread : threads) thread.join();
    }
};

// Number of threads that pay for themselves: starting one costs about as much as 100 microseconds
// of work, so small problems stay on the calling thread.
[[nodiscard]] inline std::size_t useful_threads(std::size_t n_threads,
                                                double nanoseconds) noexcept {
    const double most = nanoseconds / 100'000.0;
    return most < 2.0 ? 1 : std::min(n_threads, static_cast<std::size_t>(most));
}

struct Stopped : std::exception {};  // thrown where another thread has failed

// What each thread of a pass asks now and then. One type for all passes, so that the matching that
// they share is compiled once and not for each.
struct StopOrAsk {
    const std::atomic<bool>* stop;
    Checkpoint* ask;  // null on all but the calling thread

    void operator()() const {
        if (stop->load(std::memory_order_relaxed)) throw Stopped();
        if (ask != nullptr) (*ask)();
    }
};

// Calls work(worker, index) for every index in [0, count), where worker = make_worker() belongs to
// one thread, and finish(worker) at the end of each thread. `nanoseconds` estimates one index. Work
// that may take long for one index is called as work(worker, index, check); see Check.
template <class MakeWorker, class Work, class Finish>
void parallel_for(const Parallel& parallel, std::size_t count, double nanoseconds,
                  MakeWorker&& make_worker, Work&& work, Finish&& finish) {
    const std::size_t n_threads =
        useful_threads(parallel.n_threads, nanoseconds * static_cast<double>(count));
    const std::size_t block =
        std::clamp(static_cast<std::size_t>(50'000.0 / std::max(nanoseconds, 1.0)), std::size_t{1},
                   std::max<std::size_t>(count / (4 * n_threads), 1));
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::vector<std::exception_ptr> failures(n_threads);
    Checkpoint ask(parallel.ask);

    const auto run = [&](std::size_t thread) {
        Check check(StopOrAsk{&stop, thread == 0 ? &ask : nullptr});
        try {
            auto worker = make_worker();
            for (;;) {
                check();
                const std::size_t begin = next.fetch_add(block, std::memory_order_relaxed);
                if (begin >= count) break;
                for (std::size_t i = begin; i < std::min(begin + block, count); ++i) {
                    if constexpr (std::invocable<Work&, decltype(worker)&, std::size_t,
                                                 decltype(check)&>)
                        work(worker, i, check);
                    else
                        work(worker, i);
                }
            }
            finish(worker);
        } catch (const Stopped&) {
            return;  // the failure of the other thread is thrown below
        } catch (...) {
            failures[thread] = std::current_exception();
            stop = true;
        }
    };

    std::mutex mutex;
    std::condition_variable ended;
    std::size_t n_running = 0;
    {
        JoinedThreads joined;
        auto& threads = joined.threads;
        threads.reserve(n_threads - 1);
        try {
            for (std::size_t t = 1; t < n_threads; ++t) {
                {
                    const std::lock_guard lock(mutex);
                    ++n_running;
                }
                threads.emplace_back([&, t] {
                    run(t);
                    const std::lock_guard lock(mutex);
                    --n_running;
                    ended.notify_one();
                });
            }
        } catch (const std::system_error&) {
            // The system gives no more threads: those that run share the work.
            const std::lock_guard lock(mutex);
            --n_running;
        }
        run(0);
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, Checkpoint::interval, [&] { return n_running == 0; })) {
            if (stop) continue;
            lock.unlock();
            try {
                ask();
            } catch (...) {
                failures[0] = std::current_exception();
                stop = true;
            }
            lock.lock();
        }
    }
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace fangs
