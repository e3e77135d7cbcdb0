/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_FUZZ_REPLAY_H
#define WRIT_FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name;
	int (*run)(const uint8_t *data, size_t size);
};

/* Every target of the tree; the last one has no name. */
extern const struct fuzz_target fuzz_targets[];

#endif /* WRIT_FUZZ_REPLAY_H */
