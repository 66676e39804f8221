#pragma once
#include "simulator/world/World.h"

/// The larger parts of the homelab, in the order they are added.
namespace HomelabParts
{
void addGuests(World &world);
/// Further guests, numbered from 20000, until there are so many.
void addMore(World &world, int guests);
void addSnapshots(World &world);
/// Disks of the guests, images, templates and backups.
void addVolumes(World &world);
/// Tasks of the last days.
void addHistory(World &world);
} // namespace HomelabParts
