#include "grammar/scfg/scfg_file.hh"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/array_file.hh"

namespace tunesmith::grammar {
namespace {

constexpr std::string_view kScfgKind = "scfg";
constexpr std::uint32_t kScfgVersion = 1;

// Whether row i is items[offsets[i], offsets[i + 1]) for each of so many rows.
bool are_rows(std::span<const std::uint64_t> offsets, std::size_t rows, std::size_t items) {
  return offsets.size() == rows + 1 && offsets.front() == 0 && offsets.back() == items &&
         std::ranges::is_sorted(offsets);
}

bool is_source(std::span<const Symbol> source, const ScfgGrammar& grammar) {
  const auto gaps = std::ranges::count_if(source, is_nonterminal);
  return !source.empty() && gaps <= kMaxNonterminals &&
         std::ranges::all_of(source, [&](Symbol symbol) {
           return is_nonterminal(symbol)
                      ? label_or_place(symbol) < static_cast<int>(grammar.labels.size())
                      : static_cast<std::uint32_t>(symbol) < grammar.source_words.size();
         });
}

// Each gap of the source side exactly once, and known words.
bool is_target(std::span<const Symbol> target, std::span<const Symbol> source,
               const ScfgGrammar& grammar) {
  const auto gaps = std::ranges::count_if(source, is_nonterminal);
  for (std::ptrdiff_t place = 0; place < gaps; ++place)
    if (std::ranges::count(target, nonterminal(static_cast<int>(place))) != 1) return false;
  return std::ranges::count_if(target, is_nonterminal) == gaps &&
         std::ranges::all_of(target, [&](Symbol symbol) {
           return is_nonterminal(symbol) ||
                  static_cast<std::uint32_t>(symbol) < grammar.target_words.size();
         });
}

bool is_rule(const ScfgGrammar& grammar, std::size_t rule) {
  const ScfgRules& rules = grammar.rules;
  const auto source = rules.source_of(rule), target = rules.target_of(rule);
  const auto ids = rules.ids_of(rule);
  return rules.labels[rule] >= 0 &&
         rules.labels[rule] < static_cast<std::int32_t>(grammar.labels.size()) &&
         is_source(source, grammar) && is_target(target, source, grammar) &&
         std::ranges::is_sorted(ids, std::less_equal()) &&
         (ids.empty() || ids.back() < grammar.features.size()) &&
         std::ranges::all_of(
             rules.values_of(rule), [](float v) { return std::isfinite(v); }) &&
         std::ranges::all_of(
             rules.links_of(rule),
             [&](std::uint16_t link) {
               return static_cast<std::size_t>(link >> 8) < source.size() &&
                      static_cast<std::size_t>(link & 0xFF) < target.size();
             });
}

}  // namespace

void save_scfg(const ScfgGrammar& grammar, const std::string& path) {
  const ScfgRules& rules = grammar.rules;
  ArrayFileWriter writer(path, kScfgKind, kScfgVersion);
  const auto add_words = [&](const std::string& name, const StringIndex& words) {
    writer.add(name, words.bytes());
    writer.add(name + "_ends", words.ends());
  };
  add_words("source_words", grammar.source_words);
  add_words("target_words", grammar.target_words);
  add_words("label_names", grammar.labels);
  add_words("features", grammar.features);
  writer.add("labels", rules.labels.all());
  writer.add("source_offsets", rules.source_offsets.all());
  writer.add("source", rules.source.all());
  writer.add("target_offsets", rules.target_offsets.all());
  writer.add("target", rules.target.all());
  writer.add("feature_offsets", rules.feature_offsets.all());
  writer.add("feature_ids", rules.feature_ids.all());
  writer.add("feature_values", rules.feature_values.all());
  writer.add("link_offsets", rules.link_offsets.all());
  writer.add("links", rules.links.all());
  writer.finish();
}

std::shared_ptr<ScfgGrammar> load_scfg(const std::string& path) {
  const auto file = std::make_shared<const ArrayFile>(path, kScfgKind, kScfgVersion);
  const auto words = [&](const std::string& name) {
    return StringIndex::read(*file, name, name + "_ends");
  };
  auto out = std::make_shared<ScfgGrammar>();
  out->source_words = words("source_words");
  out->target_words = words("target_words");
  out->labels = words("label_names");
  out->features = words("features");
  ScfgRules& rules = out->rules;
  const auto map = [&]<typename T>(RuleColumn<T>& column, std::string_view name) {
    column = RuleColumn<T>(file->array<T>(name));
  };
  map(rules.labels, "labels");
  map(rules.source_offsets, "source_offsets");
  map(rules.source, "source");
  map(rules.target_offsets, "target_offsets");
  map(rules.target, "target");
  map(rules.feature_offsets, "feature_offsets");
  map(rules.feature_ids, "feature_ids");
  map(rules.feature_values, "feature_values");
  map(rules.link_offsets, "link_offsets");
  map(rules.links, "links");
  rules.file = file;
  const std::size_t size = rules.labels.size();
  bool whole = are_rows(rules.source_offsets.all(), size, rules.source.size()) &&
               are_rows(rules.target_offsets.all(), size, rules.target.size()) &&
               are_rows(rules.feature_offsets.all(), size, rules.feature_ids.size()) &&
               rules.feature_ids.size() == rules.feature_values.size() &&
               are_rows(rules.link_offsets.all(), size, rules.links.size());
  for (std::size_t rule = 0; whole && rule < size; ++rule) whole = is_rule(*out, rule);
  if (!whole)
    throw InputError(path, 0, "arrays that are no rules", "a whole grammar", "make it again");
  check_unary_rules(*out, path);
  return out;
}

}  // namespace tunesmith::grammar
