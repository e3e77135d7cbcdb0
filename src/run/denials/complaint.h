/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_COMPLAINT_H
#define W_RUN_COMPLAINT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What programs say when they were refused something: finds the known words of
 * errors in their output, and the path or host beside them.
 *
 * The output is the command's and may be forged. Nothing here is looked up or
 * believed: its user checks it against the sandbox.
 */
enum w_complaint_kind {
	W_COMPLAINT_READ_ONLY,     /* EROFS */
	W_COMPLAINT_NO_PERMISSION, /* EACCES */
	W_COMPLAINT_NOT_PERMITTED, /* EPERM */
	W_COMPLAINT_BUSY,          /* EBUSY */
	W_COMPLAINT_FAMILY,        /* EAFNOSUPPORT */
	W_COMPLAINT_UNREACHABLE,   /* ENETUNREACH */
	W_COMPLAINT_UNRESOLVED,    /* a name has no address */
	W_COMPLAINT_UNCONNECTED,   /* no connection, for some reason */
};

/* A part of the text, not terminated. at is NULL for none. */
struct w_complaint_part {
	const char *at;
	size_t len;
};

struct w_complaint {
	enum w_complaint_kind kind;
	bool is_write;                /* the words say that it was writing */
	struct w_complaint_part path; /* of the kinds up to BUSY; never empty */
	struct w_complaint_part host; /* of the others; may be none */
};

enum {
	W_COMPLAINT_LINE_MAX = 4096, /* longer lines are passed over */
	W_COMPLAINT_HOST_MAX = 253,
};

/* Takes one complaint; false: no more are wanted. */
typedef bool (*w_complaint_fn)(void *ctx, const struct w_complaint *complaint);

/* Calls fn for each complaint, in the order of the text. */
void w_complaint_find_all(
    const char *text, size_t len, w_complaint_fn fn, void *ctx);

/* complaint_names.c: the path or host in a line. word is where the words of the
 * error begin in it, after is what follows them. None: at is NULL. */
struct w_complaint_part w_complaint_path(struct w_complaint_part line,
    const char *word, struct w_complaint_part after);
struct w_complaint_part w_complaint_host(struct w_complaint_part line);

/* The last absolute path in quotation marks in a line; or none. */
struct w_complaint_part w_complaint_quoted_path(struct w_complaint_part line);

/* Where a text, in lower case, begins in a line of either case; or NULL. */
const char *w_complaint_search(struct w_complaint_part line, const char *text);

#endif /* W_RUN_COMPLAINT_H */
