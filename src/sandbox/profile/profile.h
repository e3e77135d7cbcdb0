/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROFILE_H
#define W_SANDBOX_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/words.h"

/* The kinds of walls, the weakest first. From READONLY on each includes the one
 * before; CONTAINER is WORKSPACE without what takes namespaces. */
#define W_WALLS_MAP(X)            \
	X(NONE, "none")           \
	X(ENV, "env")             \
	X(CONTAINER, "container") \
	X(READONLY, "readonly")   \
	X(WORKSPACE, "workspace") \
	X(STRICT, "strict")

enum w_walls {
#define X(name, word) W_WALLS_##name,
	W_WALLS_MAP(X)
#undef X
};

/* Whether there is a sandbox, and whether it has something to write. */
static inline bool
w_walls_hold(enum w_walls walls)
{
	return walls > W_WALLS_ENV;
}

static inline bool
w_walls_can_write(enum w_walls walls)
{
	return w_walls_hold(walls) && walls != W_WALLS_READONLY;
}

/* HOSTS: its own loopback, and the hosts that are listed. */
#define W_NETWORK_MAP(X)        \
	X(OFF, "off")           \
	X(LOOPBACK, "loopback") \
	X(HOSTS, "hosts")       \
	X(HOST, "host")

enum w_network {
#define X(name, word) W_NETWORK_##name,
	W_NETWORK_MAP(X)
#undef X
};

/* Whether a run has a loopback that is not the machine's. */
static inline bool
w_network_has_loopback(enum w_network network)
{
	return network == W_NETWORK_LOOPBACK || network == W_NETWORK_HOSTS;
}

/* Limits that a profile sets; 0: none. A request may only lower them. */
struct w_profile_limits {
	uint64_t timeout_ms;
	uint64_t idle_timeout_ms;
	uint64_t max_output;
	uint64_t cpu_ms;
	uint64_t memory;
	uint64_t processes;
	uint64_t open_files;
	uint64_t file_size;
	uint64_t tmp_size;
	uint64_t tmp_on; /* a writ_tmp */
};

/* How many entries at the start of each list are built in. */
struct w_profile_builtins {
	size_t read;
	size_t write;
	size_t hide;
	size_t protect;
};

/*
 * A profile as written: paths may start with "~/", be "." or be relative;
 * nothing is resolved yet. `protect` and `hide` may name what does not exist;
 * `read`, `write` and `execute` must exist when the profile is used, except
 * those of a built-in profile.
 *
 * read: "/" means everything. write implies read. execute: empty means whatever
 * may be read or written. hide overrides all. protect: relative paths lie
 * beneath each writable root; readable, never writable.
 */
struct w_profile {
	char *name;
	char *origin; /* "built in", or the file */
	char *description;
	enum w_walls walls;
	enum w_network network;
	struct w_words hosts; /* patterns, as written; with the network HOSTS */
	struct w_words read;
	struct w_words write;
	struct w_words execute;
	struct w_words hide;
	struct w_words protect;
	struct w_profile_limits limits;
	struct w_profile_builtins builtins; /* entries that an extending
					       profile adds come after */
};

void w_profile_done(struct w_profile *profile);

/*
 * Finds a profile by name: built in, or NAME.yaml in one of the directories
 * (NULL-ended, in this order; borrowed). Built-in names cannot be redefined. A
 * name with a '/' is a file. Fails with WRIT_E_INVALID with file, line, column
 * and a suggestion for any mistake.
 */
writ_status w_profile_find(const char *name, const char *const *dirs,
    struct w_profile *out_profile, writ_error *err);

/* Parses one YAML document. `extends` is looked up in dirs; loops are an error.
 * file is for messages. */
writ_status w_profile_parse(const char *text, size_t len, const char *file,
    const char *const *dirs, struct w_profile *out_profile, writ_error *err);

/* The built-in profile for these walls. */
writ_status w_profile_builtin(
    enum w_walls walls, struct w_profile *out_profile, writ_error *err);

#endif /* W_SANDBOX_PROFILE_H */
