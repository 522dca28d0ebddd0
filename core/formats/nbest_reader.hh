// Reads n-best files of any dialect in parts, on many threads, with bounded memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/nbest.hh"

namespace tunesmith::formats {

struct NbestReadOptions {
  NbestDialect dialect = NbestDialect::kAuto;
  // Bad lines are left out and counted; otherwise the first of them ends the reading.
  bool skip_bad_lines = false;
  int threads = 1;
  // Bytes of a part; what is read does not depend on it.
  std::size_t part_bytes = std::size_t{1} << 19;
  // Ids from here on are bad lines; `ids_are` says why ("the references have 100 lines").
  std::uint32_t sentences = 0x80000000;
  std::string ids_are;
};

struct NbestReport {
  NbestDialect dialect = NbestDialect::kAuto;
  std::uint64_t lines = 0;
  std::uint64_t skipped = 0;    // bad lines left out
  std::uint32_t sentences = 0;  // one more than the highest id
  bool ordered = true;
  std::string header;  // of our own schema
};

// Takes what a file holds, part by part.
class NbestSink {
 public:
  virtual ~NbestSink() = default;
  // Once per file, when dialect and schema are known.
  virtual void begin(const NbestReport&) {}
  // On any thread, for several parts at once, while the part's text is in memory.
  virtual void work(NbestPart&, int /*worker*/) {}
  // One part at a time, in the order of the file, by the worker that worked on it. Rows with
  // keep == 0 are to be left out.
  virtual void take(NbestPart& part, int worker) = 0;
};

class NbestReader {
 public:
  // `path` is opened by read_file() and otherwise for messages only. Schema and sink must outlive
  // the reader.
  NbestReader(std::string path, NbestSchema& schema, NbestSink& sink, NbestReadOptions options);
  ~NbestReader();

  // A plain file, read by the threads themselves.
  void read_file();
  // Text from elsewhere (unpacked), in blocks of any size, then the end.
  void feed(std::string_view block);
  void finish();

  const NbestReport& report() const { return report_; }

 private:
  class File;

  void prepare(std::string_view head, bool whole);
  void run(std::size_t parts, const std::function<std::string_view(std::size_t, NbestPart&)>& text);
  void parse(std::string_view text, NbestPart& part) const;
  void take(NbestPart& part, int worker);
  void check_order(NbestPart& part);
  std::size_t boundary(std::string_view text, std::size_t from) const;
  void feed_parts(bool last);
  void check_unordered();
  [[noreturn]] void refuse(std::uint64_t line, const BadLine& bad) const;

  std::string path_;
  NbestSchema& schema_;
  NbestSink& sink_;
  NbestReadOptions options_;
  NbestReport report_;
  std::unique_ptr<NbestParser> parser_;
  std::vector<NbestPart> parts_;  // one per thread
  std::string pending_;           // fed, not yet parsed …
  std::size_t fed_ = 0;           // … and where it begins, after the header
  std::uint64_t fed_lines_ = 0;
  std::int64_t last_id_ = -1;            // of the last row that was kept, from 0
  std::vector<std::uint32_t> seen_ids_;  // of unordered dialects
};

}  // namespace tunesmith::formats
