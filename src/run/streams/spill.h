/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SPILL_H
#define W_RUN_SPILL_H

#include <stdbool.h>
#include <stdint.h>

#include "run/streams/capture.h"

/*
 * The file with the whole of a stream that outgrew its capture, up to a limit
 * of its own. It never fails a run: when it cannot be written, it stops and
 * keeps the errno.
 */
struct w_spill {
	const char *dir; /* borrowed; NULL: no spilling */
	const char *run_id;
	const char *suffix; /* "stdout" */
	uint64_t limit;     /* 0: no spilling */
	int fd;             /* -1: not started */
	char *path;
	uint64_t bytes;
	int error; /* why it stopped; EFBIG: at its limit */
};

/* Call before w_capture_add() with the same bytes: when they no longer fit, the
 * file starts with what the capture still holds whole. */
void w_spill_add(struct w_spill *spill, const struct w_capture *capture,
    const char *bytes, size_t len);

/* Reads from the file at path, which may still grow. WRIT_E_NOTFOUND: no such
 * file. */
writ_status w_spill_read(
    const char *path, uint64_t offset, void *buf, size_t len, size_t *out_len);

/* Moves the path into *out and closes the file. */
void w_spill_take(struct w_spill *spill, writ_output *out);

/* Closes and deletes the file. */
void w_spill_discard(struct w_spill *spill);

#endif /* W_RUN_SPILL_H */
