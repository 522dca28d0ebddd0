#include "formats/nbest_fairseq.hh"

#include "base/error.hh"

namespace tunesmith::formats {
namespace {

constexpr std::string_view kLines = "a line that begins with S-, T-, H-, D- or P- and a number";

// What stands between the hypotheses in a log.
bool is_log_line(std::string_view line) {
  for (const std::string_view start :
       {"Generate ", "Translate", "| ", "INFO", "WARNING", "20", "Namespace("})
    if (line.starts_with(start)) return true;
  return line.empty();
}

// The letters that fairseq prints besides: alignments, constraints, timings, language ids.
constexpr std::string_view kOther = "STACEILOVW";

std::string_view take_field(std::string_view& rest) {
  const std::size_t tab = rest.find('\t');
  const std::string_view field = rest.substr(0, tab);
  rest = tab == std::string_view::npos ? std::string_view() : rest.substr(tab + 1);
  return field;
}

}  // namespace

bool is_fairseq_line(std::string_view line, char kind) {
  if (line.size() < 3 || line[0] != kind || line[1] != '-') return false;
  const std::size_t end = line.find_first_not_of("0123456789", 2);
  return end != std::string_view::npos && end > 2 && line[end] == '\t';
}

void FairseqParser::prepare(std::string_view head, NbestSchema& schema) {
  schema_ = &schema;
  while (!head.empty() && !has_positions_) has_positions_ = is_fairseq_line(take_line(head), 'P');
  if (schema.fixed) return;
  schema.add("score", true);
  if (has_positions_) schema.add("logprob", true);
}

// The last hypothesis is complete; if it is not, it is taken back.
void FairseqParser::end_hypothesis(NbestPart& part) const {
  if (!part.unfinished) return;
  part.unfinished = false;
  try {
    part.end_row(*schema_);
  } catch (const BadLine&) {
    const std::string id = std::to_string(part.ids.back());
    part.cut(part.rows() - 1);
    part.refuse({"no line P-" + id + " after H-" + id, "one after every hypothesis", {}});
  }
}

void FairseqParser::end(NbestPart& part) const { end_hypothesis(part); }

void FairseqParser::parse(std::string_view line, std::uint32_t number, NbestPart& part) const {
  std::string_view rest = line;
  const std::string_view tag = take_field(rest);
  const char kind = tag.size() > 2 && tag[1] == '-' ? tag[0] : '\0';
  if (kind == 'H' || kind == 'D' || kind == 'P') {
    parse_fields(kind, parse_sentence_id(tag.substr(2)), rest, number, part);
  } else if (kind == '\0' || kOther.find(kind) == std::string_view::npos) {
    if (!is_log_line(line)) throw BadLine{quoted(line), std::string(kLines), {}};
  }
}

void FairseqParser::parse_fields(char kind, std::uint32_t id, std::string_view rest,
                                 std::uint32_t number, NbestPart& part) const {
  if (kind == 'H') {
    end_hypothesis(part);
    const bool has_text = rest.find('\t') != std::string_view::npos;
    const std::string_view score = take_field(rest);
    if (!has_text) throw BadLine{"H- line without text", "H-number, score, text", {}};
    part.begin_row(id, rest, number);
    part.set("score", parse_feature_value(score, "score"), score, *schema_);
    part.unfinished = true;
    return;
  }
  const std::string name = std::string(1, kind) + "-" + std::to_string(id);
  if (!part.unfinished || part.ids.back() != id)
    throw BadLine{"line " + name + " without H-" + std::to_string(id) + " before it",
                  "the lines of a hypothesis together",
                  {}};
  try {
    if (kind == 'D') {
      if (rest.find('\t') == std::string_view::npos)
        throw BadLine{"D- line without text", "D-number, score, text", {}};
      take_field(rest);
      part.texts.back() = rest;
      return;
    }
    if (!has_positions_)
      throw BadLine{"line " + name, "no P- lines, as in the first hypotheses", {}};
    double sum = 0.0;
    while (!rest.empty()) {
      const std::size_t space = rest.find(' ');
      const std::string_view value = rest.substr(0, space);
      rest = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
      if (!value.empty()) sum += parse_feature_value(value, name);
    }
    part.set("logprob", sum, std::to_string(sum), *schema_);
  } catch (const BadLine&) {
    part.cut(part.rows() - 1);  // what remains of the hypothesis cannot be used
    part.unfinished = false;
    throw;
  }
}

}  // namespace tunesmith::formats
