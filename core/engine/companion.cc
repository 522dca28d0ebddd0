#include "engine/companion.hh"

#include <utility>

namespace tunesmith::engine {

Companion::Companion(int threads) {
  if (threads > 1) thread_ = std::thread([this] { work(); });
}

Companion::~Companion() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Companion::both(const std::function<void()>& mine, const std::function<void()>& theirs) {
  if (!thread_.joinable()) {
    mine();
    theirs();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    job_ = &theirs;
  }
  changed_.notify_all();
  std::exception_ptr error;
  try {
    mine();
  } catch (...) {
    error = std::current_exception();
  }
  // Also after an exception: the other job must not outlive what it works on.
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return job_ == nullptr; });
  const std::exception_ptr other = std::exchange(error_, nullptr);
  if (error) std::rethrow_exception(error);
  if (other) std::rethrow_exception(other);
}

void Companion::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || job_ != nullptr; });
    if (stop_) return;
    const auto* job = job_;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*job)();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    error_ = error;
    job_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace tunesmith::engine
