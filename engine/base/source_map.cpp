#include "base/source_map.hpp"

#include <algorithm>
#include <utility>

namespace sluice {

std::uint32_t SourceMap::add(std::string path, std::string text) {
  Source& source = sources_.emplace_back();
  source.path = std::move(path);
  source.text = std::move(text);
  for (std::size_t end = source.text.find('\n'); end != std::string::npos; end = source.text.find('\n', end + 1))
    source.ends.push_back(static_cast<std::uint32_t>(end));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

std::string_view SourceMap::path(std::uint32_t source) const {
  return source < sources_.size() ? std::string_view(sources_[source].path) : std::string_view();
}

std::string_view SourceMap::text(std::uint32_t source) const {
  return source < sources_.size() ? std::string_view(sources_[source].text) : std::string_view();
}

std::string_view SourceMap::text(Span span) const {
  std::string_view all = text(span.source);
  std::size_t begin = std::min<std::size_t>(span.begin, all.size());
  std::size_t end = std::clamp<std::size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

std::uint32_t SourceMap::line(Span span) const {
  if (span.source >= sources_.size()) return 0;
  const std::vector<std::uint32_t>& ends = sources_[span.source].ends;
  return static_cast<std::uint32_t>(std::lower_bound(ends.begin(), ends.end(), span.begin) - ends.begin()) + 1;
}

}  // namespace sluice
