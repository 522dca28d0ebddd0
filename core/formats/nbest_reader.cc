#include "formats/nbest_reader.hh"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>

#include "base/error.hh"
#include "base/utf8.hh"
#include "engine/parallel.hh"

namespace tunesmith::formats {
namespace {

// Dialect and dense features are found in the complete lines of so many first bytes.
constexpr std::size_t kHeadBytes = std::size_t{1} << 20;
// A list with a larger hole in its ids has a broken id, whatever else may be skipped.
constexpr std::int64_t kMaxHole = 1'000'000;

std::string counted(std::int64_t id) { return std::to_string(id); }

}  // namespace

// A file read at any position by any thread.
class NbestReader::File {
 public:
  explicit File(const std::string& path) : path_(path) {
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) throw InputError(path, 0, std::string("cannot be read: ") + std::strerror(errno));
    struct stat status{};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) {
      ::close(fd_);
      throw InputError(path, 0, "not a regular file", "a file");
    }
    size_ = static_cast<std::size_t>(status.st_size);
  }
  File(const File&) = delete;
  ~File() { ::close(fd_); }

  std::size_t size() const { return size_; }

  // Appends up to `count` bytes from `offset` to the buffer.
  void read(std::size_t offset, std::size_t count, std::vector<char>& buffer) const {
    count = offset < size_ ? std::min(count, size_ - offset) : 0;
    std::size_t have = buffer.size();
    buffer.resize(have + count);
    while (count > 0) {
      const ::ssize_t got = ::pread(fd_, buffer.data() + have, count, static_cast<::off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0)
        throw InputError(path_, 0,
                         got < 0 ? std::string("cannot be read: ") + std::strerror(errno)
                                 : "the file became shorter while it was read");
      have += static_cast<std::size_t>(got);
      offset += static_cast<std::size_t>(got);
      count -= static_cast<std::size_t>(got);
    }
  }

 private:
  std::string path_;
  int fd_ = -1;
  std::size_t size_ = 0;
};

NbestReader::NbestReader(std::string path, NbestSchema& schema, NbestSink& sink,
                         NbestReadOptions options)
    : path_(std::move(path)), schema_(schema), sink_(sink), options_(std::move(options)) {
  options_.threads = engine::resolve_threads(options_.threads);
  parts_.resize(static_cast<std::size_t>(options_.threads));
}

NbestReader::~NbestReader() = default;

void NbestReader::refuse(std::uint64_t line, const BadLine& bad) const {
  throw InputError(path_, line, bad.found, bad.expected, bad.remedy);
}

namespace {

void check_utf8(std::string_view line) {
  const std::size_t bad = find_invalid_utf8(line);
  if (bad == std::string_view::npos) return;
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", static_cast<unsigned char>(line[bad]));
  throw BadLine{"byte " + std::string(byte) + " at column " + std::to_string(bad + 1), "UTF-8",
                "convert the file, for example with `iconv -t utf-8`"};
}

// The lines that are UTF-8: names of features are learned from no other.
std::string only_utf8(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::string_view rest = text;
    const std::string_view line = take_line(text);
    if (find_invalid_utf8(line) == std::string_view::npos)
      kept += rest.substr(0, rest.size() - text.size());
  }
  return kept;
}

}  // namespace

// Finds the dialect and its layout in the first bytes; `whole` if there are no more.
void NbestReader::prepare(std::string_view head, bool whole) {
  if (!whole) {
    const std::size_t end = head.rfind('\n');
    if (end != std::string_view::npos) head = head.substr(0, end + 1);
  }
  const std::size_t mark = head.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  head.remove_prefix(mark);
  if (strip_spaces(head).empty() || head == "\n")
    refuse(0, {"an empty file", "an n-best list", {}});
  try {
    if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
      throw BadLine{"UTF-16 text", "UTF-8", "convert the file, for example with `iconv -t utf-8`"};
    report_.dialect =
        options_.dialect == NbestDialect::kAuto ? detect_nbest_dialect(head) : options_.dialect;
    parser_ = make_nbest_parser(report_.dialect);
    std::string kept;
    if (find_invalid_utf8(head) != std::string_view::npos) {
      kept = only_utf8(head);
      head = kept;
    }
    parser_->prepare(head, schema_);
  } catch (const BadLine& bad) {
    refuse(1, bad);
  }
  schema_.fixed = true;
  report_.ordered = parser_->ordered();
  report_.lines = parser_->header_lines();
  report_.header = parser_->header();
  sink_.begin(report_);
}

// The first position at or after `from` where a part may begin: after a newline, before a line
// that begins a hypothesis. npos if the text does not reach one.
std::size_t NbestReader::boundary(std::string_view text, std::size_t from) const {
  while (from < text.size()) {
    const std::size_t newline = text.find('\n', from);
    if (newline == std::string_view::npos) return newline;
    const std::size_t line = newline + 1;
    if (line >= text.size()) return std::string_view::npos;
    std::string_view rest = text.substr(line);
    if (rest.size() >= 2 && parser_->begins_row(rest)) return line;
    if (rest.size() < 2) return std::string_view::npos;
    from = line;
  }
  return std::string_view::npos;
}

void NbestReader::read_file() {
  const File file(path_);
  {
    std::vector<char> head;
    for (std::size_t want = kHeadBytes;; want *= 4) {
      head.clear();
      file.read(0, want, head);
      const bool whole = head.size() == file.size();
      if (!whole && std::memchr(head.data(), '\n', head.size()) == nullptr) continue;
      prepare({head.data(), head.size()}, whole);
      break;
    }
  }
  const std::size_t mark = [&] {
    std::vector<char> first;
    file.read(0, 3, first);
    return std::string_view(first.data(), first.size()) == "\xEF\xBB\xBF" ? 3u : 0u;
  }();
  const std::size_t begin = mark + parser_->header_bytes();
  const std::size_t bytes = file.size() - std::min(begin, file.size());
  if (parser_->needs_line_numbers()) {
    std::vector<char> block;
    for (std::size_t at = begin; at < file.size(); at += block.size()) {
      block.clear();
      file.read(at, kHeadBytes, block);
      feed({block.data(), block.size()});
    }
    feed_parts(true);
    return;
  }
  const std::size_t step = options_.part_bytes;
  // Part i has the rows whose first line begins in [i · step, (i + 1) · step).
  run((bytes + step - 1) / step, [&](std::size_t i, NbestPart& part) -> std::string_view {
    const std::size_t from = begin + i * step, end = from + step;
    part.buffer.clear();
    // One byte before, to see whether the part begins with a whole line.
    const std::size_t lead = i == 0 ? 0 : 1;
    file.read(from - lead, step + lead + 4096, part.buffer);
    const auto whole = [&] { return std::string_view(part.buffer.data(), part.buffer.size()); };
    const auto read_more = [&] {
      const std::size_t at = from - lead + part.buffer.size();
      if (at >= file.size()) return false;
      file.read(at, std::max<std::size_t>(part.buffer.size(), 4096), part.buffer);
      return true;
    };
    std::size_t first = 0;
    if (i > 0)
      while ((first = boundary(whole(), 0)) == std::string_view::npos)
        if (!read_more()) return {};
    if (from - lead + first >= end) return {};
    std::size_t last;
    while ((last = boundary(whole(), end - from + lead - 1)) == std::string_view::npos)
      if (!read_more()) {
        last = part.buffer.size();
        break;
      }
    return whole().substr(first, last - first);
  });
  check_unordered();
}

void NbestReader::feed(std::string_view block) {
  pending_.append(block);
  if (!parser_) {
    if (pending_.size() <= kHeadBytes || pending_.find('\n') == std::string::npos) return;
    // Exactly the bytes that a plain file would be judged by.
    std::size_t want = kHeadBytes;
    while (pending_.find('\n') >= want) want *= 4;
    if (pending_.size() <= want) return;
    prepare(std::string_view(pending_).substr(0, want), false);
    const std::size_t mark = pending_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    pending_.erase(0, mark + parser_->header_bytes());
  }
  feed_parts(false);
}

void NbestReader::finish() {
  if (!parser_) {
    prepare(pending_, true);
    const std::size_t mark = pending_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    pending_.erase(0, mark + parser_->header_bytes());
  }
  feed_parts(true);
  check_unordered();
}

void NbestReader::feed_parts(bool last) {
  const std::size_t step = options_.part_bytes;
  const std::size_t wanted = last ? 1 : step * static_cast<std::size_t>(2 * options_.threads);
  if (pending_.size() < wanted) return;
  // The same cuts as in a plain file: before the first row at or after a multiple of `step`.
  std::vector<std::size_t> cuts{0};
  for (;;) {
    const std::size_t grid = ((fed_ + cuts.back()) / step + 1) * step;
    const std::size_t next = boundary(pending_, grid - fed_ - 1);
    if (next == std::string_view::npos) break;
    cuts.push_back(next);
  }
  if (last) cuts.push_back(pending_.size());
  std::vector<std::uint64_t> lines{fed_lines_};
  if (parser_->needs_line_numbers())
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      lines.push_back(lines.back() +
                      static_cast<std::uint64_t>(std::count(pending_.data() + cuts[i],
                                                            pending_.data() + cuts[i + 1], '\n')));
  run(cuts.size() - 1, [&](std::size_t i, NbestPart& part) {
    if (parser_->needs_line_numbers()) part.first_line = lines[i];
    return std::string_view(pending_).substr(cuts[i], cuts[i + 1] - cuts[i]);
  });
  fed_lines_ = lines.back();
  fed_ += cuts.back();
  pending_.erase(0, cuts.back());
}

// Parses parts on all threads and hands them on in order: a thread that is done with its part
// waits until all parts before it have been taken.
void NbestReader::run(std::size_t parts,
                      const std::function<std::string_view(std::size_t, NbestPart&)>& text) {
  std::mutex mutex;
  std::condition_variable turn;
  std::size_t next = 0;
  std::atomic<bool> stopped{false};
  engine::parallel_for_worker(parts, options_.threads, [&](std::size_t i, int worker) {
    NbestPart& part = parts_[static_cast<std::size_t>(worker)];
    std::exception_ptr failure;
    if (!stopped.load(std::memory_order_relaxed)) {
      try {
        part.clear(schema_);
        part.skip_bad_lines = options_.skip_bad_lines;
        parse(text(i, part), part);
        sink_.work(part, worker);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    std::unique_lock lock(mutex);
    turn.wait(lock, [&] { return next == i; });
    if (!stopped && !failure) {
      try {
        take(part, worker);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    if (failure) stopped = true;
    ++next;
    turn.notify_all();
    if (failure) std::rethrow_exception(failure);
  });
}

void NbestReader::parse(std::string_view text, NbestPart& part) const {
  while (!text.empty()) {
    const auto number = static_cast<std::uint32_t>(part.line_count++);
    const std::string_view line = take_line(text);
    const std::size_t rows = part.rows();
    try {
      check_utf8(line);
      parser_->parse(line, number, part);
      for (std::size_t row = rows; row < part.rows(); ++row)
        if (part.ids[row] >= options_.sentences)
          throw BadLine{"sentence id " + counted(part.ids[row]),
                        "ids below " + counted(options_.sentences), options_.ids_are};
    } catch (BadLine& bad) {
      if (part.rows() > rows) part.cut(rows);
      if (!options_.skip_bad_lines) {
        part.failed = true;
        part.failed_line = number;
        part.failure = std::move(bad);
        break;
      }
      ++part.bad_lines;
    }
  }
  try {
    parser_->end(part);
  } catch (BadLine& bad) {
    if (!part.failed) {
      part.failed = true;
      part.failed_line = part.line_count - 1;
      part.failure = std::move(bad);
    }
  }
}

void NbestReader::take(NbestPart& part, int worker) {
  check_order(part);
  sink_.take(part, worker);
  if (part.failed) refuse(report_.lines + part.failed_line + 1, part.failure);
  report_.lines += part.line_count;
  report_.skipped += part.bad_lines;
}

// The ids of a list rise by one from sentence to sentence. With bad lines skipped, a line that
// goes back is left out, as is one that goes ahead further than the line after it.
void NbestReader::check_order(NbestPart& part) {
  for (std::size_t row = 0; row < part.rows(); ++row) {
    const auto id = static_cast<std::int64_t>(part.ids[row]);
    if (!report_.ordered) {
      seen_ids_.push_back(part.ids[row]);
      continue;
    }
    if (id == last_id_ || id == last_id_ + 1) {
      last_id_ = id;
      continue;
    }
    if (!options_.skip_bad_lines) {
      const std::uint64_t line = report_.lines + part.lines[row] + 1;
      if (part.failed && part.failed_line < part.lines[row]) return;
      const std::int64_t shown = static_cast<std::int64_t>(parser_->first_id());
      if (last_id_ < 0)
        refuse(line, {"sentence id " + counted(id + shown) + " first", counted(shown),
                      "the sentences of a list are counted from " + counted(shown)});
      refuse(line, {"sentence id " + counted(id + shown) + " after " + counted(last_id_ + shown),
                    counted(last_id_ + shown) + " or " + counted(last_id_ + shown + 1),
                    id < last_id_ ? "sort the list by sentence, and give several lists as several "
                                    "files"
                                  : "every sentence needs at least one hypothesis"});
    }
    const bool ahead = id > last_id_ && id - last_id_ <= kMaxHole &&
                       (row + 1 == part.rows() || part.ids[row + 1] >= part.ids[row]);
    if (ahead) {
      last_id_ = id;
    } else {
      part.keep[row] = 0;
      ++report_.skipped;
    }
  }
  if (report_.ordered) report_.sentences = static_cast<std::uint32_t>(last_id_ + 1);
}

// The same for dialects whose sentences come in any order, at the end of the file.
void NbestReader::check_unordered() {
  if (report_.ordered) return;
  std::sort(seen_ids_.begin(), seen_ids_.end());
  std::int64_t last = -1;
  for (const std::uint32_t id : seen_ids_) {
    const std::int64_t hole = static_cast<std::int64_t>(id) - last - 1;
    if (hole > (options_.skip_bad_lines ? kMaxHole : 0))
      refuse(0, {"no hypothesis of sentence " + counted(last + 1),
                 "every sentence from 0 to " + counted(seen_ids_.back()),
                 {}});
    last = id;
  }
  report_.sentences = static_cast<std::uint32_t>(last + 1);
}

}  // namespace tunesmith::formats
