// What fairseq-generate and fairseq-interactive print: several tab-separated lines a hypothesis,
// sentences in any order.
//
//   S-3  source            T-3  target
//   H-3  score  tokens     D-3  score  detokenised text     P-3  scores of the tokens
//
// Features: "score" of the H- line and, where there are P- lines, "logprob", their sum. The text is
// that of the D- line where there is one.
#pragma once

#include "formats/nbest.hh"

namespace tunesmith::formats {

class FairseqParser final : public NbestParser {
 public:
  void prepare(std::string_view head, NbestSchema& schema) override;
  void parse(std::string_view line, std::uint32_t number, NbestPart& part) const override;
  void end(NbestPart& part) const override;
  bool begins_row(std::string_view line) const override {
    return line.starts_with("H-") || line.starts_with("S-");
  }
  bool ordered() const override { return false; }

 private:
  void end_hypothesis(NbestPart& part) const;
  void parse_fields(char kind, std::uint32_t id, std::string_view rest, std::uint32_t number,
                    NbestPart& part) const;

  const NbestSchema* schema_ = nullptr;
  bool has_positions_ = false;
};

bool is_fairseq_line(std::string_view line, char kind);

}  // namespace tunesmith::formats
