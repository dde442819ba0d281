// A growing array of plain values that never holds two copies of itself.
// std::realloc enlarges it; for large blocks the usual systems move pages, not values.
// Appending is O(1) amortised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

namespace fangs {

template <class T>
class Growing {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }
    [[nodiscard]] T* data() noexcept { return values_.get(); }
    [[nodiscard]] const T* data() const noexcept { return values_.get(); }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }
    [[nodiscard]] const T& back() const noexcept { return data()[size_ - 1]; }

    void reserve(std::size_t capacity) {
        if (capacity > capacity_) reallocate(capacity);
    }

    // New values are zero.
    void resize(std::size_t size) {
        if (size > capacity_) reallocate(std::max(size, enlarged()));
        if (size > size_) std::fill(data() + size_, data() + size, T{});
        size_ = size;
    }

    void push_back(T value) {
        resize(size_ + 1);
        data()[size_ - 1] = value;
    }

    void shrink_to_fit() {
        if (size_ != 0 && size_ < capacity_) reallocate(size_);
    }

private:
    struct Free {
        void operator()(T* values) const noexcept { std::free(values); }
    };

    // An eighth more. Large blocks grow by 64 MB more, so that every malloc gives them pages of
    // their own (glibc does from 32 MB on). Memory that is never touched costs nothing.
    [[nodiscard]] std::size_t enlarged() const noexcept {
        constexpr std::size_t some = std::size_t{1} << 18, ample = std::size_t{1} << 26;
        const bool is_small = capacity_ < some / sizeof(T);
        return capacity_ + capacity_ / 8 + (is_small ? 8 : ample / sizeof(T));
    }

    void reallocate(std::size_t capacity) {
        if (capacity > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T))
            throw std::bad_alloc();
        void* moved = std::realloc(values_.get(), capacity * sizeof(T));
        if (moved == nullptr) throw std::bad_alloc();
        static_cast<void>(values_.release());  // realloc has freed it
        values_.reset(static_cast<T*>(moved));
        capacity_ = capacity;
    }

    std::unique_ptr<T, Free> values_;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace fangs
