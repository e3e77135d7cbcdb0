/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_STREAM_PAIRS_H
#define W_RUN_STREAM_PAIRS_H

#include <poll.h>
#include <stddef.h>

/*
 * Pairs of connected sockets, and the bytes between them, in both directions.
 * No libc, no allocation.
 *
 *     backpressure  nothing is read while the last bytes were not taken
 *     half close    the end of one direction is passed on; the other goes on
 *     reset         on one side resets the other
 */
enum {
	STREAM_PAIR_BYTES = 16384,
	STREAM_PAIR_POLLS = 2 /* of each pair: see stream_pair_fill() */
};

/* One direction, from one socket to the other. The bytes are elsewhere: a pair
 * that is looked at touches no page of them. */
struct stream_flow {
	size_t at; /* bytes of buf that were taken */
	size_t len;
	int has_ended; /* nothing more comes */
	int is_shut;   /* and the other side was told */
	char *buf;     /* STREAM_PAIR_BYTES */
};

struct stream_pair {
	int fds[2];                  /* both -1: free */
	int is_connecting;           /* fds[1] is */
	struct stream_flow flows[2]; /* flow i is from fds[i] */
};

/* Takes both sockets, which are non-blocking. bytes: twice STREAM_PAIR_BYTES,
 * for as long as it is open. */
void stream_pair_open(struct stream_pair *pair, int from, int to, char *bytes);
int stream_pair_is_free(const struct stream_pair *pair);

/* What to wait for. */
void stream_pair_fill(
    const struct stream_pair *pair, struct pollfd polls[STREAM_PAIR_POLLS]);

/* Copies what can be copied, and closes a pair that is done. Not for one that
 * is connecting. */
void stream_pair_step(
    struct stream_pair *pair, const struct pollfd polls[STREAM_PAIR_POLLS]);

/* Closes both, so that each peer sees a reset. */
void stream_pair_reset(struct stream_pair *pair);

#endif /* W_RUN_STREAM_PAIRS_H */
