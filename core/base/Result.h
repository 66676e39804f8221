#pragma once
#include "base/Error.h"
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

/// A value, or the Error that took its place. Test it before use; reading the wrong side is undefined.
template <class T = void>
class [[nodiscard]] Result
{
public:
    Result() requires std::is_default_constructible_v<T>
    = default;
    Result(T value) : m_state(std::move(value)) {}
    Result(Error error) : m_state(tl::unexpect, std::move(error)) {}

    explicit operator bool() const noexcept { return m_state.has_value(); }
    T &operator*() & { return *m_state; }
    const T &operator*() const & { return *m_state; }
    T &&operator*() && { return *std::move(m_state); }
    T *operator->() { return &*m_state; }
    const T *operator->() const { return &*m_state; }
    const Error &error() const & { return m_state.error(); }
    Error error() && { return std::move(m_state).error(); }
    T valueOr(T other) const & { return m_state ? *m_state : std::move(other); }

private:
    tl::expected<T, Error> m_state;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : m_state(tl::unexpect, std::move(error)) {}
    explicit operator bool() const noexcept { return m_state.has_value(); }
    const Error &error() const & { return m_state.error(); }
    Error error() && { return std::move(m_state).error(); }

private:
    tl::expected<void, Error> m_state;
};
