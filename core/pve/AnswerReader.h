#pragma once
#include "base/Result.h"
#include "pve/ApiRequest.h"
#include "pve/Transport.h"

/// Tells what an HTTP answer of PVE means. Pure; any thread.
namespace AnswerReader
{
/// 2xx with {"data":…} is an ApiAnswer. Everything else is an Error:
/// 401 Unauthorized; 403 Forbidden, naming privilege and path; 400, 500 and their like Rejected with PVE's own words,
/// or Conflict for a lock or a changed digest; 595 Unreachable (the other node was never reached); 596–599 and a
/// gateway's 502–504 Unreachable for a read and Unknown for a write; what PVE would not send Malformed for a read and
/// Unknown for a write that may have taken effect.
Result<ApiAnswer> read(const ApiRequest &request, const HttpAnswer &answer);
}
