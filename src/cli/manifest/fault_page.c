/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The faults of a manifest, all of them at once.
 */

#include "cli/manifest/fault_page.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <writ/result.h>

#include "base/auto.h"
#include "base/printable.h"
#include "cli/output/print.h"
#include "data/json.h"

static void
fault_page_add_fault(struct w_buf *buf, const struct w_loaded_manifest *loaded,
    const char *command, const writ_manifest_fault *fault)
{
	w_buf_add_str(buf, "writ: ");
	(void)w_printable_add(
	    buf, loaded->name == NULL ? command : loaded->name, 0);
	if (loaded->name != NULL && fault->line > 0)
		w_buf_add_fmt(buf, ":%u:%u", fault->line, fault->column);
	w_buf_add_str(buf, ": ");
	(void)w_printable_add(buf, fault->message, 0);
	if (fault->suggestion != NULL) {
		w_buf_add_str(buf, w_print_is_question(fault->suggestion)
				       ? ", "
				       : "\n  try: ");
		(void)w_printable_add(buf, fault->suggestion, 0);
	}
	w_buf_add_char(buf, '\n');
}

void
w_cli_faults_add(struct w_buf *buf, const struct w_loaded_manifest *loaded,
    const char *command)
{
	const struct w_faults *faults = &loaded->faults;

	for (size_t i = 0; i < faults->count; i++)
		fault_page_add_fault(buf, loaded, command, &faults->items[i]);
	if (faults->more > 0)
		w_buf_add_fmt(buf, "writ: and %zu more\n", faults->more);
}

void
w_cli_faults_add_json(struct w_buf *buf, const struct w_faults *faults)
{
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < faults->count; i++) {
		const writ_manifest_fault *fault = &faults->items[i];

		w_buf_add_str(buf, i > 0 ? ",{" : "{");
		if (fault->line > 0)
			w_buf_add_fmt(buf, "\"line\":%u,\"column\":%u",
			    fault->line, fault->column);
		w_json_add_path_member(buf, "message", fault->message);
		w_json_add_path_member(buf, "suggestion", fault->suggestion);
		w_json_add_path_member(buf, "resource", fault->resource);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}

void
w_cli_warnings_print(
    const struct w_loaded_manifest *loaded, const char *command)
{
	const struct w_faults *warnings = &loaded->warnings;
	W_AUTO_BUF struct w_buf lines;

	w_buf_init(&lines, W_PRINT_MAX);
	for (size_t i = 0; i < warnings->count; i++) {
		writ_manifest_fault warning = warnings->items[i];
		W_AUTO_FREE char *message = NULL;

		if (asprintf(&message, "warning: %s", warning.message) < 0) {
			message = NULL;
			continue;
		}
		warning.message = message;
		fault_page_add_fault(&lines, loaded, command, &warning);
	}
	(void)w_print_bytes(STDERR_FILENO, lines.data, lines.len);
}

/* The first error as an object, with all faults in its details. */
static void
fault_page_print_json(
    const struct w_loaded_manifest *loaded, const writ_error *err)
{
	static const char end[] = "}}}";
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (writ_error_json(err, &json, &len) != WRIT_OK ||
	    len < sizeof(end) - 1) {
		w_print_error_json(err);
		return;
	}
	w_buf_add(&buf, json, len - (sizeof(end) - 1));
	w_json_add_path_member(&buf, "file", loaded->name);
	w_buf_add_str(&buf, ",\"problems\":");
	w_cli_faults_add_json(&buf, &loaded->faults);
	w_buf_add_fmt(&buf, ",\"more\":%zu%s\n", loaded->faults.more, end);
	if (buf.failed)
		w_print_error_json(err);
	else
		(void)w_print_bytes(STDOUT_FILENO, buf.data, buf.len);
}

void
w_cli_faults_print(const struct w_loaded_manifest *loaded, const char *command,
    const writ_error *err, bool is_json)
{
	W_AUTO_BUF struct w_buf lines;

	w_buf_init(&lines, W_PRINT_MAX);
	w_cli_faults_add(&lines, loaded, command);
	if (loaded->faults.count == 0)
		(void)w_print_failure(err, is_json, 0);
	else if (is_json)
		fault_page_print_json(loaded, err);
	else
		/* If standard error is closed, nobody can be told. */
		(void)w_print_bytes(STDERR_FILENO, lines.data, lines.len);
	if (lines.failed || loaded->faults.has_failed)
		w_print_note("out of memory for the rest of the list");
}
