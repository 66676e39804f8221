#pragma once
#include "../../core/precompiled.h"
#include <QTemporaryDir>
#include <QTest>
