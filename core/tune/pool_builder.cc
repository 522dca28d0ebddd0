#include "tune/pool_builder.hh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/error.hh"
#include "base/hash.hh"
#include "engine/parallel.hh"

namespace tunesmith::tune {
namespace {

// A hypothesis is its text and its features that are not 0, in any order and under their names, so
// that a feature may be dense in one list and sparse in another.
std::uint64_t feature_key(std::uint64_t name_hash, float value) {
  return value == 0.0f ? 0 : hash_combine(name_hash, std::bit_cast<std::uint32_t>(value));
}

std::vector<std::string> names_at(const StringIndex& names, const std::vector<int>& places) {
  std::vector<std::string> out;
  for (const int place : places) out.emplace_back(names.text(static_cast<std::uint32_t>(place)));
  return out;
}

}  // namespace

void PoolRows::shrink() {
  offsets.shrink();
  dense.shrink();
  columns.shrink();
  sparse_offsets.shrink();
  sparse_ids.shrink();
  sparse_values.shrink();
  stats.shrink();
  keys.shrink();
  texts.bytes.shrink();
  texts.offsets.shrink();
}

void KeySet::clear() {
  std::fill(slots_.begin(), slots_.end(), 0);
  size_ = 0;
}

bool KeySet::insert(std::uint64_t key) {
  if (key == 0) key = 1;  // 0 is an empty slot
  if (2 * (size_ + 1) > slots_.size()) {
    std::vector<std::uint64_t> old(slots_.size() * 4);
    old.swap(slots_);
    size_ = 0;
    for (const std::uint64_t one : old)
      if (one != 0) insert(one);
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = key & mask;
  while (slots_[i] != 0 && slots_[i] != key) i = (i + 1) & mask;
  if (slots_[i] == key) return false;
  slots_[i] = key;
  ++size_;
  return true;
}

PoolBuilder::PoolBuilder(std::shared_ptr<const metrics::SegmentScorer> scorer,
                         PoolBuilderOptions options)
    : scorer_(std::move(scorer)),
      options_(std::move(options)),
      stats_size_(scorer_ ? scorer_->size() : 0),
      sentences_(scorer_ ? scorer_->sentences() : kAnyNumber) {
  options_.threads = engine::resolve_threads(options_.threads);
  scratch_.resize(static_cast<std::size_t>(options_.threads));
  for (const std::string& name : options_.dense) schema_.add(name, false);
  for (const std::string& name : options_.columns) schema_.add(name, true);
  schema_.total = options_.total;
  if (!options_.total.empty()) schema_.add(options_.total, true);
}

void PoolBuilder::begin_list() {
  lists_.emplace_back();
  sentence_ = -1;
  ordered_ = true;
}

void PoolBuilder::begin(const formats::NbestReport& report) {
  ordered_ = report.ordered;
  fix_schema();
}

void PoolBuilder::fix_schema() {
  if (fixed_) return;
  fixed_ = schema_.fixed = true;
  for (std::uint32_t i = 0; i < schema_.dense.size(); ++i) {
    const std::string_view name = schema_.dense.text(i);
    dense_hashes_.push_back(hash_string(name));
    if (std::find(options_.columns.begin(), options_.columns.end(), name) == options_.columns.end())
      dense_places_.push_back(static_cast<int>(i));
  }
  for (const std::string& name : options_.columns)
    column_places_.push_back(static_cast<int>(schema_.dense.find(name)));
}

std::vector<std::string> PoolBuilder::dense_names() const {
  return names_at(schema_.dense, dense_places_);
}

void PoolBuilder::work(formats::NbestPart& part, int worker) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
  scratch.stats.resize(part.rows() * static_cast<std::size_t>(stats_size_));
  scratch.keys.resize(part.rows());
  scratch.name_hashes.clear();
  for (std::uint32_t i = 0; i < part.names.size(); ++i)
    scratch.name_hashes.push_back(hash_string(part.names.text(i)));
  for (std::size_t row = 0; row < part.rows(); ++row) {
    scorer_->stats(part.ids[row], part.texts[row], scratch.stats.data() + row * stats_size_);
    std::uint64_t features = 0;
    const auto dense = part.dense_row(row);
    for (std::size_t i = 0; i < dense.size(); ++i)
      features += feature_key(dense_hashes_[i], dense[i]);
    if (!options_.drop_sparse)
      for (std::size_t i = part.sparse_begin(row); i < part.sparse_ends[row]; ++i)
        features += feature_key(scratch.name_hashes[part.sparse_ids[i]], part.sparse_values[i]);
    scratch.keys[row] = hash_combine(hash_string(part.texts[row]), features);
  }
}

void PoolBuilder::take(formats::NbestPart& part, int worker) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
  scratch.name_map.assign(part.names.size(), StringIndex::kMissing);
  for (std::size_t row = 0; row < part.rows(); ++row) {
    if (!part.keep[row]) continue;
    scratch.ids.clear();
    scratch.values.clear();
    if (!options_.drop_sparse) {
      for (std::size_t i = part.sparse_begin(row); i < part.sparse_ends[row]; ++i) {
        if (part.sparse_values[i] == 0.0f) continue;
        std::uint32_t& id = scratch.name_map[part.sparse_ids[i]];
        if (id == StringIndex::kMissing)
          id = sparse_names_.add(part.names.text(part.sparse_ids[i]));
        scratch.ids.push_back(id);
        scratch.values.push_back(part.sparse_values[i]);
      }
    }
    const Row entry{part.ids[row],
                    part.dense_row(row).data(),
                    scratch.ids,
                    scratch.values,
                    scratch.stats.data() + row * stats_size_,
                    scratch.keys[row],
                    part.texts[row]};
    if (ordered_) {
      add_row(entry);
    } else {
      append(unordered_, entry);
      unordered_ids_.push_back(part.ids[row]);
    }
  }
}

void PoolBuilder::append(PoolRows& rows, const Row& row) const {
  float* dense = rows.dense.extend(dense_places_.size());
  for (std::size_t i = 0; i < dense_places_.size(); ++i) dense[i] = row.dense[dense_places_[i]];
  for (const int place : column_places_) rows.columns.push_back(row.dense[place]);
  rows.sparse_ids.append(row.ids.data(), row.ids.size());
  rows.sparse_values.append(row.values.data(), row.values.size());
  rows.sparse_offsets.push_back(static_cast<std::int64_t>(rows.sparse_ids.size()));
  rows.stats.append(row.stats, static_cast<std::size_t>(stats_size_));
  rows.keys.push_back(row.key);
  if (options_.keep_texts) rows.texts.add(row.text);
}

// Rows of `sentence` follow; its hypotheses so far are duplicates from now on.
void PoolBuilder::open_sentence(std::uint32_t sentence) {
  PoolRows& list = lists_.back();
  while (list.offsets.size() <= sentence)
    list.offsets.push_back(static_cast<std::int64_t>(list.rows()));
  sentence_ = sentence;
  seen_.clear();
  for (std::size_t i = 0; i + 1 < lists_.size(); ++i) {
    const PoolRows& earlier = lists_[i];
    if (sentence + 1 >= earlier.offsets.size()) continue;
    for (std::int64_t row = earlier.offsets[sentence]; row < earlier.offsets[sentence + 1]; ++row)
      seen_.insert(earlier.keys[static_cast<std::size_t>(row)]);
  }
}

void PoolBuilder::add_row(const Row& row) {
  if (row.sentence != sentence_) open_sentence(row.sentence);
  if (seen_.insert(row.key))
    append(lists_.back(), row);
  else
    ++duplicates_;
}

void PoolBuilder::end_list(const formats::NbestReport& report, const std::string& path) {
  if (scorer_ && sentences_ == kAnyNumber) sentences_ = report.sentences;
  if (scorer_ && !options_.skip_bad_lines && report.sentences != sentences_)
    throw InputError(path, 0, std::to_string(report.sentences) + " sentences",
                     std::to_string(sentences_) + ", as the references have",
                     "list and references must be of the same text");
  if (!ordered_) {
    std::vector<std::size_t> order(unordered_ids_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return unordered_ids_[a] < unordered_ids_[b];
    });
    std::vector<float> dense(schema_.dense.size());
    for (const std::size_t row : order) {
      for (std::size_t i = 0; i < dense_places_.size(); ++i)
        dense[dense_places_[i]] = unordered_.dense[row * dense_places_.size() + i];
      for (std::size_t i = 0; i < column_places_.size(); ++i)
        dense[column_places_[i]] = unordered_.columns[row * column_places_.size() + i];
      const auto begin = static_cast<std::size_t>(unordered_.sparse_offsets[row]);
      const auto count = static_cast<std::size_t>(unordered_.sparse_offsets[row + 1]) - begin;
      add_row({unordered_ids_[row],
               dense.data(),
               {unordered_.sparse_ids.data() + begin, count},
               {unordered_.sparse_values.data() + begin, count},
               unordered_.stats.data() + row * stats_size_,
               unordered_.keys[row],
               options_.keep_texts ? unordered_.texts[row] : std::string_view()});
    }
    unordered_ = PoolRows();
    unordered_ids_.clear();
  }
  PoolRows& list = lists_.back();
  const std::size_t last = sentence_ < 0 ? 0 : static_cast<std::size_t>(sentence_) + 1;
  while (list.offsets.size() <= last)
    list.offsets.push_back(static_cast<std::int64_t>(list.rows()));
}

void PoolBuilder::add(const HypothesisBatch& batch) {
  constexpr std::size_t kRows = 512;
  if (!fixed_) {
    for (const std::string& name : batch.dense_names) schema_.add(name, true);
    fix_schema();
  }
  begin_list();
  formats::NbestReport report;
  std::vector<formats::NbestPart> parts(static_cast<std::size_t>(options_.threads));
  std::vector<int> places;
  for (const std::string& name : batch.dense_names) {
    const std::uint32_t place = schema_.dense.find(name);
    places.push_back(place == StringIndex::kMissing ? -1 : static_cast<int>(place));
  }
  const auto fill = [&](formats::NbestPart& part, std::size_t begin, std::size_t end) {
    part.clear(schema_);
    for (std::size_t row = begin; row < end; ++row) {
      part.begin_row(batch.sentences[row], batch.texts[row], static_cast<std::uint32_t>(row));
      const float* dense = batch.dense + row * places.size();
      for (std::size_t i = 0; i < places.size(); ++i) {
        const std::string text = std::isfinite(dense[i]) ? "" : std::to_string(dense[i]);
        if (places[i] >= 0)
          part.set_dense(places[i], dense[i], text, schema_);
        else
          part.set(batch.dense_names[i], dense[i], text, schema_);
      }
      if (!batch.sparse_offsets.empty())
        for (std::int64_t i = batch.sparse_offsets[row]; i < batch.sparse_offsets[row + 1]; ++i)
          part.set(batch.sparse_names[batch.sparse_ids[i]], batch.sparse_values[i],
                   std::to_string(batch.sparse_values[i]), schema_);
      part.end_row(schema_);
    }
  };
  const std::size_t rows = batch.texts.size();
  for (std::size_t begin = 0; begin < rows;) {
    const std::size_t blocks = std::min(parts.size(), (rows - begin + kRows - 1) / kRows);
    engine::parallel_for(blocks, options_.threads, [&](std::size_t block) {
      const std::size_t first = begin + block * kRows;
      try {
        fill(parts[block], first, std::min(rows, first + kRows));
      } catch (const formats::BadLine& bad) {
        throw OptionError("hypothesis " + std::to_string(parts[block].lines.back()) + ": " +
                          bad.found + ", expected " + bad.expected);
      }
      work(parts[block], static_cast<int>(block));
    });
    for (std::size_t block = 0; block < blocks; ++block)
      take(parts[block], static_cast<int>(block));
    begin = std::min(rows, begin + blocks * kRows);
  }
  report.sentences = sentences_ != kAnyNumber  ? sentences_
                     : batch.sentences.empty() ? 0
                                               : batch.sentences.back() + 1;
  end_list(report, {});
}

void PoolBuilder::add_pool(const PoolView& pool, std::span<const std::uint64_t> keys,
                           const std::vector<std::string_view>& texts,
                           const std::vector<std::string>& dense_names,
                           const std::vector<std::string>& sparse_names) {
  if (lists_.empty() && !scorer_) stats_size_ = pool.stats_size;
  if (!fixed_) {
    for (const std::string& name : dense_names) schema_.add(name, true);
    fix_schema();
  }
  if (pool.stats_size != stats_size_)
    throw OptionError(
        "pools of different metrics cannot be merged: " + std::to_string(pool.stats_size) +
        " statistics and " + std::to_string(stats_size_));
  std::vector<int> places;
  for (const std::string& name : dense_names) {
    const std::uint32_t place = schema_.dense.find(name);
    if (place == StringIndex::kMissing)
      throw OptionError("feature " + quoted(name) + " is dense in a later pool only");
    places.push_back(static_cast<int>(place));
  }
  for (std::uint32_t i = 0; i < schema_.dense.size(); ++i)
    if (schema_.required[i] &&
        std::find(places.begin(), places.end(), static_cast<int>(i)) == places.end())
      throw OptionError("a pool has no feature " + quoted(schema_.dense.text(i)));
  std::vector<std::uint32_t> map(sparse_names.size(), StringIndex::kMissing);
  std::vector<std::uint32_t> ids;
  std::vector<float> values, dense(schema_.dense.size());
  begin_list();
  for (std::int64_t s = 0; s < pool.sentences(); ++s) {
    for (std::int64_t row = pool.offsets[s]; row < pool.offsets[s + 1]; ++row) {
      for (std::size_t i = 0; i < places.size(); ++i) dense[places[i]] = pool.dense_row(row)[i];
      ids.clear();
      values.clear();
      for (std::int64_t i = pool.sparse_offsets[row]; i < pool.sparse_offsets[row + 1]; ++i) {
        std::uint32_t& id = map[pool.sparse_ids[i]];
        if (id == StringIndex::kMissing) id = sparse_names_.add(sparse_names[pool.sparse_ids[i]]);
        ids.push_back(id);
        values.push_back(pool.sparse_values[i]);
      }
      add_row({static_cast<std::uint32_t>(s), dense.data(), ids, values, pool.stats_row(row),
               keys[static_cast<std::size_t>(row)],
               options_.keep_texts ? texts[static_cast<std::size_t>(row)] : std::string_view()});
    }
  }
  formats::NbestReport report;
  report.sentences =
      sentences_ != kAnyNumber ? sentences_ : static_cast<std::uint32_t>(pool.sentences());
  end_list(report, {});
}

// Sentence by sentence from all lists, in their order; copied pages go back to the system.
PoolRows PoolBuilder::merge() {
  PoolRows out;
  std::size_t sentences = 0;
  for (const PoolRows& list : lists_) sentences = std::max(sentences, list.offsets.size() - 1);
  const std::size_t width = dense_places_.size(), columns = column_places_.size();
  const auto stats = static_cast<std::size_t>(stats_size_);
  out.offsets.push_back(0);
  for (std::size_t s = 0; s < sentences; ++s) {
    for (PoolRows& list : lists_) {
      if (s + 1 >= list.offsets.size()) continue;
      const auto begin = static_cast<std::size_t>(list.offsets[s]);
      const std::size_t end = static_cast<std::size_t>(list.offsets[s + 1]), rows = end - begin;
      out.dense.append(list.dense.data() + begin * width, rows * width);
      out.columns.append(list.columns.data() + begin * columns, rows * columns);
      out.stats.append(list.stats.data() + begin * stats, rows * stats);
      out.keys.append(list.keys.data() + begin, rows);
      if (options_.keep_texts)
        for (std::size_t row = begin; row < end; ++row) out.texts.add(list.texts[row]);
      const std::int64_t entries = list.sparse_offsets[begin];
      const auto first = static_cast<std::size_t>(entries);
      const std::size_t count = static_cast<std::size_t>(list.sparse_offsets[end]) - first;
      const std::int64_t shift = static_cast<std::int64_t>(out.sparse_ids.size()) - entries;
      for (std::size_t row = begin; row < end; ++row)
        out.sparse_offsets.push_back(list.sparse_offsets[row + 1] + shift);
      out.sparse_ids.append(list.sparse_ids.data() + first, count);
      out.sparse_values.append(list.sparse_values.data() + first, count);
      list.dense.release_front(end * width);
      list.columns.release_front(end * columns);
      list.stats.release_front(end * stats);
      list.keys.release_front(end);
      if (options_.keep_texts)
        list.texts.bytes.release_front(static_cast<std::size_t>(list.texts.offsets[end]));
      list.sparse_offsets.release_front(end);
      list.sparse_ids.release_front(first + count);
      list.sparse_values.release_front(first + count);
    }
    out.offsets.push_back(static_cast<std::int64_t>(out.rows()));
  }
  return out;
}

PoolRows PoolBuilder::finish() {
  if (lists_.empty()) throw OptionError("a pool needs at least one list");
  PoolRows out = lists_.size() == 1 ? std::move(lists_.front()) : merge();
  lists_.clear();
  formats::sort_sparse_rows(out.sparse_offsets.span(), out.sparse_ids.data(),
                            out.sparse_values.data(), options_.threads);
  // No empty sentences: two equal offsets become one.
  std::size_t kept = 1;
  for (std::size_t s = 1; s < out.offsets.size(); ++s) {
    if (out.offsets[s] == out.offsets[kept - 1]) continue;
    out.offsets[kept++] = out.offsets[s];
    out.sentences.push_back(static_cast<std::int64_t>(s) - 1);
  }
  const std::size_t sentences = scorer_ ? sentences_ : out.offsets.size() - 1;
  empty_sentences_ = static_cast<std::uint32_t>(sentences - (kept - 1));
  out.offsets.resize(kept);
  if (kept == 1) throw OptionError("no list has a hypothesis that can be used");
  out.shrink();
  return out;
}

}  // namespace tunesmith::tune
