/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HELD_CHARTER_H
#define W_RUN_HELD_CHARTER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/child/shared_walls.h"

/*
 * What a held session is, as its starter wrote it down: the bytes of a sealed
 * memory file that the holder gives to everybody who joins.
 *
 * They are checked like any outside bytes.
 */
enum {
	W_HELD_MAGIC = 0x57484c44,
	W_HELD_VERSION = 4,
	W_HELD_NAME_MAX = 64,
	W_HELD_AGENT_MAX = 128,
	W_HELD_FORWARDS_MAX = 2048,
	W_HELD_HOSTS_MAX = 8192
};

struct w_held_charter {
	uint32_t magic;
	uint32_t version;
	uint64_t size;      /* of this struct */
	uint32_t places;    /* bit i: the session has the descriptor
			       W_SESSION_FD_... i; they come in this order */
	uint32_t has_disk;  /* 1: one more, the directory of disk_path */
	uint32_t has_home;  /* 1: and one more, the directory home_dir */
	uint32_t home_kind; /* enum w_home_kind */
	uint64_t tmp_size;
	uint64_t began_us; /* since 1970 */
	uint64_t idle_ms;
	uint64_t lifetime_ms;
	char name[W_HELD_NAME_MAX + 1];
	char agent[W_HELD_AGENT_MAX + 1];   /* "": a person's */
	char dir[PATH_MAX];                 /* where it was started: absolute */
	char disk_path[PATH_MAX];           /* "": /tmp lies in memory */
	char home_path[PATH_MAX];           /* HOME, if it has a layer; "" */
	char home_dir[PATH_MAX];            /* of the layer; "" */
	char forwards[W_HELD_FORWARDS_MAX]; /* what is published and let in,
					       for people */
	char hosts[W_HELD_HOSTS_MAX]; /* that its runs reach: patterns, with a
					 blank between two. Not empty: one more
					 descriptor, the line to the relay */
	char connects[W_SHARED_CONNECTS][W_SHARED_CONNECT_PATH]; /* local
					       sockets that are let in */
};

/* Whether these bytes are a charter, and that of the session with this name
 * (NULL: of any). */
bool w_held_charter_is_valid(
    const struct w_held_charter *charter, size_t len, const char *name);

/* Whether a text can be the name of a session: 1 to 64 letters, digits, '-',
 * '_' and '.', not starting with '-' or '.'. */
bool w_held_is_name(const char *name);

#endif /* W_RUN_HELD_CHARTER_H */
