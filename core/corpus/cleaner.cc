#include "corpus/cleaner.hh"

#include <algorithm>
#include <numeric>

#include "base/code_points.hh"
#include "base/error.hh"
#include "base/hash.hh"
#include "base/words.hh"
#include "engine/parallel.hh"

namespace tunesmith::corpus {

namespace {

constexpr std::size_t kLinesAtOnce = 1024;

std::uint8_t script_of(const ScriptTable& scripts, char32_t point) {
  return point < scripts.size() ? scripts[point] : 0;
}

// Number and hash of the words of a line.
struct HashedWords {
  std::uint64_t count = 0, hash = 0;

  explicit HashedWords(std::string_view line) {
    for_each_word(line, [&](std::string_view word) {
      ++count;
      hash = hash_string(word, hash);
    });
  }
};

void check_sizes(std::size_t sources, std::size_t targets) {
  if (sources != targets)
    throw Error(std::to_string(sources) + " source sentences and " + std::to_string(targets) +
                " target sentences, expected equally many");
}

}  // namespace

std::array<std::uint64_t, kMaxScripts> count_scripts(const ScriptTable& scripts,
                                                     std::span<const std::string_view> lines,
                                                     int threads) {
  std::vector<std::array<std::uint64_t, kMaxScripts>> parts(engine::resolve_threads(threads));
  engine::parallel_for_worker(
      lines.size(), threads,
      [&](std::size_t i, int worker) {
        for (std::size_t at = 0; at < lines[i].size();)
          ++parts[worker][script_of(scripts, next_code_point(lines[i], at))];
      },
      kLinesAtOnce);
  std::array<std::uint64_t, kMaxScripts> counts{};
  for (const auto& part : parts)
    for (int script = 1; script < kMaxScripts; ++script) counts[script] += part[script];
  return counts;
}

Cleaner::Cleaner(const CleanOptions& options, ScriptTable scripts, std::uint8_t source_script,
                 std::uint8_t target_script)
    : options_(options),
      scripts_(std::move(scripts)),
      source_script_(source_script),
      target_script_(target_script) {}

bool Cleaner::has_script(std::string_view text, std::uint8_t wanted) const {
  if (wanted == 0) return true;
  std::uint64_t letters = 0, right = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint8_t script = script_of(scripts_, next_code_point(text, at));
    letters += script != 0;
    right += script == wanted;
  }
  return letters == 0 ||
         static_cast<double>(right) >= options_.min_script * static_cast<double>(letters);
}

Removal Cleaner::judge_alone(std::string_view source, std::string_view target,
                             std::uint64_t& hash) const {
  const HashedWords left(source), right(target);
  hash = hash_combine(left.hash, right.hash);
  if (left.count == 0 || right.count == 0) return Removal::kEmpty;
  const auto [fewer, more] = std::minmax(left.count, right.count);
  if (more > options_.max_words) return Removal::kTooLong;
  if (static_cast<double>(more) > options_.max_ratio * static_cast<double>(fewer))
    return Removal::kRatio;
  if (!has_script(source, source_script_) || !has_script(target, target_script_))
    return Removal::kScript;
  if (options_.remove_identical && left.count == right.count && left.hash == right.hash)
    return Removal::kIdentical;
  return Removal::kKept;
}

std::vector<std::uint8_t> Cleaner::judge(std::span<const std::string_view> sources,
                                         std::span<const std::string_view> targets, int threads) {
  check_sizes(sources.size(), targets.size());
  std::vector<std::uint8_t> verdicts(sources.size());
  std::vector<std::uint64_t> hashes(sources.size());
  engine::parallel_for(
      sources.size(), threads,
      [&](std::size_t i) {
        verdicts[i] = static_cast<std::uint8_t>(judge_alone(sources[i], targets[i], hashes[i]));
      },
      kLinesAtOnce);
  if (!options_.remove_duplicates) return verdicts;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts[i] == 0 && !seen_.insert(hashes[i]).second)
      verdicts[i] = static_cast<std::uint8_t>(Removal::kDuplicate);
  return verdicts;
}

std::vector<std::uint32_t> group_by_sentence(std::span<const std::uint64_t> sources,
                                             std::span<const std::uint64_t> targets) {
  check_sizes(sources.size(), targets.size());
  const std::size_t size = sources.size();
  if (size > 0xFFFFFFFF) throw Error("more than 4,294,967,295 sentence pairs");
  std::vector<std::uint32_t> parent(size);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<std::uint32_t> order(size);
  for (const auto keys : {sources, targets}) {
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(keys[i], i); });
    for (std::size_t i = 1; i < size; ++i) {
      if (keys[order[i]] != keys[order[i - 1]]) continue;
      const std::uint32_t one = find(order[i - 1]), other = find(order[i]);
      parent[std::max(one, other)] = std::min(one, other);
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) parent[i] = find(i);
  return parent;
}

std::vector<std::uint64_t> hash_lines(std::span<const std::string_view> lines, int threads) {
  std::vector<std::uint64_t> hashes(lines.size());
  engine::parallel_for(
      lines.size(), threads, [&](std::size_t i) { hashes[i] = HashedWords(lines[i]).hash; },
      kLinesAtOnce);
  return hashes;
}

}  // namespace tunesmith::corpus
