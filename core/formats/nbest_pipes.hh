// Dialects with fields between "|||": Moses, Marian, cdec, Joshua, and candidates with a label.
//
//   id ||| text ||| features ||| total [||| alignment …]
//
// Features are blocks "Name= v v v" (Moses, Marian) or pairs "name=v" (cdec, Joshua); both are read
// in all of them. A block of several values gives the features Name_0, Name_1, …; of one, Name.
#pragma once

#include <functional>
#include <optional>

#include "formats/nbest.hh"

namespace tunesmith::formats {

// The fields of a line, at most `kPipeFields`; the last one has the rest of the line.
inline constexpr std::size_t kPipeFields = 8;
struct PipeFields {
  std::string_view field[kPipeFields];
  std::size_t count = 0;
};
PipeFields split_pipes(std::string_view line);

// Calls block(name, values as text, their number) for every block or pair of a features field.
void for_each_block(std::string_view features,
                    const std::function<void(std::string_view, std::string_view, int)>& block);

// Moses calls a sparse feature after its feature function: "function_what". The dense features of
// our own models that have an underscore (tm.p_e_given_f, word_penalty) are known by name.
bool is_moses_sparse(std::string_view name);

class PipesParser final : public NbestParser {
 public:
  explicit PipesParser(NbestDialect dialect) : dialect_(dialect) {}
  void prepare(std::string_view head, NbestSchema& schema) override;
  void parse(std::string_view line, std::uint32_t number, NbestPart& part) const override;

 private:
  struct Block {
    std::string token;  // with its "="
    int values;
    int column;
  };

  struct BlockName {
    std::string_view name;
    int values;
  };

  bool marian() const { return dialect_ == NbestDialect::kMarian; }
  std::size_t features_field(const PipeFields& fields) const;
  // The blocks of a line to learn the layout from; none of a line that will be refused, or skipped
  // and counted, when its turn comes: it cannot be read or has a feature twice.
  std::optional<std::vector<BlockName>> blocks_of(std::string_view line) const;
  void find_dense(std::string_view head, NbestSchema& schema) const;
  void learn_block(std::string_view name, int count);
  // Tries the blocks of the first line, in their order; returns what is left of the field, or the
  // whole field and an untouched row when the line is laid out differently.
  std::string_view parse_as_first(std::string_view features, NbestPart& part) const;
  void parse_features(std::string_view features, NbestPart& part) const;
  void set_block(std::string_view name, std::string_view values, int count, NbestPart& part) const;

  NbestDialect dialect_;
  const NbestSchema* schema_ = nullptr;
  std::vector<Block> first_line_;
  StringIndex block_names_;       // blocks of several values …
  std::vector<int> block_sizes_;  // … and how many
};

}  // namespace tunesmith::formats
