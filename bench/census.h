/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CENSUS_H
#define BENCH_CENSUS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What this process and its descendants hold at one moment. The last four
 * are the whole machine's, and are counted only if root called census_open().
 */
#define CENSUS_MAP(X)                                     \
	X(FDS, "open files")                              \
	X(PROCESSES, "processes")                         \
	X(ZOMBIES, "zombies")                             \
	X(CGROUPS, "control groups")                      \
	X(NAMESPACES, "namespaces")                       \
	X(MOUNTS, "mounts")                               \
	X(RSS, "KiB of memory")                           \
	X(KERNEL_PIDNS, "pid namespaces in the kernel")   \
	X(KERNEL_NETNS, "net namespaces in the kernel")   \
	X(KERNEL_USERNS, "user namespaces in the kernel") \
	X(KERNEL_MOUNTS, "mounts in the kernel")

enum census_kind {
#define X(name, text) CENSUS_##name,
	CENSUS_MAP(X)
#undef X
	CENSUS_COUNT
};

struct census {
	long count[CENSUS_COUNT]; /* -1: cannot be known */
};

/* Opens what only root may, for later counts as somebody else. */
void census_open(void);

struct census census_take(void);

const char *census_text(enum census_kind kind);

/* Whether a process with that word in its command line is alive anywhere. */
bool census_finds(const char *word);

#endif /* BENCH_CENSUS_H */
