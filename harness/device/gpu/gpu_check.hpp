#pragma once

#include <string>

#include "device/gpu/error_class.hpp"
#include "zl/error.hpp"

namespace zl::gpu {

/// The exception for a failed call of `function`, named without the vendor's prefix. It takes the
/// error out of the runtime's last error, where the check of a later launch would find it.
template <class Api>
Error error(int code, const char* function, const std::string& more = "") {
  Api::get_last_error();
  std::string text = Api::error_text(code);
  if (!more.empty()) text += "; " + more;
  return Error(classify(code), code, Api::error_name(code), std::string(Api::prefix) + function,
               text);
}

template <class Api>
void check(int code, const char* function) {
  if (code != 0) throw error<Api>(code, function);
}

}  // namespace zl::gpu
