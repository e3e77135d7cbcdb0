/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Keeps head and tail of a stream in bounded memory.
 *
 * Invariants: as long as bytes equals head_len + ring_len, head followed by
 * ring is the whole stream. The ring wraps only when it has its full size;
 * before that ring_at is ring_len.
 */

#include "run/streams/capture.h"

#include <stdlib.h>
#include <string.h>

void
w_capture_init(struct w_capture *capture, uint64_t limit)
{
	size_t max = limit > SIZE_MAX / 4 ? SIZE_MAX / 4 : (size_t)limit;

	*capture = (struct w_capture){
	    .head_max = max / 4,
	    .ring_max = max - max / 4,
	};
}

void
w_capture_done(struct w_capture *capture)
{
	free(capture->head);
	free(capture->ring);
	*capture = (struct w_capture){0};
}

/* The kernel copies whole pages out of a pipe much faster, so a large buffer is
 * page-aligned. */
static char *
resize(char *data, size_t used, size_t size)
{
	enum {
		LARGE = 128 * 1024,
		PAGE = 4096
	};

	if (size < LARGE)
		return realloc(data, size);
	char *grown =
	    aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * (size_t)PAGE);
	if (grown == NULL)
		return NULL;
	if (used > 0)
		memcpy(grown, data, used);
	free(data);
	return grown;
}

/* Makes room for need bytes and a NUL, doubling up to max. *cap is the capacity
 * afterwards; without memory it is less. */
static void
capture_grow(char **data, size_t *cap, size_t need, size_t max)
{
	if (need <= *cap || *cap == max)
		return;

	size_t next = *cap < 512 ? 512 : *cap * 2;
	if (next < need)
		next = need;
	if (next > max)
		next = max;
	char *grown = resize(*data, *cap, next + 1);
	if (grown == NULL)
		return;
	*data = grown;
	*cap = next;
}

static size_t
fill_head(struct w_capture *capture, const char *bytes, size_t len)
{
	if (capture->head_len == capture->head_max)
		return 0;

	size_t need = len > capture->head_max - capture->head_len
			  ? capture->head_max
			  : capture->head_len + len;
	capture_grow(
	    &capture->head, &capture->head_cap, need, capture->head_max);

	/* A head that could not grow stays short: later bytes must not follow a
	 * gap. */
	if (capture->head_cap < need)
		capture->head_max = capture->head_cap;
	size_t take = capture->head_cap - capture->head_len;
	if (take > len)
		take = len;
	if (take > 0)
		memcpy(capture->head + capture->head_len, bytes, take);
	capture->head_len += take;
	return take;
}

static void
fill_ring(struct w_capture *capture, const char *bytes, size_t len)
{
	size_t need = len > capture->ring_max - capture->ring_len
			  ? capture->ring_max
			  : capture->ring_len + len;

	capture_grow(
	    &capture->ring, &capture->ring_cap, need, capture->ring_max);
	if (capture->ring_cap < need)
		capture->ring_max = capture->ring_cap;

	/* Below the full size the ring does not wrap: need fits. */
	size_t cap = capture->ring_cap;
	if (cap == 0)
		return;
	if (len > cap) {
		bytes += len - cap;
		len = cap;
	}
	size_t at = capture->ring_at == cap ? 0 : capture->ring_at;
	size_t first = len < cap - at ? len : cap - at;
	memcpy(capture->ring + at, bytes, first);
	memcpy(capture->ring, bytes + first, len - first);
	capture->ring_at = len > first ? len - first : at + first;
	capture->ring_len =
	    capture->ring_len + len < cap ? capture->ring_len + len : cap;
}

void
w_capture_add(struct w_capture *capture, const char *bytes, size_t len)
{
	capture->bytes += len;
	size_t taken = fill_head(capture, bytes, len);
	if (taken < len && capture->ring_max > 0)
		fill_ring(capture, bytes + taken, len - taken);
}

char *
w_capture_space(struct w_capture *capture, size_t *out_len)
{
	/* A whole stream may still have to be copied to the spill file. */
	if (capture->ring_cap == 0 || w_capture_is_whole(capture) ||
	    capture->ring_len < capture->ring_max)
		return NULL;
	if (capture->ring_at == capture->ring_cap)
		capture->ring_at = 0;
	*out_len = capture->ring_cap - capture->ring_at;
	return capture->ring + capture->ring_at;
}

void
w_capture_commit(struct w_capture *capture, size_t len)
{
	capture->bytes += len;
	capture->ring_at += len;
}

bool
w_capture_is_whole(const struct w_capture *capture)
{
	return capture->bytes == capture->head_len + capture->ring_len;
}

/* The offset of the oldest byte in the ring. */
static size_t
oldest(const struct w_capture *capture)
{
	return capture->ring_len < capture->ring_cap
		   ? 0
		   : capture->ring_at % capture->ring_cap;
}

/* Copies the ring, oldest byte first. */
static void
unroll(const struct w_capture *capture, char *to)
{
	size_t len = capture->ring_len;

	if (len == 0)
		return;
	size_t old = oldest(capture);
	memcpy(to, capture->ring + old, len - old);
	memcpy(to + len - old, capture->ring, old);
}

static size_t
min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t
read_ring(const struct w_capture *capture, size_t at, char *buf, size_t len)
{
	size_t old = oldest(capture);
	size_t first = capture->ring_len - old;
	const char *from = at < first ? capture->ring + old + at
				      : capture->ring + (at - first);
	size_t there = at < first ? first - at : capture->ring_len - at;
	size_t n = min_size(there, len);

	memcpy(buf, from, n);
	return n;
}

size_t
w_capture_read(
    const struct w_capture *capture, uint64_t offset, char *buf, size_t len)
{
	uint64_t ring_start = capture->bytes - capture->ring_len;

	if (offset >= capture->bytes || len == 0)
		return 0;
	if (offset < capture->head_len) {
		size_t at = (size_t)offset;
		size_t n = min_size(capture->head_len - at, len);

		memcpy(buf, capture->head + at, n);
		return n;
	}
	if (offset < ring_start)
		return 0;
	return read_ring(capture, (size_t)(offset - ring_start), buf, len);
}

/* The lengths of the final form. */
static writ_output
capture_measure(const struct w_capture *capture)
{
	bool is_whole = w_capture_is_whole(capture);

	return (writ_output){
	    .head_len = capture->head_len + (is_whole ? capture->ring_len : 0),
	    .tail_len = is_whole ? 0 : capture->ring_len,
	    .bytes = capture->bytes,
	    .truncated = !is_whole,
	};
}

/* Where the parts of the final form are, with a NUL after each. */
static void
name_parts(const writ_output *form, char *head, char *tail, writ_output *out)
{
	head[form->head_len] = '\0';
	tail[form->tail_len] = '\0';
	out->head = head;
	out->head_len = form->head_len;
	out->tail = tail;
	out->tail_len = form->tail_len;
	out->bytes = form->bytes;
	out->truncated = form->truncated;
}

/* Appends the ring to the head of a whole stream, else copies it to the
 * tail. */
static void
put_form(const struct w_capture *capture, const writ_output *form, char *head,
    char *tail, writ_output *out)
{
	unroll(capture, form->truncated ? tail : head + capture->head_len);
	name_parts(form, head, tail, out);
}

bool
w_capture_copy(const struct w_capture *capture, writ_output *out)
{
	const writ_output form = capture_measure(capture);
	char *head = malloc(form.head_len + 1);
	char *tail = malloc(form.tail_len + 1);

	if (head == NULL || tail == NULL) {
		free(head);
		free(tail);
		return false;
	}
	if (capture->head_len > 0)
		memcpy(head, capture->head, capture->head_len);
	put_form(capture, &form, head, tail, out);
	return true;
}

/* They do not overlap. */
static void
swap_bytes(char *a, char *b, size_t len)
{
	char kept[4096];

	while (len > 0) {
		const size_t part = min_size(len, sizeof(kept));

		memcpy(kept, a, part);
		memcpy(a, b, part);
		memcpy(b, kept, part);
		a += part;
		b += part;
		len -= part;
	}
}

/* Moves the first bytes behind the others, in place. Each step brings the
 * shorter of the two parts to its place, or what is to stand there. */
static void
rotate(char *bytes, size_t len, size_t first)
{
	size_t rest = len - first;

	while (first > 0 && rest > 0) {
		const size_t part = min_size(first, rest);

		swap_bytes(bytes, bytes + first, part);
		bytes += part;
		if (first <= rest)
			rest -= part;
		else
			first -= part;
	}
}

bool
w_capture_take(struct w_capture *capture, writ_output *out)
{
	const writ_output form = capture_measure(capture);
	char *head = realloc(capture->head, form.head_len + 1);

	if (head == NULL)
		return false;
	capture->head = head;
	/* The ring may be large, and there is no room for a second one. */
	if (form.truncated && capture->ring != NULL) {
		rotate(capture->ring, capture->ring_len, oldest(capture));
		name_parts(&form, head, capture->ring, out);
		*capture = (struct w_capture){0};
		return true;
	}
	char *tail = malloc(form.tail_len + 1);
	if (tail == NULL)
		return false;
	put_form(capture, &form, head, tail, out);
	capture->head = NULL;
	w_capture_done(capture);
	return true;
}
