/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Builds the manifest document of `writ ensure`.
 */

#include "cli/manifest/ensure_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/decimal.h"
#include "base/error.h"
#include "cli/manifest/apply_session.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"
#include "manifest/manifest.h"

#define STAGE "ensure"

/* clang-format off */
const struct w_exit_row w_ensure_exits[] = {
	{"0", "it is now as described, or was skipped for a reason"},
	{"1", "wrong usage, a session that cannot be used, or interrupted"},
	{"2", "with --detailed-exitcode: it was changed"},
	{"4", "it failed"},
	{.status = ""},
};
/* clang-format on */

static const struct w_ensure_given *
ensure_args_find(const struct w_ensure_args *args, const char *name)
{
	for (size_t i = args->count; i > 0; i--) {
		const struct w_option *option = args->given[i - 1].option;

		if (option != NULL && strcmp(option->name, name) == 0)
			return &args->given[i - 1];
	}
	return NULL;
}

bool
w_ensure_has(const struct w_ensure_args *args, const char *name)
{
	return ensure_args_find(args, name) != NULL;
}

const char *
w_ensure_value(const struct w_ensure_args *args, const char *name)
{
	const struct w_ensure_given *given = ensure_args_find(args, name);

	return given != NULL ? given->value : NULL;
}

writ_status
w_ensure_store(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_ensure_args *args = ctx;

	(void)err;
	args->given[args->count++] = (struct w_ensure_given){
	    .option = option->name[0] == '\0' ? NULL : option, .value = value};
	return WRIT_OK;
}

/* Checked here, since it is written to the document without quotes. */
static writ_status
ensure_args_add_number(const struct w_ensure_args *args, struct w_buf *buf,
    const struct w_ensure_given *given, writ_error *err)
{
	const char *digits = given->value;
	const size_t sign = digits[0] == '-';
	const size_t len = strspn(digits + sign, "0123456789");

	if (len == 0 || len > 9 || digits[sign + len] != '\0')
		return w_usage_fail(args->run.command, err,
		    "--%s: '%s' is not a whole number", given->option->name,
		    given->value);
	w_buf_add_fmt(buf, "%ld", strtol(digits, NULL, 10));
	return WRIT_OK;
}

static bool
is_list(int kind)
{
	return kind == W_ENSURE_LIST || kind == W_ENSURE_NUMBERS;
}

static bool
ensure_args_is_number(int kind)
{
	return kind == W_ENSURE_NUMBER || kind == W_ENSURE_NUMBERS ||
	       kind == W_ENSURE_LIMIT_NUMBER || kind == W_ENSURE_CHECK_NUMBER;
}

/* All values given for one option, from the first on. */
static writ_status
ensure_args_add_value(const struct w_ensure_args *args, struct w_buf *buf,
    size_t first, writ_error *err)
{
	const struct w_option *option = args->given[first].option;
	size_t added = 0;

	w_buf_add_fmt(
	    buf, "\"%s\":%s", option->key, is_list(option->id) ? "[" : "");
	for (size_t i = first; i < args->count; i++) {
		const struct w_ensure_given *given = &args->given[i];

		if (given->option != option)
			continue;
		w_buf_add_str(buf, added++ > 0 ? "," : "");
		if (option->id == W_ENSURE_SWITCH)
			w_buf_add_str(buf, "true");
		else if (option->id == W_ENSURE_TRUTH &&
			 strcmp(given->value, "true") != 0 &&
			 strcmp(given->value, "false") != 0)
			return w_usage_fail(args->run.command, err,
			    "--%s: '%s' is neither true nor false",
			    option->name, given->value);
		else if (option->id == W_ENSURE_TRUTH)
			w_buf_add_str(buf, given->value);
		else if (!ensure_args_is_number(option->id))
			w_json_add_path(buf, given->value);
		else if (ensure_args_add_number(args, buf, given, err) !=
			 WRIT_OK)
			return WRIT_E_INVALID;
		if (!is_list(option->id))
			break;
	}
	w_buf_add_str(buf, is_list(option->id) ? "]" : "");
	return WRIT_OK;
}

/* Whether the option was given before: for a list, another element; for any
 * other kind, an error. */
static bool
ensure_args_is_repeated(const struct w_ensure_args *args, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (args->given[i].option == args->given[at].option)
			return true;
	}
	return false;
}

/* The members of these kinds, each with a comma before it except at the start
 * of the object. */
static writ_status
add_kinds(const struct w_ensure_args *args, struct w_buf *buf, int from, int to,
    writ_error *err)
{
	for (size_t i = 0; i < args->count; i++) {
		const struct w_option *option = args->given[i].option;

		if (option == NULL || option->key[0] == '\0' ||
		    option->id < from || option->id > to)
			continue;
		if (ensure_args_is_repeated(args, i)) {
			if (is_list(option->id))
				continue;
			return w_usage_fail(args->run.command, err,
			    "--%s was given twice", option->name);
		}
		if (w_buf_last(buf) != '{')
			w_buf_add_char(buf, ',');
		if (ensure_args_add_value(args, buf, i, err) != WRIT_OK)
			return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

static bool
ensure_args_has_kind(const struct w_ensure_args *args, int from, int to)
{
	for (size_t i = 0; i < args->count; i++) {
		const struct w_option *option = args->given[i].option;

		if (option != NULL && option->id >= from && option->id <= to)
			return true;
	}
	return false;
}

static writ_status
ensure_args_add_object(const struct w_ensure_args *args, struct w_buf *buf,
    const char *name, int from, int to, writ_error *err)
{
	if (!ensure_args_has_kind(args, from, to))
		return WRIT_OK;
	w_buf_add_fmt(buf, ",\"%s\":{", name);
	const writ_status status = add_kinds(args, buf, from, to, err);
	w_buf_add_char(buf, '}');
	return status;
}

static writ_status
add_check(const struct w_ensure_args *args, struct w_buf *buf, writ_error *err)
{
	if (!ensure_args_has_kind(args, W_ENSURE_CHECK, W_ENSURE_CHECK_NUMBER))
		return WRIT_OK;
	if (w_ensure_value(args, "check") == NULL)
		return w_usage_fail(args->run.command, err,
		    "--check-tries and --check-sleep belong to a --check");
	w_buf_add_str(buf, ",\"health_checks\":[{\"format\":\"nagios\"");
	if (w_ensure_value(args, "check-tries") == NULL)
		w_buf_add_str(buf, ",\"tries\":5");
	const writ_status status =
	    add_kinds(args, buf, W_ENSURE_CHECK, W_ENSURE_CHECK_NUMBER, err);
	w_buf_add_str(buf, "}]");
	return status;
}

static writ_status
make_document(const struct w_ensure_args *args, char **argv, struct w_buf *buf,
    writ_status (*make)(const struct w_ensure_args *args, char **argv,
	struct w_buf *buf, writ_error *err),
    writ_error *err)
{
	writ_status status;

	w_buf_add_fmt(buf, "{\"ccm\":{\"resources\":[{\"%s\":{", args->type);
	status = make(args, argv, buf, err);
	if (status == WRIT_OK)
		status =
		    add_kinds(args, buf, W_ENSURE_TEXT, W_ENSURE_SWITCH, err);
	if (status == WRIT_OK)
		status = ensure_args_add_object(args, buf, "limits",
		    W_ENSURE_LIMIT, W_ENSURE_LIMIT_NUMBER, err);
	if (status == WRIT_OK)
		status = ensure_args_add_object(args, buf, "control",
		    W_ENSURE_CONTROL, W_ENSURE_CONTROL, err);
	if (status == WRIT_OK)
		status = add_check(args, buf, err);
	w_buf_add_str(buf, "}}]}}");
	return status;
}

/* References to other resources need a session that has them. */
static writ_status
check_session(const struct w_ensure_args *args, writ_error *err)
{
	static const char *const names[] = {"require", "subscribe"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (w_ensure_value(args, names[i]) == NULL ||
		    w_cli_session_named(args->run.session) != NULL)
			continue;
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s: --%s needs a session: session store should be set",
		    args->run.command->name, names[i]);
		w_suggest(err, "eval \"$(writ session new)\" before, or "
			       "--session DIR");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

static writ_status
ensure_args_load(
    struct w_ensure_args *args, struct w_buf *text, writ_error *err)
{
	struct w_cli_apply *run = &args->run;
	writ_status status = check_session(args, err);

	if (status == WRIT_OK)
		status = w_cli_apply_settings(run, err);
	if (status == WRIT_OK)
		status = w_loaded_set(&run->loaded, text, err);
	if (status == WRIT_OK)
		status = w_loaded_read(&run->loaded, &run->facts,
		    w_cli_session_named(run->session), err);
	if (status == WRIT_OK)
		status = w_cli_apply_open(run, err);
	return status;
}

int
w_ensure_run(struct w_ensure_args *args, int argc, char **argv,
    writ_status (*make)(const struct w_ensure_args *args, char **argv,
	struct w_buf *buf, writ_error *err))
{
	W_AUTO_FREE struct w_ensure_given *given =
	    calloc((size_t)argc + 1, sizeof(*given));
	W_AUTO_BUF struct w_buf text;
	writ_error err;

	w_buf_init(&text, W_MANIFEST_BYTES_MAX);
	if (given == NULL) {
		w_print_note("out of memory");
		return W_APPLY_ABORTED;
	}
	args->given = given;
	args->run.is_ensure = true;
	int status = w_cli_command_begin(args->run.command, argc, argv, args);
	if (status < 0) {
		if (make_document(args, argv, &text, make, &err) != WRIT_OK ||
		    ensure_args_load(args, &text, &err) != WRIT_OK)
			status = w_cli_apply_abort(&args->run, &err);
		else
			status = w_cli_apply_run(&args->run);
	}
	w_cli_apply_done(&args->run);
	return status;
}
