#include "lm/external_sort.hh"

#include <algorithm>

namespace tunesmith::lm {
namespace {

std::uint64_t number(const std::uint32_t* low_high) {
  return low_high[0] | (static_cast<std::uint64_t>(low_high[1]) << 32);
}

void add_to(std::uint32_t* low_high, std::uint64_t amount) {
  const std::uint64_t sum = number(low_high) + amount;
  low_high[0] = static_cast<std::uint32_t>(sum);
  low_high[1] = static_cast<std::uint32_t>(sum >> 32);
}

}  // namespace

ExternalSorter::ExternalSorter(std::string folder, std::size_t width, std::size_t key, bool sum,
                               std::uint64_t memory)
    : folder_(std::move(folder)),
      width_(width),
      key_(key),
      sum_(sum),
      capacity_(std::clamp<std::uint64_t>(memory / (width * sizeof(std::uint32_t) + sizeof(Item)),
                                          256, 0x7FFFFFFF)),
      merge_bytes_(memory) {
  // Taken at once, so that growing never needs twice as much; pages cost nothing until used.
  buffer_.reserve(capacity_ * width_);
  items_.reserve(capacity_);
}

bool ExternalSorter::less(const std::uint32_t* a, const std::uint32_t* b) const {
  return std::lexicographical_compare(a, a + key_, b, b + key_);
}

void ExternalSorter::add(const std::uint32_t* record) {
  if (items_.size() == capacity_) write_run();
  const std::uint64_t second = key_ > 1 ? record[1] : 0;
  items_.push_back({(static_cast<std::uint64_t>(record[0]) << 32) | second,
                    static_cast<std::uint32_t>(items_.size())});
  buffer_.insert(buffer_.end(), record, record + width_);
}

void ExternalSorter::sort_buffer() {
  std::sort(items_.begin(), items_.end(), [&](const Item& a, const Item& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return key_ > 2 && std::lexicographical_compare(record(a) + 2, record(a) + key_, record(b) + 2,
                                                    record(b) + key_);
  });
}

const std::uint32_t* ExternalSorter::next_in_memory() {
  if (place_ == items_.size()) return nullptr;
  std::uint32_t* out = &buffer_[items_[place_].index * width_];
  ++place_;
  while (sum_ && place_ < items_.size() && !less(out, record(items_[place_]))) {
    add_to(out + width_ - 2, number(record(items_[place_]) + width_ - 2));
    ++place_;
  }
  return out;
}

void ExternalSorter::write_run() {
  if (!file_) file_ = std::make_unique<RecordFile>(folder_);
  sort_buffer();
  const std::uint64_t begin = file_->size();
  place_ = 0;
  while (const std::uint32_t* out = next_in_memory()) file_->append(out, width_);
  runs_.push_back({begin, file_->size()});
  items_.clear();
  buffer_.clear();
  place_ = 0;
}

void ExternalSorter::start_merge() {
  write_run();
  items_ = {};
  buffer_ = {};
  file_->flush();
  const std::size_t records =
      std::max<std::uint64_t>(64, merge_bytes_ / runs_.size() / (width_ * sizeof(std::uint32_t)));
  for (const Run& run : runs_)
    readers_.emplace_back(*file_, run.begin, run.end, width_,
                          std::min<std::size_t>(records, 1 << 16));
  for (std::size_t i = 0; i < readers_.size(); ++i)
    if (const std::uint32_t* head = readers_[i].next()) heads_.emplace_back(head, i);
  std::make_heap(heads_.begin(), heads_.end(),
                 [&](const auto& a, const auto& b) { return less(b.first, a.first); });
  current_.resize(width_);
}

const std::uint32_t* ExternalSorter::next_merged() {
  if (heads_.empty()) return nullptr;
  const auto after = [&](const auto& a, const auto& b) { return less(b.first, a.first); };
  bool first = true;
  while (!heads_.empty() && (first || (sum_ && !less(current_.data(), heads_.front().first)))) {
    std::pop_heap(heads_.begin(), heads_.end(), after);
    auto& [head, reader] = heads_.back();
    if (first)
      std::copy(head, head + width_, current_.begin());
    else
      add_to(&current_[width_ - 2], number(head + width_ - 2));
    first = false;
    head = readers_[reader].next();
    if (head == nullptr)
      heads_.pop_back();
    else
      std::push_heap(heads_.begin(), heads_.end(), after);
  }
  return current_.data();
}

const std::uint32_t* ExternalSorter::next() {
  if (!reading_) {
    reading_ = true;
    if (file_)
      start_merge();
    else
      sort_buffer();
  }
  return file_ ? next_merged() : next_in_memory();
}

}  // namespace tunesmith::lm
