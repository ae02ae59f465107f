#include "device/host/host_stream.hpp"

#include <chrono>

namespace zl::host {

namespace {

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// Waking a sleeping thread takes tens of microseconds, which would stand between a start event and
// the call behind it; so the stream's thread looks for more work for a while before it sleeps.
constexpr double spin_ms = 0.2;

}  // namespace

void HostEvent::recorded() {
  const std::lock_guard lock(mutex_);
  ++records_;
}

void HostEvent::stamp() {
  const double ms = now_ms();
  const std::lock_guard lock(mutex_);
  ms_ = ms;
  ++stamps_;
  changed_.notify_all();
}

void HostEvent::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stamps_ == records_; });
}

double HostEvent::ms() {
  const std::lock_guard lock(mutex_);
  return ms_;
}

HostStream::HostStream() : thread_([this] { run(); }) {}

HostStream::~HostStream() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ++waiting_;
  arrived_.notify_all();
  thread_.join();
}

void HostStream::push(Work work) {
  if (capture_ != nullptr) {
    capture_->nodes.push_back(std::move(work));
  } else {
    enqueue({std::move(work), false});
  }
}

void HostStream::push_always(Work work) { enqueue({std::move(work), true}); }

void HostStream::enqueue(Item item) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(item));
  }
  ++waiting_;
  arrived_.notify_one();
}

bool HostStream::wait_for_work(std::unique_lock<std::mutex>& lock) {
  if (queue_.empty() && !stopping_) {
    lock.unlock();
    const double until = now_ms() + spin_ms;
    while (waiting_.load() == 0 && now_ms() < until) std::this_thread::yield();
    lock.lock();
  }
  arrived_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
  return !queue_.empty();
}

void HostStream::run() {
  std::unique_lock lock(mutex_);
  while (wait_for_work(lock)) {
    Item item = std::move(queue_.front());
    queue_.pop_front();
    --waiting_;
    busy_ = true;
    const bool skip = failure_ != nullptr && !item.always;
    lock.unlock();
    std::exception_ptr failure;
    if (!skip) {
      try {
        item.work();
      } catch (...) {
        failure = std::current_exception();
      }
    }
    item.work = nullptr;
    lock.lock();
    if (failure != nullptr && failure_ == nullptr) failure_ = failure;
    busy_ = false;
    if (queue_.empty()) drained_.notify_all();
  }
}

void HostStream::synchronize() {
  std::unique_lock lock(mutex_);
  drained_.wait(lock, [this] { return queue_.empty() && !busy_; });
  if (failure_ != nullptr) {
    std::exception_ptr failure = std::move(failure_);
    failure_ = nullptr;
    std::rethrow_exception(failure);
  }
}

void HostStream::begin_capture() {
  capture_ = std::make_unique<HostGraph>();
  capture_valid_ = true;
}

std::unique_ptr<HostGraph> HostStream::end_capture() {
  std::unique_ptr<HostGraph> graph = std::move(capture_);
  if (!capture_valid_) graph.reset();
  return graph;
}

}  // namespace zl::host
