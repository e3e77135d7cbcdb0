/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which exit codes are answers. Of a shell text the last command decides; a
 * text whose last command is not plain to see has none.
 */

#include "mcp/runs/exit_answer.h"

#include <stddef.h>
#include <string.h>

/* Programs, and the codes other than 0 that are answers: the key `success` of a
 * module's description. */
static const struct {
	const char *program;
	int code;
} answers[] = {
    {"[", 1},
    {"[[", 1},
    {"cmp", 1},
    {"diff", 1},
    {"egrep", 1},
    {"expr", 1},
    {"fgrep", 1},
    {"grep", 1},
    {"pgrep", 1},
    {"rg", 1},
    {"test", 1},
    {"which", 1},
    {"zgrep", 1},
};

static bool
is_answer_of(const char *word, size_t len, int exit_code)
{
	for (size_t i = len; i > 0; i--) {
		if (word[i - 1] != '/')
			continue;
		word += i;
		len -= i;
		break;
	}
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (strlen(answers[i].program) == len &&
		    memcmp(answers[i].program, word, len) == 0 &&
		    answers[i].code == exit_code)
			return true;
	}
	return false;
}

/* `git diff --exit-code`, `git grep`: the same answers by a second word. */
static bool
is_git_answer(const char *rest, size_t len, int exit_code)
{
	static const char *const words[] = {"diff", "grep"};

	if (exit_code != 1)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == len && memcmp(words[i], rest, len) == 0)
			return true;
	}
	return false;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_end(char c)
{
	return c == '\n' || c == ';' || c == '|' || c == '&';
}

/* Skips what is in quotes or behind a backslash, from one of those. NULL: it
 * does not end. */
static const char *
skip_quoted(const char *at)
{
	const char quote = *at++;

	if (quote == '\\')
		return *at == '\0' ? NULL : at + 1;
	for (; *at != '\0' && *at != quote; at++) {
		if (*at == '\\' && quote == '"' && at[1] != '\0')
			at++;
	}
	return *at == '\0' ? NULL : at + 1;
}

/*
 * The last command of a text, from its first word on. NULL: not plain to see,
 * as with groups, here documents, comments, substitutions and reserved words.
 */
static const char *
last_command(const char *text)
{
	const char *last = NULL;
	bool is_begin = true;

	for (const char *at = text; *at != '\0';) {
		if (is_end(*at) || is_blank(*at)) {
			is_begin |= is_end(*at++);
			continue;
		}
		if (strchr("(){}`#", *at) != NULL ||
		    (at[0] == '$' && at[1] == '(') ||
		    (at[0] == '<' && at[1] == '<'))
			return NULL;
		if (is_begin)
			last = at;
		is_begin = false;
		if (*at == '\'' || *at == '"' || *at == '\\')
			at = skip_quoted(at);
		/* A descriptor: "2>&1". */
		else if (at[0] == '>' && at[1] == '&')
			at += 2;
		else
			at++;
		if (at == NULL)
			return NULL;
	}
	return last;
}

static size_t
word_len(const char *at)
{
	size_t len = 0;

	while (at[len] != '\0' && !is_blank(at[len]) && !is_end(at[len]))
		len++;
	return len;
}

static bool
is_text_answer(const char *text, int exit_code)
{
	const char *at = last_command(text);

	if (at == NULL)
		return false;
	const size_t len = word_len(at);
	if (len != strlen("git") || memcmp(at, "git", len) != 0)
		return is_answer_of(at, len, exit_code);
	for (at += len; is_blank(*at); at++)
		;
	return is_git_answer(at, word_len(at), exit_code);
}

bool
w_mcp_exit_is_answer(const writ_request *request, int exit_code)
{
	const char *const *argv = request->argv;

	if (request->shell != NULL)
		return is_text_answer(request->shell, exit_code);
	if (argv == NULL || argv[0] == NULL)
		return false;
	if (strcmp(argv[0], "git") == 0)
		return argv[1] != NULL &&
		       is_git_answer(argv[1], strlen(argv[1]), exit_code);
	return is_answer_of(argv[0], strlen(argv[0]), exit_code);
}
