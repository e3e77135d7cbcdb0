/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit checkpoint`: records number and hash of the last record. Keep
 * the checkpoint where those who can write the trail cannot write.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "cli/audit/audit_args.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "sign", .arg = "FILE", W_TO(NAME, struct w_audit_args, sign_key), .words = "@file",
	 .standard = "the setting audit_sign_key",
	 .help = "Sign it with this Ed25519 private key (PEM)."},
	{.name = "output", .letter = 'o', .arg = "FILE", W_TO(NAME, struct w_audit_args, file),
	 .words = "@file", .help = "Write it to this file."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_JSON_ROW("Errors as JSON; a checkpoint always is."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit checkpoint -o /media/usb/checkpoint.json",
	 "keep it elsewhere: 'verify --anchor' proves the trail against it"},
	{"openssl genpkey -algorithm ed25519 -out sign.pem",
	 "a key to sign with"},
	{"writ audit checkpoint --sign sign.pem", "a signed one"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the trail or the file could not be written, or the key "
	      "could not be used"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static int
run_checkpoint(struct w_audit_args *args, writ_audit *audit)
{
	const char *key = args->sign_key;
	const char *setting = writ_config_get(args->config, "audit_sign_key");
	W_AUTO_FREE char *json = NULL;
	struct w_row_writer row_writer;
	size_t len = 0;
	writ_error err;

	if (key == NULL && setting != NULL && setting[0] == '/')
		key = setting;
	if (w_row_writer_open(&row_writer, args->file, &err) != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	if (writ_audit_checkpoint(audit, key, &json, &len, &err) != WRIT_OK) {
		w_row_writer_drop(&row_writer);
		return w_cli_audit_fail(args, &err);
	}
	w_buf_add(&row_writer.buf, json, len);
	w_buf_add_char(&row_writer.buf, '\n');
	return w_row_writer_close(&row_writer);
}

static int
audit_checkpoint_run(int argc, char **argv)
{
	struct w_audit_args args = {.command = &w_cmd_audit_checkpoint};

	return w_cli_audit_begin(&args, argc, argv, run_checkpoint);
}

const struct w_cli_command w_cmd_audit_checkpoint = {
    .name = "audit checkpoint",
    .summary = "Record where the trail stands, signed if you like",
    .usage = "audit checkpoint [--sign FILE] [-o FILE]",
    .about = "Appends a record with number and hash of the last one and "
	     "prints it. Kept where nobody who can write the trail can "
	     "write, it proves everything before it: 'writ audit verify "
	     "--anchor FILE'.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = audit_checkpoint_run,
};
