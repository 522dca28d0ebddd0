// Threaded reading of n-best lists and building of pools: the same with one thread and with four,
// and no data races (run under the thread sanitiser by `make tsan`).
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.hh"
#include "formats/nbest_store.hh"
#include "tune/pool_builder.hh"

using namespace tunesmith;

namespace {

// Statistics that any thread can count: length and number of spaces.
class LengthScorer final : public metrics::SegmentScorer {
 public:
  int size() const override { return 2; }
  std::uint32_t sentences() const override { return 200; }
  void stats(std::uint32_t sentence, std::string_view text, std::int32_t* out) const override {
    out[0] = static_cast<std::int32_t>(text.size() + sentence);
    out[1] = 0;
    for (const char c : text) out[1] += c == ' ' ? 1 : 0;
  }
};

std::string list_text(bool broken) {
  std::string text;
  for (int s = 0; s < 200; ++s)
    for (int k = 0; k < 20; ++k) {
      const std::string id = std::to_string(s), n = std::to_string(k);
      text += id + " ||| word" + n + " of sentence " + id + " ||| LM= -" + n + ".5 TM= 1 " + id +
              " w_" + std::to_string((s * k) % 31) + "= " + n + " ||| 0\n";
      if (broken && s == 150 && k == 3) text += "broken\n";
    }
  return text;
}

formats::NbestReadOptions options(int threads) {
  formats::NbestReadOptions out;
  out.threads = threads;
  out.part_bytes = 4096;
  return out;
}

std::string summary(const formats::NbestStore& store) {
  std::string out(store.texts.bytes.data(), store.texts.bytes.size());
  out.append(reinterpret_cast<const char*>(store.dense.data()), store.dense.size() * 4);
  out.append(reinterpret_cast<const char*>(store.sparse_ids.data()), store.sparse_ids.size() * 4);
  return out;
}

std::string read(const std::string& path, int threads) {
  formats::NbestStore store;
  formats::NbestReader reader(path, store.schema, store, options(threads));
  reader.read_file();
  store.finish(reader.report());
  return summary(store);
}

std::string feed(const std::string& text, int threads) {
  formats::NbestStore store;
  formats::NbestReader reader("fed", store.schema, store, options(threads));
  for (std::size_t at = 0; at < text.size(); at += 1000)
    reader.feed(std::string_view(text).substr(at, 1000));
  reader.finish();
  store.finish(reader.report());
  return summary(store);
}

std::string build(const std::string& path, int threads) {
  tune::PoolBuilderOptions pool_options;
  pool_options.threads = threads;
  tune::PoolBuilder builder(std::make_shared<LengthScorer>(), pool_options);
  for (int list = 0; list < 2; ++list) {
    builder.begin_list();
    formats::NbestReader reader(path, builder.schema(), builder, options(threads));
    reader.read_file();
    builder.end_list(reader.report(), path);
  }
  const tune::PoolRows rows = builder.finish();
  std::string out(reinterpret_cast<const char*>(rows.keys.data()), rows.keys.size() * 8);
  out.append(reinterpret_cast<const char*>(rows.stats.data()), rows.stats.size() * 4);
  out.append(reinterpret_cast<const char*>(rows.sparse_values.data()),
             rows.sparse_values.size() * 4);
  return rows.rows() == 4000 ? out : "";
}

std::uint64_t failing_line(const std::string& path, int threads) {
  try {
    read(path, threads);
  } catch (const InputError& error) {
    return error.line();
  }
  return 0;
}

std::string write_file(const std::string& text) {
  std::string name = std::filesystem::temp_directory_path() / "nbest_reader_testXXXXXX";
  const int fd = ::mkstemp(name.data());
  if (fd < 0 || ::write(fd, text.data(), text.size()) != static_cast<::ssize_t>(text.size()))
    std::exit(3);
  ::close(fd);
  return name;
}

int check(bool good, const char* what) {
  if (!good) std::fprintf(stderr, "failed: %s\n", what);
  return good ? 0 : 1;
}

}  // namespace

int main() {
  const std::string text = list_text(false);
  const std::string good = write_file(text), bad = write_file(list_text(true));
  int failures = 0;
  const std::string alone = read(good, 1), pool = build(good, 1);
  failures += check(!alone.empty() && read(good, 4) == alone, "file on four threads");
  failures += check(feed(text, 4) == alone, "blocks on four threads");
  failures += check(!pool.empty() && build(good, 4) == pool, "pool on four threads");
  failures += check(failing_line(bad, 1) == 3005 && failing_line(bad, 4) == 3005, "first bad line");
  std::remove(good.c_str());
  std::remove(bad.c_str());
  return failures;
}
