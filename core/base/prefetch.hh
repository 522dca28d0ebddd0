// Asks for memory that will be needed soon, where the compiler knows how.
#pragma once

namespace tunesmith {

inline void prefetch(const void* place) {
#ifdef __GNUC__
  __builtin_prefetch(place);
#else
  (void)place;
#endif
}

}  // namespace tunesmith
