#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// Members that are empty nearly always: then they take a pointer's room. They read like the standard ones. Of a
/// hundred thousand workloads that wait, most of what a workload can have is empty.
namespace sluice {

/// A vector that keeps its size beside its items. Unlike the standard one it gives its room back when it is cleared; `resize(0)`
/// keeps it.
template <class T>
class ThinVector {
  struct Head {
    std::uint32_t size;
    std::uint32_t room;
  };
  static constexpr std::size_t kAlign = std::max(alignof(T), alignof(Head));
  static_assert(kAlign <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  static constexpr std::size_t kOffset = (sizeof(Head) + kAlign - 1) / kAlign * kAlign;

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  ThinVector() = default;
  ThinVector(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  ThinVector(const std::vector<T>& items) { assign(items.begin(), items.end()); }
  ThinVector(std::vector<T>&& items) {
    assign(std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }
  template <std::input_iterator It>
  ThinVector(It first, It last) {
    assign(first, last);
  }
  ThinVector(const ThinVector& other) { assign(other.begin(), other.end()); }
  ThinVector(ThinVector&& other) noexcept : head_(std::exchange(other.head_, nullptr)) {}
  ThinVector& operator=(const ThinVector& other) {
    if (this != &other) *this = ThinVector(other);
    return *this;
  }
  ThinVector& operator=(ThinVector&& other) noexcept {
    std::swap(head_, other.head_);
    other.clear();
    return *this;
  }
  ~ThinVector() { clear(); }

  bool empty() const { return head_ == nullptr || head_->size == 0; }
  std::size_t size() const { return head_ == nullptr ? 0 : head_->size; }
  const T* data() const { return head_ == nullptr ? nullptr : items(); }
  T* data() { return head_ == nullptr ? nullptr : items(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T& operator[](std::size_t i) const { return items()[i]; }
  T& operator[](std::size_t i) { return items()[i]; }
  const T& at(std::size_t i) const {
    if (i >= size()) throw std::out_of_range("ThinVector::at");
    return items()[i];
  }
  const T& front() const { return *begin(); }
  T& front() { return *begin(); }
  const T& back() const { return end()[-1]; }
  T& back() { return end()[-1]; }
  operator std::vector<T>() const { return {begin(), end()}; }

  void reserve(std::size_t room) {
    if (room > this->room()) move_to(room);
  }
  /// The new item is made before room is: it may be of what the vector holds.
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size() < room()) {
      new (end()) T(std::forward<Args>(args)...);
    } else {
      T item(std::forward<Args>(args)...);
      move_to(std::max<std::size_t>(size() * 2, kFirstRoom));
      new (end()) T(std::move(item));
    }
    ++head_->size;
    return back();
  }
  void push_back(const T& item) { emplace_back(item); }
  void push_back(T&& item) { emplace_back(std::move(item)); }
  void pop_back() { erase(end() - 1); }
  void resize(std::size_t size, const T& item = T()) {
    if (size < this->size()) erase(begin() + size, end());
    reserve(size);
    while (this->size() < size) emplace_back(item);
  }
  void assign(std::size_t size, const T& item) {
    clear();
    resize(size, item);
  }
  template <std::input_iterator It>
  void assign(It first, It last) {
    clear();
    if constexpr (std::forward_iterator<It>) reserve(static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) emplace_back(*first);
  }
  template <std::input_iterator It>
  void append(It first, It last) {
    for (; first != last; ++first) emplace_back(*first);
  }
  T* erase(T* at) { return erase(at, at + 1); }
  T* erase(T* first, T* last) {
    if (first == last) return first;
    T* rest = std::move(last, end(), first);
    std::destroy(rest, end());
    head_->size = static_cast<std::uint32_t>(rest - items());
    return first;
  }
  void clear() {
    if (head_ == nullptr) return;
    std::destroy(begin(), end());
    ::operator delete(static_cast<void*>(head_));
    head_ = nullptr;
  }

  friend bool operator==(const ThinVector& a, const ThinVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  template <class Take>
  friend std::size_t erase_if(ThinVector& from, Take take) {
    std::size_t before = from.size();
    from.erase(std::remove_if(from.begin(), from.end(), take), from.end());
    return before - from.size();
  }

 private:
  static constexpr std::size_t kFirstRoom = sizeof(T) <= 64 ? 2 : 1;

  T* items() const { return std::launder(reinterpret_cast<T*>(reinterpret_cast<std::byte*>(head_) + kOffset)); }
  std::size_t room() const { return head_ == nullptr ? 0 : head_->room; }
  void move_to(std::size_t room) {
    void* place = ::operator new(kOffset + room * sizeof(T));
    ThinVector to;
    to.head_ = new (place) Head{0, static_cast<std::uint32_t>(room)};
    std::uninitialized_move(begin(), end(), to.items());
    to.head_->size = static_cast<std::uint32_t>(size());
    std::swap(head_, to.head_);
  }

  Head* head_ = nullptr;
};

/// A map of a few entries, sorted by key, side by side.
template <class Key, class Value>
class ThinMap {
  using Items = ThinVector<std::pair<Key, Value>>;

 public:
  using key_type = Key;
  using mapped_type = Value;
  using value_type = std::pair<Key, Value>;
  using const_iterator = const value_type*;
  using iterator = const value_type*;

  ThinMap() = default;
  ThinMap(std::initializer_list<value_type> items) {
    for (const value_type& item : items) (*this)[item.first] = item.second;
  }
  ThinMap(const std::map<Key, Value>& map) : items_(map.begin(), map.end()) {}
  operator std::map<Key, Value>() const { return {begin(), end()}; }

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  const_iterator find(const Key& key) const {
    const_iterator at = place_of(key);
    return at != end() && at->first == key ? at : end();
  }
  bool contains(const Key& key) const { return find(key) != end(); }
  const Value& at(const Key& key) const {
    const_iterator at = find(key);
    if (at == end()) throw std::out_of_range("ThinMap::at");
    return at->second;
  }
  Value& operator[](const Key& key) {
    auto index = place_of(key) - begin();
    value_type* at = items_.begin() + index;
    if (at == items_.end() || at->first != key) {
      items_.emplace_back(key, Value());
      at = items_.begin() + index;
      std::rotate(at, items_.end() - 1, items_.end());
    }
    return at->second;
  }
  void clear() { items_.clear(); }

  friend bool operator==(const ThinMap&, const ThinMap&) = default;

 private:
  const_iterator place_of(const Key& key) const {
    return std::find_if(begin(), end(), [&](const value_type& item) { return !(item.first < key); });
  }
  Items items_;
};

/// A map as large as it may be, where it is there at all.
template <class Map>
class RareMap {
 public:
  using key_type = typename Map::key_type;
  using mapped_type = typename Map::mapped_type;
  using value_type = typename Map::value_type;
  using iterator = typename Map::iterator;
  using const_iterator = typename Map::const_iterator;

  RareMap() = default;
  RareMap(Map map) : map_(map.empty() ? nullptr : std::make_unique<Map>(std::move(map))) {}
  RareMap(std::initializer_list<value_type> items) : RareMap(Map(items)) {}
  RareMap(const RareMap& other) : RareMap(other.all()) {}
  RareMap(RareMap&&) noexcept = default;
  RareMap& operator=(const RareMap& other) {
    if (this != &other) *this = RareMap(other);
    return *this;
  }
  RareMap& operator=(RareMap&&) noexcept = default;
  ~RareMap() = default;
  operator const Map&() const { return all(); }

  bool empty() const { return map_ == nullptr || map_->empty(); }
  std::size_t size() const { return map_ == nullptr ? 0 : map_->size(); }
  const_iterator begin() const { return all().begin(); }
  const_iterator end() const { return all().end(); }
  const_iterator find(const key_type& key) const { return all().find(key); }
  bool contains(const key_type& key) const { return all().contains(key); }
  std::size_t count(const key_type& key) const { return all().count(key); }
  const mapped_type& at(const key_type& key) const { return all().at(key); }

  iterator begin() { return own().begin(); }
  iterator end() { return own().end(); }
  iterator find(const key_type& key) { return own().find(key); }
  mapped_type& at(const key_type& key) { return own().at(key); }
  mapped_type& operator[](const key_type& key) { return own()[key]; }
  template <class... Args>
  auto emplace(Args&&... args) {
    return own().emplace(std::forward<Args>(args)...);
  }
  template <class... Args>
  auto try_emplace(const key_type& key, Args&&... args) {
    return own().try_emplace(key, std::forward<Args>(args)...);
  }
  template <class... Args>
  auto emplace_hint(iterator hint, Args&&... args) {
    return own().emplace_hint(hint, std::forward<Args>(args)...);
  }
  template <class Value>
  auto insert_or_assign(const key_type& key, Value&& value) {
    return own().insert_or_assign(key, std::forward<Value>(value));
  }
  template <class It>
  void insert(It first, It last) {
    if (first != last) own().insert(first, last);
  }
  std::size_t erase(const key_type& key) { return map_ == nullptr ? 0 : map_->erase(key); }
  void clear() { map_.reset(); }

  /// For changing.
  Map& own() {
    if (map_ == nullptr) map_ = std::make_unique<Map>();
    return *map_;
  }

  friend bool operator==(const RareMap& a, const RareMap& b) { return a.all() == b.all(); }

 private:
  const Map& all() const {
    static const Map none;
    return map_ == nullptr ? none : *map_;
  }
  std::unique_ptr<Map> map_;
};

/// A value that is there seldom. Where it is not, a default one is read; whoever changes it makes it.
template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Rare(const Rare& other) : value_(other.value_ == nullptr ? nullptr : std::make_unique<T>(*other.value_)) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) *this = Rare(other);
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  Rare& operator=(T value) { return *this = Rare(std::move(value)); }
  ~Rare() = default;

  const T& operator*() const {
    static const T none;
    return value_ == nullptr ? none : *value_;
  }
  const T* operator->() const { return &**this; }
  operator const T&() const { return **this; }
  /// For changing.
  T& own() {
    if (value_ == nullptr) value_ = std::make_unique<T>();
    return *value_;
  }
  void reset() { value_.reset(); }

  friend bool operator==(const Rare& a, const Rare& b) { return a.value_ == b.value_ || *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

/// An optional value that is there seldom.
template <class T>
class RareOptional {
 public:
  RareOptional() = default;
  RareOptional(std::nullopt_t) {}
  template <class U>
  requires std::is_convertible_v<U, T>
  RareOptional(U&& value) : value_(std::make_unique<T>(std::forward<U>(value))) {}
  RareOptional(std::optional<T> value) {
    if (value) value_ = std::make_unique<T>(std::move(*value));
  }
  RareOptional(const RareOptional& other)
      : value_(other.value_ == nullptr ? nullptr : std::make_unique<T>(*other.value_)) {}
  RareOptional(RareOptional&&) noexcept = default;
  RareOptional& operator=(const RareOptional& other) {
    if (this != &other) *this = RareOptional(other);
    return *this;
  }
  RareOptional& operator=(RareOptional&&) noexcept = default;
  ~RareOptional() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  operator std::optional<T>() const { return has_value() ? std::optional<T>(*value_) : std::nullopt; }
  const T& operator*() const { return *value_; }
  T& operator*() { return *value_; }
  const T* operator->() const { return value_.get(); }
  T* operator->() { return value_.get(); }
  template <class... Args>
  T& emplace(Args&&... args) {
    value_ = std::make_unique<T>(std::forward<Args>(args)...);
    return *value_;
  }
  T value_or(T other) const { return has_value() ? *value_ : std::move(other); }
  void reset() { value_.reset(); }

  friend bool operator==(const RareOptional& a, const RareOptional& b) {
    return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
  }
  friend bool operator==(const RareOptional& a, const T& b) { return a.has_value() && *a == b; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace sluice
