// The exception family of the core. Python sees the same family in tunesmith.base.errors.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tunesmith {

// Anything that is the caller's to mend.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An option or argument that makes no sense.
class OptionError : public Error {
 public:
  using Error::Error;
};

// A file that is not what it should be: "path:line: found, expected; remedy".
// Line numbers start at 1; line 0 speaks of the file as a whole.
class InputError : public Error {
 public:
  InputError(std::string path, std::uint64_t line, std::string found, std::string expected = {},
             std::string remedy = {});

  const std::string& path() const { return path_; }
  std::uint64_t line() const { return line_; }
  const std::string& found() const { return found_; }
  const std::string& expected() const { return expected_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string path_;
  std::uint64_t line_;
  std::string found_, expected_, remedy_;
};

// `text` in quotes, cut to a length that fits into a message, control characters and bytes that
// are not UTF-8 escaped.
std::string quoted(std::string_view text, std::size_t max_bytes = 60);

}  // namespace tunesmith
