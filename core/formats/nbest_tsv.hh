// Tab-separated values with a header: the columns "id" and "text", every other column a feature.
#pragma once

#include "formats/nbest.hh"

namespace tunesmith::formats {

class TsvParser final : public NbestParser {
 public:
  void prepare(std::string_view head, NbestSchema& schema) override;
  void parse(std::string_view line, std::uint32_t number, NbestPart& part) const override;

 private:
  static constexpr int kId = -1, kText = -2, kSparse = -3;
  struct Column {
    std::string name;
    int place;  // a dense feature, or one of the above
  };

  const NbestSchema* schema_ = nullptr;
  std::vector<Column> columns_;
};

}  // namespace tunesmith::formats
