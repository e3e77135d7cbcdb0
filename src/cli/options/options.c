/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses a command line by an option table, with getopt_long(), and stores the
 * values where the rows say.
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

#include <writ/config.h>

#include "base/decimal.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/match.h"
#include "base/size.h"
#include "base/words.h"
#include "cli/options/datetime.h"

/* The getopt_long() code of a long option is its row plus this, so that it is
 * never a letter. */
#define LONG_BASE 256

/* getopt_long() returns this for an operand if the short options begin with
 * '-'. */
#define OPERAND 1

/* Longer than an error message, so that w_fail() sees and marks a cut. */
#define USAGE_TEXT_MAX 1024

/* Of option->words. */
#define WORDS_MAX     32
#define WORDS_LEN_MAX 256

#define NUMBER_MAX    UINT64_C(1000000000000)

/* Counts are stored as uint64_t, also where the member is a size_t. */
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a count is 64 bits wide");

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
	for (; count < W_OPTIONS_MAX && options[count].name[0] != '\0';
	     count++) {
		const struct w_option *option = &options[count];

		if (option->letter != 0)
			*at++ = option->letter;
		if (option->letter != 0 && option->arg[0] != '\0')
			*at++ = ':';
		parser->longs[count] = (struct option){
		    .name = option->name,
		    .has_arg = option->arg[0] != '\0',
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
	for (; count < W_OPTIONS_MAX && options[count].name[0] != '\0'; count++)
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

/* By the store of the row. */
static writ_status
store_row(const struct w_cli_command *command, const struct w_option *option,
    void *args, const char *value, writ_error *err)
{
	const w_option_fn store = command->stores[option->store - 1];

	return store != NULL ? store(args, option, value, err)
			     : w_fail(err, WRIT_E_INTERNAL, "usage", 0,
				   "option --%s has no store", option->name);
}

static writ_status
store_operand(const struct w_cli_command *command, void *args,
    const char *value, writ_error *err)
{
	static const struct w_option none;
	const struct w_option *operand =
	    command->operand != NULL ? command->operand : &none;
	void *slot = (char *)args + operand->offset;

	if (operand->store != 0)
		return store_row(command, operand, args, value, err);
	if (operand->kind == W_OPTION_LIST ||
	    (operand->kind == W_OPTION_TEXT && *(const char **)slot == NULL))
		return w_option_put(command, operand, args, value, err);
	return w_usage_fail(command, err, "unexpected word '%s'%s%s", value,
	    operand->help[0] != '\0' ? ": " : "", operand->help);
}

static writ_status
store_code(
    const struct options_parser *parser, int code, void *args, writ_error *err)
{
	const struct w_cli_command *command = parser->command;

	if (code == OPERAND)
		return store_operand(command, args, optarg, err);
	if (code == ':')
		return missing_value(parser, err);

	const struct w_option *option = by_code(parser, code);
	if (code != '?' && option != NULL && option->store != 0)
		return store_row(command, option, args, optarg, err);
	if (code != '?' && option != NULL)
		return w_option_put(command, option, args, optarg, err);
	/* '?' is an unknown letter, or a value for an option without one. */
	if (optopt >= LONG_BASE)
		return w_usage_fail(command, err,
		    "option '--%s' takes no value",
		    by_code(parser, optopt)->name);
	return w_usage_fail(command, err, "unknown option '-%c'", optopt);
}

/* ---- values ---- */

static writ_status
check_word(const struct w_cli_command *command, const struct w_option *option,
    const char *value, writ_error *err)
{
	const char *names[WORDS_MAX + 1];
	char words[WORDS_LEN_MAX];
	size_t count = 0;
	char *rest = NULL;

	memcpy(words, option->words, strlen(option->words) + 1);
	for (char *word = strtok_r(words, "|", &rest);
	     word != NULL && count < WORDS_MAX;
	     word = strtok_r(NULL, "|", &rest)) {
		if (strcmp(word, value) == 0)
			return WRIT_OK;
		names[count++] = word;
	}
	names[count] = NULL;

	const char *near = w_match_nearest(value, names);
	if (near != NULL)
		return w_usage_fail(command, err,
		    "--%s: unknown word '%s', did you mean '%s'?", option->name,
		    value, near);
	return w_usage_fail(command, err,
	    "--%s: unknown word '%s', expected one of %s", option->name, value,
	    option->words);
}

static writ_status
put_text(const struct w_cli_command *command, const struct w_option *option,
    const char *value, const char **slot, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (option->kind == W_OPTION_WORD)
		status = check_word(command, option, value, err);
	else if (option->kind == W_OPTION_NAME && value[0] == '\0')
		status = w_usage_fail(
		    command, err, "--%s: must not be empty", option->name);
	if (status == WRIT_OK)
		*slot = value;
	return status;
}

/* Reads a number without a unit; MILLI may have a fraction. */
static writ_status
parse_number(const struct w_option *option, const char *value, uint64_t *out,
    writ_error *err)
{
	const bool is_whole = option->kind == W_OPTION_COUNT;
	struct w_decimal number;
	const size_t len = w_decimal_scan(value, &number);

	number.scale = is_whole ? 1 : 1000;
	if (len > 0 && value[len] == '\0' &&
	    (!is_whole || number.fraction_len == 0) &&
	    w_decimal_sum(&number, 1, NUMBER_MAX, out))
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "usage", 0, "expected %s, got '%s'",
	    option->range[0] != '\0' ? option->range : "a number", value);
}

static writ_status
put_number(const struct w_cli_command *command, const struct w_option *option,
    const char *value, uint64_t *slot, writ_error *err)
{
	const enum w_option_kind kind = option->kind;
	const bool is_amount =
	    kind == W_OPTION_DURATION || kind == W_OPTION_SIZE;
	uint64_t number = 0;
	writ_error inner;
	writ_status status;

	if (kind == W_OPTION_SIZE)
		status = w_size_parse(value, &number, &inner);
	else if (kind == W_OPTION_DURATION)
		status = w_duration_parse(value, &number, &inner);
	else if (kind == W_OPTION_SINCE || kind == W_OPTION_UNTIL)
		status = w_datetime_parse(value, w_datetime_now(),
		    kind == W_OPTION_UNTIL, &number, &inner);
	else
		status = parse_number(option, value, &number, &inner);
	if (status != WRIT_OK)
		return w_usage_fail(
		    command, err, "--%s: %s", option->name, inner.message);
	if (option->range[0] != '\0' && (number == 0 || number > option->max))
		return w_usage_fail(command, err,
		    "--%s: expected %s, got '%.64s'", option->name,
		    option->range, value);
	if (is_amount && number == 0)
		return w_usage_fail(
		    command, err, "--%s: must be more than 0", option->name);
	*slot = number;
	return WRIT_OK;
}

writ_status
w_option_put(const struct w_cli_command *command, const struct w_option *option,
    void *args, const char *value, writ_error *err)
{
	void *slot = (char *)args + option->offset;

	switch (option->kind) {
	case W_OPTION_NONE:
	case W_OPTION_HELP:
		return WRIT_OK;
	case W_OPTION_FLAG:
		*(bool *)slot = true;
		return WRIT_OK;
	case W_OPTION_TEXT:
	case W_OPTION_NAME:
	case W_OPTION_WORD:
		return put_text(command, option, value, slot, err);
	case W_OPTION_LIST:
		return w_words_add(slot, value, strlen(value))
			   ? WRIT_OK
			   : w_fail_nomem(err, "usage");
	case W_OPTION_COUNT:
	case W_OPTION_MILLI:
	case W_OPTION_DURATION:
	case W_OPTION_SIZE:
	case W_OPTION_SINCE:
	case W_OPTION_UNTIL:
		return put_number(command, option, value, slot, err);
	case W_OPTION_SETTING:
		if (writ_config_set(*(writ_config **)slot, option->key, value,
			err) != WRIT_OK)
			return w_options_name(command, option, err);
		return WRIT_OK;
	case W_OPTION_REQUEST:
		break;
	}
	return w_fail(err, WRIT_E_INTERNAL, "usage", 0,
	    "option --%s cannot be stored", option->name);
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
	const char *key = option->key[0] != '\0' ? option->key : option->name;
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
	for (; options->name[0] != '\0'; options++) {
		if (strlen(options->name) == len &&
		    memcmp(options->name, name, len) == 0)
			return options;
	}
	return NULL;
}

const struct w_option *
w_options_find_letter(const struct w_option *options, char letter)
{
	for (; options->name[0] != '\0'; options++) {
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
    void *args, bool *out_wants_help, writ_error *err)
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
		if (option != NULL && option->kind == W_OPTION_HELP) {
			*out_wants_help = true;
			return WRIT_OK;
		}
		status = store_code(&parser, code, args, err);
	}
	for (int i = optind; status == WRIT_OK && i < argc; i++)
		status = store_operand(command, args, argv[i], err);
	return status;
}
