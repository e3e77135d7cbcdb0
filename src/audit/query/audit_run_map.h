/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_AUDIT_RUN_MAP_H
#define W_AUDIT_AUDIT_RUN_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/encode.h"

/* The position of a line. len 0: none. */
struct w_trail_position {
	uint64_t seq;
	uint64_t offset;
	uint32_t segment;
	uint32_t len; /* without its newline */
};

/* What is known about a run while the trail is read. */
struct w_audit_run_slot {
	char run[W_ID_LEN + 1]; /* empty: the slot is free */
	bool is_gone : 1; /* removed; the slot only continues the probe sequence
			   */
	bool has_begin : 1;
	bool has_end : 1;
	struct w_trail_position position;
};

/* Runs by their ids. Zero-initialised is empty. */
struct w_audit_run_map {
	struct w_audit_run_slot *slots;
	size_t count; /* slots in use, including removed ones */
	size_t cap;   /* a power of two, or 0 */
};

void w_audit_run_map_done(struct w_audit_run_map *map);

/* NULL: not found. Borrowed until the next w_audit_run_map_put(). */
struct w_audit_run_slot *w_audit_run_map_get(
    const struct w_audit_run_map *map, const char *run);

/* The slot of the run, empty if it is new; NULL: no memory. */
struct w_audit_run_slot *w_audit_run_map_put(
    struct w_audit_run_map *map, const char *run);

void w_audit_run_map_drop(struct w_audit_run_slot *slot);

#endif /* W_AUDIT_AUDIT_RUN_MAP_H */
