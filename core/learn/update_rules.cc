#include "learn/update_rules.hh"

namespace tunesmith::learn {
namespace {

int last_bin(std::span<const UpdateBin> bins) { return static_cast<int>(bins.size()) - 1; }

}  // namespace

int max_violation_bin(std::span<const UpdateBin> bins, double margin) {
  int most = 0;
  for (int i = 1; i <= last_bin(bins); ++i)
    if (bins[i].violates(margin) && (most == 0 || bins[i].violation() >= bins[most].violation()))
      most = i;
  return most;
}

int early_bin(std::span<const UpdateBin> bins, int phrase_limit, double margin) {
  int without = 0;
  for (int i = 1; i <= last_bin(bins); ++i) {
    without = bins[i].survives ? 0 : without + 1;
    if (without < phrase_limit && (i < last_bin(bins) || without == 0)) continue;
    for (int lost = i - without + 1; lost <= i; ++lost)
      if (bins[lost].violates(margin)) return lost;
    return 0;
  }
  return 0;
}

int standard_bin(std::span<const UpdateBin> bins) {
  const UpdateBin& last = bins.back();
  return last.survives || last.good == UpdateBin::kNobody ? 0 : last_bin(bins);
}

int update_bin(UpdateMethod method, std::span<const UpdateBin> bins, int phrase_limit,
               double margin) {
  switch (method) {
    case UpdateMethod::kMaxViolation:
      return max_violation_bin(bins, margin);
    case UpdateMethod::kEarly:
      return early_bin(bins, phrase_limit, margin);
    case UpdateMethod::kStandard:
      return standard_bin(bins);
    case UpdateMethod::kLocal:
    case UpdateMethod::kExpected:
      break;
  }
  return 0;
}

}  // namespace tunesmith::learn
