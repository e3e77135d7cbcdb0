/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses a command line by an option table, with getopt_long().
 *
 * getopt_long() also accepts any unique prefix of a long name. A script that
 * relies on one breaks when the next option is added, so long names are
 * checked here first.
 */

#include "cli/options/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/match.h"

/* The getopt_long() code of a long option is its row plus this, so that it is
 * never a letter. */
#define LONG_BASE 256

/* getopt_long() returns this for an operand if the short options begin with
 * '-'. */
#define OPERAND 1

/* Longer than an error message, so that w_fail() sees and marks a cut. */
#define USAGE_TEXT_MAX 1024

struct options_parser {
	const struct w_cli_command *command;
	struct option longs[W_OPTIONS_MAX + 1];
	char shorts[2 * W_OPTIONS_MAX + 3];
};

static void
options_build(
    struct options_parser *parser, const struct w_cli_command *command)
{
	const struct w_option *options = command->options;
	char *at = parser->shorts;
	size_t count = 0;

	parser->command = command;
	*at++ = command->stops_at_operand ? '+' : '-';
	*at++ = ':';
	for (; count < W_OPTIONS_MAX && options[count].name != NULL; count++) {
		const struct w_option *option = &options[count];

		if (option->letter != 0)
			*at++ = option->letter;
		if (option->letter != 0 && option->arg != NULL)
			*at++ = ':';
		parser->longs[count] = (struct option){
		    .name = option->name,
		    .has_arg = option->arg != NULL,
		    .val = LONG_BASE + (int)count,
		};
	}
	*at = '\0';
	parser->longs[count] = (struct option){.name = NULL};
}

static const struct w_option *
by_code(const struct options_parser *parser, int code)
{
	const struct w_option *options = parser->command->options;

	if (code >= LONG_BASE)
		return &options[code - LONG_BASE];
	return w_options_find_letter(options, (char)code);
}

static const char *
nearest(const struct w_option *options, const char *name, size_t len)
{
	const char *names[W_OPTIONS_MAX + 1];
	char word[64];
	size_t count = 0;

	if (len >= sizeof(word))
		return NULL;
	memcpy(word, name, len);
	word[len] = '\0';
	for (; count < W_OPTIONS_MAX && options[count].name != NULL; count++)
		names[count] = options[count].name;
	names[count] = NULL;
	return w_match_nearest(word, names);
}

static writ_status
unknown_long(const struct w_cli_command *command, const char *word, size_t len,
    writ_error *err)
{
	const char *near = nearest(command->options, word + 2, len - 2);

	if (near == NULL)
		return w_usage_fail(
		    command, err, "unknown option '%.*s'", (int)len, word);
	return w_usage_fail(command, err,
	    "unknown option '%.*s', did you mean '--%s'?", (int)len, word,
	    near);
}

/* Checks the word that getopt_long() reads next. */
static writ_status
check_long(
    const struct w_cli_command *command, const char *word, writ_error *err)
{
	if (word == NULL || strncmp(word, "--", 2) != 0 || word[2] == '\0')
		return WRIT_OK;

	size_t len = strcspn(word, "=");
	if (w_options_find(command->options, word + 2, len - 2) == NULL)
		return unknown_long(command, word, len, err);
	return WRIT_OK;
}

static writ_status
missing_value(const struct options_parser *parser, writ_error *err)
{
	const struct w_option *option = by_code(parser, optopt);

	if (option == NULL)
		return w_fail(err, WRIT_E_INTERNAL, "usage", 0,
		    "option code %d has no row", optopt);
	return w_usage_fail(parser->command, err,
	    "option '--%s' needs a value: %s", option->name, option->arg);
}

static writ_status
take_code(const struct options_parser *parser, int code,
    const struct w_option_sink *sink, writ_error *err)
{
	if (code == OPERAND)
		return sink->take(sink->ctx, NULL, optarg, err);
	if (code == ':')
		return missing_value(parser, err);

	const struct w_option *option = by_code(parser, code);
	if (code != '?' && option != NULL)
		return sink->take(sink->ctx, option, optarg, err);
	/* '?' is an unknown letter, or a value for an option without one. */
	if (optopt >= LONG_BASE)
		return w_usage_fail(parser->command, err,
		    "option '--%s' takes no value",
		    by_code(parser, optopt)->name);
	return w_usage_fail(
	    parser->command, err, "unknown option '-%c'", optopt);
}

writ_status
w_usage_fail(
    const struct w_cli_command *command, writ_error *err, const char *fmt, ...)
{
	const bool is_writ = command == &w_cmd_writ;
	char text[USAGE_TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	(void)w_fail(err, WRIT_E_INVALID, "usage", 0, "%s%s%s",
	    is_writ ? "" : command->name, is_writ ? "" : ": ", text);
	w_suggest(err, "writ %s%s--help", is_writ ? "" : command->name,
	    is_writ ? "" : " ");
	return WRIT_E_INVALID;
}

writ_status
w_options_name(const struct w_cli_command *command,
    const struct w_option *option, writ_error *err)
{
	const writ_error inner = *err;
	const char *rest = inner.message;
	const char *key = option->key != NULL ? option->key : option->name;
	size_t len = strlen(key);
	bool has_key =
	    strncmp(rest, key, len) == 0 && strchr(": [", rest[len]) != NULL;

	/* Drops the "[2]" of a list: the user wrote one option. */
	if (has_key && rest[len] == '[')
		len += strcspn(rest + len, "]") + 1;

	(void)w_fail(err, inner.status, inner.stage, 0, "%s: --%s%s%s",
	    command->name, option->name, has_key ? "" : ": ",
	    has_key ? rest + len : rest);
	err->sys_errno = inner.sys_errno;
	w_suggest(err, "%s", inner.suggestion);
	return inner.status;
}

const struct w_option *
w_options_find(const struct w_option *options, const char *name, size_t len)
{
	for (; options->name != NULL; options++) {
		if (strlen(options->name) == len &&
		    memcmp(options->name, name, len) == 0)
			return options;
	}
	return NULL;
}

const struct w_option *
w_options_find_letter(const struct w_option *options, char letter)
{
	for (; options->name != NULL; options++) {
		if (options->letter != 0 && options->letter == letter)
			return options;
	}
	return NULL;
}

bool
w_options_want_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--json") == 0)
			return true;
	}
	return false;
}

writ_status
w_options_parse(const struct w_cli_command *command, int argc, char **argv,
    struct w_option_sink *sink, writ_error *err)
{
	struct options_parser parser;
	writ_status status = WRIT_OK;

	options_build(&parser, command);
	opterr = 0;
	optind = 0;
	while (status == WRIT_OK) {
		status =
		    check_long(command, argv[optind > 0 ? optind : 1], err);
		if (status != WRIT_OK)
			return status;

		int code =
		    getopt_long(argc, argv, parser.shorts, parser.longs, NULL);
		if (code == -1)
			break;
		const struct w_option *option = by_code(&parser, code);
		if (option != NULL && option->id == W_OPTION_HELP) {
			sink->wants_help = true;
			return WRIT_OK;
		}
		status = take_code(&parser, code, sink, err);
	}
	for (int i = optind; status == WRIT_OK && i < argc; i++)
		status = sink->take(sink->ctx, NULL, argv[i], err);
	return status;
}
