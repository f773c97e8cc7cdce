#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

/// A line of Kueue's releases: it says which feature gates there are, what they are set to, and the few things
/// that its scheduler does differently. Patches of a line may differ; meant are 0.17.8, 0.18.6, 0.19.2 and the
/// development version of 0.20.
enum class KueueVersion : std::uint8_t { v0_17, v0_18, v0_19, v0_20 };

/// What is decided unless told otherwise: the newest line that has been released.
inline constexpr KueueVersion kNewestKueue = KueueVersion::v0_19;

/// Reads `0.19`, also `v0.19` and `0.19.2`. Empty for lines that are not known.
std::optional<KueueVersion> parse_kueue_version(std::string_view text);
/// `0.19`.
std::string_view name_of(KueueVersion version);
/// `0.17, 0.18, 0.19 or 0.20`, for messages.
std::string_view known_kueue_versions();

}  // namespace sluice
