/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_SPELLING_READER_H
#define W_COMMAND_SPELLING_READER_H

#include "command/description/spelling_type.h"

#define W_SPELLING_NAMES_MAX 16
#define W_SPELLING_WORDS_MAX 8

/* A spelling while it is parsed. */
struct w_spelling_reader {
	struct w_spelling *in;
	size_t at;
	struct w_flag_name names[W_SPELLING_NAMES_MAX];
	size_t offsets[W_SPELLING_NAMES_MAX]; /* of the names in the text */
	size_t name_count;
	size_t open; /* the first name that has no value yet */
	size_t value_at;
	size_t value_len; /* of all "<T>" together; 0: none yet */
	struct w_value_type types[W_SPELLING_WORDS_MAX];
	size_t type_count;
	bool is_optional;
	bool is_until_end;
	bool is_repeatable;
};

/* Whether the text continues with a word. */
bool w_spelling_has(
    const struct w_spelling_reader *in, size_t at, const char *word);

/* Skip a word, if the text continues with it; skip blanks. */
bool w_spelling_skip(struct w_spelling_reader *in, const char *word);
void w_spelling_skip_blanks(struct w_spelling_reader *in);

/* "-o", "--output". */
bool w_spelling_is_long(const struct w_flag_name *name);

/* Read one name; its value, if it has one; "<T>", or several separated by
 * blanks, if allowed. */
writ_status w_spelling_read_name(struct w_spelling_reader *in);
writ_status w_spelling_read_value(struct w_spelling_reader *in);
writ_status w_spelling_read_types(
    struct w_spelling_reader *in, bool may_be_several);

/* Names without a value are switches. */
writ_status w_spelling_close(struct w_spelling_reader *in);

#endif /* W_COMMAND_SPELLING_READER_H */
