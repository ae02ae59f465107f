#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace zl::host {

using Work = std::function<void()>;

/// A point in a stream, stamped by the stream's thread.
class HostEvent {
 public:
  void recorded();
  void stamp();
  void wait();
  /// Steady-clock milliseconds of the last stamp.
  double ms();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t records_ = 0;
  std::uint64_t stamps_ = 0;
  double ms_ = 0;
};

/// A captured list of calls.
struct HostGraph {
  std::vector<Work> nodes;
};

/// A queue with one thread. While it is captured, work is recorded and nothing runs.
class HostStream {
 public:
  HostStream();
  ~HostStream();
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;

  void push(Work work);
  /// Work that runs although an earlier call failed, as an event's stamp must.
  void push_always(Work work);
  /// Waits until the queue is empty, then throws what a call threw, once.
  void synchronize();

  void begin_capture();
  /// Null where the capture was invalidated.
  std::unique_ptr<HostGraph> end_capture();
  bool capturing() const { return capture_ != nullptr; }
  void invalidate_capture() { capture_valid_ = false; }

 private:
  struct Item {
    Work work;
    bool always = false;
  };
  void enqueue(Item item);
  void run();
  bool wait_for_work(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable drained_;
  std::deque<Item> queue_;
  std::atomic<std::size_t> waiting_{0};
  bool busy_ = false;
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::unique_ptr<HostGraph> capture_;
  bool capture_valid_ = true;
  std::thread thread_;
};

}  // namespace zl::host
