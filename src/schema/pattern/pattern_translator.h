/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_PATTERN_TRANSLATOR_H
#define W_SCHEMA_PATTERN_TRANSLATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * From a regular expression of ECMA-262 (flag u) to one of PCRE2.
 *
 * The whole grammar is read, and every character of the result is chosen here:
 * letters and digits stand for themselves, all others are written as numbers.
 * So nothing that means more to PCRE2 than to ECMA-262 can get through.
 */

/* What the result asks its matcher to count, by callouts of these numbers. */
enum w_pattern_callout {
	W_CALLOUT_SCAN = 1,  /* a repeated character begins here */
	W_CALLOUT_SCANNED,   /* and ends here */
	W_CALLOUT_STEP,      /* one more way is tried */
	W_CALLOUT_REFERENCE, /* as much text as a group holds is compared */
};

#define W_PATTERN_LEN_MAX    ((size_t)16384)
#define W_PATTERN_TEXT_MAX   (W_PATTERN_LEN_MAX * 128) /* for "\\S", and more */
#define W_PATTERN_DEPTH_MAX  100
#define W_PATTERN_NAMES_MAX  100
#define W_PATTERN_REPEAT_MAX 65535 /* PCRE2 counts no further */

/* A reader in the middle of a pattern; shared by the files that translate. */
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
	bool captures; /* some group is referred to */
	bool guarded;  /* callouts are written */

	/* How much work a match can be. */
	bool is_anchored;
	bool has_loop;  /* a group is repeated, or referred to */
	unsigned scans; /* characters that are repeated without a small bound */
	unsigned paths; /* ways through the rest, up to a thousand */
};

/* What a quantifier may follow. */
enum w_pattern_atom {
	W_ATOM_NONE, /* nothing that can be repeated */
	W_ATOM_CHAR,
	W_ATOM_GROUP,
	W_ATOM_REFERENCE,
};

/* Something that was just written, from the given place of the result on; of a
 * group the place behind what opens it. */
struct w_pattern_written {
	enum w_pattern_atom atom;
	size_t from;
};

/* Beyond this a count of ways says no more than that they are many. */
#define W_PATTERN_PATHS_MAX 1000

/* Translates; text is valid UTF-8. Fails with WRIT_E_INVALID. */
writ_status w_pattern_translate(
    const char *text, size_t len, struct w_buf *out, writ_error *err);

/* Fails, and names the character that the byte at lies in. */
writ_status w_pattern_bad(
    const struct w_pattern_reader *reader, size_t at, const char *why);

bool w_pattern_looking_at(
    const struct w_pattern_reader *reader, const char *word);

/* Takes a number; too large ones stay above every bound. false: none here. */
bool w_pattern_read_number(
    struct w_pattern_reader *reader, uint32_t *out_number);

/* Finds all groups, which can be referred to before they come, their names,
 * and whether any is referred to. */
writ_status w_pattern_survey(struct w_pattern_reader *reader);

/* Whether a named group opens at the byte. */
bool w_pattern_is_named(const struct w_pattern_reader *reader, size_t at);

/* How long the name is that begins here and ends with '>'; 0: there is none. */
size_t w_pattern_name_len(const char *text, size_t len);

/* The group of that name, from 1; 0: there is none. */
unsigned w_pattern_find_name(
    const struct w_pattern_reader *reader, const char *name, size_t len);

/* Writes a callout, and counts ways that a match can take. */
void w_pattern_call_out(
    struct w_pattern_reader *reader, enum w_pattern_callout number);
void w_pattern_count_paths(struct w_pattern_reader *reader, uint32_t ways);

/* Reads the quantifier that may follow, and writes it. */
writ_status w_pattern_repeat(
    struct w_pattern_reader *reader, const struct w_pattern_written *written);

/* A class, after its '['; or an escape, after its backslash, as the class of
 * one or more characters that it is. */
writ_status w_pattern_read_class(struct w_pattern_reader *reader);
writ_status w_pattern_read_escape(struct w_pattern_reader *reader);

/* One member of a class: a character, or a set that is written already. */
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

/* Appends the inside of a class: the characters that have the property, or
 * (inverted) that have it not. false: there is no such property. */
bool w_pattern_add_property(
    struct w_buf *out, const char *name, size_t len, bool inverted);

#endif /* W_SCHEMA_PATTERN_TRANSLATOR_H */
