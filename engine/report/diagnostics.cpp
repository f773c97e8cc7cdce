#include "report/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/json.hpp"
#include "report/source_text.hpp"

namespace sluice::report {
namespace {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return {};
}

bool has_place(const SourceMap& sources, Span span) {
  return span.source < sources.size();
}

std::string place_text(const SourceMap& sources, Span span) {
  if (!has_place(sources, span)) return "policy";
  Place place = place_of(sources.text(span.source), span.begin);
  return fmt::format("{}:{}:{}", sources.path(span.source), place.line, place.column);
}

/// Writes one diagnostic.
class Pretty {
 public:
  Pretty(const SourceMap& sources, const Diagnostic& diagnostic, Paint paint)
      : sources_(sources), diagnostic_(diagnostic), paint_(paint) {
    gutter_ = width_of(diagnostic.span);
    for (const auto& [span, text] : diagnostic.labels) gutter_ = std::max(gutter_, width_of(span));
  }

  std::string text() {
    std::string head = fmt::format("{}[{}]", name_of(diagnostic_.severity), diagnostic_.code);
    out_ = fmt::format("{}: {}\n",
                       diagnostic_.severity == Severity::error ? paint_.red(head) : paint_.yellow(head),
                       paint_.bold(diagnostic_.message));
    if (has_place(sources_, diagnostic_.span)) {
      out_ += fmt::format("{:{}}{} {}\n", "", gutter_, paint_.blue("-->"),
                          place_text(sources_, diagnostic_.span));
      underline(diagnostic_.span, '^', {}, true);
      for (const auto& [span, label] : diagnostic_.labels) add_label(span, label);
    }
    if (!diagnostic_.help.empty()) add_help();
    return std::move(out_);
  }

 private:
  std::size_t width_of(Span span) const {
    if (!has_place(sources_, span)) return 1;
    return fmt::formatted_size("{}", sources_.line(span));
  }

  bool on_last_line(Span span) const {
    return span.source == last_source_ && sources_.line(span) == last_line_;
  }

  void underline(Span span, char mark, std::string_view label, bool with_line) {
    std::string_view text = sources_.text(span.source);
    std::string_view line = line_at(text, span.begin);
    auto line_begin = static_cast<std::size_t>(line.data() - text.data());
    std::size_t begin = std::min<std::size_t>(span.begin - line_begin, line.size());
    std::size_t end = std::clamp<std::size_t>(span.end - line_begin, begin, line.size());
    Place place = place_of(text, span.begin);
    out_ += underlined({.line = line, .begin = begin, .end = end, .mark = mark, .label = label}, place.line,
                       gutter_, with_line, paint_);
    last_source_ = span.source;
    last_line_ = place.line;
  }

  void add_label(Span span, const std::string& label) {
    if (!has_place(sources_, span)) return;
    bool same = on_last_line(span);
    if (!same) {
      out_ += fmt::format("{:{}}{} {}\n", "", gutter_, paint_.blue(":::"), place_text(sources_, span));
    }
    underline(span, '-', label, !same);
  }

  /// Every further line of the help stands under the first.
  void add_help() {
    std::string_view rest = diagnostic_.help;
    std::string_view lead = "= help:";
    while (true) {
      std::size_t end = rest.find('\n');
      out_ += fmt::format("{:{}} {} {}\n", "", gutter_, paint_.blue(lead), rest.substr(0, end));
      if (end == std::string_view::npos) return;
      rest.remove_prefix(end + 1);
      lead = "       ";
    }
  }

  const SourceMap& sources_;
  const Diagnostic& diagnostic_;
  Paint paint_;
  std::size_t gutter_ = 1;
  std::string out_;
  std::uint32_t last_source_ = 0xffffffff;
  std::uint32_t last_line_ = 0;
};

void add_range(JsonWriter& json, const SourceMap& sources, Span span) {
  if (!has_place(sources, span)) return;
  std::string_view text = sources.text(span.source);
  Place begin = place_of(text, span.begin);
  Place end = place_of(text, span.end);
  json.member("file", sources.path(span.source));
  json.member("line", begin.line);
  json.member("column", begin.column);
  json.member("endLine", end.line);
  json.member("endColumn", end.column);
}

}  // namespace

std::string to_pretty(const SourceMap& sources, std::span<const Diagnostic> diagnostics, bool colour) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += Pretty(sources, diagnostic, Paint{colour}).text();
  }
  return text;
}

std::string to_compact(const SourceMap& sources, std::span<const Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    text += fmt::format("{}: {}[{}]: {}\n", place_text(sources, diagnostic.span),
                        name_of(diagnostic.severity), diagnostic.code, diagnostic.message);
  }
  return text;
}

namespace {

void add(JsonWriter& json, const SourceMap& sources, const Diagnostic& diagnostic) {
  json.begin_object();
  json.member("severity", name_of(diagnostic.severity));
  json.member("code", diagnostic.code);
  json.member("message", diagnostic.message);
  add_range(json, sources, diagnostic.span);
  json.key("labels").begin_array();
  for (const auto& [span, label] : diagnostic.labels) {
    json.begin_object();
    json.member("message", label);
    add_range(json, sources, span);
    json.end_object();
  }
  json.end_array();
  json.member_if("help", diagnostic.help);
  json.end_object();
}

}  // namespace

std::string to_json(std::span<const Findings> policies) {
  JsonWriter json(JsonWriter::Layout::compact);
  json.begin_object();
  json.key("diagnostics").begin_array();
  for (const Findings& policy : policies) {
    for (const Diagnostic& diagnostic : policy.diagnostics) add(json, *policy.sources, diagnostic);
  }
  json.end_array();
  json.end_object();
  return json.text() + '\n';
}

std::string to_json(const SourceMap& sources, std::span<const Diagnostic> diagnostics) {
  const Findings one{&sources, diagnostics};
  return to_json(std::span(&one, 1));
}

}  // namespace sluice::report
