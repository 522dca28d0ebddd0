// Sorts more records than fit into memory: sorted runs in a temporary file, merged on the way out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lm/record_file.hh"

namespace tunesmith::lm {

class ExternalSorter {
 public:
  // Records of `width` numbers, sorted by their first `key` numbers. With `sum`, records with the
  // same key become one, and the last two numbers (low, high) of them are added up.
  ExternalSorter(std::string folder, std::size_t width, std::size_t key, bool sum,
                 std::uint64_t memory);

  void add(const std::uint32_t* record);
  // After the last add(): the records in order, then null. Valid until the next call.
  const std::uint32_t* next();

 private:
  struct Item {
    std::uint64_t prefix;  // the first two numbers of the key
    std::uint32_t index;
  };
  struct Run {
    std::uint64_t begin, end;
  };

  void sort_buffer();
  void write_run();
  void start_merge();
  const std::uint32_t* next_in_memory();
  const std::uint32_t* next_merged();
  bool less(const std::uint32_t* a, const std::uint32_t* b) const;
  const std::uint32_t* record(const Item& item) const { return &buffer_[item.index * width_]; }

  std::string folder_;
  std::size_t width_, key_;
  bool sum_;
  std::size_t capacity_;  // records in memory
  std::uint64_t merge_bytes_;
  std::vector<std::uint32_t> buffer_;
  std::vector<Item> items_;
  std::unique_ptr<RecordFile> file_;
  std::vector<Run> runs_;
  bool reading_ = false;
  std::size_t place_ = 0;
  std::vector<RecordReader> readers_;
  // A heap of (record, reader), the smallest on top.
  std::vector<std::pair<const std::uint32_t*, std::size_t>> heads_;
  std::vector<std::uint32_t> current_;
};

}  // namespace tunesmith::lm
