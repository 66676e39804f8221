#pragma once
#include "base/Result.h"
#include <QByteArray>
#include <QJsonValue>

/// The part of YAML that programs write into files of settings: nested mappings and lists in block form, flow lists and
/// mappings on one line, plain and quoted scalars, comments.
namespace YamlText
{
/// Malformed names the line. Anchors, tags, block scalars, several documents and tabs as indentation are refused, not
/// guessed. Duplicate keys are refused.
Result<QJsonValue> parse(const QByteArray &text);
} // namespace YamlText
