// The tokeniser of NIST's mteval-v13a, which sacreBLEU calls "13a".
#pragma once

#include <string>
#include <string_view>

namespace tunesmith::metrics {

// `text` with white space put around what 13a takes for tokens of their own. White space is left
// as it falls: whoever counts words splits at any amount of it.
void tokenize_13a(std::string_view text, std::string& out, std::string& scratch);

}  // namespace tunesmith::metrics
