/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_DRAFT_FIELDS_H
#define W_ENGINE_DRAFT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include <writ/draft.h>

/* The type of a key. The public names are in draft_fields.c. */
enum w_draft_kind {
	W_KIND_STRING,
	W_KIND_LIST,
	W_KIND_MAP,
	W_KIND_BYTES,
	W_KIND_DURATION,
	W_KIND_SIZE,
	W_KIND_COUNT,
	W_KIND_MODE,
	W_KIND_INTEGER,
	W_KIND_WORD,
	W_KIND_SWITCH,
};

enum w_draft_field_flag {
	W_FIELD_PLAIN = 0,
	W_FIELD_ID = 1 << 0,        /* JSON may give a number: a user id */
	W_FIELD_STDIN = 1 << 1,     /* sets stdin_kind */
	W_FIELD_NEEDS_ONE = 1 << 2, /* a list without elements is invalid */
	W_FIELD_BLANK_OK = 1 << 3,  /* elements after the first may be empty */
	W_FIELD_ZERO_REAL = 1 << 4, /* 0 is stored as WRIT_ZERO */
	W_FIELD_NOT_ZERO = 1 << 5,  /* 0 is invalid */
	W_FIELD_PATHS = 1 << 6,     /* no newline in an element */
	W_FIELD_GROWS = 1 << 7,     /* a list that is never replaced */
	W_FIELD_SMALL = 1 << 8,     /* the member is an unsigned int */
	W_FIELD_HOSTS = 1 << 9,     /* each element is a pattern of hosts */
};

enum w_draft_list_id {
	W_LIST_ARGV,
	W_LIST_ROOTS,
	W_LIST_ENV,
	W_LIST_ENV_PASS,
	W_LIST_ENV_DROP,
	W_LIST_READ,
	W_LIST_WRITE,
	W_LIST_HIDE,
	W_LIST_HOSTS,
	W_LIST_SECRETS,
	W_LIST_COUNT,
};

/* One key of a request: what it accepts and where it is stored. */
struct w_draft_field {
	const char *name;
	enum w_draft_kind kind;
	size_t offset;      /* of the member in writ_request */
	const char *choice; /* words: for messages, "kill|keep" */
	unsigned flags;
	enum w_draft_list_id list; /* lists and maps */
	uint64_t max;              /* numbers: the largest value; strings:
				      the maximum length, of printable ASCII,
				      unless 0 */
	const char *const *words;  /* words: by enum value, then NULL */
	const char *noun;          /* words: what they are, for messages */
	const char *excludes;      /* the key that cannot be given with it */
};

/* All fields, *out_count of them, in the order of writ_draft_keys(). */
const struct w_draft_field *w_draft_fields(size_t *out_count);

/* The field of a key, or NULL with WRIT_E_INVALID and a suggestion in *err. */
const struct w_draft_field *w_draft_field_find(
    const char *name, size_t len, writ_error *err);

/* The smallest number that a field accepts: 0 or 1. */
uint64_t w_draft_field_min(const struct w_draft_field *field);

#endif /* W_ENGINE_DRAFT_FIELDS_H */
