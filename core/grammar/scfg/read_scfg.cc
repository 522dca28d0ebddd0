#include "grammar/scfg/read_scfg.hh"

#include <charconv>
#include <unordered_set>
#include <utility>

#include "base/error.hh"
#include "base/hash.hh"
#include "grammar/table_text.hh"

namespace tunesmith::grammar {
namespace {

constexpr std::string_view kForm = "[X] ||| source ||| target ||| features";

// Whether the word looks like a non-terminal: [label], [label,1] or [1].
bool is_bracketed(std::string_view word) {
  return word.size() > 2 && word.front() == '[' && word.back() == ']';
}

// "label,index" or "index"; index 0 where there is none.
std::pair<std::string_view, int> label_and_index(std::string_view inside) {
  const std::size_t comma = inside.rfind(',');
  const std::string_view digits =
      comma == std::string_view::npos ? inside : inside.substr(comma + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size() || index < 1) return {inside, 0};
  return {comma == std::string_view::npos ? std::string_view() : inside.substr(0, comma), index};
}

// Whether what stands in brackets has an index that counts from less than 1, such as "label,0".
bool counts_from_zero(std::string_view inside) {
  const std::size_t comma = inside.rfind(',');
  if (comma == 0 || comma == std::string_view::npos) return false;
  const char* const end = inside.data() + inside.size();
  int index = 0;
  const auto [last, error] = std::from_chars(inside.data() + comma + 1, end, index);
  return error == std::errc() && last == end && index < 1;
}

// Adds a rule of one non-terminal and nothing else; throws InputError if it ends a cycle.
void add_unary(const ScfgGrammar& grammar, std::size_t rule, const Place& place,
               UnaryRules& unary) {
  const auto source = grammar.rules.source_of(rule);
  if (source.size() != 1 || !is_nonterminal(source[0])) return;
  const int label = grammar.rules.labels[rule];
  if (!unary.add(label, label_or_place(source[0])))
    throw InputError(
        place.path, place.line,
        "a rule by which [" + std::string(grammar.labels.text(label)) + "] becomes itself",
        "no cycle of rules with a single non-terminal and nothing else");
}

class RuleReader {
 public:
  explicit RuleReader(ScfgGrammar& grammar) : grammar_(grammar) {}

  void read(std::string_view line, const Place& place) {
    const auto parts = fields(line);
    if (parts.size() < 4 || parts.size() > 5)
      throw InputError(place.path, place.line, std::to_string(parts.size()) + " fields",
                       std::string(kForm) + " [||| links]");
    if (!is_bracketed(parts[0]))
      throw InputError(place.path, place.line, "left-hand side " + quoted(parts[0]),
                       "a non-terminal such as [X]");
    const int label = label_of(parts[0].substr(1, parts[0].size() - 2), place);
    read_source(parts[1], place);
    read_target(parts[2], place);
    read_features(parts[3], place);
    ScfgRules& rules = grammar_.rules;
    if (parts.size() == 5)
      append_links(parts[4], rules.source.size() - rules.source_offsets.back(),
                   rules.target.size() - rules.target_offsets.back(), place, rules.links.own());
    rules.close(label);
    add_unary(grammar_, rules.size() - 1, place, grammar_.unary);
  }

 private:
  int label_of(std::string_view name, const Place& place) {
    const auto label = static_cast<int>(grammar_.labels.add(name));
    if (label >= kMaxLabels)
      throw InputError(place.path, place.line, "label " + quoted(name) + ", one of too many",
                       "at most " + std::to_string(kMaxLabels) + " labels");
    return label;
  }

  void check_size(std::size_t size, const Place& place) const {
    if (size > kMaxRuleSymbols)
      throw InputError(place.path, place.line, "a side of " + std::to_string(size) + " symbols",
                       "at most " + std::to_string(kMaxRuleSymbols));
  }

  void read_source(std::string_view side, const Place& place) {
    ScfgRules& rules = grammar_.rules;
    nonterminals_ = 0;
    each_word(side, [&](std::string_view word) {
      if (is_bracketed(word)) {
        const std::string_view inside = word.substr(1, word.size() - 2);
        const auto [label, index] = label_and_index(inside);
        if ((index != 0 && !label.empty()) || counts_from_zero(inside)) {
          if (index != nonterminals_ + 1)
            throw InputError(place.path, place.line, "non-terminal " + quoted(word),
                             "index " + std::to_string(nonterminals_ + 1) +
                                 ": they are counted on the source side");
          if (++nonterminals_ > kMaxNonterminals)
            throw InputError(place.path, place.line, "a third non-terminal", "at most two");
          rules.source.push_back(nonterminal(label_of(label, place)));
          return;
        }
      }
      rules.source.push_back(static_cast<Symbol>(grammar_.source_words.add(word)));
    });
    if (rules.source.size() == rules.source_offsets.back())
      throw InputError(place.path, place.line, "an empty source side", "words or non-terminals");
    check_size(rules.source.size() - rules.source_offsets.back(), place);
  }

  void read_target(std::string_view side, const Place& place) {
    ScfgRules& rules = grammar_.rules;
    bool seen[kMaxNonterminals] = {};
    int count = 0;
    each_word(side, [&](std::string_view word) {
      if (is_bracketed(word)) {
        const int index = label_and_index(word.substr(1, word.size() - 2)).second;
        if (index != 0) {
          if (index > nonterminals_)
            throw InputError(place.path, place.line, "non-terminal " + quoted(word),
                             "one of the " + std::to_string(nonterminals_) + " of the source side");
          if (std::exchange(seen[index - 1], true))
            throw InputError(place.path, place.line,
                             "non-terminal " + quoted(word) + " for a second time", "each once");
          ++count;
          rules.target.push_back(nonterminal(index - 1));
          return;
        }
      }
      rules.target.push_back(static_cast<Symbol>(grammar_.target_words.add(word)));
    });
    if (count != nonterminals_)
      throw InputError(place.path, place.line,
                       std::to_string(count) + " non-terminals on the target side",
                       std::to_string(nonterminals_) + " as on the source side");
    check_size(rules.target.size() - rules.target_offsets.back(), place);
  }

  void read_features(std::string_view field, const Place& place) {
    ScfgRules& rules = grammar_.rules;
    found_.clear();
    each_word(field, [&](std::string_view word) {
      const std::size_t equals = word.rfind('=');
      std::string name = equals == std::string_view::npos ? std::to_string(found_.size())
                                                          : std::string(word.substr(0, equals));
      if (name.empty())
        throw InputError(place.path, place.line, "feature " + quoted(word), "name=value");
      const double value =
          number(equals == std::string_view::npos ? word : word.substr(equals + 1), place);
      found_.emplace_back(grammar_.features.add(name), static_cast<float>(value));
      if (found_.back().first >= kMaxRuleFeatures)
        throw InputError(place.path, place.line, "feature " + quoted(name) + ", one of too many",
                         "at most " + std::to_string(kMaxRuleFeatures) + " features");
    });
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i > 0 && found_[i].first == found_[i - 1].first)
        throw InputError(
            place.path, place.line,
            "feature " + quoted(grammar_.features.text(found_[i].first)) + " for a second time",
            "each once");
      rules.feature_ids.push_back(found_[i].first);
      rules.feature_values.push_back(found_[i].second);
    }
  }

  ScfgGrammar& grammar_;
  int nonterminals_ = 0;  // of the source side
  std::vector<std::pair<std::uint32_t, float>> found_;
};

void append_number(float value, std::string& out) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

void read_scfg(std::string_view lines, const std::string& path, std::uint64_t first_line,
               ScfgGrammar& out) {
  RuleReader reader(out);
  each_line(lines, path, first_line, [&](std::string_view line, const Place& place) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || (line[begin] == '#' && line[begin + 1] == ' ')) return;
    reader.read(line, place);
  });
}

void check_unary_rules(const ScfgGrammar& grammar, const std::string& path) {
  UnaryRules unary;
  for (std::size_t rule = 0; rule < grammar.rules.size(); ++rule)
    add_unary(grammar, rule, {path, 0}, unary);
}

std::shared_ptr<ScfgGrammar> distinct_rules(const ScfgGrammar& grammar) {
  auto out = std::make_shared<ScfgGrammar>();
  out->source_words = grammar.source_words;
  out->target_words = grammar.target_words;
  out->labels = grammar.labels;
  out->features = grammar.features;
  const ScfgRules& rules = grammar.rules;
  const auto equal = [&](std::size_t a, std::size_t b) {
    return rules.labels[a] == rules.labels[b] &&
           std::ranges::equal(rules.source_of(a), rules.source_of(b)) &&
           std::ranges::equal(rules.target_of(a), rules.target_of(b));
  };
  const auto hash = [&](std::size_t rule) {
    const auto source = rules.source_of(rule);
    const auto target = rules.target_of(rule);
    const std::uint64_t h = hash_bytes(source.data(), source.size_bytes(), rules.labels[rule]);
    return hash_bytes(target.data(), target.size_bytes(), h);
  };
  std::unordered_set<std::size_t, decltype(hash), decltype(equal)> seen(rules.size(), hash, equal);
  for (std::size_t rule = 0; rule < rules.size(); ++rule)
    if (seen.insert(rule).second) out->rules.append(rules, rule);
  return out;
}

std::string grammar_word(std::string_view word) {
  const std::string_view inside = is_bracketed(word) ? word.substr(1, word.size() - 2) : "";
  if (label_and_index(inside).second == 0 && !counts_from_zero(inside) &&
      word.find("|||") == std::string_view::npos)
    return std::string(word);
  std::string out;
  for (const char letter : word) {
    if (letter == '[')
      out += "&#91;";
    else if (letter == ']')
      out += "&#93;";
    else if (letter == '|')
      out += "&#124;";
    else
      out += letter;
  }
  return out;
}

std::string scfg_text(const ScfgRules& rules, const StringIndex& source_words,
                      const StringIndex& target_words, const StringIndex& labels,
                      const StringIndex& features) {
  std::string out;
  const auto append_nonterminal = [&](int label, int index) {
    out.append("[").append(labels.text(label)).append(",").append(std::to_string(index)) += ']';
  };
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    out.append("[").append(labels.text(rules.labels[rule])).append("] |||");
    int place_labels[kMaxNonterminals] = {};
    int count = 0;
    for (const Symbol symbol : rules.source_of(rule)) {
      out += ' ';
      if (is_nonterminal(symbol)) {
        place_labels[count++] = label_or_place(symbol);
        append_nonterminal(label_or_place(symbol), count);
      } else {
        out.append(grammar_word(source_words.text(symbol)));
      }
    }
    out.append(" |||");
    for (const Symbol symbol : rules.target_of(rule)) {
      out += ' ';
      if (is_nonterminal(symbol))
        append_nonterminal(place_labels[label_or_place(symbol)], label_or_place(symbol) + 1);
      else
        out.append(grammar_word(target_words.text(symbol)));
    }
    out.append(" |||");
    const auto ids = rules.ids_of(rule);
    const auto values = rules.values_of(rule);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      out.append(" ").append(features.text(ids[i])).append("=");
      append_number(values[i], out);
    }
    const auto links = rules.links_of(rule);
    if (!links.empty()) out.append(" |||");
    for (const std::uint16_t link : links)
      out.append(" ")
          .append(std::to_string(link >> 8))
          .append("-")
          .append(std::to_string(link & 255));
    out += '\n';
  }
  return out;
}

}  // namespace tunesmith::grammar
