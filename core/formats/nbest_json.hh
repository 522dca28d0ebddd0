// JSON lines: our own schema (a hypothesis per line) and those that NMT toolkits give (the
// hypotheses of a sentence per line).
//
//   tunesmith    {"id": 0, "text": "…", "features": {"lm": -1.5}, "total": -2.0}, optionally after
//                a first line {"tunesmith": "nbest", "version": 1, "features": {…}}
//   sockeye      {"sentence_id": 1, "translations": ["…", …], "scores": [[0.5], …]}
//   ctranslate2  {"hypotheses": [["…", …], …], "scores": [-0.5, …]}
//   huggingface  {"sequences": ["…", …], "sequences_scores": [-0.5, …]}, or
//                [{"generated_text": "…", "score": -0.5}, …]
#pragma once

#include "formats/json.hh"
#include "formats/nbest.hh"

namespace tunesmith::formats {

class JsonParser final : public NbestParser {
 public:
  explicit JsonParser(NbestDialect dialect) : dialect_(dialect) {}
  void prepare(std::string_view head, NbestSchema& schema) override;
  void parse(std::string_view line, std::uint32_t number, NbestPart& part) const override;
  bool needs_line_numbers() const override { return dialect_ != NbestDialect::kTunesmith; }
  std::uint32_t first_id() const override { return dialect_ == NbestDialect::kSockeye ? 1 : 0; }
  std::string_view header() const override { return header_; }

 private:
  void read_header(std::string_view line, NbestSchema& schema);
  void find_dense(std::string_view head, NbestSchema& schema);
  void parse_hypothesis(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                        NbestPart& part) const;
  void parse_objects(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                     NbestPart& part) const;
  void parse_columns(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                     NbestPart& part) const;
  std::string_view text_of(const JsonTree& tree, const JsonNode& node, NbestPart& part) const;
  std::uint32_t id_of(const JsonTree& tree, const JsonNode& root, std::uint32_t number,
                      const NbestPart& part) const;

  NbestDialect dialect_;
  const NbestSchema* schema_ = nullptr;
  std::string header_;
};

// The dialect of a line of JSON, by its keys.
NbestDialect detect_json_dialect(std::string_view line);

}  // namespace tunesmith::formats
