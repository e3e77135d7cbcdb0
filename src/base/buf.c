/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The growing byte string. Its invariants are in buf.h; every function keeps
 * them even when memory runs out.
 */

#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_CAP 64

/* Where an unallocated buffer points. Never written: cap is 0 then. */
static char nothing[1];

void
w_buf_init(struct w_buf *buf, size_t max)
{
	*buf = (struct w_buf){.data = nothing, .max = max};
}

void
w_buf_done(struct w_buf *buf)
{
	if (buf->cap > 0)
		free(buf->data);
	w_buf_init(buf, buf->max);
}

/* Makes room for more bytes and the NUL. Doubling keeps the cost of many
 * small appends linear; the maximum bounds what doubling could waste. */
static bool
buf_reserve(struct w_buf *buf, size_t more)
{
	/* SIZE_MAX bytes would leave no room for the NUL. */
	if (more > buf->max - buf->len || buf->len + more == SIZE_MAX)
		return false;
	size_t need = buf->len + more + 1;
	if (need <= buf->cap)
		return true;

	size_t cap = FIRST_CAP;
	if (buf->cap > buf->max / 2)
		cap = buf->max < SIZE_MAX ? buf->max + 1 : need;
	else if (buf->cap > FIRST_CAP / 2)
		cap = buf->cap * 2;
	if (cap < need)
		cap = need;

	char *data = realloc(buf->cap > 0 ? buf->data : NULL, cap);
	if (data == NULL)
		return false;
	if (buf->cap == 0)
		data[0] = '\0';
	buf->data = data;
	buf->cap = cap;
	return true;
}

void
w_buf_add(struct w_buf *buf, const void *bytes, size_t len)
{
	if (buf->failed || len == 0)
		return;
	/* Most appends have room, and documents are made of millions. */
	if ((len >= buf->cap - buf->len || len > buf->max - buf->len) &&
	    !buf_reserve(buf, len)) {
		buf->failed = true;
		return;
	}
	memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
}

void
w_buf_add_str(struct w_buf *buf, const char *str)
{
	w_buf_add(buf, str, strlen(str));
}

void
w_buf_add_char(struct w_buf *buf, char c)
{
	w_buf_add(buf, &c, 1);
}

void
w_buf_add_fmt(struct w_buf *buf, const char *fmt, ...)
{
	if (buf->failed)
		return;

	va_list args;
	va_start(args, fmt);
	int len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0 || !buf_reserve(buf, (size_t)len)) {
		buf->failed = true;
		return;
	}

	va_start(args, fmt);
	(void)vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, args);
	va_end(args);
	buf->len += (size_t)len;
}

int
w_buf_read(struct w_buf *buf, int fd)
{
	char piece[8192];

	for (;;) {
		const ssize_t len = read(fd, piece, sizeof(piece));

		if (len < 0 && errno == EINTR)
			continue;
		if (len <= 0)
			return len == 0 ? 0 : errno;
		if ((size_t)len > buf->max - buf->len)
			return EFBIG;
		w_buf_add(buf, piece, (size_t)len);
		if (buf->failed)
			return ENOMEM;
	}
}

char *
w_buf_take(struct w_buf *buf, size_t *out_len)
{
	/* An empty string must be free()able, too. */
	if (!buf->failed && buf->cap == 0 && !buf_reserve(buf, 0))
		buf->failed = true;
	if (buf->failed) {
		w_buf_done(buf);
		return NULL;
	}

	char *taken = buf->data;
	if (out_len != NULL)
		*out_len = buf->len;
	w_buf_init(buf, buf->max);
	return taken;
}
