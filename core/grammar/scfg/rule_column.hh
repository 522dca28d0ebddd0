// An array that grows, or one of a file that is mapped: whoever reads it need not know which.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace tunesmith::grammar {

template <typename T>
class RuleColumn {
 public:
  RuleColumn() = default;
  RuleColumn(std::initializer_list<T> items) : own_(items) {}
  // The items must outlive this; nothing may be added to them.
  explicit RuleColumn(std::span<const T> mapped) : mapped_(mapped) {}

  std::span<const T> all() const { return mapped_.data() == nullptr ? std::span(own_) : mapped_; }
  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }
  const T& back() const { return all().back(); }
  const T& operator[](std::size_t i) const { return all()[i]; }

  // What grows.
  std::vector<T>& own() { return own_; }
  void push_back(const T& item) { own_.push_back(item); }
  template <typename Items>
  void append(const Items& items) {
    own_.insert(own_.end(), items.begin(), items.end());
  }

 private:
  std::vector<T> own_;
  std::span<const T> mapped_;
};

}  // namespace tunesmith::grammar
