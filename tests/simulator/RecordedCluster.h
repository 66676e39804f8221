#pragma once
#include "simulator/world/World.h"

/// The cluster that the recordings were taken from, and what was done to it beside the calls that were recorded.
namespace RecordedCluster
{
/// As it stood before the first recording: one node, one VM, one container.
void build(World &world);
/// What was done to it outside of the API before this recording.
void before(World &world, int recording);
/// The task of a recorded call that was left out, as a finished one; returns its UPID here.
QString finish(World &world, const QString &upid);
/// The body of a recorded upload of a file whose bytes were not kept: as long, and with the right checksum where it
/// was.
QByteArray upload(int recording);
}
