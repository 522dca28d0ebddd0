// Which dialect a file has, from its first lines.
#include "base/error.hh"
#include "formats/nbest.hh"
#include "formats/nbest_fairseq.hh"
#include "formats/nbest_json.hh"
#include "formats/nbest_pipes.hh"

namespace tunesmith::formats {
namespace {

bool is_marian(std::string_view name) {
  if (name.size() < 2 || name[0] != 'F') return false;
  for (const char c : name.substr(1))
    if (c < '0' || c > '9') return false;
  return true;
}

NbestDialect detect_pipes(const PipeFields& fields) {
  if (fields.count < 3) return NbestDialect::kMoses;
  const auto has_equals = [&](std::size_t i) {
    return i < fields.count && fields.field[i].find('=') != std::string_view::npos;
  };
  const bool alignment_first = !has_equals(2) && has_equals(3);
  const std::string_view features = fields.field[alignment_first ? 3 : 2];
  if (fields.count == 3 && !features.empty() && !has_equals(2) &&
      features.find(' ') == std::string_view::npos &&
      features.find_first_not_of("0123456789.+-eE") != std::string_view::npos)
    return NbestDialect::kLabels;
  bool spaced = false, joshua = false, all_marian = !features.empty();
  try {
    for_each_block(features, [&](std::string_view name, std::string_view values, int) {
      all_marian = all_marian && is_marian(name);
      joshua = joshua || name.starts_with("tm_") || name == "lm_0";
      spaced = spaced || values.data() > name.data() + name.size() + 1;
    });
  } catch (const BadLine&) {
    return NbestDialect::kMoses;  // whose parser says what is wrong
  }
  if (all_marian) return NbestDialect::kMarian;
  if (spaced || features.empty()) return NbestDialect::kMoses;
  return joshua ? NbestDialect::kJoshua : NbestDialect::kCdec;
}

}  // namespace

NbestDialect detect_nbest_dialect(std::string_view head) {
  std::string_view rest = head;
  const std::string_view first = take_line(rest);
  const PipeFields fields = split_pipes(first);
  if (fields.count > 1) return detect_pipes(fields);
  if (first.starts_with('{') || first.starts_with('[')) return detect_json_dialect(first);
  // fairseq may print much about itself first.
  for (int i = 0; i < 1000 && !head.empty(); ++i)
    if (is_fairseq_line(take_line(head), 'H')) return NbestDialect::kFairseq;
  throw BadLine{quoted(first), "an n-best list",
                "its format is not recognised: name it with --format, see docs/formats.md"};
}

std::unique_ptr<NbestParser> make_nbest_parser(NbestDialect dialect) {
  switch (dialect) {
    case NbestDialect::kTsv:
    case NbestDialect::kCsv:
      throw OptionError("tables are read by DelimitedTable");
    case NbestDialect::kFairseq:
      return std::make_unique<FairseqParser>();
    case NbestDialect::kSockeye:
    case NbestDialect::kCtranslate2:
    case NbestDialect::kHuggingface:
    case NbestDialect::kTunesmith:
      return std::make_unique<JsonParser>(dialect);
    default:
      return std::make_unique<PipesParser>(dialect);
  }
}

}  // namespace tunesmith::formats
