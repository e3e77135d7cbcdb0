/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_PATTERN_TRANSLATOR_H
#define W_SCHEMA_PATTERN_TRANSLATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Translates a regular expression of ECMA-262 (flag u) to PCRE2.
 *
 * The whole grammar is parsed, and every character of the result is written
 * here: letters and digits as they are, all others as numbers. So nothing with
 * a special meaning in PCRE2 only can slip through.
 */

/* Callouts in the result, by which the matcher counts its work. */
enum w_pattern_callout {
	W_CALLOUT_SCAN = 1,  /* a repeated character starts here */
	W_CALLOUT_SCANNED,   /* and ends here */
	W_CALLOUT_STEP,      /* one more path is tried */
	W_CALLOUT_REFERENCE, /* the text of a group is compared */
};

#define W_PATTERN_LEN_MAX    ((size_t)16384)
#define W_PATTERN_TEXT_MAX   (W_PATTERN_LEN_MAX * 128) /* for "\\S" */
#define W_PATTERN_DEPTH_MAX  100
#define W_PATTERN_NAMES_MAX  100
#define W_PATTERN_REPEAT_MAX 65535 /* PCRE2's limit */

/* State while a pattern is translated. */
struct w_pattern_reader {
	const char *text;
	size_t len;
	size_t at;
	struct w_buf *out;
	writ_error *err;
	unsigned group_count;
	unsigned name_count;
	struct {
		size_t at;
		size_t len;
		unsigned group;
	} names[W_PATTERN_NAMES_MAX];
	bool captures; /* some group has a back reference */
	bool guarded;  /* write callouts */

	/* Estimated work of a match. */
	bool is_anchored;
	bool has_loop;  /* a group is repeated or referenced */
	unsigned scans; /* repeated characters without a small bound */
	unsigned paths; /* paths through the rest, up to W_PATTERN_PATHS_MAX */
};

/* What precedes a quantifier. */
enum w_pattern_atom {
	W_ATOM_NONE, /* not repeatable */
	W_ATOM_CHAR,
	W_ATOM_GROUP,
	W_ATOM_REFERENCE,
};

/* The last element written and its offset in the result; for a group, the
 * offset after its opening. */
struct w_pattern_written {
	enum w_pattern_atom atom;
	size_t from;
};

/* Larger counts of paths just mean "many". */
#define W_PATTERN_PATHS_MAX 1000

/* text must be valid UTF-8. Fails with WRIT_E_INVALID. */
writ_status w_pattern_translate(
    const char *text, size_t len, struct w_buf *out, writ_error *err);

/* Fails with a message that names the character at the byte offset. */
writ_status w_pattern_bad(
    const struct w_pattern_reader *reader, size_t at, const char *why);

bool w_pattern_looking_at(
    const struct w_pattern_reader *reader, const char *word);

/* Reads a number; too large ones saturate. false: no number. */
bool w_pattern_read_number(
    struct w_pattern_reader *reader, uint32_t *out_number);

/* First pass: finds all groups (which may be referenced before they occur),
 * their names, and whether any is referenced. */
writ_status w_pattern_survey(struct w_pattern_reader *reader);

/* Whether a named group opens at this byte. */
bool w_pattern_is_named(const struct w_pattern_reader *reader, size_t at);

/* Length of the name that starts here and ends with '>'; 0: none. */
size_t w_pattern_name_len(const char *text, size_t len);

/* The number of the named group, from 1; 0: none. */
unsigned w_pattern_find_name(
    const struct w_pattern_reader *reader, const char *name, size_t len);

/* Writes a callout, and counts the paths of a match. */
void w_pattern_call_out(
    struct w_pattern_reader *reader, enum w_pattern_callout number);
void w_pattern_count_paths(struct w_pattern_reader *reader, uint32_t ways);

/* Reads and writes the optional quantifier. */
writ_status w_pattern_repeat(
    struct w_pattern_reader *reader, const struct w_pattern_written *written);

/* Reads a class after its '[', or an escape after its backslash, which is
 * written as a class. */
writ_status w_pattern_read_class(struct w_pattern_reader *reader);
writ_status w_pattern_read_escape(struct w_pattern_reader *reader);

/* A member of a class: a character, or a set that is already written. */
struct w_pattern_member {
	bool is_set;
	uint32_t code;
};

/* After a backslash: reads a character, or appends a set to out. */
writ_status w_pattern_read_escaped(struct w_pattern_reader *reader,
    struct w_buf *out, bool in_class, struct w_pattern_member *member);

#define W_SURROGATE_FIRST 0xd800U
#define W_SURROGATE_LAST  0xdfffU

/* Appends one character. */
void w_pattern_add_char(struct w_buf *out, uint32_t code);

/* Appends class contents: the characters that have the property, or (inverted)
 * do not have it. false: unknown property. */
bool w_pattern_add_property(
    struct w_buf *out, const char *name, size_t len, bool inverted);

#endif /* W_SCHEMA_PATTERN_TRANSLATOR_H */
