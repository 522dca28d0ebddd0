#include "formats/nbest_store.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/parallel.hh"

namespace tunesmith::formats {

void sort_sparse_rows(std::span<const std::int64_t> offsets, std::uint32_t* ids, float* values,
                      int threads) {
  if (offsets.empty() || offsets.back() == 0) return;
  constexpr std::size_t kRows = 1024;
  const std::size_t rows = offsets.size() - 1;
  engine::parallel_for((rows + kRows - 1) / kRows, threads, [&](std::size_t block) {
    std::vector<std::pair<std::uint32_t, float>> entries;
    for (std::size_t row = block * kRows; row < std::min(rows, (block + 1) * kRows); ++row) {
      const std::int64_t begin = offsets[row], end = offsets[row + 1];
      if (std::is_sorted(ids + begin, ids + end)) continue;
      entries.clear();
      for (std::int64_t i = begin; i < end; ++i) entries.emplace_back(ids[i], values[i]);
      std::sort(entries.begin(), entries.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::int64_t i = begin; i < end; ++i) {
        ids[i] = entries[i - begin].first;
        values[i] = entries[i - begin].second;
      }
    }
  });
}

void NbestStore::take(NbestPart& part, int) {
  name_map_.assign(part.names.size(), StringIndex::kMissing);
  for (std::size_t row = 0; row < part.rows(); ++row) {
    if (!part.keep[row]) continue;
    ids.push_back(part.ids[row]);
    texts.add(part.texts[row]);
    extras.add(part.extras[row]);
    totals.push_back(part.totals[row]);
    has_extras = has_extras || !part.extras[row].empty();
    has_totals = has_totals || !std::isnan(part.totals[row]);
    const auto values = part.dense_row(row);
    dense.append(values.data(), values.size());
    for (std::size_t i = part.sparse_begin(row); i < part.sparse_ends[row]; ++i) {
      std::uint32_t& id = name_map_[part.sparse_ids[i]];
      if (id == StringIndex::kMissing) id = sparse_names.add(part.names.text(part.sparse_ids[i]));
      sparse_ids.push_back(id);
      sparse_values.push_back(part.sparse_values[i]);
    }
    sparse_offsets.push_back(static_cast<std::int64_t>(sparse_ids.size()));
  }
}

// Rows in the order of their sentences; those of one sentence stay in the file's order.
void NbestStore::sort_rows() {
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  NbestStore sorted;
  const std::size_t width = schema.dense.size();
  for (const std::size_t row : order) {
    sorted.ids.push_back(ids[row]);
    sorted.texts.add(texts[row]);
    sorted.extras.add(extras[row]);
    sorted.totals.push_back(totals[row]);
    sorted.dense.append(dense.data() + row * width, width);
    const auto begin = static_cast<std::size_t>(sparse_offsets[row]);
    const auto count = static_cast<std::size_t>(sparse_offsets[row + 1]) - begin;
    sorted.sparse_ids.append(sparse_ids.data() + begin, count);
    sorted.sparse_values.append(sparse_values.data() + begin, count);
    sorted.sparse_offsets.push_back(static_cast<std::int64_t>(sorted.sparse_ids.size()));
  }
  ids = std::move(sorted.ids);
  texts = std::move(sorted.texts);
  extras = std::move(sorted.extras);
  totals = std::move(sorted.totals);
  dense = std::move(sorted.dense);
  sparse_offsets = std::move(sorted.sparse_offsets);
  sparse_ids = std::move(sorted.sparse_ids);
  sparse_values = std::move(sorted.sparse_values);
}

void NbestStore::finish(const NbestReport& report) {
  if (!report.ordered) sort_rows();
  sort_sparse_rows(sparse_offsets.span(), sparse_ids.data(), sparse_values.data(), 1);
  std::size_t row = 0;
  offsets.push_back(0);
  for (std::uint32_t s = 0; s < report.sentences; ++s) {
    while (row < ids.size() && ids[row] == s) ++row;
    offsets.push_back(static_cast<std::int64_t>(row));
  }
}

}  // namespace tunesmith::formats
