#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/diagnostic.hpp"
#include "base/source_map.hpp"

namespace sluice::lang {

/// The policy in the one canonical layout. Without options; formatted text formats to itself.
///
/// Keeps    every token and comment, their order, and single blank lines. Drops commas before a closing
/// bracket. Lines    follow from the content alone, not from where the author broke them: a declaration or
/// clause with
///          braces stands on one line if it fits in 120 columns and holds no comment, else one line for each
///          of its parts. Rules, queues, fallbacks, tests and the like are always spread.
/// Columns  of neighbouring lines of one kind are aligned, and so are the comments behind them.
///
/// Reports what `parse` reports, and returns empty then. The result was parsed again and compared before it
/// is returned; if it differed (our mistake) that is the error `format-failed`, and the text is to be left
/// alone.
std::optional<std::string> format(const SourceMap& sources, std::uint32_t source, Diagnostics& diagnostics);

}  // namespace sluice::lang
