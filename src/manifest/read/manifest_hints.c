/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Warnings about commands that are valid, but probably a mistake:
 *
 *   ls /tmp | wc        without a shell these are arguments of ls
 *   sh -c 'echo {{ x }}'    the inner shell reads the value as commands
 */

#include <stdio.h>
#include <string.h>

#include "manifest/read/manifest_parser.h"

#define WORD_SIZE 32

/* A walk through the words of a command, as base/words.h splits them. */
struct hint_walk {
	char quote; /* the one that is open; 0: none */
	bool is_escaped;
	bool in_word;
	bool is_bare; /* the word has no quote, no escape and no value */
	size_t words; /* that have ended */
	size_t len;   /* of the word */
	char word[WORD_SIZE];
	char first[WORD_SIZE]; /* the program */
	char second[WORD_SIZE];
	char sign[WORD_SIZE]; /* the first that is for a shell; "": none */
	bool is_read_again;   /* a value is in the text of an inner shell */
};

static bool
is_shell(const char *program)
{
	static const char *const shells[] = {
	    "sh", "bash", "dash", "ksh", "zsh", "ash", "busybox", NULL};
	const char *slash = strrchr(program, '/');
	const char *name = slash != NULL ? slash + 1 : program;

	for (size_t i = 0; shells[i] != NULL; i++) {
		if (strcmp(name, shells[i]) == 0)
			return true;
	}
	return false;
}

/* -c, also -ec and -lc. */
static bool
is_command_option(const char *word)
{
	const size_t len = strlen(word);

	return len >= 2 && word[0] == '-' && word[1] != '-' &&
	       word[len - 1] == 'c';
}

static bool
is_text_of_shell(const struct hint_walk *walk)
{
	return walk->words == 2 && is_shell(walk->first) &&
	       is_command_option(walk->second);
}

static void
end_word(struct hint_walk *walk)
{
	static const char *const signs[] = {"|", "||", "&&", ";", ">", ">>",
	    "<", "2>", "2>&1", "&>", "&", NULL};

	if (!walk->in_word)
		return;
	walk->word[walk->len] = '\0';
	for (size_t i = 0;
	     walk->is_bare && walk->sign[0] == '\0' && signs[i] != NULL; i++) {
		if (strcmp(walk->word, signs[i]) == 0)
			memcpy(walk->sign, walk->word, walk->len + 1);
	}
	/* A redirection may stick to its file: >/dev/null. */
	if (walk->is_bare && walk->sign[0] == '\0' && walk->len > 1 &&
	    walk->words > 0 &&
	    (walk->word[0] == '>' || strncmp(walk->word, "2>", 2) == 0))
		(void)snprintf(walk->sign, sizeof(walk->sign), "%s",
		    walk->word[0] == '>' ? ">" : "2>");
	if (walk->words == 0)
		memcpy(walk->first, walk->word, walk->len + 1);
	else if (walk->words == 1)
		memcpy(walk->second, walk->word, walk->len + 1);
	walk->words++;
	walk->in_word = false;
}

static void
begin_word(struct hint_walk *walk)
{
	if (walk->in_word)
		return;
	walk->in_word = true;
	walk->is_bare = true;
	walk->len = 0;
}

static void
walk_literal(struct hint_walk *walk, char c, char next)
{
	if (walk->is_escaped) {
		walk->is_escaped = false;
		return;
	}
	if (walk->quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
		end_word(walk);
		return;
	}
	begin_word(walk);
	if (c == '\\' && walk->quote != '\'') {
		walk->is_escaped = true;
		walk->is_bare = false;
	} else if (walk->quote != 0 && c == walk->quote) {
		walk->quote = 0;
	} else if (walk->quote == 0 && (c == '\'' || c == '"')) {
		walk->quote = c;
		walk->is_bare = false;
	} else {
		if (walk->quote == 0 && walk->sign[0] == '\0' &&
		    walk->words > 0 && (c == '*' || (c == '$' && next == '(')))
			(void)snprintf(walk->sign, sizeof(walk->sign), "%s",
			    c == '*' ? "*" : "$(");
		if (walk->len + 1 < sizeof(walk->word))
			walk->word[walk->len++] = c;
	}
}

static void
walk_template(struct hint_walk *walk, const struct w_template *template)
{
	const struct w_template_part whole = {
	    .literal = template->text, .len = template->len};
	const struct w_template_part *parts =
	    template->count > 0 ? template->parts : &whole;
	const size_t count = template->count > 0 ? template->count : 1;

	for (size_t i = 0; i < count; i++) {
		if (parts[i].literal == NULL) {
			begin_word(walk);
			walk->is_bare = false;
			if (is_text_of_shell(walk) &&
			    (w_expr_uses(parts[i].expr) & W_EXPR_USES_RAW) == 0)
				walk->is_read_again = true;
			continue;
		}
		for (size_t j = 0; j < parts[i].len; j++)
			walk_literal(walk, parts[i].literal[j],
			    j + 1 < parts[i].len ? parts[i].literal[j + 1] : 0);
	}
	end_word(walk);
}

static void
warn(struct w_parser *parser, const struct w_manifest_location *at,
    const char *what, const struct hint_walk *walk)
{
	if (walk->is_read_again) {
		w_parse_warn(parser, at,
		    "%s: the shell that it starts reads the value as commands",
		    what);
		w_parse_warn_suggest(parser,
		    "%s %s 'echo \"$1\"' sh {{ x }}, or 'provider: shell'",
		    walk->first, walk->second);
	}
	if (walk->sign[0] == '\0')
		return;
	w_parse_warn(parser, at,
	    "%s: '%s' is an argument here, for no shell reads this", what,
	    walk->sign);
	w_parse_warn_suggest(parser, "%s",
	    walk->sign[0] == '*' || walk->sign[0] == '$'
		? "'provider: shell', or put it in quotes"
		: "'provider: shell', or quotes if it is meant so");
}

void
w_parse_hint_command(struct w_parser *parser, const char *what,
    const struct w_command_property *command)
{
	struct hint_walk walk = {.quote = 0};

	if (parser->input->warnings == NULL || parser->is_sensitive)
		return;
	if (command->line.template.parts != NULL) {
		walk_template(&walk, &command->line.template);
		warn(parser, &command->line.at, what, &walk);
		return;
	}
	/* In a list each word is meant as it is. */
	for (size_t i = 0; i < command->words.count && i < 3; i++) {
		const struct w_template *word =
		    &command->words.items[i].template;
		char *copy = i == 0 ? walk.first : walk.second;

		walk.words = i;
		if (i < 2)
			(void)snprintf(copy, WORD_SIZE, "%.*s",
			    (int)strnlen(word->text, WORD_SIZE - 1),
			    word->text);
		else if (is_text_of_shell(&walk) &&
			 !w_template_is_plain(word) &&
			 (word->uses & W_EXPR_USES_RAW) == 0)
			walk.is_read_again = true;
	}
	if (command->words.count > 2)
		warn(parser, &command->words.items[2].at, what, &walk);
}

/* ---- words of others ---- */

static const struct {
	const char *word;
	const char *here;
} foreign[] = {
    {"when", "write control: { if: EXPR }"},
    {"only_if", "write onlyif, or control: { if: EXPR }"},
    {"not_if", "write unless, or control: { unless: EXPR }"},
    {"loop", "write each, with {{ item }} in the texts"},
    {"with_items", "write each, with {{ item }} in the texts"},
    {"with_dict", "write each, with {{ key }} and {{ item }} in the texts"},
    {"notify",
	"write subscribe: [TYPE#NAME] in the resource that is to be refreshed"},
    {"notifies",
	"write subscribe: [TYPE#NAME] in the resource that is to be refreshed"},
    {"before", "write require: [TYPE#NAME] in the other resource, behind this"},
    {"requires", "write require"},
    {"listen", "write subscribe: [TYPE#NAME]"},
    {"handlers", "write an exec with refreshonly: true and subscribe"},
    {"state", "write ensure"},
    {"become", "write user"},
    {"become_user", "write user"},
    {"chdir", "write cwd"},
    {"cmd", "write command"},
    {"dest", "the name of the resource is the path"},
    {"src", "write source, or template for one that is filled in"},
    {"retries", "write tries"},
    {"delay", "write try_sleep"},
    {"no_log", "write sensitive: true"},
    {"ignore_errors",
	"a failure does not end the apply, unless fail_on_error is set"},
    {"failed_when", "write returns, with the exit statuses that are fine"},
    {"include_tasks", "write the resource apply"},
    {"import_tasks", "write the resource apply"},
    {"include", "write the resource apply"},
    {"tasks", "write resources"},
    {"vars", "write data"},
    {"variables", "write data"},
    {"validate_cmd", "write validate"},
};

const char *
w_parse_foreign_word(const char *word)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		if (strcmp(foreign[i].word, word) == 0)
			return foreign[i].here;
	}
	return NULL;
}
