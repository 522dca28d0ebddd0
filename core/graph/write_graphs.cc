#include "graph/write_graphs.hh"

#include <charconv>
#include <unordered_map>

#include "base/error.hh"
#include "formats/json.hh"
#include "graph/prune.hh"
#include "graph/viterbi.hh"

namespace tunesmith::graph {
namespace {

template <typename Number>
void append_number(std::string& out, Number value) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, result.ptr);
}

template <typename Number>
void append_field(std::string& out, const char* key, Number value) {
  out += key;
  append_number(out, value);
}

std::string_view word_text(const GraphNames& names, std::int32_t word) {
  return names.words.text(static_cast<std::uint32_t>(word));
}

// Edges have no tail, or one whose words come first.
void check_lattice(const GraphView& graph, const char* format) {
  for (std::uint32_t e = 0; e < graph.edges(); ++e) {
    const auto tails = graph.tails_of(e);
    if (tails.size() > 1)
      throw OptionError("an edge of " + std::to_string(tails.size()) + " tails, which " + format +
                        " cannot hold; lattices only");
    if (tails.size() == 1 && graph.words_of(e)[0] != tail_slot(0))
      throw OptionError(std::string("an edge with words before its tail's, which ") + format +
                        " cannot hold");
  }
}

// The words of an edge of a lattice.
std::span<const std::int32_t> own_words(const GraphView& graph, std::uint32_t e) {
  return graph.words_of(e).subspan(graph.tails_of(e).size());
}

Hypergraph without_dead_ends(const GraphView& graph) {
  const std::vector<double> zeros(graph.edges(), 0.0);
  const std::vector<double> values = max_marginals(graph, zeros);  // −∞ on dead ends
  std::vector<std::uint8_t> keep(graph.edges());
  for (std::size_t e = 0; e < keep.size(); ++e) keep[e] = values[e] == 0.0 ? 1 : 0;
  return kept_part(graph, keep);
}

void append_quoted_plf(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  out += '\'';
}

}  // namespace

std::string graph_as_moses(const GraphView& whole, std::size_t sentence, const GraphNames& names,
                           const double* weights) {
  std::string out;
  if (whole.empty()) return out;
  check_lattice(whole, "Moses' format");
  for (const std::string& name : names.features)
    if (name.find_first_of(" \"") != std::string::npos)
      throw OptionError("feature " + quoted(name) + ", which Moses' format cannot hold");
  const Hypergraph useful = without_dead_ends(whole);
  const GraphView graph = useful.view();
  const std::vector<double> scores =
      weights == nullptr ? std::vector<double>(graph.edges(), 0.0) : edge_scores(graph, weights);
  const BestInside inside = best_inside(graph, scores);
  const BestOutside outside = best_outside(graph, scores, inside);
  std::vector<int> covered(graph.nodes(), 0);
  // Hypothesis e + 1 is edge e; a node's best edge is the one that others recombined with.
  std::string id;
  append_number(id, sentence);
  const auto forward = [&](std::uint32_t node) {
    return node == graph.goal() ? std::int64_t{-1} : std::int64_t{outside.above[node]} + 1;
  };
  std::uint32_t first = 0;  // the best way from the start
  for (std::uint32_t node = graph.goal(), e = inside.edge[node];; e = inside.edge[node]) {
    first = e;
    if (graph.tails_of(e).empty()) break;
    node = graph.tails_of(e)[0];
  }
  out += id + " hyp=0 stack=0";
  append_field(out, " forward=", first + 1);
  append_field(out, " fscore=", static_cast<float>(inside.score[graph.goal()]));
  out += '\n';
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    const std::uint32_t best = inside.edge[node];
    const auto write = [&](std::uint32_t e) {
      const auto tails = graph.tails_of(e);
      const std::int32_t begin = graph.source_spans[2 * e], end = graph.source_spans[2 * e + 1];
      covered[node] = (tails.empty() ? 0 : covered[tails[0]]) + (begin < 0 ? 1 : end - begin);
      const double before = tails.empty() ? 0.0 : inside.score[tails[0]];
      out += id;
      append_field(out, " hyp=", e + 1);
      append_field(out, " stack=", covered[node]);
      append_field(out, " back=", tails.empty() ? 0 : inside.edge[tails[0]] + 1);
      append_field(out, " score=", static_cast<float>(before + scores[e]));
      append_field(out, " transition=", static_cast<float>(scores[e]));
      if (e != best) append_field(out, " recombined=", best + 1);
      append_field(out, " forward=", forward(node));
      append_field(out, " fscore=", static_cast<float>(outside.score[node]));
      if (begin >= 0) {
        append_field(out, " covered=", begin);
        append_field(out, "-", end - 1);
      }
      out += " scores=\"core=() ";
      const auto ids = graph.ids_of(e);
      const auto values = graph.values_of(e);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i > 0) out += ' ';
        out += names.features[ids[i]];
        append_field(out, "=", values[i]);
      }
      out += "\" out=\"|";
      bool is_first = true;
      for (const std::int32_t word : own_words(graph, e)) {
        if (!is_first) out += ' ';
        is_first = false;
        out += word_text(names, word);
      }
      out += "\"\n";
    };
    write(best);
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e)
      if (e != best) write(e);
  }
  return out;
}

std::string graph_as_cdec(const GraphView& graph, const GraphNames& names) {
  if (graph.empty()) return "\n";
  std::unordered_map<std::string, std::size_t> rules;
  std::string listed, edges;
  std::vector<std::size_t> rule_of(graph.edges());
  for (std::uint32_t e = 0; e < graph.edges(); ++e) {
    const std::size_t tails = graph.tails_of(e).size();
    if (tails > 9)
      throw OptionError("an edge of " + std::to_string(tails) +
                        " tails, which cdec's format cannot hold; at most 9");
    std::string rule = "[X] |||";
    for (std::size_t i = 1; i <= tails; ++i) rule += " [X," + std::to_string(i) + "]";
    rule += " |||";
    for (const std::int32_t symbol : graph.words_of(e)) {
      rule += ' ';
      if (is_tail_slot(symbol)) {
        rule += "[" + std::to_string(slot_tail(symbol) + 1) + "]";
        continue;
      }
      const std::string_view word = word_text(names, symbol);
      if (word == "|||" || (word.size() > 2 && word.front() == '[' && word.back() == ']'))
        throw OptionError("word " + quoted(word) + ", which cdec's format cannot hold");
      rule += word;
    }
    const auto [place, is_new] = rules.try_emplace(std::move(rule), rules.size() + 1);
    rule_of[e] = place->second;
    if (!is_new) continue;
    if (!listed.empty()) listed += ',';
    append_number(listed, place->second);
    listed += ',';
    formats::append_json_string(listed, place->first);
  }
  std::string out = "{\"rules\":[" + listed + "],\"features\":[";
  for (std::size_t i = 0; i < names.features.size(); ++i) {
    if (i > 0) out += ',';
    formats::append_json_string(out, names.features[i]);
  }
  out += ']';
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    std::string in_edges;
    out += ",\"edges\":[";
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      if (e > graph.first_edge(node)) {
        out += ',';
        in_edges += ',';
      }
      append_number(in_edges, e);
      out += "{\"tail\":[";
      for (std::size_t i = 0; i < graph.tails_of(e).size(); ++i) {
        if (i > 0) out += ',';
        append_number(out, graph.tails_of(e)[i]);
      }
      append_field(out, "],\"spans\":[", graph.source_spans[2 * e]);
      append_field(out, ",", graph.source_spans[2 * e + 1]);
      out += ",-1,-1],\"feats\":[";
      const auto ids = graph.ids_of(e);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i > 0) out += ',';
        append_number(out, ids[i]);
        append_field(out, ",", graph.values_of(e)[i]);
      }
      append_field(out, "],\"rule\":", rule_of[e]);
      out += '}';
    }
    out += "],\"node\":{\"in_edges\":[" + in_edges + "],\"cat\":\"X\"}";
  }
  return out + "}\n";
}

std::string graph_as_plf(const GraphView& whole, const GraphNames& names, const double* weights) {
  if (whole.empty()) return "\n";
  check_lattice(whole, "PLF");
  const Hypergraph useful = without_dead_ends(whole);
  const GraphView graph = useful.view();
  struct Arc {
    std::string_view word;
    std::uint32_t edge;
    bool is_first;  // only a first arc has the edge's values
    std::size_t to;
  };
  // 0 is the start; a node's own number comes after the nodes inside the edges that lead to it.
  std::vector<std::vector<Arc>> arcs(1);
  std::vector<std::size_t> number(graph.nodes());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    std::size_t inner = arcs.size(), own = inner;
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e)
      own += std::max<std::size_t>(own_words(graph, e).size(), 1) - 1;
    arcs.resize(own + 1);
    number[node] = own;
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      const auto tails = graph.tails_of(e);
      const auto words = own_words(graph, e);
      std::size_t at = tails.empty() ? 0 : number[tails[0]];
      const std::size_t count = std::max<std::size_t>(words.size(), 1);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t to = i + 1 == count ? own : inner++;
        arcs[at].push_back({words.empty() ? "*EPS*" : word_text(names, words[i]), e, i == 0, to});
        at = to;
      }
    }
  }
  std::string out = "(";
  for (std::size_t from = 0; from + 1 < arcs.size(); ++from) {
    out += '(';
    for (const Arc& arc : arcs[from]) {
      out += '(';
      append_quoted_plf(out, arc.word);
      if (weights != nullptr) {
        append_field(out, ",", arc.is_first ? graph.score(arc.edge, weights) : 0.0);
      } else {
        const auto ids = graph.ids_of(arc.edge);
        std::size_t next = 0;
        for (std::size_t i = 0; i < names.features.size(); ++i) {
          const bool has = arc.is_first && next < ids.size() && ids[next] == i;
          append_field(out, ",", has ? graph.values_of(arc.edge)[next] : 0.0F);
          next += has ? 1 : 0;
        }
      }
      append_field(out, ",", arc.to - from);
      out += "),";
    }
    out += "),";
  }
  return out + ")\n";
}

std::string graph_as_text(std::string_view format, const GraphView& graph, std::size_t sentence,
                          const GraphNames& names, const double* weights) {
  try {
    if (format == "moses") return graph_as_moses(graph, sentence, names, weights);
    if (format == "cdec") return graph_as_cdec(graph, names);
    if (format == "plf") return graph_as_plf(graph, names, weights);
  } catch (const OptionError& error) {
    throw OptionError("sentence " + std::to_string(sentence + 1) + ": " + error.what());
  }
  throw OptionError("graph format " + quoted(format) + ", expected moses, cdec or plf");
}

}  // namespace tunesmith::graph
