#pragma once

#include <utility>

#include "device/device.hpp"

/// Owners of device resources: released in any order, on every path, without throwing.
namespace zl {

class OwnedMemory {
 public:
  OwnedMemory() = default;
  OwnedMemory(Device& device, std::size_t bytes)
      : device_(&device), pointer_(device.allocate(bytes)) {}
  OwnedMemory(OwnedMemory&& other) noexcept
      : device_(other.device_), pointer_(std::exchange(other.pointer_, nullptr)) {}
  OwnedMemory& operator=(OwnedMemory&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~OwnedMemory() {
    if (pointer_ != nullptr) device_->release(pointer_);
  }
  char* get() const { return static_cast<char*>(pointer_); }

 private:
  Device* device_ = nullptr;
  void* pointer_ = nullptr;
};

class OwnedStream {
 public:
  explicit OwnedStream(Device& device) : device_(device), stream_(device.create_stream()) {}
  ~OwnedStream() { device_.destroy(stream_); }
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;
  Stream get() const { return stream_; }

 private:
  Device& device_;
  Stream stream_;
};

class OwnedEvent {
 public:
  explicit OwnedEvent(Device& device) : device_(&device), event_(device.create_event()) {}
  OwnedEvent(OwnedEvent&& other) noexcept
      : device_(other.device_), event_(std::exchange(other.event_, {})) {}
  OwnedEvent& operator=(OwnedEvent&&) = delete;
  ~OwnedEvent() {
    if (event_.handle != nullptr) device_->destroy(event_);
  }
  Event get() const { return event_; }

 private:
  Device* device_;
  Event event_;
};

class OwnedGraph {
 public:
  OwnedGraph(Device& device, Graph graph) : device_(&device), graph_(graph) {}
  OwnedGraph(OwnedGraph&& other) noexcept
      : device_(other.device_), graph_(std::exchange(other.graph_, {})) {}
  OwnedGraph& operator=(OwnedGraph&&) = delete;
  ~OwnedGraph() {
    if (graph_) device_->destroy(graph_);
  }
  Graph get() const { return graph_; }

 private:
  Device* device_;
  Graph graph_;
};

class OwnedExec {
 public:
  OwnedExec(Device& device, Graph graph) : device_(&device), exec_(device.instantiate(graph)) {}
  OwnedExec(OwnedExec&& other) noexcept
      : device_(other.device_), exec_(std::exchange(other.exec_, {})) {}
  OwnedExec& operator=(OwnedExec&&) = delete;
  ~OwnedExec() {
    if (exec_.handle != nullptr) device_->destroy(exec_);
  }
  GraphExec get() const { return exec_; }

 private:
  Device* device_;
  GraphExec exec_;
};

}  // namespace zl
