// Tables of text with a header: cells between separators, records between line ends, in quotes as
// RFC 4180 has them or not at all.
//
//   1. the constructor finds the records (a quoted cell may hold line ends) and reads the header;
//   2. the caller looks at some cells() and decides which columns are what;
//   3. read() parses those columns on many threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/nbest.hh"
#include "formats/nbest_store.hh"

namespace tunesmith::formats {

// What cells that begin with a quote look like, if quotes are taken for what they are in CSV.
struct Quoting {
  std::uint64_t quoted = 0;   // cells in quotes …
  std::uint64_t special = 0;  // … with a separator, a line end or a doubled quote inside
  bool header = false;        // a name is in quotes
  std::uint64_t broken = 0;   // line of the first cell that begins with a quote and is none, or 0
};

Quoting quoting_of(std::string_view data, char separator);

struct DelimitedColumns {
  int id = -1, text = -1;
  int total = -1;            // if there is one
  std::vector<int> more;     // other columns to be kept as text
  std::vector<int> numbers;  // columns of features
};

struct DelimitedParts {
  // Per row; ids are numbers as they stand, or positions in id_names if the first is no number.
  MappedArray<std::int64_t> ids;
  bool ids_are_names = false;
  StringIndex id_names;
  StringArray texts;
  std::vector<StringArray> more;
  MappedArray<float> numbers;  // rows × columns
  MappedArray<double> totals;  // if there is a total
  MappedArray<std::int64_t> lines;
  std::uint64_t skipped = 0;
};

class DelimitedTable {
 public:
  // `data` must outlive the table; `path` is for messages. Throws InputError.
  DelimitedTable(std::string path, std::string_view data, char separator, bool quoted);

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return records_.size(); }
  // The cells of a row as they are meant, for a look at them; fewer or more than there are names if
  // the row is bad.
  std::vector<std::string> cells(std::size_t row) const;
  DelimitedParts read(const DelimitedColumns& columns, bool skip_bad_lines, int threads) const;

 private:
  struct Record {
    std::size_t begin, end;
    std::uint64_t line;
  };
  struct Block;

  void find_records(std::size_t begin, std::uint64_t line);
  void parse(const Record& record, const DelimitedColumns& columns, bool names, float* numbers,
             Block& block) const;
  [[noreturn]] void refuse(std::uint64_t line, const BadLine& bad) const;
  // Calls visit(column, cell) for every cell; `decoded` holds a cell that differs from its bytes.
  template <typename Visit>
  std::size_t each_cell(std::string_view record, std::string& decoded, const Visit& visit) const;

  std::string path_;
  std::string_view data_;
  char separator_;
  bool quoted_;
  std::vector<std::string> names_;
  std::vector<Record> records_;
};

}  // namespace tunesmith::formats
