/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ ensure file`: brings a file or a directory into a state.
 */

#include <string.h>

#include "base/error.h"
#include "cli/manifest/cmd_ensure.h"
#include "cli/manifest/ensure_args.h"
#include "cli/options/options.h"
#include "data/json.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "ensure", .arg = "STATE", W_ENSURE_TO(TEXT),
	 .key = "ensure", .words = "present|absent|directory|link",
	 .standard = "present",
	 .help = "present: a file; absent: nothing; directory; link: a "
	         "symbolic link."},
	{.name = "content", .arg = "TEXT", W_ENSURE_TO(TEXT),
	 .key = "content",
	 .help = "What is in it; expressions are filled in."},
	{.name = "source", .arg = "FILE", W_ENSURE_TO(TEXT),
	 .key = "source", .words = "@file",
	 .help = "The file whose content it gets; of a directory, the one "
	         "that is copied."},
	{.name = "target", .arg = "PATH", W_ENSURE_TO(TEXT),
	 .key = "target", .words = "@file",
	 .help = "With --ensure link: what it leads to."},
	{.name = "owner", .arg = "USER[:GROUP]", W_ENSURE_TO(OWNER),
	 .words = "@user", .standard = "unchanged; a new one is yours",
	 .help = "Its owner and group: names or numbers."},
	{.name = "group", .arg = "GROUP", W_ENSURE_TO(TEXT), .key = "group",
	 .words = "@group", .help = "Its group."},
	{.name = "mode", .arg = "MODE", W_ENSURE_TO(TEXT), .key = "mode",
	 .standard = "unchanged; 0644 for a new file",
	 .help = "Its permissions in octal, like 0640."},
	{.name = "force", W_ENSURE_TO(SWITCH), .key = "force",
	 .help = "With --ensure absent: remove a directory with all that is "
	         "in it. With --ensure link: replace a file."},
	{.name = "validate", .arg = "COMMAND", W_ENSURE_TO(TEXT),
	 .key = "validate",
	 .help = "Have this command look at new content first; % is the file "
	         "to look at."},
	{.name = "backup", .arg = "SUFFIX", W_ENSURE_TO(TEXT),
	 .key = "backup",
	 .help = "Keep a copy of what is replaced or removed, with this added "
	         "to its name."},
	{.name = "recurse", W_ENSURE_TO(SWITCH), .key = "recurse",
	 .help = "With --ensure directory: owner, group and mode also of all "
	         "beneath."},
	{.name = "purge", W_ENSURE_TO(SWITCH), .key = "purge",
	 .help = "With --ensure directory: remove what is not in the source."},
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_example examples[] = {
	{"writ ensure file /etc/motd --content 'hello' --mode 0644 "
	 "--owner root:root",
	 "a file with this content"},
	{"writ ensure file /etc/app.conf --source app.conf --noop",
	 "what would change, as a difference"},
	{"writ ensure file /var/lib/app --ensure directory --owner app:app",
	 "a directory"},
	{"writ ensure file /etc/sudoers.d/app --source app.sudo --validate "
	 "'visudo -cf %' --backup '~'",
	 "new content only if it is right, and the old one is kept"},
	{"writ ensure file /srv/www/now --ensure link --target r42",
	 "a symbolic link"},
	{"writ ensure file /opt/old --ensure absent --force",
	 "gone, with all that is in it"},
	{.line = ""},
};
/* clang-format on */

static writ_status
add_owner(const struct w_ensure_args *args, struct w_buf *buf, writ_error *err)
{
	const char *owner = w_ensure_value(args, "owner");

	if (owner == NULL)
		return WRIT_OK;
	const size_t len = strcspn(owner, ":");
	w_buf_add_str(buf, ",\"owner\":");
	w_json_add_string(buf, owner, len);
	if (owner[len] == '\0')
		return WRIT_OK;
	if (w_ensure_value(args, "group") != NULL)
		return w_usage_fail(&w_cmd_ensure_file, err,
		    "--owner '%s' names a group, and so does --group", owner);
	w_json_add_path_member(buf, "group", owner + len + 1);
	return WRIT_OK;
}

static writ_status
ensure_file_make(const struct w_ensure_args *args, char **argv,
    struct w_buf *buf, writ_error *err)
{
	const char *path = NULL;

	(void)argv;
	for (size_t i = 0; i < args->count; i++) {
		if (args->given[i].option != NULL)
			continue;
		if (path != NULL)
			return w_usage_fail(&w_cmd_ensure_file, err,
			    "unexpected word '%s': one PATH at a time",
			    args->given[i].value);
		path = args->given[i].value;
	}
	if (path == NULL)
		return w_usage_fail(&w_cmd_ensure_file, err, "no PATH given");
	w_json_add_path_member(buf, "name", path);
	return add_owner(args, buf, err);
}

static int
ensure_file_run(int argc, char **argv)
{
	struct w_ensure_args args = {
	    .run = {.command = &w_cmd_ensure_file}, .type = "file"};

	return w_ensure_run(&args, argc, argv, ensure_file_make);
}

const struct w_cli_command w_cmd_ensure_file = {
    .name = "ensure file",
    .summary = "Bring a file or directory into its state",
    .usage = "ensure file [OPTION]... PATH",
    .about = "Creates, changes or removes a file or directory. New "
	     "content is on the disk, with its owner and mode, before it "
	     "replaces the old file. Without --content and --source only "
	     "owner and mode are set. The policy decides, and the change "
	     "is recorded like a run.",
    .options = options,
    .stores = W_ENSURE_STORES,
    .examples = examples,
    .exits = w_ensure_exits,
    .operand = &(const struct w_option){.words = "@file", .store = 1},
    .usage_exit = W_APPLY_ABORTED,
    .run = ensure_file_run,
};
