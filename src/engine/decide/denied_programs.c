/* SPDX-License-Identifier: Apache-2.0 */

/* Remembers which files the denied programs are. */

#include "engine/decide/denied_programs.h"

#include <stdlib.h>
#include <string.h>

bool
w_denied_programs_are_known(const struct w_denied_programs *denied,
    const char *question, const struct w_file_mark *dirs, size_t dir_count)
{
	if (denied->question == NULL || denied->dir_count != dir_count ||
	    strcmp(denied->question, question) != 0)
		return false;
	for (size_t i = 0; i < dir_count; i++) {
		if (!w_file_mark_is_same(&denied->dirs[i], &dirs[i]))
			return false;
	}
	return true;
}

static bool
keep_words(struct w_words *words, const char *const *texts)
{
	for (; *texts != NULL; texts++) {
		if (!w_words_add(words, *texts, strlen(*texts)))
			return false;
	}
	return true;
}

void
w_denied_programs_keep(struct w_denied_programs *denied, const char *question,
    const struct w_file_mark *dirs, size_t dir_count, const char *const *files,
    const char *const *leaving)
{
	w_denied_programs_forget(denied);
	if (!keep_words(&denied->files, files) ||
	    !keep_words(&denied->leaving, leaving))
		return;
	memcpy(denied->dirs, dirs, dir_count * sizeof(*dirs));
	denied->dir_count = dir_count;
	denied->question = strdup(question);
}

void
w_denied_programs_forget(struct w_denied_programs *denied)
{
	w_words_done(&denied->files);
	w_words_done(&denied->leaving);
	free(denied->question);
	*denied = (struct w_denied_programs){.was_asked = denied->was_asked};
}
