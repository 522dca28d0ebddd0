#include "lm/interpolate.hh"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hh"
#include "lm/ngram_key.hh"

namespace tunesmith::lm {
namespace {

// What remains for unseen words where rounding leaves nothing.
constexpr double kLeastMass = 1e-12;

// Places of distinct keys in the order of their first appearance.
class KeyIndex {
 public:
  explicit KeyIndex(std::size_t expected)
      : slots_(std::bit_ceil(expected * 2 + 2), kNone), mask_(slots_.size() - 1) {}

  std::uint32_t add(std::uint64_t key) {
    std::size_t i = mix64(key) & mask_;
    while (slots_[i] != kNone && keys_[slots_[i]] != key) i = (i + 1) & mask_;
    if (slots_[i] == kNone) {
      slots_[i] = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    return slots_[i];
  }
  std::uint32_t find(std::uint64_t key) const {
    std::size_t i = mix64(key) & mask_;
    while (slots_[i] != kNone && keys_[slots_[i]] != key) i = (i + 1) & mask_;
    return slots_[i];
  }
  const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  std::vector<std::uint32_t> slots_;
  std::size_t mask_;
  std::vector<std::uint64_t> keys_;
};

StringIndex joint_vocabulary(const std::vector<std::shared_ptr<const Model>>& models) {
  StringIndex out = marker_vocabulary();
  for (const auto& model : models)
    for (WordId word = 0; word < model->vocabulary().size(); ++word)
      out.add(model->vocabulary().text(word));
  return out;
}

class Mixture {
 public:
  Mixture(const std::vector<std::shared_ptr<const Model>>& models,
          const std::vector<double>& weights)
      : models_(models), weights_(weights) {}

  Ngrams run() {
    int order = 0;
    for (const auto& model : models_) {
      order = std::max(order, model->order());
      lists_.push_back(unpack(*model));
    }
    out_.vocabulary = joint_vocabulary(models_);
    out_.orders.resize(order);
    map_words();
    for (int n = 1; n <= order; ++n) {
      join(n);
      score(n);
      if (n > 1) weigh(n);
      out_.counts.push_back(out_.orders[n - 1].size());
    }
    lists_.clear();
    sort_ngrams(out_);
    return std::move(out_);
  }

 private:
  void map_words() {
    const auto shares = unknown_shares(models_);
    for (std::size_t k = 0; k < models_.size(); ++k) {
      unknown_share_.push_back(1.0 / static_cast<double>(shares[k]));
      std::vector<WordId>& ids = model_word_.emplace_back();
      for (WordId word = 0; word < out_.vocabulary.size(); ++word)
        ids.push_back(models_[k]->vocabulary().find(out_.vocabulary.text(word)));
    }
  }

  // The n-grams of all models, and where those of each model went.
  void join(int n) {
    OrderNgrams& list = out_.orders[n - 1];
    if (n == 1) {
      const WordId words = out_.vocabulary.size();
      list.context.assign(words, 0);
      list.suffix.assign(words, 0);
      for (WordId word = 0; word < words; ++word) list.word.push_back(word);
      for (const auto& model : models_) {
        std::vector<std::uint32_t>& places = place_.emplace_back();
        for (WordId word = 0; word < model->vocabulary().size(); ++word)
          places.push_back(out_.vocabulary.find(model->vocabulary().text(word)));
      }
      joint_word_ = place_;
      return;
    }
    std::size_t total = 0;
    for (const Ngrams& ngrams : lists_)
      if (n <= ngrams.order()) total += ngrams.orders[n - 1].size();
    KeyIndex index(total);
    for (std::size_t k = 0; k < models_.size(); ++k) {
      if (n > lists_[k].order()) continue;
      const OrderNgrams& own = lists_[k].orders[n - 1];
      std::vector<std::uint32_t> places(own.size());
      for (std::size_t i = 0; i < own.size(); ++i)
        places[i] = index.add(key_of(place_[k][own.context[i]], joint_word_[k][own.word[i]]));
      place_[k] = std::move(places);
    }
    if (index.keys().size() >= kNone / 2)
      throw Error("more than 2,147,483,647 n-grams of one order");
    const OrderNgrams& below = out_.orders[n - 2];
    for (const std::uint64_t key : index.keys()) {
      const auto context = static_cast<std::uint32_t>(key >> 32);
      const auto word = static_cast<WordId>(key);
      list.context.push_back(context);
      list.word.push_back(word);
      // Where a model has an n-gram it has the suffix, so the joint list has it.
      list.suffix.push_back(n == 2 ? word : below_index_.find(key_of(below.suffix[context], word)));
    }
    below_index_ = std::move(index);
  }

  // The mixture's probability of every n-gram, and the models' states behind it.
  void score(int n) {
    OrderNgrams& list = out_.orders[n - 1];
    const std::size_t size = list.word.size();
    const std::size_t models = models_.size();
    std::vector<State> states(size * models);
    std::vector<double> probability(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t k = 0; k < models; ++k) {
        const WordId word = model_word_[k][list.word[i]];
        const State before = n == 1 ? Model::null_state() : states_[list.context[i] * models + k];
        double p = std::pow(10.0, models_[k]->score(before, word, states[i * models + k]));
        if (word == kUnknown) p *= unknown_share_[k];
        probability[i] += weights_[k] * p;
      }
    }
    if (n == 1) probability[kBegin] = 1.0;  // never predicted; its value is a convention
    list.log10.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      list.log10[i] = static_cast<float>(std::min(0.0, std::log10(probability[i])));
    states_.swap(states);
    below_.swap(probability_);
    probability_.swap(probability);
  }

  // Back-off weights of the contexts of order n.
  void weigh(int n) {
    const OrderNgrams& list = out_.orders[n - 1];
    OrderNgrams& contexts = out_.orders[n - 2];
    std::vector<double> own(contexts.size(), 0.0), lower(contexts.size(), 0.0);
    std::vector<bool> extended(contexts.size(), false);
    for (std::size_t i = 0; i < list.size(); ++i) {
      own[list.context[i]] += probability_[i];
      lower[list.context[i]] += below_[list.suffix[i]];
      extended[list.context[i]] = true;
    }
    contexts.backoff.assign(contexts.size(), 0.0f);
    for (std::size_t c = 0; c < contexts.size(); ++c)
      if (extended[c])
        contexts.backoff[c] = static_cast<float>(
            std::log10(std::max(1.0 - own[c], kLeastMass) / std::max(1.0 - lower[c], kLeastMass)));
  }

  const std::vector<std::shared_ptr<const Model>>& models_;
  const std::vector<double>& weights_;
  std::vector<Ngrams> lists_;
  std::vector<double> unknown_share_;
  std::vector<std::vector<WordId>> model_word_;    // [model][joint word]
  std::vector<std::vector<WordId>> joint_word_;    // [model][model's word]
  std::vector<std::vector<std::uint32_t>> place_;  // [model][its n-gram]: place in the joint list
  KeyIndex below_index_{0};                        // of the order below
  std::vector<State> states_;                      // [n-gram of the order below × model]
  std::vector<double> below_, probability_;
  Ngrams out_;
};

}  // namespace

std::vector<std::uint64_t> unknown_shares(const std::vector<std::shared_ptr<const Model>>& models) {
  const StringIndex joint = joint_vocabulary(models);
  std::vector<std::uint64_t> out;
  for (const auto& model : models) out.push_back(joint.size() - model->vocabulary().size() + 1);
  return out;
}

Ngrams interpolate_models(const std::vector<std::shared_ptr<const Model>>& models,
                          const std::vector<double>& weights) {
  if (models.empty() || models.size() != weights.size())
    throw OptionError(std::to_string(weights.size()) + " weights for " +
                      std::to_string(models.size()) + " models");
  return Mixture(models, weights).run();
}

}  // namespace tunesmith::lm
