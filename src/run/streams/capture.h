/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_CAPTURE_H
#define W_RUN_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/result.h>

/*
 * What is kept of one output stream: its first and its last bytes.
 *
 * A quarter of the limit is head, the rest a ring that holds the tail. Memory
 * grows with the output and never beyond the limit.
 */
struct w_capture {
	size_t head_max; /* these shrink to what could be allocated */
	size_t ring_max;
	char *head;
	size_t head_len;
	size_t head_cap;
	char *ring;
	size_t ring_cap;
	size_t ring_at; /* where the next byte goes */
	size_t ring_len;
	uint64_t bytes;
};

void w_capture_init(struct w_capture *capture, uint64_t limit);
void w_capture_done(struct w_capture *capture);

/* Adds the next len bytes of the stream. Without memory it keeps fewer; the
 * byte count stays right. */
void w_capture_add(struct w_capture *capture, const char *bytes, size_t len);

/*
 * A full ring can be read into directly: returns where the next bytes go, and
 * how many fit in one piece; NULL while the stream is whole. w_capture_commit()
 * adds what was read there.
 */
char *w_capture_space(struct w_capture *capture, size_t *out_len);
void w_capture_commit(struct w_capture *capture, size_t len);

/* Whether every byte so far is kept. */
bool w_capture_is_whole(const struct w_capture *capture);

/* Copies the kept bytes at offset, as far as they are contiguous. 0: nothing is
 * kept there. */
size_t w_capture_read(
    const struct w_capture *capture, uint64_t offset, char *buf, size_t len);

/* A copy of what w_capture_take() would return; the capture continues. */
bool w_capture_copy(const struct w_capture *capture, writ_output *out);

/*
 * Turns the capture into its final form: head and tail, each contiguous with a
 * NUL after it. The memory moves to *out: free() its head and tail. A whole
 * stream is all head. false: no memory.
 */
bool w_capture_take(struct w_capture *capture, writ_output *out);

#endif /* W_RUN_CAPTURE_H */
