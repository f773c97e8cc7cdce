#include "kube/tree.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/limits.hpp"

namespace sluice::kube {

namespace {

// A line that is longer than this (JSON without line breaks) is cut: nobody reads it.
constexpr std::size_t kShownLine = 200;

template <class T>
const T* copy_to(Arena& arena, std::span<const T> from) {
  if (from.empty()) return nullptr;
  void* memory = arena.memory.allocate(from.size_bytes(), alignof(T));
  std::memcpy(memory, from.data(), from.size_bytes());
  return static_cast<const T*>(memory);
}

}  // namespace

std::string_view Value::text() const {
  if (kind_ == Kind::null || kind_ == Kind::list || kind_ == Kind::map) return {};
  return {static_cast<const char*>(data_), size_};
}

std::span<const Value> Value::items() const {
  if (kind_ != Kind::list) return {};
  return {static_cast<const Value*>(data_), size_};
}

std::span<const Member> Value::members() const {
  if (kind_ != Kind::map) return {};
  return {static_cast<const Member*>(data_), size_};
}

const Value* Value::find(std::string_view key) const {
  for (const Member& member : members())
    if (member.key.text() == key) return member.value.is_null() ? nullptr : &member.value;
  return nullptr;
}

const Value* Value::at(std::initializer_list<std::string_view> path) const {
  const Value* value = this;
  for (std::string_view key : path) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

Manifest::Manifest(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), arena_(std::make_unique<Arena>()) {}
Manifest::Manifest(Manifest&&) noexcept = default;
Manifest& Manifest::operator=(Manifest&&) noexcept = default;
Manifest::~Manifest() = default;

std::string_view Manifest::line(std::uint32_t number) const {
  if (number < first_line_) return {};
  std::string_view rest = text_;
  for (std::uint32_t skip = number - first_line_; skip > 0; --skip) {
    std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  std::string_view found = rest.substr(0, rest.find('\n'));
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::string_view Manifest::written(const Value& value) const {
  std::string_view text = line(value.line());
  text.remove_prefix(std::min<std::size_t>(value.column() - 1, text.size()));
  text = text.substr(0, text.find_first_of(" \t,]}"));
  return text.empty() ? value.text() : text;
}

Error Manifest::error(std::string code, const Value& value, std::string message) const {
  Error error(std::move(code), std::move(message));
  std::string_view shown = line(value.line());
  if (shown.size() > kShownLine)
    shown = value.column() < kShownLine ? shown.substr(0, kShownLine) : std::string_view{};
  error.at(path_, value.line(), value.column(), std::string(shown));
  return error;
}

const char TreeBuilder::merge_key_text[] = "<<";

void TreeBuilder::fail(std::string code, Place place, std::string message, std::string help) const {
  Value at;
  at.line_ = place.line;
  at.column_ = place.column;
  Error error = manifest_.error(std::move(code), at, std::move(message));
  error.help(std::move(help));
  throw error;
}

bool TreeBuilder::expects_key() const {
  return !open_.empty() && open_.back().value.is_map() && (pending_.size() - open_.back().first) % 2 == 0;
}

std::optional<Place> TreeBuilder::innermost(Value::Kind kind) const {
  for (auto open = open_.rbegin(); open != open_.rend(); ++open)
    if (open->value.kind() == kind) return Place{open->value.line(), open->value.column()};
  return {};
}

void TreeBuilder::restart() {
  clear();
  manifest_.documents_.clear();
}

void TreeBuilder::clear() {
  open_.clear();
  pending_.clear();
  anchored_.clear();
  from_aliases_ = 0;
}

void TreeBuilder::scalar(Place place, Value::Kind kind, std::string_view text, std::size_t anchor) {
  Value value;
  value.kind_ = kind;
  value.line_ = place.line;
  value.column_ = place.column;
  value.data_ = copy_to(*manifest_.arena_, std::span(text.data(), text.size()));
  value.size_ = static_cast<std::uint32_t>(text.size());
  add(value, 1, 0, anchor);
}

void TreeBuilder::merge_key(Place place) {
  Value value;
  value.kind_ = Value::Kind::string;
  value.line_ = place.line;
  value.column_ = place.column;
  value.data_ = merge_key_text;
  value.size_ = 2;
  add(value, 1, 0, 0);
}

void TreeBuilder::begin(Value::Kind kind, Place place, std::size_t anchor) {
  if (expects_key())
    fail("bad-manifest", place, "a key of a map must be a text, not a map or a list",
         "quote it; a template with `{{ }}` must be rendered first");
  if (open_.size() >= kMaxManifestNesting)
    fail("manifest-limit", place, fmt::format("nested more than {} levels deep", kMaxManifestNesting));
  Value value;
  value.kind_ = kind;
  value.line_ = place.line;
  value.column_ = place.column;
  if (anchor != 0) anchored_.erase(anchor);
  open_.push_back({value, pending_.size(), anchor, 1, 0});
}

void TreeBuilder::add(const Value& value, std::size_t nodes, std::size_t height, std::size_t anchor) {
  if (expects_key()) check_key(value);
  if (anchor != 0) anchored_[anchor] = {value, nodes, height};
  pending_.push_back(value);
  if (open_.empty()) return;
  Open& parent = open_.back();
  parent.height = std::max(parent.height, height);
  parent.nodes += nodes;
  if (parent.nodes > kMaxManifestValues)
    fail("manifest-limit", {value.line(), value.column()},
         fmt::format("the document has more than {} values", kMaxManifestValues), "split it");
}

void TreeBuilder::check_key(const Value& key) const {
  if (key.is_null() || key.is_list() || key.is_map())
    fail("bad-manifest", {key.line(), key.column()}, "a key of a map must be a text");
}

void TreeBuilder::alias(Place place, std::size_t anchor) {
  auto found = anchored_.find(anchor);
  if (found == anchored_.end()) fail("bad-manifest", place, "this alias stands inside of what it names");
  Anchored target = found->second;  // a copy: `add` may move the table
  if (open_.size() + target.height > kMaxManifestNesting)
    fail("manifest-limit", place, fmt::format("nested more than {} levels deep", kMaxManifestNesting));
  from_aliases_ += target.nodes;
  if (from_aliases_ > kMaxAliasValues)
    fail("manifest-limit", place,
         fmt::format("the aliases of this document stand for more than {} values", kMaxAliasValues));
  target.value.line_ = place.line;
  target.value.column_ = place.column;
  add(target.value, target.nodes, target.height, 0);
}

void TreeBuilder::end_list() {
  Open open = open_.back();
  open_.pop_back();
  std::span<const Value> items = std::span(pending_).subspan(open.first);
  open.value.data_ = copy_to(*manifest_.arena_, items);
  open.value.size_ = static_cast<std::uint32_t>(items.size());
  close(open);
}

void TreeBuilder::end_map() {
  Open open = open_.back();
  open_.pop_back();
  fill(open.value, std::span<const Value>(pending_).subspan(open.first));
  close(open);
}

void TreeBuilder::close(Open& open) {
  pending_.resize(open.first);
  add(open.value, open.nodes, open.height + 1, open.anchor);
}

namespace {

/// The members of a map while it is filled.
class Members {
 public:
  explicit Members(std::size_t expected) { list.reserve(expected); }

  /// Adds a key or replaces the one that is there. False if the key is the map's own and was so before: keys
  /// that a merge brought may be replaced, by keys and by later merges.
  bool set(const Member& member, bool is_own) {
    std::size_t at = find(member.key.text());
    if (at == list.size()) {
      list.push_back(member);
      is_own_.push_back(is_own);
      return true;
    }
    bool is_repeated = is_own && is_own_[at];
    list[at] = member;
    is_own_[at] = is_own_[at] || is_own;
    return !is_repeated;
  }

  std::vector<Member> list;

 private:
  // Up to here looking at each key is faster than an index; beyond, a long map would take for ever.
  static constexpr std::size_t kSmall = 16;

  std::size_t find(std::string_view key) {
    if (list.size() <= kSmall) {
      auto same = std::find_if(list.begin(), list.end(),
                               [&](const Member& other) { return other.key.text() == key; });
      return static_cast<std::size_t>(same - list.begin());
    }
    while (indexed_ < list.size()) {
      index_.emplace(list[indexed_].key.text(), indexed_);
      ++indexed_;
    }
    auto found = index_.find(key);
    return found == index_.end() ? list.size() : found->second;
  }

  std::vector<bool> is_own_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::size_t indexed_ = 0;
};

}  // namespace

void TreeBuilder::fill(Value& map, std::span<const Value> keys_and_values) {
  Members members(keys_and_values.size() / 2);
  for (std::size_t i = 0; i + 1 < keys_and_values.size(); i += 2) {
    const Value& key = keys_and_values[i];
    const Value& value = keys_and_values[i + 1];
    if (key.data_ == merge_key_text) {
      // Of several maps the first one wins; of a merge and a key, as in kubectl's parser, the later one.
      std::span<const Value> sources = value.is_list() ? value.items() : std::span(&value, 1);
      for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
        if (!source->is_map())
          fail("bad-manifest", {value.line(), value.column()}, "`<<` merges a map or a list of maps");
        for (const Member& member : source->members()) members.set(member, false);
      }
    } else if (!members.set({key, value}, true)) {
      fail("bad-manifest", {key.line(), key.column()},
           fmt::format("the key `{}` is given twice in this map", key.text()), "keep one of them");
    }
  }
  map.data_ = copy_to(*manifest_.arena_, std::span<const Member>(members.list));
  map.size_ = static_cast<std::uint32_t>(members.list.size());
}

void TreeBuilder::end_document() {
  for (const Value& value : pending_)
    if (!value.is_null()) manifest_.documents_.push_back(value);
  clear();
}

}  // namespace sluice::kube
