/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Candidates for completion. Ids, profiles and the like are what another
 * command of writ prints. It is called in this process, so that completion
 * waits for one start of writ only.
 */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/words.h"
#include "cli/cli_command.h"
#include "cli/help/complete.h"
#include "cli/options/subcommand.h"
#include "cli/output/print.h"

/* What shells complete themselves. */
static const struct {
	const char *words;
	const char *kind;
} kinds[] = {
    {"@file", "files"},
    {"@dir", "directories"},
    {"@command", "command"},
    {"@user", "users"},
    {"@group", "groups"},
    {NULL, NULL},
};

/* The commands whose lines begin with a value. */
static const struct {
	const char *words;
	const char *line;
} sources[] = {
    {"@profile", "sandbox list"},
    {"@policy", "policy presets --names"},
    {"@run", "audit list --ids"},
    {"@running", "ps --ids"},
    {"@approval", "approvals list --ids"},
    {"@grant", "approvals grants --ids"},
    {"@session", "session list --applies --ids"},
    {"@live-session", "session list --live --ids"},
    {"@module", "module list --ids"},
    {NULL, NULL},
};

/* Whether a text has bytes that could end a row or control a terminal. */
static bool
has_control(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ' || *text == '\x7f')
			return true;
	}
	return false;
}

/* The first sentence, without its full stop. */
static void
add_sentence(struct w_buf *buf, const char *text)
{
	const char *end = strstr(text, ". ");
	size_t len = end != NULL ? (size_t)(end - text) : strlen(text);

	if (len > 0 && text[len - 1] == '.')
		len--;
	for (size_t i = 0; i < len; i++) {
		const char byte[] = {text[i], '\0'};

		w_buf_add_char(buf, has_control(byte) ? ' ' : text[i]);
	}
}

void
w_complete_add(struct w_complete_answer *answer, const char *head,
    const char *word, const char *about)
{
	if (word[0] == '\0' || has_control(head) || has_control(word))
		return;
	w_buf_add_fmt(&answer->rows, "%s%s", head, word);
	if (about != NULL && about[0] != '\0') {
		w_buf_add_char(&answer->rows, '\t');
		add_sentence(&answer->rows, about);
	}
	w_buf_add_char(&answer->rows, '\n');
}

void
w_complete_leave(
    struct w_complete_answer *answer, const char *kind, const char *head)
{
	w_buf_add_fmt(
	    &answer->first, "%s%s%s", kind, head[0] == '\0' ? "" : " ", head);
}

static void
read_all(int fd, struct w_buf *out)
{
	char bytes[4096];
	off_t at = 0;
	ssize_t len;

	while ((len = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		w_buf_add(out, bytes, (size_t)len);
		at += len;
	}
}

static void
call_command(const char *line, const char *operand)
{
	W_AUTO_WORDS struct w_words argv = {.items = NULL};

	if (w_words_split(line, strlen(line), &argv, NULL) != WRIT_OK ||
	    (operand != NULL && !w_words_add(&argv, operand, strlen(operand))))
		return;
	const struct w_cli_command *command = w_cli_command_find(argv.items[0]);

	if (command->subs != NULL)
		(void)w_subcommand_run(command, (int)argv.count, argv.items);
	else
		(void)command->run((int)argv.count, argv.items);
	(void)fflush(stdout);
}

/* Appends what a command of writ prints. operand: its last word, or NULL. */
static void
capture(const char *line, const char *operand, struct w_buf *out)
{
	W_AUTO_FD int file = memfd_create("writ-complete", MFD_CLOEXEC);
	W_AUTO_FD int saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (file < 0 || saved < 0 || dup2(file, STDOUT_FILENO) < 0)
		return;
	call_command(line, operand);
	if (dup2(saved, STDOUT_FILENO) >= 0)
		read_all(file, out);
}

static void
add_source(struct w_complete_answer *answer, const char *line, const char *head)
{
	char *next = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_PRINT_MAX);
	capture(line, NULL, &text);
	for (char *row = strtok_r(text.data, "\n", &next); row != NULL;
	     row = strtok_r(NULL, "\n", &next)) {
		row[strcspn(row, " ")] = '\0';
		w_complete_add(answer, head, row, NULL);
	}
}

/* The words of "a|b". */
static void
add_list(struct w_complete_answer *answer, const char *words, const char *head)
{
	while (*words != '\0') {
		const size_t len = strcspn(words, "|");
		W_AUTO_FREE char *word = strndup(words, len);

		if (word != NULL)
			w_complete_add(answer, head, word, NULL);
		words += len + (words[len] == '|');
	}
}

void
w_complete_add_values(struct w_complete_answer *answer, const char *words,
    const char *head, const char *rest)
{
	if (words[0] == '\0')
		return;
	for (size_t i = 0; kinds[i].words != NULL; i++) {
		if (strcmp(kinds[i].words, words) == 0) {
			w_complete_leave(answer, kinds[i].kind, head);
			return;
		}
	}
	/* A profile with a '/' is a file. A policy may be one without. */
	const bool is_path = strchr(rest, '/') != NULL;
	if (strcmp(words, "@policy") == 0 ||
	    (strcmp(words, "@profile") == 0 && is_path))
		w_complete_leave(answer, "files", head);
	if (words[0] != '@') {
		add_list(answer, words, head);
		return;
	}
	for (size_t i = 0; !is_path && sources[i].words != NULL; i++) {
		if (strcmp(sources[i].words, words) == 0)
			add_source(answer, sources[i].line, head);
	}
}

/* One row of `writ module show --names`: a name, its words or "-", its help.
 * Returns whether the last word is a value of this argument. */
static bool
add_argument(struct w_complete_answer *answer, char *row, const char *before,
    const char *word)
{
	char *next = row;
	const char *name = strsep(&next, "\t");
	const char *values = strsep(&next, "\t");
	const size_t len = strlen(name);
	const bool is_attached =
	    strncmp(word, name, len) == 0 && word[len] == '=';
	W_AUTO_FREE char *head = NULL;

	if (values == NULL || strcmp(values, "-") == 0 ||
	    (!is_attached && strcmp(before, name) != 0)) {
		w_complete_add(answer, "", name, next);
		return false;
	}
	head = is_attached ? strndup(word, len + 1) : strdup("");
	answer->rows.len = 0;
	if (head != NULL)
		add_list(answer, values, head);
	return true;
}

void
w_complete_add_module(struct w_complete_answer *answer, const char *id,
    const char *before, const char *word)
{
	char *next = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_PRINT_MAX);
	capture("module show --names --", id, &text);
	for (char *row = strtok_r(text.data, "\n", &next); row != NULL;
	     row = strtok_r(NULL, "\n", &next)) {
		if (add_argument(answer, row, before, word))
			return;
	}
	if (word[0] == '-') {
		w_complete_add(answer, "", "--help", "Show its help");
		return;
	}
	answer->rows.len = 0;
	w_complete_leave(answer, "files", "");
}
