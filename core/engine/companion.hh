// A second thread that does one thing while the caller does another, over and over: for pairs of
// jobs too short to start a thread for each.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tunesmith::engine {

class Companion {
 public:
  // With fewer than 2 threads both jobs are done by the caller.
  explicit Companion(int threads);
  ~Companion();
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  // Calls both, at the same time if there are threads for it, and comes back when both are done.
  // An exception of either reaches the caller, that of `mine` first.
  void both(const std::function<void()>& mine, const std::function<void()>& theirs);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* job_ = nullptr;  // until it is done
  std::exception_ptr error_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace tunesmith::engine
