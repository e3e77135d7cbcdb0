/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ version`: the versions of writ and of the kernel, for bug reports.
 */

#include <string.h>
#include <sys/utsname.h>

#include <writ/writ.h>

#include "base/buf.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", .kind = W_OPTION_FLAG,
	 .help = "Print a JSON object."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ version", "the version, and the kernel that it runs on"},
	{"writ version --json | jq -r .version", "just the number"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the answer could not be written"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static int
version_run(int argc, char **argv)
{
	bool is_json = false;
	struct utsname kernel;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	int status = w_cli_command_begin(&w_cmd_version, argc, argv, &is_json);
	if (status >= 0)
		return status;
	if (uname(&kernel) < 0)
		memset(&kernel, 0, sizeof(kernel));
	if (is_json) {
		w_buf_add_char(&buf, '{');
		w_json_add_text_member(&buf, "version", writ_version());
		w_json_add_text_member(&buf, "kernel", kernel.release);
		w_json_add_text_member(&buf, "machine", kernel.machine);
		w_buf_add_str(&buf, "}\n");
	} else {
		w_buf_add_fmt(&buf, "writ %s\nLinux %s %s\n", writ_version(),
		    kernel.release, kernel.machine);
	}
	return w_print(&buf);
}

const struct w_cli_command w_cmd_version = {
    .name = "version",
    .summary = "Show the version of writ and of the kernel",
    .usage = "version [--json]",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = version_run,
};
