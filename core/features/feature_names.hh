// Words as parts of feature names.
#pragma once

#include <string>
#include <string_view>

namespace tunesmith::features {

// `word` as it stands in a name: what separates parts of names, fields of lists or lines of files
// gets a backslash (`_`, `|`, `\`, a leading `<`) or becomes \u{…} (white space, control
// characters). Different words stay different.
std::string name_part(std::string_view word);

}  // namespace tunesmith::features
