// Time for limits and progress; it never goes back.
#pragma once

#include <chrono>

namespace tunesmith {

inline double seconds_now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace tunesmith
