/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ ensure`: applies one resource without a manifest.
 */

#include "cli/manifest/cmd_ensure.h"

#include "cli/manifest/ensure_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ ensure exec 'tar xzf /tmp/app.tgz -C /opt' --creates /opt/app",
	 "run it unless that is there"},
	{"writ ensure file /etc/motd --content 'hello' --mode 0644",
	 "a file with this content"},
	{"writ ensure package nginx --ensure latest", "a package"},
	{"writ ensure service nginx --enable true", "a service of systemd"},
	{"eval \"$(writ session new)\"",
	 "begin a session, so that later ones can refer to earlier ones"},
	{.line = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_ensure_exec,
    &w_cmd_ensure_file,
    &w_cmd_ensure_package,
    &w_cmd_ensure_service,
    &w_cmd_ensure_user,
    &w_cmd_ensure_group,
    &w_cmd_ensure_archive,
    &w_cmd_ensure_edit,
    NULL,
};

const struct w_cli_command w_cmd_ensure = {
    .name = "ensure",
    .summary = "Bring one resource into its state, without a manifest",
    .about = "Applies a single resource, as 'writ apply' would: with the same "
	     "checks, the same decision and the same event. In a shell script "
	     "a session ties several together.",
    .options = options,
    .examples = examples,
    .exits = w_ensure_exits,
    .usage_exit = W_APPLY_ABORTED,
    .subs = subs,
};
