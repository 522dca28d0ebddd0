#include "lm/ngram_linker.hh"

#include <algorithm>
#include <bit>

#include "base/error.hh"

namespace tunesmith::lm {
namespace {

std::uint64_t hash(std::uint32_t context, WordId word) {
  return mix64((static_cast<std::uint64_t>(context) << 32) | word);
}

}  // namespace

NgramLinker::NgramLinker(Ngrams& ngrams, const NgramOrigin& origin)
    : ngrams_(ngrams), origin_(origin), index_(ngrams.orders.size()) {}

std::uint32_t NgramLinker::find(int order, std::uint32_t context, WordId word) const {
  if (order == 1) return word;
  const OrderNgrams& list = ngrams_.orders[order - 1];
  const std::vector<std::uint32_t>& slots = index_[order - 1].slots;
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = hash(context, word) & mask;; i = (i + 1) & mask) {
    const std::uint32_t place = slots[i];
    if (place == kNone) return kNone;
    if (list.word[place] == word && list.context[place] == context) return place;
  }
}

void NgramLinker::insert(int order, std::uint32_t place) {
  const OrderNgrams& list = ngrams_.orders[order - 1];
  Index& index = index_[order - 1];
  const auto put = [&](std::uint32_t p) {
    const std::size_t mask = index.slots.size() - 1;
    std::size_t i = hash(list.context[p], list.word[p]) & mask;
    while (index.slots[i] != kNone) i = (i + 1) & mask;
    index.slots[i] = p;
  };
  if (++index.used * 3 > index.slots.size() * 2) {
    std::vector<std::uint32_t> old(index.slots.size() * 2, kNone);
    old.swap(index.slots);
    for (const std::uint32_t p : old)
      if (p != kNone) put(p);
  }
  put(place);
}

void NgramLinker::link(int order, const std::vector<WordId>& words) {
  OrderNgrams& list = ngrams_.orders[order - 1];
  const std::size_t size = list.size();
  if (size >= kNone / 2) throw Error("more than 2,147,483,647 n-grams of one order");
  list.context.assign(size, 0);
  list.word.resize(size);
  list.suffix.assign(size, 0);
  if (order == 1) {
    list.word = words;
    return;
  }
  index_[order - 1].slots.assign(std::bit_ceil(size * 2 + 2), kNone);
  const auto line = [&](std::size_t i) { return origin_.first_line[order - 1] + i; };

  // Contexts first: they must be n-grams of the file, not ones added here.
  const WordId* known = nullptr;  // the words of the context found last
  std::uint32_t context = kNone;
  for (std::size_t i = 0; i < size; ++i) {
    const WordId* ngram = &words[i * order];
    if (known == nullptr || !std::equal(ngram, ngram + order - 1, known)) {
      known = ngram;
      context = ngram[0];
      for (int k = 2; k < order && context != kNone; ++k) context = find(k, context, ngram[k - 1]);
      if (context == kNone)
        throw InputError(origin_.path, line(i),
                         "the context of " + quoted(text(ngram, order)) + " is missing",
                         "it among the " + std::to_string(order - 1) + "-grams",
                         "prune with a tool that keeps the contexts of what it keeps");
    }
    const WordId word = ngram[order - 1];
    if (find(order, context, word) != kNone)
      throw InputError(origin_.path, line(i), quoted(text(ngram, order)) + " for the second time",
                       "every n-gram once");
    list.context[i] = context;
    list.word[i] = word;
    insert(order, static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < size; ++i)
    list.suffix[i] = suffix_of(order, list.context[i], list.word[i]);
}

// The n-gram of `order` − 1 that lacks the first word of (context, word), made if it is missing.
std::uint32_t NgramLinker::suffix_of(int order, std::uint32_t context, WordId word) {
  if (order == 2) return word;
  OrderNgrams& list = ngrams_.orders[order - 2];
  const std::uint32_t shorter = ngrams_.orders[order - 2].suffix[context];
  std::uint32_t place = find(order - 1, shorter, word);
  if (place != kNone) return place;
  const std::uint32_t suffix = suffix_of(order - 1, shorter, word);
  place = static_cast<std::uint32_t>(list.size());
  list.context.push_back(shorter);
  list.word.push_back(word);
  list.suffix.push_back(suffix);
  const OrderNgrams& below = ngrams_.orders[order - 3];
  list.log10.push_back(std::min(0.0f, below.backoff[shorter] + below.log10[suffix]));
  list.backoff.push_back(0.0f);
  insert(order - 1, place);
  return place;
}

std::string NgramLinker::text(const WordId* words, int n) const {
  std::string out;
  for (int k = 0; k < n; ++k) {
    if (k > 0) out += ' ';
    out += ngrams_.vocabulary.text(words[k]);
  }
  return out;
}

}  // namespace tunesmith::lm
