#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "SluiceLexer.h"
#include "base/span.hpp"

namespace sluice::lang {

/// One text as tokens: a whole file, or the expression in a hole of a text.
class Tokens {
 public:
  /// `text` are the bytes from `base` on of the source.
  Tokens(std::string_view text, std::uint32_t source, std::uint32_t base)
      : source_(source), base_(base), input_(std::string(text)), lexer_(&input_), stream_(&lexer_) {
    lexer_.removeErrorListeners();
    index_code_points(text);
    stream_.fill();
  }
  Tokens(const Tokens&) = delete;
  Tokens& operator=(const Tokens&) = delete;

  antlr4::CommonTokenStream& stream() { return stream_; }
  std::vector<antlr4::Token*> all() { return stream_.getTokens(); }

  std::uint32_t begin(const antlr4::Token* token) const { return byte(token->getStartIndex()); }
  std::uint32_t end(const antlr4::Token* token) const {
    if (token->getType() == antlr4::Token::EOF) return begin(token);
    return byte(token->getStopIndex() + 1);
  }
  Span span(const antlr4::Token* token) const { return {source_, begin(token), end(token)}; }
  Span span(antlr4::ParserRuleContext* context) const {
    return {source_, begin(context->getStart()), end(context->getStop())};
  }

 private:
  /// ANTLR counts code points, spans count bytes. A text of ASCII needs no table.
  void index_code_points(std::string_view text) {
    auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(text.begin(), text.end(), is_ascii)) return;
    for (std::size_t i = 0; i < text.size(); ++i)
      if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
        byte_of_.push_back(static_cast<std::uint32_t>(i));
    byte_of_.push_back(static_cast<std::uint32_t>(text.size()));
  }
  std::uint32_t byte(std::size_t code_point) const {
    if (byte_of_.empty()) return base_ + static_cast<std::uint32_t>(code_point);
    return base_ + byte_of_[std::min(code_point, byte_of_.size() - 1)];
  }

  std::uint32_t source_;
  std::uint32_t base_;
  std::vector<std::uint32_t> byte_of_;
  antlr4::ANTLRInputStream input_;
  grammar::SluiceLexer lexer_;
  antlr4::CommonTokenStream stream_;
};

}  // namespace sluice::lang
