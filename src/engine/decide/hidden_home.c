/* SPDX-License-Identifier: Apache-2.0 */

/* Remembers what of the home directory was hidden. */

#include "engine/decide/hidden_home.h"

#include <string.h>
#include <sys/stat.h>

#include "os/loop.h"

static bool
is_same_question(const struct w_words *question, const char *home,
    const char *const *kept, size_t kept_count)
{
	if (question->count != kept_count + 1 ||
	    strcmp(question->items[0], home) != 0)
		return false;
	for (size_t i = 0; i < kept_count; i++) {
		if (strcmp(question->items[i + 1], kept[i]) != 0)
			return false;
	}
	return true;
}

bool
w_hidden_home_is_known(const struct w_hidden_home *hidden, const char *home,
    const char *const *kept, size_t kept_count)
{
	if (hidden->made_ns == 0 ||
	    w_now_ns() - hidden->made_ns > W_HIDDEN_HOME_MS * W_NS_PER_MS ||
	    !is_same_question(&hidden->question, home, kept, kept_count))
		return false;
	for (size_t i = 0; i < hidden->dirs.count; i++) {
		struct stat st;

		if (stat(hidden->dirs.items[i], &st) < 0)
			return false;
		const struct w_file_mark now = w_file_mark_of(&st);
		if (!w_file_mark_is_same(&hidden->marks[i], &now))
			return false;
	}
	return true;
}

static void
hidden_home_add(
    struct w_hidden_home *hidden, struct w_words *words, const char *text)
{
	if (!hidden->is_partial && !w_words_add(words, text, strlen(text)))
		hidden->is_partial = true;
}

void
w_hidden_home_begin(struct w_hidden_home *hidden, const char *home,
    const char *const *kept, size_t kept_count)
{
	w_hidden_home_forget(hidden);
	/* The first run may be the only one. */
	hidden->is_partial = !hidden->was_asked;
	hidden->was_asked = true;
	hidden_home_add(hidden, &hidden->question, home);
	for (size_t i = 0; i < kept_count; i++)
		hidden_home_add(hidden, &hidden->question, kept[i]);
}

void
w_hidden_home_add_dir(struct w_hidden_home *hidden, const char *path, int fd)
{
	struct stat st;

	if (hidden->is_partial)
		return;
	const size_t at = hidden->dirs.count;
	if (at == W_HIDDEN_HOME_DIRS_MAX || fd < 0 || fstat(fd, &st) < 0) {
		hidden->is_partial = true;
		return;
	}
	hidden->marks[at] = w_file_mark_of(&st);
	hidden->is_partial = !w_file_mark_is_settled(&hidden->marks[at], fd);
	hidden_home_add(hidden, &hidden->dirs, path);
}

void
w_hidden_home_end(
    struct w_hidden_home *hidden, const char *const *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		hidden_home_add(hidden, &hidden->hidden, items[i]);
	if (hidden->is_partial)
		w_hidden_home_forget(hidden);
	else
		hidden->made_ns = w_now_ns();
}

void
w_hidden_home_forget(struct w_hidden_home *hidden)
{
	w_words_done(&hidden->question);
	w_words_done(&hidden->dirs);
	w_words_done(&hidden->hidden);
	*hidden = (struct w_hidden_home){.was_asked = hidden->was_asked};
}
