// The sparse features of all rules of a model, in one memory-mapped file.
//
// Features have names and ids from 0 on, one space for all tables: a feature of the same name has
// the same weight wherever it fires. Rule r of a table owns a row of ids (ascending) and values.
// Arrays of the file (kind "rule-features"):
//   meta            JSON: how the features were made
//   names, name_ends  the names back to back, and where each ends
//   tables          [tables, 2] number of rules and fingerprint of the phrase table
//   ends.T, ids.T, values.T  of table T: [rules] where each row ends; ids; values, or nothing if
//                   all are 1
// What is asked for is checked as it is first used, as in a phrase table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/array_file.hh"
#include "base/sparse_vector.hh"
#include "base/spilled_array.hh"
#include "base/string_index.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::features {

class RuleFeatures {
 public:
  static constexpr std::string_view kKind = "rule-features";
  static constexpr std::uint32_t kVersion = 1;

  explicit RuleFeatures(const std::string& path);

  const std::string& path() const { return file_.path(); }
  // See MappedFile.
  void give_back() const { file_.give_back(); }
  std::string_view meta() const { return file_.text("meta"); }
  // How many features there are; ids are below it.
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  std::string_view name(std::uint32_t id) const;
  std::span<const char> name_bytes() const { return names_.items.all(); }
  std::span<const std::uint64_t> name_ends() const { return names_.ends.all(); }

  int tables() const { return static_cast<int>(tables_.size()); }
  std::uint64_t rules(int table) const { return tables_[table].ids.size(); }
  std::uint64_t entries(int table) const { return tables_[table].ids.items.size(); }
  std::uint64_t fingerprint(int table) const { return tables_[table].fingerprint; }
  SparseRow row(int table, std::uint64_t rule) const {
    const Table& t = tables_[table];
    const auto ids = t.ids[rule];
    if (t.values.empty() || ids.empty()) return {ids, nullptr};
    const std::uint64_t end = t.ids.ends[rule];
    return {ids, t.values.slice(end - ids.size(), end).data()};
  }
  // Which of the tables here was made from `table`; an InputError if none was.
  int table_of(const grammar::PhraseTable& table) const;

 private:
  struct Table {
    std::uint64_t fingerprint = 0;
    CheckedRows<std::uint32_t> ids;  // of every rule
    CheckedArray<float> values;
  };

  ArrayFile file_;
  CheckedRows<char> names_;
  std::vector<Table> tables_;
};

// Collects rows, table by table, and writes the file. Rows wait on disk, names in memory.
class RuleFeaturesWriter {
 public:
  explicit RuleFeaturesWriter(std::string path) : path_(std::move(path)) {}
  RuleFeaturesWriter(const RuleFeaturesWriter&) = delete;

  // Features get their ids when they are first named.
  StringIndex& names() { return names_; }

  // Rows of `table` follow, one for each of its rules.
  void begin_table(const grammar::PhraseTable& table);
  // `row` is summed up first: any order, ids may repeat.
  void add_row(SparseVector& row);
  // Nothing appears at the path unless every rule got its row.
  void write(std::string_view meta);

 private:
  struct Table {
    explicit Table(const std::string& beside) : ends(beside), ids(beside), values(beside) {}

    std::uint64_t rules = 0, fingerprint = 0, rows = 0, entries = 0;
    bool ones = true;  // all values are 1
    SpilledArray ends, ids, values;
  };

  std::string path_;
  StringIndex names_;
  std::vector<Table> tables_;
};

}  // namespace tunesmith::features
