#include <algorithm>

#include "base/error.hh"
#include "lm/ngrams.hh"

namespace tunesmith::lm {

Ngrams unpack(const Model& model) {
  // A file may be whole and yet not what the builder makes.
  const auto require = [&](bool good) {
    if (!good)
      throw InputError(model.path(), 0, "n-grams that do not fit together",
                       "a whole language model", "make it again from its text or ARPA file");
  };
  Ngrams out;
  const int order = model.order();
  out.orders.resize(order);
  out.counts.assign(model.counts().begin(), model.counts().end());
  out.has_unknown = model.has_unknown();
  const auto backoff_of = [&](std::uint32_t next, int length) {
    return model.length({next}) == length ? model.nodes()[next].backoff : 0.0f;
  };

  OrderNgrams& unigrams = out.orders[0];
  for (WordId word = 0; word < model.vocabulary().size(); ++word) {
    require(out.vocabulary.add(model.vocabulary().text(word)) == word);
    const Unigram& unigram = model.unigrams()[word];
    unigrams.context.push_back(0);
    unigrams.suffix.push_back(0);
    unigrams.word.push_back(word);
    unigrams.log10.push_back(unigram.prob.log10());
    if (order > 1) unigrams.backoff.push_back(backoff_of(unigram.next, 1));
  }

  // Entries by length, those that were added last; where each entry and each node went.
  const auto buckets = model.buckets();
  const auto blanks = model.blanks();
  std::vector<std::vector<const Entry*>> entries(order + 1), added(order + 1);
  for (const Bucket& bucket : buckets) {
    for (const Entry& entry : bucket.entries) {
      if (entry.context == Entry::kEmpty) continue;
      const std::uint64_t key = (static_cast<std::uint64_t>(entry.context) << 32) | entry.word;
      const bool blank = std::binary_search(blanks.begin(), blanks.end(), key);
      (blank ? added : entries)[model.length({entry.context}) + 1].push_back(&entry);
    }
  }
  std::vector<std::uint32_t> place_of_node(model.nodes().size(), 0);
  std::vector<std::uint32_t> place_of_entry(buckets.size() * Bucket::kSize, 0);
  const auto slot_of = [&](const Entry* entry) {
    return static_cast<std::size_t>(entry - &buckets[0].entries[0]);
  };
  for (WordId word = 0; word < unigrams.size(); ++word)
    if (model.length({model.unigrams()[word].next}) == 1)
      place_of_node[model.unigrams()[word].next] = word;

  for (int n = 2; n <= order; ++n) {
    OrderNgrams& list = out.orders[n - 1];
    require(entries[n].size() == model.counts()[n - 1]);
    entries[n].insert(entries[n].end(), added[n].begin(), added[n].end());
    for (const Entry* entry : entries[n]) {
      const auto place = static_cast<std::uint32_t>(list.size());
      place_of_entry[slot_of(entry)] = place;
      if (model.length({entry->next}) == n) place_of_node[entry->next] = place;
      list.context.push_back(place_of_node[entry->context]);
      list.word.push_back(entry->word);
      // The suffix of a context is a context too, and the n-gram's suffix stands under it.
      const std::uint32_t shorter = model.nodes()[entry->context].suffix;
      const Entry* suffix = n == 2 ? nullptr : model.find(shorter, entry->word);
      require(n == 2 || (suffix != nullptr && model.length({shorter}) == n - 2));
      list.suffix.push_back(n == 2 ? entry->word : place_of_entry[slot_of(suffix)]);
      if (n > 2) {
        // (a b c): the context of its suffix (b c) is the suffix of its context (a b).
        const OrderNgrams& below = out.orders[n - 2];
        require(below.context[list.suffix.back()] == below.suffix[list.context.back()]);
      }
      list.log10.push_back(entry->prob.log10());
      if (n < order) list.backoff.push_back(backoff_of(entry->next, n));
    }
  }
  return out;
}

}  // namespace tunesmith::lm
