/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_BUF_H
#define W_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A growing byte string with a maximum.
 *
 * Invariants: data is never NULL and data[len] is NUL. A failed append (no
 * memory, over the maximum) sets failed and leaves the content unchanged; later
 * appends do nothing. So a caller appends freely and checks once.
 */
struct w_buf {
	char *data;
	size_t len;
	size_t cap; /* 0: nothing allocated yet */
	size_t max;
	bool failed;
};

void w_buf_init(struct w_buf *buf, size_t max);
void w_buf_done(struct w_buf *buf);
#define W_AUTO_BUF __attribute__((cleanup(w_buf_done)))

void w_buf_add(struct w_buf *buf, const void *bytes, size_t len);
void w_buf_add_str(struct w_buf *buf, const char *str);
void w_buf_add_char(struct w_buf *buf, char c);
void w_buf_add_fmt(struct w_buf *buf, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends all that a blocking descriptor has; files in /proc have no size in
 * advance, and one that is endless is not read further than the maximum. 0;
 * EFBIG: there is more; ENOMEM; or the errno of read(). */
int w_buf_read(struct w_buf *buf, int fd);

/* The last byte, or NUL if there is none. */
static inline char
w_buf_last(const struct w_buf *buf)
{
	return buf->len > 0 ? buf->data[buf->len - 1] : '\0';
}

/* Returns the string (yours: free()), or NULL if the buffer failed. The buffer
 * is empty afterwards. */
char *w_buf_take(struct w_buf *buf, size_t *out_len);

#endif /* W_BASE_BUF_H */
