/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The command lines of `writ policy ...`, and how faults of a policy are shown.
 */

#include "cli/policy/policy_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

#define PRESET "preset:"

int
w_cli_policy_begin(struct w_policy_args *args, int argc, char **argv,
    int (*run)(struct w_policy_args *args))
{
	writ_error err;

	if (writ_config_new(&args->config, &err) != WRIT_OK)
		return w_print_failure(&err, w_options_want_json(argc, argv),
		    args->command->usage_exit);

	int status = w_cli_command_begin(args->command, argc, argv, args);
	if (status < 0)
		status = run(args);
	writ_config_free(args->config);
	return status;
}

int
w_cli_policy_report(const struct w_policy_args *args, writ_policy_task task,
    struct w_policy_report *out_view)
{
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	writ_error err;

	options.cwd = args->cwd;
	options.file = args->operand;
	if (writ_policy_look(args->config, task, &options, &out_view->json,
		&out_view->len, &err) != WRIT_OK)
		return w_print_failure(
		    &err, args->is_json, args->command->usage_exit);
	out_view->doc =
	    yyjson_read(out_view->json, out_view->len, YYJSON_READ_NOFLAG);
	out_view->root = yyjson_doc_get_root(out_view->doc);
	if (out_view->doc != NULL)
		return 0;
	w_print_note("out of memory");
	return args->command->usage_exit;
}

void
w_cli_policy_report_done(struct w_policy_report *view)
{
	yyjson_doc_free(view->doc);
	free(view->json);
}

bool
w_cli_policy_is_default(const struct w_policy_args *args, yyjson_val *policy)
{
	const char *file = w_cli_decision_text(policy, "file");

	return args->operand == NULL && file != NULL &&
	       strncmp(file, PRESET, strlen(PRESET)) == 0;
}

void
w_cli_policy_note_none(const struct w_policy_args *args, yyjson_val *root)
{
	const char *preset = NULL;
	size_t i;
	size_t count;
	yyjson_val *policy;

	yyjson_arr_foreach(yyjson_obj_get(root, "policies"), i, count, policy)
	{
		if (!w_cli_policy_is_default(args, policy))
			return;
		preset = w_cli_decision_text(policy, "file") + strlen(PRESET);
	}
	if (preset != NULL)
		w_print_note(
		    "no policy found; using the built-in preset '%s'", preset);
}

static void
policy_args_add_fault(const struct w_decision_page *page, yyjson_val *fault)
{
	const char *file = w_cli_decision_text(fault, "file");
	const char *message = w_cli_decision_text(fault, "message");
	const char *advice = w_cli_decision_text(fault, "suggestion");
	const bool is_warning =
	    yyjson_is_true(yyjson_obj_get(fault, "warning"));
	const bool is_asked = advice != NULL && w_print_is_question(advice);
	const unsigned line =
	    (unsigned)yyjson_get_uint(yyjson_obj_get(fault, "line"));
	const unsigned column =
	    (unsigned)yyjson_get_uint(yyjson_obj_get(fault, "column"));

	file = file == NULL ? "?" : file;
	w_cli_decision_paint(page, "1");
	w_cli_decision_add_place(page, file, line, column);
	w_buf_add_str(page->buf, ": ");
	w_cli_decision_paint(page, is_warning ? "1;33" : "1;31");
	w_buf_add_str(page->buf, is_warning ? "warning: " : "error: ");
	w_cli_decision_paint(page, "0");
	w_cli_decision_add_plain(page, message == NULL ? "?" : message);
	if (is_asked) {
		w_buf_add_str(page->buf, ", ");
		w_cli_decision_add_plain(page, advice);
	}
	w_buf_add_char(page->buf, '\n');
	w_cli_decision_add_quote(
	    page, file, line, column, w_cli_decision_text(fault, "source"));
	if (advice != NULL && advice[0] != '\0' && !is_asked) {
		w_buf_add_str(page->buf, "  try: ");
		w_cli_decision_add_plain(page, advice);
		w_buf_add_char(page->buf, '\n');
	}
}

size_t
w_cli_policy_add_faults(const struct w_decision_page *page, yyjson_val *policy,
    size_t *out_warnings)
{
	yyjson_val *faults = yyjson_obj_get(policy, "faults");
	size_t i;
	size_t count;
	yyjson_val *fault;

	*out_warnings = 0;
	yyjson_arr_foreach(faults, i, count, fault)
	{
		if (yyjson_is_true(yyjson_obj_get(fault, "warning")))
			++*out_warnings;
		policy_args_add_fault(page, fault);
	}
	return yyjson_arr_size(faults);
}
