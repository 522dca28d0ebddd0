// Threads by argument. The work must not depend on which thread does it: item i writes to slot i,
// and sums are taken afterwards in the order of the items.
#pragma once

#include <cstddef>
#include <functional>

namespace tunesmith::engine {

// More threads are a slip, not a machine.
inline constexpr int kMaxThreads = 4096;

// 0 means all cores; a negative number, or one above kMaxThreads, is an OptionError.
int resolve_threads(int threads);

// Calls body(i) for every i in [0, items), each once, in any order, on up to `threads` threads.
// `grain` items are handed out at a time. The exception of the lowest failing item reaches the
// caller, after all threads have stopped.
void parallel_for(std::size_t items, int threads, const std::function<void(std::size_t)>& body,
                  std::size_t grain = 1);

// The same with the thread's number, in [0, threads), for scratch memory.
void parallel_for_worker(std::size_t items, int threads,
                         const std::function<void(std::size_t item, int worker)>& body,
                         std::size_t grain = 1);

}  // namespace tunesmith::engine
