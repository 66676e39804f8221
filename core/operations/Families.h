#pragma once
#include "operations/Catalogue.h"

// One function per file of operations; Catalogue() asks each once.

Operations inventoryOverview(); // inventory/overview.cpp
Operations remoteReads();       // remote/remote.cpp
Operations clusters();          // cluster/cluster.cpp
Operations networks();          // network/network.cpp
Operations highAvailability();  // ha/ha.cpp
Operations replications();      // replication/replication.cpp
Operations pools();             // pool/pool.cpp
Operations poolMembers();       // pool/members.cpp
Operations accessReads();       // access/read.cpp
Operations accessRules();       // access/acl.cpp
Operations storageReads();      // storage/read.cpp
Operations storageImages();     // storage/image.cpp
Operations backupReads();       // backup/read.cpp
Operations backupArchives();    // backup/archive.cpp
Operations backupRuns();        // backup/run.cpp
Operations backupRestores();    // backup/restore.cpp
Operations firewallReads();     // firewall/read.cpp
Operations firewallRules();     // firewall/rules.cpp
Operations firewallOrder();     // firewall/order.cpp
Operations firewallOptions();   // firewall/options.cpp
Operations insightsOnLoad();    // insight/load.cpp
Operations insightsOnStorage(); // insight/storage.cpp
Operations nodeReads();         // node/read.cpp
Operations guestReads();        // guest/read.cpp
Operations guestAddresses();    // guest/addresses.cpp
Operations guestPower();        // guest/power.cpp
Operations guestRestarts();     // guest/restart.cpp
Operations guestConfig();       // guest/config.cpp
Operations guestPending();      // guest/pending.cpp
Operations guestNotes();        // guest/notes.cpp
Operations guestAgent();        // guest/agent.cpp
Operations guestTemplates();    // guest/template.cpp
Operations guestNics();         // guest/nics.cpp
Operations guestDisks();        // guest/disks.cpp
Operations guestDiskMoves();    // guest/diskMoves.cpp
Operations guestCdroms();       // guest/cdrom.cpp
Operations guestCloudInit();    // guest/cloudinit.cpp
Operations guestMigration();    // guest/migrate.cpp
Operations guestLifecycle();    // guest/lifecycle.cpp
Operations snapshots();         // snapshot/snapshot.cpp
Operations snapshotEdits();     // snapshot/edit.cpp
Operations snapshotRollback();  // snapshot/rollback.cpp
Operations tasks();             // task/task.cpp
Operations undos();             // undo/undo.cpp
Operations plans();             // plan/plan.cpp
Operations retries();           // operation/retry.cpp
Operations audits();            // audit/audit.cpp
