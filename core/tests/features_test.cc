// Threads of the feature builder: the same file with one and with several; links that lead outside
// their phrases, for the sanitisers to watch.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hh"
#include "features/build_features.hh"
#include "grammar/phrase_table_writer.hh"

using namespace tunesmith;

namespace {

constexpr std::uint32_t kWords = 50;

StringIndex vocabulary(char letter) {
  StringIndex index;
  for (std::uint32_t i = 0; i < kWords; ++i) index.add(letter + std::to_string(i));
  return index;
}

void write_table(const std::string& path) {
  Random random(3);
  std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> sources;
  for (int i = 0; i < 6000; ++i) {
    std::vector<std::uint32_t> words(1 + random.below(4));
    for (auto& word : words) word = static_cast<std::uint32_t>(random.below(kWords));
    sources.emplace_back(grammar::phrase_key(words), words);
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  grammar::PhraseTableWriter writer(path, 1, 0);
  for (const auto& [key, words] : sources) {
    writer.add_source(key, words);
    for (std::uint64_t r = random.below(4); r-- > 0;) {
      std::vector<std::uint32_t> target(random.below(5));
      for (auto& word : target) word = static_cast<std::uint32_t>(random.below(kWords));
      std::vector<std::uint16_t> links;
      for (std::uint64_t k = random.below(6); k-- > 0;)
        links.push_back(static_cast<std::uint16_t>(
            random.below(20) == 0 ? random.below(65536)
                                  : grammar::pack_link(static_cast<int>(random.below(4)),
                                                       static_cast<int>(random.below(5)))));
      const float score = -1.0F;
      grammar::RuleData rule;
      rule.target = target;
      rule.scores = {&score, 1};
      rule.links = links;
      rule.counts[2] = static_cast<float>(random.below(300));
      writer.add_rule(rule);
    }
  }
  writer.finish(vocabulary('s'), vocabulary('t'), "{}");
}

std::string features_with(const grammar::PhraseTable& table, int threads, const std::string& path) {
  const grammar::PhraseTable* tables[] = {&table};
  std::vector<std::unique_ptr<features::RuleTemplate>> templates;
  templates.push_back(features::target_unaligned(
      features::frequent_words(tables, features::WordKind::kUnalignedTarget, 10)));
  templates.push_back(features::count_bin({}));
  templates.push_back(
      features::word_pair(features::frequent_words(tables, features::WordKind::kSource, 20),
                          features::frequent_words(tables, features::WordKind::kTarget, 20)));
  templates.push_back(features::length_bin());
  std::vector<features::RuleTemplate*> borrowed;
  for (const auto& one : templates) borrowed.push_back(one.get());
  features::RuleFeaturesWriter writer(path);
  features::add_features(writer, table, borrowed, {}, threads);
  writer.write("{}");
  const features::RuleFeatures features(path);
  for (std::uint64_t rule = 0; rule < features.rules(0); ++rule) features.row(0, rule);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main() {
  std::string folder = std::filesystem::temp_directory_path() / "features_testXXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return 2;
  const std::string table_path = folder + "/table.bin", path = folder + "/features.bin";
  write_table(table_path);
  const grammar::PhraseTable table(table_path);
  const std::string one = features_with(table, 1, path), four = features_with(table, 4, path);
  std::filesystem::remove_all(folder);
  return one == four && one.size() > 100000 ? 0 : 1;
}
