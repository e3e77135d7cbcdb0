/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_LEDGER_STATE_H
#define W_FLEET_FLEET_LEDGER_STATE_H

#include "fleet/host/fleet_ledger.h"

/* What the files of the ledger share. */
struct w_fleet_ledger {
	char *dir;
	int lock_fd;
	struct w_log *log;
	struct w_fleet_entry *entries;
	size_t count;
	size_t cap;
	uint32_t *slots;   /* index + 1 by hash; 0: free */
	size_t slot_count; /* a power of two */
	size_t lines;
};

/* Adds an entry that was received; its order may be NULL. */
writ_status w_fleet_ledger_add(struct w_fleet_ledger *ledger,
    const struct w_fleet_receipt *receipt, const uint8_t sum[W_SHA256_SIZE],
    writ_error *err);

/* Forgets all entries. */
void w_fleet_ledger_drop_all(struct w_fleet_ledger *ledger);

/* Replaces a text by a copy; false: no memory. Frees one. */
bool w_fleet_ledger_keep(
    char **out, size_t *out_len, const char *text, size_t len);
void w_fleet_ledger_drop(char **text, size_t *len);

#endif /* W_FLEET_FLEET_LEDGER_STATE_H */
