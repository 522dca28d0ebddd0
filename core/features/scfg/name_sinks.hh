// Where a template writes the names of a rule's features, part by part: one sink keeps their
// hashes, the other the names themselves.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "features/scfg/scfg_templates.hh"

namespace tunesmith::features {

class KeySink {
 public:
  explicit KeySink(std::vector<RuleFeature>& out) : out_(out) {}
  void add(const NamePart& part) { hash_ = multiply_add(hash_, part.power, part.hash); }
  // The name is whole.
  void end() {
    out_.push_back({hash_, 1.0F});
    hash_ = 0;
  }

 private:
  std::vector<RuleFeature>& out_;
  std::uint64_t hash_ = 0;
};

class NameSink {
 public:
  explicit NameSink(std::vector<std::string>& out) : out_(out) {}
  void add(const NamePart& part) { name_ += part.text; }
  void end() {
    out_.push_back(std::move(name_));
    name_.clear();
  }

 private:
  std::vector<std::string>& out_;
  std::string name_;
};

// A template whose `fire(rule, sink)` writes to either.
template <typename Self>
class WrittenTemplate : public BoundTemplate {
 public:
  void features(const ScfgRuleView& rule, FeatureScratch& /*scratch*/,
                std::vector<RuleFeature>& out) const override {
    KeySink sink(out);
    static_cast<const Self*>(this)->fire(rule, sink);
  }
  void names(const ScfgRuleView& rule, std::vector<std::string>& out) const override {
    NameSink sink(out);
    static_cast<const Self*>(this)->fire(rule, sink);
  }
};

// A template that needs nothing but the grammar and plain values.
template <typename Bound, typename... Options>
class PlainTemplate final : public ScfgTemplate {
 public:
  explicit PlainTemplate(Options... options) : options_(std::move(options)...) {}
  std::unique_ptr<BoundTemplate> bind(const RuleParts& parts) const override {
    return std::apply(
        [&](const auto&... options) { return std::make_unique<Bound>(parts, options...); },
        options_);
  }

 private:
  std::tuple<Options...> options_;
};

}  // namespace tunesmith::features
