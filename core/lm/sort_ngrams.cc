#include <algorithm>
#include <numeric>

#include "lm/ngrams.hh"

namespace tunesmith::lm {
namespace {

constexpr std::uint32_t kGone = 0xFFFFFFFF;

template <typename T>
void permute(std::vector<T>& values, const std::vector<std::uint32_t>& from) {
  if (values.empty()) return;
  std::vector<T> out(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = values[from[i]];
  values.swap(out);
}

}  // namespace

void sort_ngrams(Ngrams& ngrams, const std::vector<std::vector<bool>>* keep) {
  const auto kept = [&](int n, std::size_t i) { return keep == nullptr || (*keep)[n - 1][i]; };
  std::vector<std::uint32_t> moved;        // the new place of each n-gram of the order below
  std::vector<WordId> first, first_below;  // first words, in old places
  std::vector<WordId> renamed;             // the new id of each word
  bool fewer_words = false;
  for (int n = 1; n <= ngrams.order(); ++n) {
    OrderNgrams& list = ngrams.orders[n - 1];
    const std::size_t size = list.size();
    const std::size_t added_from = ngrams.counts[n - 1] + (n == 1 && !ngrams.has_unknown);
    std::vector<std::uint32_t> from;  // the old place of each n-gram that stays
    if (n == 1) {
      first.resize(size);
      std::iota(first.begin(), first.end(), 0);
      from.reserve(size);
      for (std::size_t i = 0; i < size; ++i)
        if (kept(1, i)) from.push_back(static_cast<std::uint32_t>(i));
      if (from.size() < size) {
        fewer_words = true;
        StringIndex smaller;
        for (const std::uint32_t word : from) smaller.add(ngrams.vocabulary.text(word));
        ngrams.vocabulary = std::move(smaller);
      }
    } else {
      first_below.swap(first);
      first.resize(size);
      // Grouped by suffix, in the order of the suffixes; in a group by the first word.
      std::vector<std::uint32_t> begin(ngrams.orders[n - 2].size() + 1, 0);
      for (std::size_t i = 0; i < size; ++i) {
        first[i] = first_below[list.context[i]];
        if (kept(n, i) && i < added_from) ++begin[moved[list.suffix[i]] + 1];
      }
      std::partial_sum(begin.begin(), begin.end(), begin.begin());
      std::vector<std::uint64_t> grouped(begin.back());
      std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
      for (std::size_t i = 0; i < size; ++i)
        if (kept(n, i) && i < added_from)
          grouped[at[moved[list.suffix[i]]]++] = (static_cast<std::uint64_t>(first[i]) << 32) | i;
      for (std::size_t g = 0; g + 1 < begin.size(); ++g)
        std::sort(grouped.begin() + begin[g], grouped.begin() + begin[g + 1]);
      from.resize(grouped.size());
      for (std::size_t i = 0; i < grouped.size(); ++i)
        from[i] = static_cast<std::uint32_t>(grouped[i]);
      for (std::size_t i = added_from; i < size; ++i)
        if (kept(n, i)) from.push_back(static_cast<std::uint32_t>(i));
      for (std::uint32_t& context : list.context) context = moved[context];
      for (std::uint32_t& suffix : list.suffix) suffix = moved[suffix];
    }
    permute(list.context, from);
    permute(list.word, from);
    permute(list.suffix, from);
    permute(list.log10, from);
    permute(list.backoff, from);
    moved.assign(size, kGone);
    for (std::size_t i = 0; i < from.size(); ++i) moved[from[i]] = static_cast<std::uint32_t>(i);
    if (n == 1) renamed = moved;
    if (fewer_words)
      for (WordId& word : list.word) word = renamed[word];
    if (keep != nullptr) ngrams.counts[n - 1] = from.size();
  }
}

}  // namespace tunesmith::lm
