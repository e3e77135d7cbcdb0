/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_FLUSHER_H
#define BENCH_FLUSHER_H

#include <linux/aio_abi.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * fdatasync() in the background, every ten milliseconds: what an engine does
 * in batch mode, for writers that have no engine.
 */
struct flusher {
	aio_context_t context;
	bool is_busy;
	uint64_t next_ns;
	unsigned count; /* of syncs that were done */
};

bool flusher_open(struct flusher *flusher);

/* A sync is due: 10 ms have passed since the last, and that is over. */
bool flusher_is_due(struct flusher *flusher, uint64_t now_ns);
bool flusher_start(struct flusher *flusher, int fd, uint64_t now_ns);

/* Waits for the last one. */
void flusher_close(struct flusher *flusher);

#endif /* BENCH_FLUSHER_H */
