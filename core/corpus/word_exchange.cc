#include "corpus/word_exchange.hh"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/error.hh"
#include "corpus/class_tree.hh"
#include "engine/parallel.hh"

namespace tunesmith::corpus {

namespace {

// Words that look for a better class at the same time. More would often find that the words
// before them in the block have changed what is best.
constexpr std::uint32_t kBlock = 64;
// Words that one thread takes at a time.
constexpr std::size_t kWordsAtOnce = 4;
// T·I must rise by more than this, or rounding could move words to and fro.
constexpr double kLeastGain = 1e-6;

}  // namespace

WordExchange::WordExchange(std::span<const std::uint64_t> sentences,
                           std::span<const std::uint32_t> ids, std::uint32_t vocabulary,
                           std::uint32_t classes, std::uint32_t min_count, int threads)
    : threads_(engine::resolve_threads(threads)), classes_(classes), counts_(0) {
  if (classes < 1) throw OptionError("no classes, expected at least 1");
  if (ids.size() > 0x7FFFFFFF) throw Error("more than 2,147,483,647 words of text");
  rank_words(ids, vocabulary, min_count);
  const std::uint32_t boundary = words_, rare = words_ + 1;
  classes_ = std::min(classes, words_);

  std::vector<std::uint32_t> ranks(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ranks[i] = rank_of_[ids[i]];
  right_ = find_neighbours(sentences, ranks, words_ + 2, boundary, Side::kRight, threads_);
  left_ = find_neighbours(sentences, ranks, words_ + 2, boundary, Side::kLeft, threads_);

  class_of_.resize(words_ + 2);
  for (std::uint32_t w = 0; w < words_; ++w) class_of_[w] = w % classes_;
  class_of_[boundary] = classes_;
  class_of_[rare] = classes_ + 1;

  counts_ = ClassCounts(classes_ + 2);
  for (std::uint32_t w = 0; w < words_ + 2; ++w) {
    for (std::uint64_t at = right_.offsets[w]; at < right_.offsets[w + 1]; ++at)
      counts_.add(class_of_[w], class_of_[right_.words[at]], right_.counts[at]);
    // Words after a boundary: it has no neighbours of its own in the lists.
    for (std::uint64_t at = left_.offsets[w]; at < left_.offsets[w + 1]; ++at) {
      if (left_.words[at] != boundary) continue;
      counts_.add(classes_, class_of_[w], left_.counts[at]);
      frequency_[boundary] += left_.counts[at];
    }
  }
  for (std::uint32_t w = 0; w < words_ + 2; ++w) counts_.add_size(class_of_[w], frequency_[w]);

  contexts_.resize(threads_);
  for (Context& context : contexts_) {
    context.left.assign(classes_ + 2, 0);
    context.right.assign(classes_ + 2, 0);
    context.gains.resize(classes_);
  }
}

void WordExchange::rank_words(std::span<const std::uint32_t> ids, std::uint32_t vocabulary,
                              std::uint32_t min_count) {
  std::vector<std::uint32_t> frequency(vocabulary);
  for (const std::uint32_t id : ids) {
    if (id >= vocabulary) throw Error("a word id outside the vocabulary");
    ++frequency[id];
  }
  std::vector<std::uint32_t> order(vocabulary);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return frequency[a] > frequency[b]; });
  const std::uint32_t least = std::max<std::uint32_t>(min_count, 1);
  while (words_ < vocabulary && frequency[order[words_]] >= least) ++words_;
  if (words_ == 0) throw Error("no word is frequent enough to be clustered");
  const std::uint32_t rare = words_ + 1;
  rank_of_.assign(vocabulary, rare);
  frequency_.assign(words_ + 2, 0);
  for (std::uint32_t rank = 0; rank < vocabulary; ++rank) {
    if (rank < words_) rank_of_[order[rank]] = rank;
    frequency_[std::min(rank, words_) == words_ ? rare : rank] += frequency[order[rank]];
  }
}

std::uint64_t WordExchange::sweep() {
  std::uint64_t moves = 0;
  Context& context = contexts_[0];
  for (std::uint32_t begin = 0; begin < words_; begin += kBlock) {
    const std::uint32_t end = std::min(words_, begin + kBlock);
    propose(begin, end);
    for (std::uint32_t w = begin; w < end; ++w) {
      const std::uint32_t from = class_of_[w], to = proposed_[w - begin];
      if (to == from) continue;
      gather(w, context);
      if (gain(w, from, to, context) > gain(w, from, from, context) + kLeastGain) {
        move(w, to, context);
        ++moves;
      }
      clear(context);
    }
  }
  return moves;
}

void WordExchange::propose(std::uint32_t begin, std::uint32_t end) {
  proposed_.resize(kBlock);
  engine::parallel_for_worker(
      end - begin, threads_,
      [&](std::size_t i, int worker) {
        const std::uint32_t word = begin + static_cast<std::uint32_t>(i);
        Context& context = contexts_[worker];
        gather(word, context);
        find_gains(word, context);
        const auto best = std::max_element(context.gains.begin(), context.gains.end());
        const std::uint32_t from = class_of_[word];
        const bool better = *best > context.gains[from] + kLeastGain;
        proposed_[i] = better ? static_cast<std::uint32_t>(best - context.gains.begin()) : from;
        clear(context);
      },
      kWordsAtOnce);
}

void WordExchange::gather(std::uint32_t word, Context& context) const {
  const auto count = [&](const Neighbours& neighbours, std::vector<std::uint32_t>& counts,
                         std::vector<std::uint32_t>& some) {
    for (std::uint64_t at = neighbours.offsets[word]; at < neighbours.offsets[word + 1]; ++at) {
      if (neighbours.words[at] == word) {
        context.self = neighbours.counts[at];
        continue;
      }
      const std::uint32_t of = class_of_[neighbours.words[at]];
      if (counts[of] == 0) some.push_back(of);
      counts[of] += neighbours.counts[at];
    }
  };
  count(right_, context.right, context.right_some);
  count(left_, context.left, context.left_some);
}

void WordExchange::clear(Context& context) const {
  for (const std::uint32_t c : context.right_some) context.right[c] = 0;
  for (const std::uint32_t c : context.left_some) context.left[c] = 0;
  context.right_some.clear();
  context.left_some.clear();
  context.self = 0;
}

// What follows is written for a word that has been taken out of its class `from`: what it added to
// the counts is subtracted where they are used.

void WordExchange::find_gains(std::uint32_t word, Context& context) const {
  const std::uint32_t from = class_of_[word];
  const std::uint32_t frequency = frequency_[word];
  std::vector<double>& gains = context.gains;
  for (std::uint32_t c = 0; c < classes_; ++c)
    gains[c] = -2 * (h_(counts_.size(c) + frequency) - h_(counts_.size(c)));

  // Adds what `more` gives to the counts `old`, of class d with all classes; `own` is what the
  // word itself has in those of its class.
  const auto add = [&](std::uint32_t d, std::span<const std::uint32_t> old, std::uint32_t more,
                       const std::vector<std::uint32_t>& own) {
    const double diagonal = gains[d < classes_ ? d : 0];
    if (d == from) {
      for (std::uint32_t c = 0; c < classes_; ++c) {
        const std::uint32_t x = old[c] - own[c];
        gains[c] += h_(x + more) - h_(x);
      }
    } else if (counts_.size(d) + static_cast<std::uint64_t>(more) < CountEntropy::kTable) {
      for (std::uint32_t c = 0; c < classes_; ++c)
        gains[c] += h_.small(old[c] + more) - h_.small(old[c]);
    } else {
      const double first = h_(more);  // most pairs of classes are never seen
      for (std::uint32_t c = 0; c < classes_; ++c)
        gains[c] += old[c] == 0 ? first : h_(old[c] + more) - h_(old[c]);
    }
    if (d < classes_) gains[d] = diagonal;
  };
  for (const std::uint32_t d : context.right_some)
    add(d, counts_.before(d), context.right[d], context.left);
  for (const std::uint32_t d : context.left_some)
    add(d, counts_.after(d), context.left[d], context.right);
  for (std::uint32_t c = 0; c < classes_; ++c) {
    const std::uint32_t more = context.left[c] + context.right[c] + context.self;
    if (more != 0) gains[c] += h_(counts_(c, c) + more) - h_(counts_(c, c));
  }
  gains[from] = gain(word, from, from, context);
}

double WordExchange::gain(std::uint32_t word, std::uint32_t from, std::uint32_t to,
                          const Context& context) const {
  const bool stays = to == from;
  const auto& [left, right] = std::tie(context.left, context.right);
  double sum = 0;
  const auto add = [&](std::uint32_t old, std::uint32_t more) { sum += h_(old + more) - h_(old); };
  for (const std::uint32_t d : context.right_some) {
    if (d == to) continue;
    add(counts_(to, d) - (stays ? right[d] : 0) - (d == from ? left[to] : 0), right[d]);
  }
  for (const std::uint32_t d : context.left_some) {
    if (d == to) continue;
    add(counts_(d, to) - (stays ? left[d] : 0) - (d == from ? right[to] : 0), left[d]);
  }
  const std::uint32_t inside = left[to] + right[to] + context.self;
  add(counts_(to, to) - (stays ? inside : 0), inside);
  const std::uint32_t size = counts_.size(to) - (stays ? frequency_[word] : 0);
  return sum - 2 * (h_(size + frequency_[word]) - h_(size));
}

void WordExchange::move(std::uint32_t word, std::uint32_t to, const Context& context) {
  const std::uint32_t from = class_of_[word];
  for (const std::uint32_t d : context.right_some) {
    counts_.add(from, d, -context.right[d]);
    counts_.add(to, d, context.right[d]);
  }
  for (const std::uint32_t d : context.left_some) {
    counts_.add(d, from, -context.left[d]);
    counts_.add(d, to, context.left[d]);
  }
  counts_.add(from, from, -context.self);
  counts_.add(to, to, context.self);
  counts_.add_size(from, -frequency_[word]);
  counts_.add_size(to, frequency_[word]);
  class_of_[word] = to;
}

std::vector<std::uint32_t> WordExchange::assignment() const {
  std::vector<std::uint32_t> classes(rank_of_.size(), StringIndex::kMissing);
  for (std::size_t id = 0; id < classes.size(); ++id)
    if (rank_of_[id] < words_) classes[id] = class_of_[rank_of_[id]];
  return classes;
}

std::vector<std::string> WordExchange::paths() const {
  return class_paths(counts_, classes_, h_, threads_);
}

}  // namespace tunesmith::corpus
