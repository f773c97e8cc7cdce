#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lang/ast.hpp"
#include "lang/checked.hpp"
#include "lang/types.hpp"

/// Arithmetic of the language: which operands an operator takes, and its value where both are known. Exact in
/// 64 bits; what does not fit is a fault, as it is while deciding.
namespace sluice::lang {

Constant constant_of(Kind kind, std::int64_t value);
Constant constant_of_text(Kind kind, std::string_view text);
Constant absent();

enum class FoldProblem : std::uint8_t { none, overflow, division_by_zero };
struct Folded {
  std::optional<Constant> value;  ///< empty if there is a problem
  FoldProblem problem = FoldProblem::none;
};

/// The kind of `left op right` for `+ - * /`; empty if these do not go together.
std::optional<Kind> arithmetic_kind(ast::BinaryOp op, Kind left, Kind right);
/// `+ - * /`, `result` being the above. Division rounds towards zero, and so does a percentage.
Folded fold_arithmetic(ast::BinaryOp op, const Constant& left, const Constant& right, Kind result);
/// `= != < <= > >=`; the operands can be compared.
bool fold_comparison(ast::BinaryOp op, const Constant& left, const Constant& right);

/// As a message or the REPL shows it: `"ml"`, `75Gi`, `[1, 2]`, `none`.
std::string to_string(const Constant& constant);

}  // namespace sluice::lang
