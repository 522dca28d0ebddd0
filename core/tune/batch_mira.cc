#include "tune/batch_mira.hh"

#include <algorithm>
#include <limits>

#include "tune/distance.hh"

namespace tunesmith::tune {

BatchMira::BatchMira(const PoolView& pool, const metrics::Gain& gain, std::span<const double> start,
                     std::span<const double> background, const MiraOptions& options, int threads)
    : pool_(pool),
      gain_(gain),
      options_(options),
      groups_(pool, threads),
      weights_(start.begin(), start.end()),
      missed_(start.size(), 0.0),
      background_(background.begin(), background.end()),
      sums_(background.size()) {
  std::int64_t longest = 0;
  for (std::int64_t s = 0; s < pool.sentences(); ++s)
    longest = std::max(longest, pool.offsets[s + 1] - pool.offsets[s]);
  scores_.resize(longest);
  group_scores_.resize(longest);
  group_gains_.resize(longest);
}

void BatchMira::keep_within(std::span<const std::int64_t> places, std::span<const double> low,
                            std::span<const double> high) {
  limits_.clear();
  for (std::size_t i = 0; i < places.size(); ++i)
    limits_.push_back({static_cast<std::size_t>(places[i]), low[i], high[i]});
}

void BatchMira::put_within_limits() {
  for (const auto& [place, low, high] : limits_) {
    const double inside = std::clamp(weights_[place], low, high);
    missed_[place] += (inside - weights_[place]) * (seen_ + 1.0);
    weights_[place] = inside;
  }
}

double BatchMira::run_pass(std::span<const std::int64_t> order) {
  double loss = 0.0;
  for (const std::int64_t sentence : order) loss += visit(sentence);
  return order.empty() ? 0.0 : loss / static_cast<double>(order.size());
}

std::vector<double> BatchMira::average() const {
  std::vector<double> mean = weights_;
  if (seen_ > 0.0)
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] -= missed_[i] / seen_;
  return mean;
}

void BatchMira::score_groups(std::int64_t sentence) {
  const std::int64_t begin = pool_.offsets[sentence], end = pool_.offsets[sentence + 1];
  // Apart from the choice below, so that the sums of several rows overlap in the processor.
  for (std::int64_t row = begin; row < end; ++row)
    scores_[row - begin] = pool_.score(row, weights_.data());
  const std::int64_t count = groups_.size(sentence);
  const std::uint32_t* group_of_row = groups_.group_of_row.data() + begin;
  std::fill_n(group_scores_.begin(), count, -std::numeric_limits<double>::infinity());
  for (std::int64_t i = 0; i < end - begin; ++i)
    group_scores_[group_of_row[i]] = std::max(group_scores_[group_of_row[i]], scores_[i]);
  const double scale = options_.gain_scale * (background_size_ + 1.0);
  for (std::int64_t g = 0; g < count; ++g) {
    const double* stats = groups_.stats_of(sentence, g);
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] = background_[i] + stats[i];
    group_gains_[g] = scale * gain_(sums_.data());
  }
}

BatchMira::Choice BatchMira::choose(std::int64_t sentence, double sign) const {
  std::int64_t best = 0;
  double best_value = group_scores_[0] + sign * group_gains_[0];
  for (std::int64_t g = 1; g < groups_.size(sentence); ++g) {
    const double value = group_scores_[g] + sign * group_gains_[g];
    // Groups come in the order of their first rows, not of their best ones.
    if (value > best_value ||
        (value == best_value && best_row(sentence, g) < best_row(sentence, best))) {
      best = g;
      best_value = value;
    }
  }
  return {best_row(sentence, best), best, group_scores_[best], group_gains_[best]};
}

std::int64_t BatchMira::best_row(std::int64_t sentence, std::int64_t group) const {
  const std::int64_t begin = pool_.offsets[sentence], end = pool_.offsets[sentence + 1];
  for (std::int64_t row = begin; row < end; ++row)
    if (groups_.group_of_row[row] == group && scores_[row - begin] == group_scores_[group])
      return row;
  return begin;  // only where scores are not numbers
}

double BatchMira::visit(std::int64_t sentence) {
  score_groups(sentence);
  const Choice hope = choose(sentence, 1.0);
  const Choice fear = choose(sentence, -1.0);
  const double* stats = groups_.stats_of(sentence, hope.group);
  for (std::size_t i = 0; i < background_.size(); ++i)
    background_[i] = options_.decay * background_[i] + stats[i];
  background_size_ = options_.decay * background_size_ + 1.0;

  const double loss = (hope.gain - fear.gain) + (fear.score - hope.score);
  const double distance = squared_distance(pool_, hope.row, fear.row);
  if (loss > 0.0 && distance > 0.0) {
    const double step = std::min(options_.step_cap, loss / distance);
    pool_.add_to(weights_.data(), hope.row, step);
    pool_.add_to(weights_.data(), fear.row, -step);
    pool_.add_to(missed_.data(), hope.row, step * (seen_ + 1.0));
    pool_.add_to(missed_.data(), fear.row, -step * (seen_ + 1.0));
    put_within_limits();
  }
  seen_ += 1.0;
  return std::max(loss, 0.0);
}

}  // namespace tunesmith::tune
