/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Edits of texts: what an edit has done it does not do again, and what it has
 * set it can remove. The first line says which edit, the second has its words.
 */

#include <stdlib.h>
#include <string.h>

#include "manifest/types/edit.h"

#include "check.h"

/* The next line of the input, NUL-ended in the copy. */
static char *
next_line(char **at)
{
	char *line = *at;
	char *end = strchr(line, '\n');

	if (end == NULL) {
		*at = line + strlen(line);
		return line;
	}
	*end = '\0';
	*at = end + 1;
	return line;
}

static void
check_edit(const struct w_typed_edit *edit, const char *text, size_t len)
{
	W_AUTO_BUF struct w_buf once, twice;
	writ_error err = {.status = WRIT_OK};

	w_buf_init(&once, W_EDIT_TEXT_MAX);
	w_buf_init(&twice, W_EDIT_TEXT_MAX);
	if (w_typed_edit_text(edit, text, len, &once, &err) != WRIT_OK) {
		CHECK(err.message[0] != '\0');
		return;
	}
	const char *made = once.len == 0 ? "" : once.data;
	/* A pattern may match what was put there, and a new section begin in a
	 * block: only edits without them come to rest for certain. */
	if (edit->match != NULL || edit->after != NULL || edit->block != NULL)
		return;
	CHECK(w_typed_edit_text(edit, made, once.len, &twice, &err) == WRIT_OK);
	CHECK(once.len == twice.len &&
	      (once.len == 0 || memcmp(made, twice.data, once.len) == 0));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);
	struct w_typed_edit edit = {.marker = "# " W_EDIT_MARK " x"};

	if (copy == NULL)
		return 0;
	memcpy(copy, data, size);
	copy[size] = '\0';
	char *at = copy;
	const char *kind = next_line(&at);
	const char *word = next_line(&at);
	const char *more = next_line(&at);
	edit.is_absent = strchr(kind, '-') != NULL;
	if (strchr(kind, 'b') != NULL) {
		edit.block = word;
	} else if (strchr(kind, 'k') != NULL) {
		edit.key = word;
		edit.value = more;
		edit.section = strchr(kind, 's') != NULL ? "s" : NULL;
	} else {
		edit.line = word;
		edit.match = strchr(kind, 'm') != NULL ? more : NULL;
		edit.after = strchr(kind, 'a') != NULL ? more : NULL;
	}
	/* What the reader of manifests refuses. */
	if (edit.key == NULL ||
	    (word[0] != '\0' && strpbrk(word, "=:[ \t\r") == NULL &&
		strpbrk(more, " \t\r") == NULL))
		check_edit(&edit, at, size - (size_t)(at - copy));
	free(copy);
	return 0;
}
