#include "features/rule_features.hh"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/utf8.hh"

namespace tunesmith::features {

RuleFeatures::RuleFeatures(const std::string& path)
    : file_(path, kKind, kVersion),
      names_{file_.checked<char>("names"), file_.checked<std::uint64_t>("name_ends")} {
  const auto whole = [&](bool holds) {
    if (!holds)
      throw InputError(path, 0, "arrays of the features do not fit together",
                       "a whole file of features", "make it again");
  };
  names_.ends.expect_neighbours(std::less_equal());
  whole(names_.size() < 0xFFFFFFFFULL && names_.fit());
  const auto tables = file_.array<std::uint64_t>("tables");
  whole(tables.size() % 2 == 0);
  for (std::size_t t = 0; t < tables.size() / 2; ++t) {
    const std::string number = std::to_string(t);
    Table table;
    table.fingerprint = tables[2 * t + 1];
    table.ids = {file_.checked<std::uint32_t>("ids." + number),
                 file_.checked<std::uint64_t>("ends." + number)};
    table.values = file_.checked<float>("values." + number);
    table.ids.ends.expect_neighbours(std::less_equal());
    table.ids.items.expect_each([size = size()](std::uint32_t id) { return id < size; });
    if (!table.values.empty())
      table.values.expect_each([](float value) { return std::isfinite(value); });
    whole(table.ids.size() == tables[2 * t] && table.ids.fit());
    whole(table.values.empty() || table.values.size() == table.ids.items.size());
    tables_.push_back(table);
  }
}

std::string_view RuleFeatures::name(std::uint32_t id) const {
  const auto bytes = names_[id];
  const std::string_view name(bytes.data(), bytes.size());
  if (!is_utf8(name)) names_.items.refuse();
  return name;
}

int RuleFeatures::table_of(const grammar::PhraseTable& table) const {
  for (int t = 0; t < tables(); ++t)
    if (fingerprint(t) == table.fingerprint() && rules(t) == table.rules()) return t;
  throw InputError(path(), 0, "no features of the rules of " + table.path(),
                   "those of every table of the model", "make the features again");
}

void RuleFeaturesWriter::begin_table(const grammar::PhraseTable& table) {
  Table& added = tables_.emplace_back(path_);
  added.rules = table.rules();
  added.fingerprint = table.fingerprint();
}

void RuleFeaturesWriter::add_row(SparseVector& row) {
  Table& table = tables_.back();
  row.sum_up();
  table.ones = table.ones && std::all_of(row.values.begin(), row.values.end(),
                                         [](float value) { return value == 1.0F; });
  table.ids.append(row.ids.data(), row.ids.size() * sizeof(std::uint32_t));
  table.values.append(row.values.data(), row.values.size() * sizeof(float));
  table.entries += row.size();
  table.ends.append(&table.entries, sizeof table.entries);
  ++table.rows;
}

void RuleFeaturesWriter::write(std::string_view meta) {
  ArrayFileWriter writer(path_, RuleFeatures::kKind, RuleFeatures::kVersion);
  writer.add_text("meta", meta);
  writer.add("names", names_.bytes());
  writer.add("name_ends", names_.ends());
  std::vector<std::uint64_t> tables;
  for (const Table& table : tables_) {
    if (table.rows != table.rules)
      throw Error(std::to_string(table.rows) + " rows of features for " +
                  std::to_string(table.rules) + " rules");
    tables.insert(tables.end(), {table.rules, table.fingerprint});
  }
  writer.add("tables", tables);
  const auto copy = [&](const std::string& name, std::string_view type, std::uint32_t item_size,
                        SpilledArray* array) {
    writer.begin(name, type, item_size);
    if (array != nullptr)
      array->replay([&](const char* data, std::size_t bytes) { writer.append(data, bytes); });
    writer.end();
  };
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const std::string number = std::to_string(t);
    copy("ends." + number, "u8", 8, &tables_[t].ends);
    copy("ids." + number, "u4", 4, &tables_[t].ids);
    copy("values." + number, "f4", 4, tables_[t].ones ? nullptr : &tables_[t].values);
  }
  writer.finish();
}

}  // namespace tunesmith::features
