/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ manifest fmt`: formats manifests. A file is replaced only by a text
 * that means the same, and as a whole.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/words.h"
#include "cli/authoring/cmd_manifest.h"
#include "cli/options/options.h"
#include "cli/options/text_file.h"
#include "cli/output/print.h"
#include "data/yaml.h"
#include "data/yaml_format.h"

#define STAGE    "fmt"
#define TEXT_MAX ((size_t)64 << 20)
#define DEPTH    32

enum {
	FAILED = 1
};

struct manifest_fmt_args {
	struct w_words files;
	bool is_written;
	bool is_check;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "write", .letter = 'w', W_TO(FLAG, struct manifest_fmt_args, is_written),
	 .help = "Replace the files instead of printing the text."},
	{.name = "check", W_TO(FLAG, struct manifest_fmt_args, is_check),
	 .help = "Print the names of files that are not formatted, and exit "
	         "with 1 if there is one."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ manifest fmt site.yaml", "the formatted text"},
	{"writ manifest fmt --write *.yaml", "format the files"},
	{"writ manifest fmt --check *.yaml", "for a test: which are not"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success; with --check: all files are formatted"},
	{"1", "a file is not YAML, or cannot be read or written; with --check: one "
	      "is not formatted"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static const struct w_text_file_kind kind = {
    .what = "manifest", .advice = "several manifests, one after the other"};

/* Beside the file, with its mode; a link is followed to the file. */
static writ_status
write_file(const char *path, const struct w_buf *text, writ_error *err)
{
	W_AUTO_FREE char *real = realpath(path, NULL);
	W_AUTO_FREE char *temp = NULL;
	struct stat st;

	if (real == NULL || stat(real, &st) < 0 ||
	    asprintf(&temp, "%s.XXXXXX", real) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot write '%.256s'", path);
	W_AUTO_FD int fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0 || fchmod(fd, st.st_mode & 07777) < 0 ||
	    (fchown(fd, st.st_uid, st.st_gid) < 0 && errno != EPERM) ||
	    w_print_bytes(fd, text->data, text->len) < 0 || fsync(fd) < 0 ||
	    rename(temp, real) < 0) {
		const int error = errno;

		if (fd >= 0)
			(void)unlink(temp);
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot write '%.256s'", path);
	}
	return WRIT_OK;
}

static bool
is_equal(const struct w_buf *one, const struct w_buf *other)
{
	return one->len == other->len &&
	       memcmp(one->data, other->data, one->len) == 0;
}

/* The exit status. */
static int
manifest_fmt_one(const struct manifest_fmt_args *args, const char *path)
{
	const struct w_json_limits limits = {
	    .bytes_max = TEXT_MAX, .depth_max = DEPTH};
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf made;
	writ_error err;

	w_buf_init(&text, TEXT_MAX);
	w_buf_init(&made, 2 * TEXT_MAX);
	writ_status status = w_text_file_read(&kind, path, &text, &err);
	if (status == WRIT_OK)
		status =
		    w_yaml_format(text.data, text.len, &limits, &made, &err);
	if (status == WRIT_OK && args->is_written && !is_equal(&text, &made))
		status = write_file(path, &made, &err);
	if (status != WRIT_OK) {
		W_AUTO_BUF struct w_buf whole;

		w_buf_init(&whole, sizeof(err.message) + 512);
		(void)w_printable_add(&whole, path, 256);
		if (err.line > 0)
			w_buf_add_fmt(&whole, ":%u:%u", err.line, err.column);
		w_print_note("%s: %s", whole.data, err.message);
		return FAILED;
	}
	if (args->is_check && !is_equal(&text, &made)) {
		W_AUTO_BUF struct w_buf name;

		w_buf_init(&name, TEXT_MAX);
		(void)w_printable_add(&name, path, 0);
		w_buf_add_char(&name, '\n');
		(void)w_print(&name);
		return FAILED;
	}
	return args->is_check || args->is_written ? 0 : w_print(&made);
}

static int
manifest_fmt_run(int argc, char **argv)
{
	struct manifest_fmt_args args = {.is_check = false};
	writ_error err;
	int status =
	    w_cli_command_begin(&w_cmd_manifest_fmt, argc, argv, &args);

	if (status < 0 && args.files.count == 0) {
		(void)w_usage_fail(
		    &w_cmd_manifest_fmt, &err, "no manifest given");
		status =
		    w_print_failure(&err, false, w_cmd_manifest_fmt.usage_exit);
	} else if (status < 0 && args.is_check && args.is_written) {
		(void)w_usage_fail(&w_cmd_manifest_fmt, &err,
		    "--check and --write cannot be used together");
		status =
		    w_print_failure(&err, false, w_cmd_manifest_fmt.usage_exit);
	} else if (status < 0) {
		status = 0;
		for (size_t i = 0; i < args.files.count; i++) {
			const int one =
			    manifest_fmt_one(&args, args.files.items[i]);

			status = one > status ? one : status;
		}
	}
	w_words_done(&args.files);
	return status;
}

const struct w_cli_command w_cmd_manifest_fmt = {
    .name = "manifest fmt",
    .summary = "Format manifests",
    .usage = "manifest fmt [--check | --write] FILE...",
    .about = "Formats manifests, and other YAML: two blanks for each level, "
	     "lists further in than their key, no blanks at the ends of lines. "
	     "Comments, quotes and order stay. A text that would come to mean "
	     "something else is refused. - is standard input.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(LIST, struct manifest_fmt_args, files)},
    .usage_exit = 2,
    .run = manifest_fmt_run,
};
