#include "base/coded_text.hh"

#include <algorithm>

#include "base/error.hh"

namespace tunesmith {

void CodedText::check() const {
  bool good = !offsets.empty() && offsets.front() == 0 && offsets.back() == ids.size() &&
              std::is_sorted(offsets.begin(), offsets.end());
  for (const std::uint32_t id : ids) good = good && id < vocabulary.size();
  if (!good) throw OptionError("the arrays of the text do not fit together");
}

}  // namespace tunesmith
