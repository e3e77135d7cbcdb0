/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command line of `writ audit`: a table with the type of each option's
 * value and the member of w_audit_args that it sets.
 */

#include "cli/audit/audit_args.h"

#include <string.h>

#include "base/decimal.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/match.h"
#include "base/size.h"
#include "cli/options/datetime.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

#define WORDS_MAX     32
#define WORDS_LEN_MAX 256
#define NUMBER_MAX    UINT64_C(1000000000000)

enum value_kind {
	FLAG,
	TEXT,
	WORD, /* one of option->words */
	OUTCOME,
	SINCE,
	UNTIL,
	COUNT,
	SPEED,
	DURATION,
	SIZE,
};

/* Counts are read into a uint64_t. */
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a limit is 64 bits wide");

#define AT(member) offsetof(struct w_audit_args, member)

static const struct field {
	enum value_kind kind;
	size_t offset;
} fields[W_AUDIT_OPTION_COUNT] = {
    [W_AUDIT_AGENT] = {TEXT, AT(filter.agent)},
    [W_AUDIT_ANCHOR] = {TEXT, AT(anchor_file)},
    [W_AUDIT_ASCIICAST] = {FLAG, AT(is_asciicast)},
    [W_AUDIT_BY] = {WORD, AT(by)},
    [W_AUDIT_CSV] = {FLAG, AT(is_csv)},
    [W_AUDIT_DRY_RUN] = {FLAG, AT(is_dry_run)},
    [W_AUDIT_FILE] = {TEXT, AT(file)},
    [W_AUDIT_FOLLOW] = {FLAG, AT(has_follow)},
    [W_AUDIT_IDS] = {FLAG, AT(has_ids)},
    [W_AUDIT_JSON] = {FLAG, AT(is_json)},
    [W_AUDIT_KEY] = {TEXT, AT(key_file)},
    [W_AUDIT_KIND] = {TEXT, AT(filter.kind)},
    [W_AUDIT_LIMIT] = {COUNT, AT(filter.limit)},
    [W_AUDIT_MAX_PAUSE] = {DURATION, AT(max_pause_ms)},
    [W_AUDIT_NO_INDEX] = {FLAG, AT(has_no_index)},
    [W_AUDIT_OLDEST_FIRST] = {FLAG, AT(filter.oldest_first)},
    [W_AUDIT_OUTCOME] = {OUTCOME, AT(filter.outcome)},
    [W_AUDIT_OUTPUTS] = {FLAG, AT(has_outputs)},
    [W_AUDIT_OUTPUTS_AGE] = {DURATION, AT(outputs_age_ms)},
    [W_AUDIT_OUTPUTS_SIZE] = {SIZE, AT(outputs_bytes)},
    [W_AUDIT_PROGRAM] = {TEXT, AT(filter.program)},
    [W_AUDIT_PUBLIC_KEY] = {TEXT, AT(public_key)},
    [W_AUDIT_RECORDS_AGE] = {DURATION, AT(records_age_ms)},
    [W_AUDIT_RAW] = {FLAG, AT(is_raw)},
    [W_AUDIT_SAFE] = {FLAG, AT(is_safe)},
    [W_AUDIT_SIGN] = {TEXT, AT(sign_key)},
    [W_AUDIT_SINCE] = {SINCE, AT(filter.since_us)},
    [W_AUDIT_SIZE] = {TEXT, AT(size)},
    [W_AUDIT_SPEED] = {SPEED, AT(speed_milli)},
    [W_AUDIT_STDERR] = {FLAG, AT(only_stream[WRIT_STDERR])},
    [W_AUDIT_STDOUT] = {FLAG, AT(only_stream[WRIT_STDOUT])},
    [W_AUDIT_STRICT] = {FLAG, AT(is_strict)},
    [W_AUDIT_TEXT] = {TEXT, AT(filter.text)},
    [W_AUDIT_UNTIL] = {UNTIL, AT(filter.until_us)},
};

const struct w_exit_row w_cli_audit_exits[] = {
    {"0", "success"},
    {"1", "nothing was found, or the trail could not be read"},
    {"2", "wrong usage"},
    {.status = NULL},
};

/* Splits "a|b" in place; the names point into text. */
static size_t
split_words(char *text, const char **names)
{
	size_t count = 0;
	char *rest = text;

	for (char *word = strtok_r(text, "|", &rest);
	     word != NULL && count < WORDS_MAX;
	     word = strtok_r(NULL, "|", &rest))
		names[count++] = word;
	names[count] = NULL;
	return count;
}

static writ_status
check_word(const struct w_audit_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	const char *names[WORDS_MAX + 1];
	char words[WORDS_LEN_MAX];

	memcpy(words, option->words, strlen(option->words) + 1);
	const size_t count = split_words(words, names);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], value) == 0)
			return WRIT_OK;
	}

	const char *near = w_match_nearest(value, names);
	if (near != NULL)
		return w_usage_fail(args->command, err,
		    "--%s: unknown word '%s', did you mean '%s'?", option->name,
		    value, near);
	return w_usage_fail(args->command, err,
	    "--%s: unknown word '%s', expected one of %s", option->name, value,
	    option->words);
}

/* An error code is a valid outcome too: that of a run that did not start. */
static writ_status
check_outcome(const struct w_audit_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	static const char *const codes[] = {
#define X(name, number, word, exit_status, text) word,
	    WRIT_STATUS_MAP(X)
#undef X
	};

	for (size_t i = 1; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (strcmp(codes[i], value) == 0)
			return WRIT_OK;
	}
	return check_word(args, option, value, err);
}

/* Reads a number times scale; a fraction is allowed if scale is over 1. */
static writ_status
audit_args_take_number(const struct w_audit_args *args,
    const struct w_option *option, const char *value, uint64_t scale,
    uint64_t *out, writ_error *err)
{
	struct w_decimal number;
	const size_t len = w_decimal_scan(value, &number);
	const bool is_number = len > 0 && value[len] == '\0' &&
			       (scale > 1 || number.fraction_len == 0);

	number.scale = scale;
	if (is_number && w_decimal_sum(&number, 1, NUMBER_MAX, out))
		return WRIT_OK;
	return w_usage_fail(args->command, err,
	    "--%s: expected a number, got '%s'", option->name, value);
}

/* Puts the name of the option before the message of a parser. */
static writ_status
name_option(const struct w_audit_args *args, const struct w_option *option,
    const writ_error *inner, writ_error *err)
{
	return w_usage_fail(
	    args->command, err, "--%s: %s", option->name, inner->message);
}

static writ_status
take_amount(const struct w_audit_args *args, const struct w_option *option,
    const char *value, uint64_t *out, writ_error *err)
{
	const enum value_kind kind = fields[option->id].kind;
	uint64_t amount = 0;
	writ_error inner;

	writ_status status = kind == SIZE
				 ? w_size_parse(value, &amount, &inner)
				 : w_duration_parse(value, &amount, &inner);
	if (status != WRIT_OK)
		return name_option(args, option, &inner, err);
	if (amount == 0)
		return w_usage_fail(args->command, err,
		    "--%s: must be more than 0", option->name);
	*out = amount;
	return WRIT_OK;
}

static writ_status
audit_args_take_time(const struct w_audit_args *args,
    const struct w_option *option, const char *value, uint64_t *out,
    writ_error *err)
{
	const bool is_end = fields[option->id].kind == UNTIL;
	writ_error inner;

	if (w_datetime_parse(value, args->now_us, is_end, out, &inner) !=
	    WRIT_OK)
		return name_option(args, option, &inner, err);
	return WRIT_OK;
}

static writ_status
audit_args_take_text(const struct w_audit_args *args,
    const struct w_option *option, const char *value, const char **out,
    writ_error *err)
{
	writ_status status = WRIT_OK;

	if (fields[option->id].kind == WORD)
		status = check_word(args, option, value, err);
	else if (fields[option->id].kind == OUTCOME)
		status = check_outcome(args, option, value, err);
	else if (value[0] == '\0')
		status = w_usage_fail(args->command, err,
		    "--%s: must not be empty", option->name);
	if (status == WRIT_OK)
		*out = value;
	return status;
}

static writ_status
audit_args_take_option(struct w_audit_args *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	void *slot = (char *)args + fields[option->id].offset;

	switch (fields[option->id].kind) {
	case FLAG:
		*(bool *)slot = true;
		return WRIT_OK;
	case TEXT:
	case WORD:
	case OUTCOME:
		return audit_args_take_text(args, option, value, slot, err);
	case SINCE:
	case UNTIL:
		return audit_args_take_time(args, option, value, slot, err);
	case COUNT:
		return audit_args_take_number(
		    args, option, value, 1, slot, err);
	case SPEED:
		return audit_args_take_number(
		    args, option, value, 1000, slot, err);
	case DURATION:
	case SIZE:
		return take_amount(args, option, value, slot, err);
	}
	return w_fail(err, WRIT_E_INTERNAL, "usage", 0,
	    "option --%s has no kind", option->name);
}

static writ_status
audit_args_take(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_audit_args *args = ctx;

	if (option == NULL) {
		if (args->operand_name == NULL || args->operand != NULL)
			return w_usage_fail(
			    args->command, err, "unexpected word '%s'", value);
		args->operand = value;
		return WRIT_OK;
	}
	if (option->target != W_TO_SETTING)
		return audit_args_take_option(args, option, value, err);
	if (writ_config_set(args->config, option->key, value, err) != WRIT_OK)
		return w_options_name(args->command, option, err);
	return WRIT_OK;
}

static int
open_and_run(struct w_audit_args *args,
    int (*run)(struct w_audit_args *args, writ_audit *audit))
{
	writ_audit_options options = WRIT_AUDIT_OPTIONS_INIT;
	writ_audit *audit = NULL;
	writ_error err;

	options.state_dir = writ_config_get(args->config, "state_dir");
	options.key_file = args->key_file;
	options.no_index = args->has_no_index;
	if (writ_audit_open(&options, &audit, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);

	int status = run(args, audit);
	const char *note = writ_audit_note(audit);
	if (note != NULL)
		w_print_note("%s", note);
	writ_audit_free(audit);
	return status;
}

int
w_cli_audit_begin(struct w_audit_args *args, int argc, char **argv,
    int (*run)(struct w_audit_args *args, writ_audit *audit))
{
	writ_error err;

	args->now_us = w_datetime_now();
	args->filter.size = sizeof(args->filter);
	if (args->failed_exit == 0)
		args->failed_exit = 1;
	if (writ_config_new(&args->config, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);

	int status = w_cli_command_begin(
	    args->command, argc, argv, audit_args_take, args);
	if (status < 0 && args->needs_operand && args->operand == NULL) {
		(void)w_usage_fail(
		    args->command, &err, "say which %s", args->operand_name);
		status = w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	} else if (status < 0) {
		status = open_and_run(args, run);
	}
	writ_config_free(args->config);
	return status;
}

int
w_cli_audit_fail(const struct w_audit_args *args, const writ_error *err)
{
	return w_print_failure(err, args->is_json, args->failed_exit);
}
