#pragma once

#include "lang/expression.hpp"
#include "lang/object_names.hpp"

namespace sluice::lang {

/// Checks a rule: scope of its decision point, verdicts that may stand there, texts.
void check_rule(const ast::Declaration& declaration, const ast::Rule& rule, Expressions& expressions,
                ObjectNames& names);

/// Checks a fallback: its queue, the flavors that queue has, guards and texts.
void check_fallback(const ast::Declaration& declaration, const ast::Fallback& fallback, Expressions& expressions,
                    ObjectNames& names);

}  // namespace sluice::lang
