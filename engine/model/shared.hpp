#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

/// Containers whose copies cost next to nothing, so that a World with a hundred thousand workloads can be kept,
/// handed on and laid over without being copied. They read like the standard ones; what is changed stops being
/// shared first.
namespace sluice {

/// A vector that copies share until one of them is changed. An empty one takes a pointer's room.
template <class T>
class SharedVector {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;
  using iterator = typename std::vector<T>::iterator;

  SharedVector() = default;
  SharedVector(std::initializer_list<T> items) : SharedVector(std::vector<T>(items)) {}
  SharedVector(std::vector<T> items) {
    if (!items.empty()) items_ = std::make_shared<std::vector<T>>(std::move(items));
  }
  operator const std::vector<T>&() const { return all(); }

  bool empty() const { return items_ == nullptr || items_->empty(); }
  std::size_t size() const { return items_ == nullptr ? 0 : items_->size(); }
  const_iterator begin() const { return all().begin(); }
  const_iterator end() const { return all().end(); }
  const T& operator[](std::size_t i) const { return (*items_)[i]; }
  const T& front() const { return items_->front(); }
  const T& back() const { return items_->back(); }
  const T& at(std::size_t i) const { return all().at(i); }

  iterator begin() { return own().begin(); }
  iterator end() { return own().end(); }
  T& operator[](std::size_t i) { return own()[i]; }
  T& front() { return own().front(); }
  T& back() { return own().back(); }
  T& at(std::size_t i) { return own().at(i); }
  void push_back(T item) { own().push_back(std::move(item)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    return own().emplace_back(std::forward<Args>(args)...);
  }
  void pop_back() { own().pop_back(); }
  void clear() { items_.reset(); }
  void resize(std::size_t size) { own().resize(size); }

  /// For changing: a copy of its own, if others share it.
  std::vector<T>& own() {
    if (items_ == nullptr) {
      items_ = std::make_shared<std::vector<T>>();
    } else if (items_.use_count() > 1) {
      items_ = std::make_shared<std::vector<T>>(*items_);
    }
    return *items_;
  }

  /// The same for vectors that share their items, as long as one of them lives and is not changed.
  const void* identity() const { return items_.get(); }
  bool is_shared() const { return items_.use_count() > 1; }

  friend bool operator==(const SharedVector& a, const SharedVector& b) {
    return a.items_ == b.items_ || a.all() == b.all();
  }

 private:
  const std::vector<T>& all() const {
    static const std::vector<T> none;
    return items_ == nullptr ? none : *items_;
  }
  std::shared_ptr<std::vector<T>> items_;
};

/// A list that copies share item by item: changing one item, through `edit`, copies that item only. Items keep their addresses
/// as long as they are not changed through a list that shares them.
template <class T>
class SharedList {
  using Items = std::vector<std::shared_ptr<T>>;

  template <bool is_const>
  class Iterator {
    using Base = std::conditional_t<is_const, typename Items::const_iterator, typename Items::iterator>;

   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = std::conditional_t<is_const, const T*, T*>;
    using reference = std::conditional_t<is_const, const T&, T&>;

    Iterator() = default;
    explicit Iterator(Base at) : at_(at) {}
    operator Iterator<true>() const
    requires(!is_const)
    {
      return Iterator<true>(at_);
    }
    reference operator*() const {
      if constexpr (!is_const) make_own(*at_);
      return **at_;
    }
    pointer operator->() const { return &**this; }
    reference operator[](difference_type n) const { return *(*this + n); }
    Iterator& operator++() { return ++at_, *this; }
    Iterator& operator--() { return --at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    Iterator operator--(int) { return Iterator(at_--); }
    Iterator& operator+=(difference_type n) { return at_ += n, *this; }
    Iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    friend Iterator operator+(Iterator a, difference_type n) { return a += n; }
    friend Iterator operator+(difference_type n, Iterator a) { return a += n; }
    friend Iterator operator-(Iterator a, difference_type n) { return a -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.at_ - b.at_ <=> 0; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    friend class SharedList;
    Base at_;
  };

 public:
  using value_type = T;
  using iterator = Iterator<false>;
  using const_iterator = Iterator<true>;

  SharedList() = default;
  SharedList(std::initializer_list<T> items) {
    for (const T& item : items) push_back(item);
  }
  SharedList(std::vector<T> items) {
    items_.reserve(items.size());
    for (T& item : items) push_back(std::move(item));
  }

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  const_iterator begin() const { return const_iterator(items_.begin()); }
  const_iterator end() const { return const_iterator(items_.end()); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  const T& operator[](std::size_t i) const { return *items_[i]; }
  const T& at(std::size_t i) const { return *items_.at(i); }
  const T& front() const { return *items_.front(); }
  const T& back() const { return *items_.back(); }

  /// For changing. Not by the usual names, so that a loop that only reads copies nothing.
  T& edit(std::size_t i) { return make_own(items_[i]); }
  T& edit_back() { return make_own(items_.back()); }
  struct Editing {
    Items& items;
    iterator begin() const { return iterator(items.begin()); }
    iterator end() const { return iterator(items.end()); }
  };
  Editing edit_all() { return {items_}; }

  void reserve(std::size_t size) { items_.reserve(size); }
  void clear() { items_.clear(); }
  void push_back(T item) { items_.push_back(std::make_shared<T>(std::move(item))); }
  T& emplace_back() { return *items_.emplace_back(std::make_shared<T>()); }
  /// Takes items of another list; those stay shared.
  void append(const SharedList& other) {
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
  }
  template <class Before>
  void sort(Before before) {
    std::stable_sort(items_.begin(), items_.end(),
                     [&](const auto& a, const auto& b) { return before(std::as_const(*a), std::as_const(*b)); });
  }
  /// Takes out those that `take` is true of, in their order.
  template <class Take>
  SharedList take_if(Take take) {
    SharedList taken;
    auto rest = std::stable_partition(items_.begin(), items_.end(),
                                      [&](const auto& item) { return !take(std::as_const(*item)); });
    taken.items_.assign(std::make_move_iterator(rest), std::make_move_iterator(items_.end()));
    items_.erase(rest, items_.end());
    return taken;
  }
  /// Both are sorted by `key`, each key once in a list. Where keys are equal, `over` wins.
  template <class Key>
  void overlay(const SharedList& over, Key key) {
    Items both;
    both.reserve(items_.size() + over.items_.size());
    auto next = over.items_.begin();
    for (std::shared_ptr<T>& item : items_) {
      while (next != over.items_.end() && key(**next) < key(std::as_const(*item))) both.push_back(*next++);
      bool replaced = next != over.items_.end() && key(**next) == key(std::as_const(*item));
      if (!replaced) both.push_back(std::move(item));
    }
    both.insert(both.end(), next, over.items_.end());
    items_ = std::move(both);
  }

  friend bool operator==(const SharedList& a, const SharedList& b) {
    return std::equal(a.items_.begin(), a.items_.end(), b.items_.begin(), b.items_.end(),
                      [](const auto& x, const auto& y) { return x == y || *x == *y; });
  }

 private:
  static T& make_own(std::shared_ptr<T>& item) {
    if (item.use_count() > 1) item = std::make_shared<T>(std::as_const(*item));
    return *item;
  }
  Items items_;
};

}  // namespace sluice
