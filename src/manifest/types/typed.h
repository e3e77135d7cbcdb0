/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_TYPED_H
#define W_MANIFEST_TYPED_H

#include "manifest/read/manifest_parser.h"

/*
 * The types of resources that a table describes: package, service, user, group,
 * archive, edit. A type is
 *
 *   TYPE_keys.c   the table of its keys, which is all that the reader, the
 *                 events and --render need: a reader below also says how its
 *                 value is written
 *   TYPE.c        void w_TYPE_apply(struct w_resource_step *), with the
 *                 functions of typed_step.h; a row in apply/apply.c
 *
 * A property is a list of texts at the index that the type's header names; most
 * have one. A truth is "true" or "false", a number its digits.
 */

/* Where the property is, for a struct w_parse_key. */
#define W_TYPED_AT(index) \
	offsetof(struct w_resource_draft, body.typed.values[index])

w_parse_reader w_typed_read_text; /* may be empty */
w_parse_reader w_typed_read_word; /* not empty; or a number */
w_parse_reader w_typed_read_path; /* absolute, without "." and ".." */
w_parse_reader w_typed_read_truth;
w_parse_reader w_typed_read_number; /* 0 to 2^32 - 2 */
w_parse_reader w_typed_read_mode;   /* four octal digits */
w_parse_reader w_typed_read_time;   /* milliseconds */
w_parse_reader w_typed_read_words;  /* a list, or one */
/* Filled in when the resource is applied; may have secrets. */
w_parse_reader w_typed_read_deferred;
w_parse_reader w_typed_read_secret;        /* likewise; never shown */
w_parse_reader w_typed_read_deferreds;     /* a list, or one */
w_parse_reader w_typed_read_provider_none; /* no type of provider to choose */

/* Reads one of the words, which end with NULL; for the readers of a type. */
void w_typed_read_choice(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val, const char *const *words);

/* Sets ensure to one of the words. false: none of them, which was reported. */
bool w_typed_read_ensure(struct w_parser *parser, struct w_resource *resource,
    yyjson_val *val, const char *const *words);

/* The table of a type; NULL: it has none. */
const struct w_parse_key *w_typed_keys(enum w_resource_type type);
/* The values of a key of the table; NULL: it is one of those that all resources
 * have. */
const struct w_property_list *w_typed_values(
    const struct w_resource *resource, const struct w_parse_key *key);
/* Whether it is filled in when the resource is applied. */
bool w_typed_is_deferred(const struct w_parse_key *key);

/* The filled-in text of an early property; NULL: it is absent. */
const char *w_typed_early(const struct w_resource *resource, int index);
bool w_typed_has(const struct w_resource *resource, int index);
bool w_typed_is_true(
    const struct w_resource *resource, int index, bool standard);

/* Reports a property that must, or cannot, be there. */
bool w_typed_refuse_with(struct w_parser *parser,
    const struct w_resource *resource, int index, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));

/* Whether a text has only these characters, and at least one. The first is not
 * '-': it must not be taken for an option. */
bool w_typed_is_name(const char *text, const char *more);
/* An absolute path without an empty part, "." or "..". */
bool w_typed_is_path(const char *path);

#endif /* W_MANIFEST_TYPED_H */
