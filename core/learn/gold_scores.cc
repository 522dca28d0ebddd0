#include "learn/gold_scores.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "decode/phrase/phrase_search.hh"

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
      lexical_(lexical) {
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
  for (const decode::GoldEdge& edge : lattice_.edges) {
    const std::uint64_t key = static_cast<std::uint64_t>(edge.table) << 48 |
                              static_cast<std::uint64_t>(edge.begin) << 32 | edge.rule;
    const auto [place, is_new] =
        known.try_emplace(key, static_cast<std::uint32_t>(phrases_.size()));
    phrase_of_.push_back(place->second);
    if (!is_new) continue;
    Phrase phrase;
    phrase.target_size =
        static_cast<int>(lattice_.nodes[edge.head].target - lattice_.nodes[edge.tail].target);
    phrase.score = weights_[model_.phrase_penalty_index()] -
                   phrase.target_size * weights_[model_.word_penalty_index()];
    if (edge.rule == grammar::kNoRule) {
      phrase.score -= weights_[model_.unknown_index()];
    } else {
      const decode::TableGroup group = model_.group_of(edge.table);
      const auto pair = model_.pair_rules(edge.table, edge.rule, edge.without);
      phrase.first_score = scores_.size();
      scores_.resize(scores_.size() + model_.scores(group));
      const float* scores = scores_.data() + phrase.first_score;
      model_.read_scores(group, pair, scores_.data() + phrase.first_score);
      const double* weights = weights_.data() + model_.table_begin(group.begin);
      for (int i = 0; i < model_.scores(group); ++i) phrase.score += weights[i] * scores[i];
      phrase.score += model_.sparse(edge.table, edge.rule).dot(weights_.data() + model_.features());
      phrase.reordering = model_.reordering(group, pair);
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
  const int last_begin =
      last == kNoEdge ? decode::SearchState::kHidden : lattice_.edges[last].begin;
  const int last_end = last == kNoEdge ? 0 : lattice_.edges[last].end;
  const decode::ReorderingShape& shape = model_.reordering();
  const int o = decode::orientation(last_begin, last_end, edge.begin, edge.end,
                                    shape.classes == decode::Orientations::kMslr);
  double score = 0.0;
  const double* weights = weights_.data() + model_.reordering_begin();
  if (shape.previous && phrase.reordering != nullptr) score += weights[o] * phrase.reordering[o];
  if (shape.next && before != nullptr && before->reordering != nullptr)
    score += weights[shape.next_begin() + o] * before->reordering[shape.next_begin() + o];
  if (target_atoms_.empty() || edge.rule == grammar::kNoRule) return score;
  features::RuleWords words;
  words.id = phrase.id;
  const std::uint32_t at = lattice_.nodes[edge.tail].target;
  const auto levels = static_cast<std::size_t>(model_.lexical()->model().target().levels());
  const std::uint64_t* atoms = target_atoms_.data();
  keys_.clear();
  model_.lexical()->templates().history_keys(words, before == nullptr ? 0 : before->id,
                                             at > 1 ? atoms + levels * (at - 2) : nullptr,
                                             at > 0 ? atoms + levels * (at - 1) : nullptr, keys_);
  return score + weights_[model_.lexical_index()] * model_.lexical()->model().weights().sum(keys_);
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
    double local = phrases_[phrase_of_[e]].score -
                   weights_[model_.distortion_index()] * std::abs(edge.begin - tail.last_end);
    for (int m = 0; m < model_.language_models(); ++m)
      local += weights_[model_.lm_begin() + m] * language_model(m, edge);
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
  const decode::ReorderingShape& shape = model_.reordering();
  double* reordering = features + model_.reordering_begin();
  int last_begin = decode::SearchState::kHidden, last_end = 0;
  const float* last_scores = nullptr;
  for (const std::uint32_t e : edges) {
    const decode::GoldEdge& edge = lattice_.edges[e];
    const Phrase& phrase = phrases_[phrase_of_[e]];
    features[model_.phrase_penalty_index()] += 1;
    features[model_.word_penalty_index()] -= phrase.target_size;
    features[model_.distortion_index()] -= std::abs(edge.begin - last_end);
    if (edge.rule == grammar::kNoRule) {
      features[model_.unknown_index()] -= 1;
    } else {
      const decode::TableGroup group = model_.group_of(edge.table);
      for (int i = 0; i < model_.scores(group); ++i)
        features[model_.table_begin(group.begin) + i] += scores_[phrase.first_score + i];
    }
    const int o = decode::orientation(last_begin, last_end, edge.begin, edge.end,
                                      shape.classes == decode::Orientations::kMslr);
    if (shape.previous && phrase.reordering != nullptr) reordering[o] += phrase.reordering[o];
    if (shape.next && last_scores != nullptr)
      reordering[shape.next_begin() + o] += last_scores[shape.next_begin() + o];
    for (int m = 0; m < model_.language_models(); ++m)
      features[model_.lm_begin() + m] += language_model(m, edge);
    last_begin = edge.begin;
    last_end = edge.end;
    last_scores = phrase.reordering;
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
