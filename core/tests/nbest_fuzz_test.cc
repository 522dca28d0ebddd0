// Every n-best parser meets damaged text: it is read or refused, nothing else happens. To be run
// under the address and undefined-behaviour sanitisers too. Numbers are checked against strtod.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hh"
#include "base/number.hh"
#include "formats/delimited.hh"
#include "formats/nbest_store.hh"
#include "formats/nbest_write.hh"
#include "tests/damaged.hh"

using namespace tunesmith;

namespace {

const std::vector<std::string> kSeeds = {
    "0 ||| a b ||| LM= -1.5 TM= 1 2 w_x= 3 ||| -3 ||| 0-0 1-1\n1 |||  ||| LM= 2 TM= 3 4 ||| -1\n",
    "0 ||| a ||| 0-0 ||| F0= -1 F1= 2.5e-3 ||| -1\n1 ||| b ||| 0-0 ||| F0= -1 F1= 2 ||| -1\n",
    "0 ||| a ||| LM=-1 Glue=2 ||| -1\n0 ||| b ||| LM=-1 ||| -1\n1 ||| c ||| LM=4 x=1 ||| 2\n",
    "0 ||| a ||| one\n1 ||| b ||| two\n",
    "id\ttext\tlm\ttm\n0\ta b\t1\t-2.5\n1\t\t1e3\t0\n",
    "id,text,lm,total\n0,\"a, \"\"b\"\"\nc\",1,-2.5\nx,,1e3,0\n",
    "S-1\tx\nT-1\ty\nH-1\t-1.5\ta b\nD-1\t-1.5\tab\nP-1\t-1 -2\nH-0\t-1\tc\nP-0\t-0.5\n",
    "{\"sentence_id\": 1, \"translations\": [\"a\", \"b\"], \"scores\": [[1], [2]]}\n"
    "{\"translation\": \"\\u00e4\\ud83d\\ude00\", \"score\": 1}\n",
    "{\"hypotheses\": [[\"a\", \"b\"], [\"c\"]], \"scores\": [-1, -2.5], \"qe\": [1, 2]}\n",
    "[{\"generated_text\": \"a\", \"score\": 1}]\n{\"sequences\": [\"b\"], \"sequences_scores\": "
    "[1]}\n",
    "{\"tunesmith\": \"nbest\", \"version\": 1, \"features\": {\"lm\": {\"dense\": true}}}\n"
    "{\"id\": 0, \"text\": \"a\\n\\\"b\", \"features\": {\"lm\": 1, \"x\": 2}, \"total\": 1}\n",
};

// Rows of a table whose first columns are ids and texts and whose others are numbers.
long read_table(const std::string& text, char separator, bool skip, int threads) {
  const formats::Quoting quoting = formats::quoting_of(text, separator);
  const formats::DelimitedTable table("list", text, separator, quoting.quoted > 0);
  formats::DelimitedColumns columns;
  columns.id = 0;
  columns.text = 1;
  for (int c = 2; c < static_cast<int>(table.names().size()); ++c) columns.numbers.push_back(c);
  if (table.names().size() < 2) return -1;
  return static_cast<long>(table.read(columns, skip, threads).ids.size());
}

// Reads the text in blocks and in small parts; returns how many rows, or -1 if it is refused.
long read(const std::string& text, formats::NbestDialect dialect, bool skip, int threads) {
  using enum formats::NbestDialect;
  formats::NbestStore store;
  formats::NbestReadOptions options;
  options.dialect = dialect;
  options.skip_bad_lines = skip;
  options.threads = threads;
  options.part_bytes = 16;
  try {
    if (dialect == kTsv || dialect == kCsv)
      return read_table(text, dialect == kTsv ? '\t' : ',', skip, threads);
    formats::NbestReader reader("list", store.schema, store, options);
    for (std::size_t at = 0; at < text.size(); at += 7)
      reader.feed(std::string_view(text).substr(at, 7));
    reader.finish();
    store.finish(reader.report());
  } catch (const InputError&) {
    return -1;
  }
  return static_cast<long>(store.ids.size());
}

int check_numbers(Random& random) {
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random.below(2) ? "-" : "";
    for (std::uint64_t k = 0, n = 1 + random.below(22); k < n; ++k)
      text += static_cast<char>('0' + random.below(10));
    if (random.below(2)) text.insert(text.size() - random.below(text.size()), ".");
    if (text.starts_with(".-")) continue;
    if (random.below(3) == 0)
      text += "e" + std::string(random.below(2) ? "-" : "") + std::to_string(random.below(340));
    double value = 0.0;
    const char* end = text.data() + text.size();
    char* expected_end = nullptr;
    const double expected = std::strtod(text.c_str(), &expected_end);
    const char* stop = parse_number(text.data(), end, value);
    // Below the smallest normal number strtod reports a range error too, but gives a value.
    const bool same = value == expected || std::fabs(expected) < 1e-307;
    if (stop != text.data() + (expected_end - text.c_str()) || !same) {
      std::fprintf(stderr, "failed: number %s: %.17g, expected %.17g\n", text.c_str(), value,
                   expected);
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  Random random(1);
  long good = 0, refused = 0;
  for (int round = 0; round < rounds; ++round)
    for (const std::string& seed : kSeeds)
      for (const bool skip : {false, true}) {
        const std::string text = damaged(seed, random);
        const auto dialect = static_cast<formats::NbestDialect>(
            random.below(2) ? 0 : random.below(formats::nbest_dialect_names().size()));
        const long alone = read(text, dialect, skip, 1);
        if (alone != read(text, dialect, skip, 3)) {
          std::fprintf(stderr, "failed: one and three threads differ on %s\n",
                       quoted(text, 1000).c_str());
          return 1;
        }
        ++(alone < 0 ? refused : good);
      }
  if (good == 0 || refused == 0) return 1;
  return check_numbers(random);
}
