/* SPDX-License-Identifier: Apache-2.0 */

/* Variables that a shell text sets to values that are known. */

#include <string.h>

#include "command/analysis/analyzer.h"

/* A longer value is not kept: it could be used very often. */
#define VALUE_LEN_MAX 512

/* The shell itself changes these, or what they do is special. */
static const char *const special[] = {"IFS", "PWD", "OLDPWD", "RANDOM",
    "SRANDOM", "SECONDS", "LINENO", "PPID", "OPTIND", "OPTARG", "OPTERR",
    "REPLY", "MAPFILE", "EUID", "UID", "GROUPS", "DIRSTACK", "FUNCNAME",
    "PIPESTATUS", "HISTCMD", "SHLVL", "SHELLOPTS", "COLUMNS", "LINES", "_",
    NULL};

static bool
is_special(const char *name, size_t len)
{
	for (size_t i = 0; special[i] != NULL; i++) {
		if (strlen(special[i]) == len &&
		    memcmp(special[i], name, len) == 0)
			return true;
	}
	return (len >= 4 && memcmp(name, "BASH", 4) == 0) ||
	       (len >= 5 && memcmp(name, "EPOCH", 5) == 0) ||
	       (len >= 4 && memcmp(name, "COMP", 4) == 0);
}

void
w_analyzer_set_value(struct w_analyzer *analyzer, struct w_shell_walk *walk,
    const char *name, size_t len, const struct w_shell_value *value)
{
	struct w_shell_value *made =
	    w_analyzer_alloc(analyzer, 1, sizeof(*made));

	/* Without memory the whole analysis fails. */
	if (made == NULL)
		return;
	*made = (struct w_shell_value){
	    .name = name, .name_len = len, .next = walk->values};
	if (value != NULL && strlen(value->value) <= VALUE_LEN_MAX &&
	    !is_special(name, len)) {
		made->value = value->value;
		made->names_at = value->names_at;
	}
	walk->values = made;
}

void
w_analyzer_set_word(
    struct w_analyzer *analyzer, struct w_shell_walk *walk, const char *word)
{
	const size_t len = strcspn(word, "=");
	const struct w_shell_value value = {
	    .value = word[len] == '\0' ? "" : word + len + 1,
	    .names_at = word[len] == '\0' ? 0 : strlen(word + len + 1)};
	const bool is_known =
	    w_analyzer_unseen(analyzer, word, strlen(word)) == NULL;

	w_analyzer_set_value(
	    analyzer, walk, word, len, is_known ? &value : NULL);
}
