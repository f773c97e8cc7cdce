#include "decide/usage_ledger.hpp"

#include <algorithm>
#include <limits>

#include "decide/decay.hpp"

namespace sluice::decide {
namespace {

using Used = UsageLedger::Used;

double seconds(Duration duration) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return static_cast<double>(duration.ns / kSecond) + static_cast<double>(duration.ns % kSecond) / 1e9;
}

}  // namespace

void UsageLedger::add(std::vector<Used>& sum, ResourceId resource, Quantity::Nano nano) {
  auto it = std::find_if(sum.begin(), sum.end(), [&](const Used& a) { return a.resource == resource; });
  if (it == sum.end()) {
    sum.push_back({resource, nano});
  } else {
    it->nano += nano;
  }
}

UsageLedger::Entry& UsageLedger::entry(LocalQueueId queue) {
  if (queue >= entries_.size()) entries_.resize(queue + 1);
  return entries_[queue];
}

bool UsageLedger::has_penalty(LocalQueueId queue) const {
  if (queue >= entries_.size()) return false;
  const std::vector<Charge>& charges = entries_[queue].charges;
  return std::any_of(charges.begin(), charges.end(), [](const Charge& charge) {
    return std::any_of(charge.amounts.begin(), charge.amounts.end(),
                       [](const Used& amount) { return amount.nano != 0; });
  });
}

void UsageLedger::open(LocalQueueId queue, const std::vector<Used>& from_status, Instant now) {
  Entry& e = entry(queue);
  if (!e.known) {
    e.known = true;
    e.last_update = now;
  }
  if (e.status_counted) return;
  e.status_counted = true;
  for (const Used& amount : from_status) add(e.consumed, amount.resource, amount.nano);
}

void UsageLedger::forget(LocalQueueId queue) {
  if (queue >= entries_.size()) return;
  charges_ -= entries_[queue].charges.size();
  entries_[queue] = {};
}

/// The past fades, and what is in use now becomes the past.
void UsageLedger::fade(Entry& e, const std::vector<Used>& in_use, Instant now) const {
  double elapsed = std::max(0.0, seconds(now - e.last_update));
  double share = faded_share(elapsed, seconds(settings_.usage_half_life));
  for (Used& amount : e.consumed) amount.nano = scale(amount.nano, 1 - share);
  for (const Used& amount : in_use) add(e.consumed, amount.resource, scale(amount.nano, share));
  e.last_update = std::max(e.last_update, now);
}

void UsageLedger::sample(LocalQueueId queue, const std::vector<Used>& in_use, Instant now) {
  Entry& e = entry(queue);
  if (settings_.usage_half_life.ns == 0) {
    e.consumed.clear();
    e.last_update = now;
    return;
  }
  fade(e, in_use, now);
}

void UsageLedger::charge(LocalQueueId queue, std::uint32_t work, const std::vector<Used>& requests,
                         Instant now) {
  drop(queue, work);
  Entry& e = entry(queue);
  if (!e.known) {
    e.known = true;
    e.last_update = now;
  }
  ++charges_;
  Charge& charge = e.charges.emplace_back();
  charge.work = work;
  double share = faded_share(seconds(settings_.sampling_interval), seconds(settings_.usage_half_life));
  for (const Used& amount : requests) add(charge.amounts, amount.resource, scale(amount.nano, share));
}

void UsageLedger::settle(LocalQueueId queue, std::uint32_t work, const std::vector<Used>& in_use,
                         Instant now) {
  Entry& e = entry(queue);
  if (!e.known) {
    e.known = true;
    e.last_update = now;
  }
  fade(e, in_use, now);
  auto it =
      std::find_if(e.charges.begin(), e.charges.end(), [&](const Charge& c) { return c.work == work; });
  if (it == e.charges.end()) return;
  for (const Used& amount : it->amounts) add(e.consumed, amount.resource, amount.nano);
  e.charges.erase(it);
  --charges_;
}

void UsageLedger::drop(LocalQueueId queue, std::uint32_t work) {
  if (queue >= entries_.size()) return;
  charges_ -= std::erase_if(entries_[queue].charges, [&](const Charge& charge) { return charge.work == work; });
}

double UsageLedger::usage(LocalQueueId queue, double weight, const ResourceNames& names) const {
  if (weight <= 0) return std::numeric_limits<double>::infinity();
  if (queue >= entries_.size()) return 0;
  const Entry& e = entries_[queue];
  std::vector<Used> sums = e.consumed;
  for (const Charge& charge : e.charges) {
    for (const Used& amount : charge.amounts) add(sums, amount.resource, amount.nano);
  }
  std::sort(sums.begin(), sums.end(), [&](const Used& a, const Used& b) {
    return names.text(a.resource) < names.text(b.resource);
  });
  double usage = 0;
  for (const Used& amount : sums) {
    auto given = settings_.resource_weights.find(names.text(amount.resource));
    double resource_weight = given == settings_.resource_weights.end() ? 1.0 : given->second;
    usage += resource_weight * (static_cast<double>(amount.nano) * 1e-9);
  }
  return usage / weight;
}

}  // namespace sluice::decide
