#include "decode/phrase/phrase_decoder.hh"

#include <algorithm>
#include <sstream>

#include "decode/lexical/lexical_keys.hh"
#include "decode/pair_worth.hh"
#include "decode/phrase/edge_features.hh"
#include "decode/phrase/phrase_kbest.hh"
#include "decode/rule_worth.hh"

namespace tunesmith::decode {
namespace {

Translation translation_of(const PhraseModel& model, const SearchGraph& graph,
                           const std::vector<std::uint32_t>& edges,
                           std::span<const double> weights) {
  Translation out;
  std::vector<double>& dense = out.features.dense;
  dense.assign(model.features(), 0.0);
  std::vector<std::string_view> words;
  for (const std::uint32_t e : edges) {
    const SearchEdge& edge = graph.edges[e];
    const PreparedRule& rule = *edge.rule;
    DerivationStep step;
    step.begin = edge.begin;
    step.end = edge.end;
    step.target_begin = static_cast<std::int32_t>(words.size());
    append_words(model, rule, words);
    step.target_end = static_cast<std::int32_t>(words.size());
    step.table = rule.table;
    step.rule = rule.rule == grammar::kNoRule ? -1 : static_cast<std::int64_t>(rule.rule);
    out.steps.push_back(step);

    add_edge_features(model, graph, e, dense.data(), out.features.sparse);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out.text += ' ';
    out.text += words[i];
  }
  out.features.sparse.sum_up();
  out.score = out.features.dot(weights);
  return out;
}

}  // namespace

FeatureValues derivation_features(const PhraseModel& model, const SourceSentence& sentence,
                                  const std::vector<DerivationStep>& steps,
                                  const std::string& text) {
  FeatureValues out;
  out.dense.assign(model.features(), 0.0);
  std::vector<double>& features = out.dense;
  const PairWorth pair(model);
  const std::string* after = sentence.after ? &*sentence.after : nullptr;
  LastPhrase last;
  Arena arena;
  for (const DerivationStep& step : steps) {
    PhraseRule rule;
    if (step.rule >= 0) {
      const auto number = static_cast<std::uint64_t>(step.rule);
      read_tables(model, model.group_of(step.table), model.pair_rules(step.table, number), arena,
                  rule);
    } else {
      const auto prescribes = [&](const ForcedPhrase& phrase) {
        return phrase.begin == step.begin && phrase.end == step.end;
      };
      if (std::ranges::none_of(sentence.forced, prescribes)) rule.unknown = step.end - step.begin;
      rule.reordering = model.reordering().of_rule(rule);
    }
    rule.source_size = step.end - step.begin;
    rule.target_size = step.target_end - step.target_begin;
    if (model.reordering().sees_place())
      rule.reordering = model.reordering().in_place(
          rule, model.reordering().at({sentence.words, after, step.begin, step.end}), arena);
    add_rule_features(model, rule, features.data(), out.sparse);
    pair.add_features(last, step.begin, step.end, rule.reordering, features.data());
    last = pair.last(step.begin, step.end, rule.reordering);
  }
  if (!steps.empty()) {
    for (int m = 0; m < model.language_models(); ++m) {
      const lm::Model& language_model = model.language_model(m);
      lm::State state = language_model.begin_state(), next;
      double total = 0.0;
      std::istringstream words(text);
      for (std::string word; words >> word;) {
        const lm::ClassedWord looked_up = language_model.lookup(word);
        total += language_model.score(state, looked_up.id, next) + looked_up.log10;
        state = next;
      }
      if (!sentence.after) total += language_model.score(state, lm::kEnd, next);
      features[model.lm_begin() + m] = total * lm::kLn10;
    }
  }
  if (model.lexical() != nullptr) {
    LexicalKeys lexical(model, sentence.words, after);
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) words.push_back(word);
    std::vector<std::uint64_t> keys;
    lexical.start();
    for (const DerivationStep& step : steps)
      lexical.follow(step.table,
                     step.rule < 0 ? grammar::kNoRule : static_cast<std::uint32_t>(step.rule),
                     step.begin, step.end,
                     std::vector<std::string_view>(words.begin() + step.target_begin,
                                                   words.begin() + step.target_end),
                     keys);
    features[model.lexical_index()] = model.lexical()->model().weights().sum(keys);
  }
  out.sparse.sum_up();
  return out;
}

std::vector<SentenceResult> decode_phrases(PhraseSession& session,
                                           const std::vector<SourceSentence>& sentences,
                                           const KBestOptions& kbest, int threads,
                                           const SearchGraphVisitor& look) {
  const PhraseModel& model = session.model();
  std::vector<SentenceResult> results(sentences.size());
  const auto take = [&](std::size_t s, const SearchGraph& graph) {
    SentenceResult& result = results[s];
    result.pops = graph.pops;
    result.discarded = graph.discarded;
    result.states = graph.states.size();
    result.edges = graph.edges.size();
    result.timed_out = graph.timed_out;
    PhraseKBest list(model, graph, kbest.distinct && kbest.size > 1);
    std::vector<std::uint32_t> edges;
    for (int k = 0; k < kbest.size && list.derivation(k, edges); ++k)
      result.translations.push_back(translation_of(model, graph, edges, session.weights()));
    if (look) look(s, graph);
  };
  session.search(sentences, threads, take);
  return results;
}

}  // namespace tunesmith::decode
