#include "lang/ast.hpp"

namespace sluice::lang::ast {

bool is_dotted_name(ExprPtr expr) {
  while (!expr->parenthesised) {
    if (as<NameRef>(expr) != nullptr || as<QualifiedName>(expr) != nullptr) return true;
    const Member* member = as<Member>(expr);
    if (member == nullptr) return false;
    expr = member->object;
  }
  return false;
}

}  // namespace sluice::lang::ast
