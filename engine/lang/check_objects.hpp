#pragma once

#include "lang/expression.hpp"
#include "lang/object_names.hpp"

namespace sluice::lang {

/// Checks a declaration of a flavor, provision, check, topology, cohort, queue, local queue, priority class or
/// compute class, as Kueue's webhooks and schemas would check the object. Others are left alone.
void check_object(const ast::Declaration& declaration, Expressions& expressions, ObjectNames& names);

/// Reports parents of cohorts that go round in a circle.
void check_cohort_cycles(const Checked& checked, const Scopes& scopes, Diagnostics& diagnostics);

}  // namespace sluice::lang
