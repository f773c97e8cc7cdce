#pragma once

#include "base/quantity.hpp"

/// Arithmetic of usage that fades, in the numbers that Kueue gets: the same doubles, bit by bit, and the same
/// decimals. Source   Kueue pkg/util/admissionfairsharing and pkg/util/resource; Go's math.Pow and math.Exp on
/// amd64 with fused multiplication (its results on other machines may differ in the last bit).
namespace sluice::decide {

/// How much of the past fades in a time: 1 - 0.5^(seconds / half_life); 0 without a half-life.
double faded_share(double seconds, double half_life);

/// `value` times `factor`, which is between 0 and 1, as if its shortest decimal form were exact; what is
/// finer than 10^-9 is cut off.
Quantity::Nano scale(Quantity::Nano value, double factor);

/// The double that Kubernetes makes of a quantity in its canonical form.
double approximate(const Quantity& quantity);

}  // namespace sluice::decide
