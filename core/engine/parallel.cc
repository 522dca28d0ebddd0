#include "engine/parallel.hh"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hh"

namespace tunesmith::engine {

int resolve_threads(int threads) {
  if (threads < 0 || threads > kMaxThreads)
    throw OptionError("threads is " + std::to_string(threads) + ", expected 0 (all cores) to " +
                      std::to_string(kMaxThreads));
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(std::size_t items, int threads, const std::function<void(std::size_t)>& body,
                  std::size_t grain) {
  parallel_for_worker(items, threads, [&](std::size_t item, int) { body(item); }, grain);
}

void parallel_for_worker(std::size_t items, int threads,
                         const std::function<void(std::size_t, int)>& body, std::size_t grain) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t portions = (items + grain - 1) / grain;
  const int workers = static_cast<int>(std::min<std::size_t>(resolve_threads(threads), portions));

  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t failed_item = items;
  std::exception_ptr failure;

  auto work = [&](int worker) {
    for (;;) {
      const std::size_t begin = next.fetch_add(grain);
      if (begin >= items) return;
      for (std::size_t i = begin; i < std::min(items, begin + grain); ++i) {
        try {
          body(i, worker);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (i < failed_item) {
            failed_item = i;
            failure = std::current_exception();
          }
          next.store(items);  // lower items are already handed out and will still report
          break;
        }
      }
    }
  };

  if (workers <= 1) {
    for (std::size_t i = 0; i < items; ++i) body(i, 0);
    return;
  }
  std::vector<std::thread> pool;
  pool.reserve(workers - 1);
  for (int worker = 1; worker < workers; ++worker) pool.emplace_back(work, worker);
  work(0);
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tunesmith::engine
