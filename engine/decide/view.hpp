#pragma once

#include "decide/core.hpp"

namespace sluice::decide {

/// The quota as it stands, for rules.
class Core::View final : public QuotaView {
 public:
  explicit View(const Core& core) : core_(core) {}
  Amount available(std::string_view queue, std::string_view flavor, std::string_view resource) const override;
  Amount used(std::string_view queue, std::string_view flavor, std::string_view resource) const override;
  Amount nominal(std::string_view queue, std::string_view flavor, std::string_view resource) const override;
  std::int64_t pending(std::string_view queue) const override;

 private:
  struct Place {
    NodeId node = QuotaTree::none;
    FlavorResource cell = kNone;
  };
  Place find(std::string_view queue, std::string_view flavor, std::string_view resource) const;
  const Core& core_;
};

}  // namespace sluice::decide
