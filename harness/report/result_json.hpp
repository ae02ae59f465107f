#pragma once

#include <nlohmann/json_fwd.hpp>

#include "measure/result.hpp"

namespace zl {

/// Every field of a result, enums by their names. Text that is not UTF-8 gets U+FFFD where it is
/// invalid. A number that is not finite is Errc::internal, naming the metric: JSON cannot say it.
nlohmann::json to_json(const Result& result);

/// The reverse. A missing field, a wrong type or an unknown enum name is Errc::internal.
Result result_from_json(const nlohmann::json& json);

}  // namespace zl
