#include "learn/gold_scores.hh"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "decode/rule_worth.hh"

namespace tunesmith::learn {

GoldScores::GoldScores(const decode::PhraseModel& model, std::span<const double> weights,
                       const decode::GoldLattice& lattice, const std::vector<std::string>& source,
                       const std::vector<std::string>& target, decode::LexicalKeys* lexical,
                       const std::function<double(const decode::GoldEdge&)>& change)
    : model_(model),
      weights_(weights),
      lattice_(lattice),
      source_(source),
      target_(target),
      lexical_(lexical),
      pair_(model) {
  read_language_models();
  read_phrases(change);
  find_best();
}

void GoldScores::read_language_models() {
  for (int m = 0; m < model_.language_models(); ++m) {
    const lm::Model& language_model = model_.language_model(m);
    auto& sums = lm_.emplace_back(1, 0.0);
    lm::State state = language_model.begin_state(), next;
    double total = 0.0;
    for (int i = 0; i < lattice_.target_words; ++i) {
      const lm::ClassedWord word = language_model.lookup(target_[i]);
      total += language_model.score(state, word.id, next) + word.log10;
      state = next;
      sums.push_back(total * lm::kLn10);
    }
    // A prefix of a pair does not end a sentence.
    if (lattice_.whole) total += language_model.score(state, lm::kEnd, next);
    sums.push_back(total * lm::kLn10);
  }
  if (lexical_ == nullptr || !model_.lexical()->templates().sees_history()) return;
  const features::WordAtoms& atoms = model_.lexical()->model().target();
  const auto levels = static_cast<std::size_t>(atoms.levels());
  target_atoms_.resize(levels * lattice_.target_words);
  std::vector<std::uint64_t> left(levels);
  for (int i = 0; i < lattice_.target_words; ++i)
    atoms.read(target_[i], left.data(), target_atoms_.data() + levels * i);
}

double GoldScores::language_model(int m, const decode::GoldEdge& edge) const {
  const bool complete = edge.head + 1 == lattice_.nodes.size();
  const std::uint32_t end = lattice_.nodes[edge.head].target + (complete ? 1 : 0);
  return lm_[m][end] - lm_[m][lattice_.nodes[edge.tail].target];
}

void GoldScores::read_phrases(const std::function<double(const decode::GoldEdge&)>& change) {
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  // A pair that is made in part goes on behind its last word, as it does in search.
  const auto words = std::span(source_).first(lattice_.source_words);
  const std::string* after = words.size() < source_.size() ? &source_[words.size()] : nullptr;
  for (const decode::GoldEdge& edge : lattice_.edges) {
    const std::uint64_t key = static_cast<std::uint64_t>(edge.table) << 48 |
                              static_cast<std::uint64_t>(edge.begin) << 32 | edge.rule;
    const auto [place, is_new] =
        known.try_emplace(key, static_cast<std::uint32_t>(phrases_.size()));
    phrase_of_.push_back(place->second);
    if (!is_new) continue;
    Phrase phrase;
    phrase.source_size = edge.end - edge.begin;
    phrase.target_size =
        static_cast<int>(lattice_.nodes[edge.head].target - lattice_.nodes[edge.tail].target);
    if (edge.rule == grammar::kNoRule) {
      phrase.unknown = phrase.source_size;
      phrase.reordering = model_.reordering().of_rule(phrase);
    } else {
      decode::read_tables(model_, model_.group_of(edge.table),
                          model_.pair_rules(edge.table, edge.rule, edge.without), arena_, phrase);
    }
    if (model_.reordering().sees_place())
      phrase.reordering = model_.reordering().in_place(
          phrase, model_.reordering().at({words, after, edge.begin, edge.end}), arena_);
    phrase.last = pair_.last(edge.begin, edge.end, phrase.reordering);
    phrase.score = decode::add_phrase_score(0.0, model_, weights_, phrase);
    phrase.score = decode::add_words_score(phrase.score, model_, weights_, phrase);
    phrase.score = decode::add_table_score(phrase.score, model_, weights_, phrase);
    if (edge.rule != grammar::kNoRule) {
      if (change) phrase.score += change(edge);
      if (lexical_ != nullptr) {
        keys_.clear();
        lexical_->local(edge.table, edge.rule, edge.begin, edge.end, keys_);
        phrase.score +=
            weights_[model_.lexical_index()] * model_.lexical()->model().weights().sum(keys_);
        phrase.id = lexical_->words_of(edge.table, edge.rule, edge.begin, edge.end).id;
      }
    }
    phrases_.push_back(phrase);
  }
}

double GoldScores::pair_score(std::uint32_t last, std::uint32_t index) {
  const decode::GoldEdge& edge = lattice_.edges[index];
  const Phrase& phrase = phrases_[phrase_of_[index]];
  const Phrase* before = last == kNoEdge ? nullptr : &phrases_[phrase_of_[last]];
  const double score = pair_.add_orientation(
      0.0, weights_.data(), before == nullptr ? decode::LastPhrase{} : before->last, edge.begin,
      edge.end, phrase.reordering);
  if (target_atoms_.empty() || edge.rule == grammar::kNoRule) return score;
  const std::uint32_t at = lattice_.nodes[edge.tail].target;
  const auto levels = static_cast<std::size_t>(model_.lexical()->model().target().levels());
  const std::uint64_t* atoms = target_atoms_.data();
  const decode::RuleHistory history{before == nullptr ? 0 : before->id,
                                    at > 1 ? atoms + levels * (at - 2) : nullptr,
                                    at > 0 ? atoms + levels * (at - 1) : nullptr};
  return score + weights_[model_.lexical_index()] *
                     model_.lexical()->history_value(phrase.id, history, keys_);
}

void GoldScores::find_best() {
  const auto& nodes = lattice_.nodes;
  const auto& edges = lattice_.edges;
  best_.assign(edges.size(), 0.0);
  back_.assign(edges.size(), kNoEdge);
  best_of_bin_.assign(static_cast<std::size_t>(lattice_.source_words) + 1, kNoEdge);
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const decode::GoldEdge& edge = edges[e];
    const decode::GoldNode& tail = nodes[edge.tail];
    double local = pair_.add_jump(phrases_[phrase_of_[e]].score, weights_.data(), tail.last_end,
                                  edge.begin, edge.end);
    local =
        pair_.add_language_models(local, weights_, [&](int m) { return language_model(m, edge); });
    if (edge.tail == 0) {
      best_[e] = local + pair_score(kNoEdge, e);
    } else {
      double best = -std::numeric_limits<double>::infinity();
      for (std::uint32_t last = tail.first_edge; last < tail.end_edge; ++last) {
        const double score = best_[last] + pair_score(last, e);
        if (score > best) {
          best = score;
          back_[e] = last;
        }
      }
      best_[e] = local + best;
    }
    std::uint32_t& of_bin = best_of_bin_[nodes[edge.head].covered];
    if (of_bin == kNoEdge || best_[e] > best_[of_bin]) of_bin = e;
  }
}

void GoldScores::read(std::span<UpdateBin> bins) const {
  for (std::size_t i = 0; i < best_of_bin_.size(); ++i) {
    bins[i].good = best_of_bin_[i];
    if (best_of_bin_[i] != kNoEdge) bins[i].good_score = best_[best_of_bin_[i]];
  }
}

std::vector<std::uint32_t> GoldScores::derivation(std::uint32_t edge) const {
  std::vector<std::uint32_t> edges;
  for (; edge != kNoEdge; edge = back_[edge]) edges.push_back(edge);
  std::reverse(edges.begin(), edges.end());
  return edges;
}

void GoldScores::add_features(const std::vector<std::uint32_t>& edges, double* features) const {
  SparseVector named;  // features with names are not learned here
  decode::LastPhrase last;
  for (const std::uint32_t e : edges) {
    const decode::GoldEdge& edge = lattice_.edges[e];
    const Phrase& phrase = phrases_[phrase_of_[e]];
    decode::add_rule_features(model_, phrase, features, named);
    pair_.add_features(last, edge.begin, edge.end, phrase.reordering, features);
    pair_.add_language_models([&](int m) { return language_model(m, edge); }, features);
    last = phrase.last;
  }
}

void GoldScores::add_keys(const std::vector<std::uint32_t>& edges,
                          std::vector<std::uint64_t>& keys) const {
  if (lexical_ == nullptr) return;
  lexical_->start();
  std::vector<std::string_view> words;
  for (const std::uint32_t e : edges) {
    const decode::GoldEdge& edge = lattice_.edges[e];
    words.clear();
    for (std::uint32_t i = lattice_.nodes[edge.tail].target; i < lattice_.nodes[edge.head].target;
         ++i)
      words.emplace_back(target_[i]);
    lexical_->follow(edge.table, edge.rule, edge.begin, edge.end, words, keys);
  }
}

}  // namespace tunesmith::learn
