#pragma once
#include "operations/Catalogue.h"

// One function per file of operations; Catalogue() asks each once.

Operations inventoryOverview(); // inventory/overview.cpp
Operations nodeReads();         // node/read.cpp
Operations guestReads();        // guest/read.cpp
Operations guestAddresses();    // guest/addresses.cpp
Operations guestPower();        // guest/power.cpp
Operations guestConfig();       // guest/config.cpp
Operations guestLifecycle();    // guest/lifecycle.cpp
Operations snapshots();         // snapshot/snapshot.cpp
Operations snapshotRollback();  // snapshot/rollback.cpp
Operations tasks();             // task/task.cpp
Operations undos();             // undo/undo.cpp
Operations plans();             // plan/plan.cpp
Operations audits();            // audit/audit.cpp
