/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ ensure` of the types that have a name and properties, and nothing more
 * to say on the command line: package, service, user, group, archive, edit.
 */

#include "base/error.h"
#include "cli/manifest/cmd_ensure.h"
#include "cli/manifest/ensure_args.h"
#include "cli/options/options.h"
#include "data/json.h"

/* clang-format off */
#define ENSURE_ROW(values, usual, text) \
	{.name = "ensure", .arg = "STATE", W_ENSURE_TO(TEXT), \
	 .key = "ensure", .words = values, .standard = usual, .help = text}
#define TEXT_ROW(option, property, value, text) \
	{.name = option, .arg = value, W_ENSURE_TO(TEXT), .key = property, \
	 .help = text}
#define LIST_ROW(option, property, value, text) \
	{.name = option, .arg = value, W_ENSURE_TO(LIST), .key = property, \
	 .help = text}
#define NUMBER_ROW(option, property, text) \
	{.name = option, .arg = "N", W_ENSURE_TO(NUMBER), .key = property, \
	 .help = text}
#define SWITCH_ROW(option, property, text) \
	{.name = option, W_ENSURE_TO(SWITCH), .key = property, .help = text}
#define TRUTH_ROW(option, property, text) \
	{.name = option, .arg = "BOOL", W_ENSURE_TO(TRUTH), .key = property, \
	 .words = "true|false", .help = text}

static const struct w_option package_options[] = {
	{.name = "ensure", .arg = "STATE", W_ENSURE_TO(TEXT), .key = "ensure",
	 .standard = "present",
	 .help = "present, absent, latest, held (apt), or a version."},
	{.name = "provider", .arg = "NAME", W_ENSURE_TO(TEXT),
	 .key = "provider", .words = "apt|pip|npm",
	 .standard = "that of the system",
	 .help = "The package manager."},
	TRUTH_ROW("hold", "hold",
	    "With apt: whether upgrades pass over it."),
	SWITCH_ROW("purge", "purge",
	    "With apt and --ensure absent: its configuration, too."),
	{.name = "directory", .arg = "DIR", W_ENSURE_TO(TEXT),
	 .key = "directory", .words = "@dir",
	 .help = "With pip a virtual environment, with npm a project."},
	{.name = "wait", .arg = "DURATION", W_ENSURE_TO(TEXT), .key = "wait",
	 .standard = "30s", .help = "How long to wait for a lock of apt."},
	{.name = "timeout", .arg = "DURATION", W_ENSURE_TO(TEXT),
	 .key = "timeout", .standard = "1h",
	 .help = "End a command after this long."},
	{.name = "environment", .letter = 'e', .arg = "NAME=VALUE",
	 W_ENSURE_TO(LIST), .key = "environment",
	 .help = "Set a variable, such as https_proxy. May be repeated."},
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_option service_options[] = {
	ENSURE_ROW("running|stopped", "running", "Whether it runs."),
	TRUTH_ROW("enable", "enable", "Whether it starts with the machine."),
	{.name = "subscribe", .letter = 'S', .arg = "TYPE#NAME",
	 W_ENSURE_TO(LIST), .key = "subscribe",
	 .help = "Restart it when that resource of the session changed. May "
	         "be repeated."},
	{.name = "refresh", .arg = "HOW", W_ENSURE_TO(TEXT), .key = "refresh",
	 .words = "restart|reload", .standard = "restart",
	 .help = "What to do in that case."},
	{.name = "settle", .arg = "DURATION", W_ENSURE_TO(TEXT),
	 .key = "settle", .standard = "1s",
	 .help = "It must still run after this long."},
	{.name = "timeout", .arg = "DURATION", W_ENSURE_TO(TEXT),
	 .key = "timeout", .standard = "5m",
	 .help = "End a command of systemctl after this long."},
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_option user_options[] = {
	ENSURE_ROW("present|absent", "present", "What is to be there."),
	NUMBER_ROW("uid", "uid", "Its number."),
	{.name = "group", .arg = "GROUP", W_ENSURE_TO(TEXT), .key = "group",
	 .words = "@group", .help = "Its first group: a name or a number."},
	{.name = "groups", .arg = "GROUP", W_ENSURE_TO(LIST),
	 .key = "groups", .words = "@group",
	 .help = "Another group of it. May be repeated."},
	{.name = "membership", .arg = "HOW", W_ENSURE_TO(TEXT),
	 .key = "membership", .words = "minimum|inclusive",
	 .standard = "minimum",
	 .help = "Whether it may have other groups besides (minimum), or not "
	         "(inclusive)."},
	{.name = "shell", .arg = "PATH", W_ENSURE_TO(TEXT), .key = "shell",
	 .words = "@file", .help = "Its shell."},
	{.name = "home", .arg = "DIR", W_ENSURE_TO(TEXT), .key = "home",
	 .words = "@dir", .help = "Its home directory."},
	TEXT_ROW("comment", "comment", "TEXT", "The name of the person."),
	SWITCH_ROW("system", "system",
	    "Give it a number below those of people."),
	SWITCH_ROW("manage-home", "manage_home",
	    "Make its home directory; with --ensure absent, remove it."),
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_option group_options[] = {
	ENSURE_ROW("present|absent", "present", "What is to be there."),
	NUMBER_ROW("gid", "gid", "Its number."),
	SWITCH_ROW("system", "system",
	    "Give it a number below those of people."),
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_option archive_options[] = {
	ENSURE_ROW("present|absent", "present", "What is to be there."),
	TEXT_ROW("url", "url", "URL", "Where it is fetched from."),
	{.name = "source", .arg = "FILE", W_ENSURE_TO(TEXT), .key = "source",
	 .words = "@file", .help = "A local file, instead."},
	TEXT_ROW("checksum", "checksum", "SHA256", "What it must have."),
	{.name = "extract-parent", .arg = "DIR", W_ENSURE_TO(TEXT),
	 .key = "extract_parent", .words = "@dir",
	 .help = "The directory that it is extracted to."},
	{.name = "creates", .arg = "PATH", W_ENSURE_TO(TEXT),
	 .key = "creates", .words = "@file",
	 .help = "Do nothing if this is there."},
	SWITCH_ROW("cleanup", "cleanup",
	    "Remove the archive when it is extracted."),
	NUMBER_ROW("strip", "strip",
	    "How many leading directories to leave out."),
	{.name = "owner", .arg = "USER", W_ENSURE_TO(TEXT), .key = "owner",
	 .words = "@user", .help = "Who owns it, and extracts it."},
	{.name = "group", .arg = "GROUP", W_ENSURE_TO(TEXT), .key = "group",
	 .words = "@group", .help = "Its group."},
	TEXT_ROW("mode", "mode", "MODE", "Its permissions in octal."),
	LIST_ROW("header", "headers", "HEADER",
	    "A header of the request, 'Name: value'. May be repeated."),
	{.name = "timeout", .arg = "DURATION", W_ENSURE_TO(TEXT),
	 .key = "timeout", .standard = "30m",
	 .help = "End a command after this long."},
	{.name = "environment", .letter = 'e', .arg = "NAME=VALUE",
	 W_ENSURE_TO(LIST), .key = "environment",
	 .help = "Set a variable, such as https_proxy. May be repeated."},
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_option edit_options[] = {
	ENSURE_ROW("present|absent", "present", "What is to be there."),
	TEXT_ROW("line", "line", "TEXT", "A line."),
	TEXT_ROW("match", "match", "REGEX",
	    "The line that it replaces: the last that matches. With --ensure "
	    "absent: the lines to remove."),
	TEXT_ROW("block", "block", "TEXT",
	    "Lines, kept between two lines that mark them."),
	TEXT_ROW("marker", "marker", "TEXT",
	    "These two lines, with {mark} for BEGIN and END."),
	TEXT_ROW("after", "after", "REGEX",
	    "Put a new line or block behind the last line that matches."),
	TEXT_ROW("before", "before", "REGEX",
	    "Put a new line or block before the first line that matches."),
	TEXT_ROW("section", "section", "NAME", "The section of the key."),
	TEXT_ROW("key", "key", "NAME", "A key of an ini file."),
	TEXT_ROW("value", "value", "TEXT", "Its value."),
	SWITCH_ROW("create", "create", "Make the file if it is not there."),
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_example package_examples[] = {
	{"writ ensure package nginx", "installed, whatever the version"},
	{"writ ensure package nginx --ensure latest --noop",
	 "what an upgrade would do"},
	{"writ ensure package requests --provider pip --directory /srv/app/venv",
	 "in a virtual environment"},
	{.line = ""},
};

static const struct w_example service_examples[] = {
	{"writ ensure service nginx --enable true",
	 "it runs, and starts with the machine"},
	{"writ ensure service nginx --refresh reload -S file#/etc/nginx/nginx.conf",
	 "reload it when an earlier 'writ ensure file' of the session changed "
	 "that"},
	{.line = ""},
};

static const struct w_example user_examples[] = {
	{"writ ensure user app --system --home /srv/app --shell /usr/sbin/nologin",
	 "an account for a service"},
	{"writ ensure user eve --ensure absent", "no such account"},
	{.line = ""},
};

static const struct w_example group_examples[] = {
	{"writ ensure group staff --gid 2000", "a group with this number"},
	{.line = ""},
};

static const struct w_example archive_examples[] = {
	{"writ ensure archive /opt/app.tgz --url https://example.com/app.tgz "
	 "--checksum SHA256 --extract-parent /opt --creates /opt/app",
	 "fetched, compared, extracted"},
	{.line = ""},
};

static const struct w_example edit_examples[] = {
	{"writ ensure edit /etc/hosts --line '10.0.0.5 db' --match ' db$'",
	 "a line, in the place of the one for db"},
	{"writ ensure edit /etc/php.ini --section PHP --key memory_limit "
	 "--value 256M",
	 "a key of an ini file"},
	{.line = ""},
};
/* clang-format on */

/* One NAME, and nothing else. */
static writ_status
ensure_types_make(const struct w_ensure_args *args, char **argv,
    struct w_buf *buf, writ_error *err)
{
	const char *name = NULL;

	(void)argv;
	for (size_t i = 0; i < args->count; i++) {
		if (args->given[i].option != NULL)
			continue;
		if (name != NULL)
			return w_usage_fail(args->run.command, err,
			    "unexpected word '%s': one at a time",
			    args->given[i].value);
		name = args->given[i].value;
	}
	if (name == NULL)
		return w_usage_fail(args->run.command, err, "no name given");
	w_json_add_path_member(buf, "name", name);
	return WRIT_OK;
}

static int
ensure_types_run(const struct w_cli_command *command, const char *type,
    int argc, char **argv)
{
	struct w_ensure_args args = {.run = {.command = command}, .type = type};

	return w_ensure_run(&args, argc, argv, ensure_types_make);
}

/* A command of its own for each type. */
#define COMMAND(type, operand_words, operand_name, summary_text, about_text)  \
	static int ensure_##type##_run(int argc, char **argv)                 \
	{                                                                     \
		return ensure_types_run(                                      \
		    &w_cmd_ensure_##type, #type, argc, argv);                 \
	}                                                                     \
	const struct w_cli_command w_cmd_ensure_##type = {                    \
	    .name = "ensure " #type,                                          \
	    .summary = (summary_text),                                        \
	    .usage = "ensure " #type " [OPTION]... " operand_name,            \
	    .about = (about_text),                                            \
	    .options = type##_options,                                        \
	    .stores = W_ENSURE_STORES,                                        \
	    .examples = type##_examples,                                      \
	    .exits = w_ensure_exits,                                          \
	    .operand =                                                        \
		&(const struct w_option){.words = operand_words, .store = 1}, \
	    .usage_exit = W_APPLY_ABORTED,                                    \
	    .run = ensure_##type##_run,                                       \
	}

COMMAND(package, "", "NAME", "Bring a package into its state",
    "Installs, upgrades, holds or removes a package of apt, pip or npm.");
COMMAND(service, "", "NAME", "Bring a service of systemd into its state",
    "Starts, stops, enables or disables a service. One that does not come up "
    "is reported with the last lines that it wrote.");
COMMAND(user, "@user", "NAME", "Bring an account into its state",
    "Creates, changes or removes a user of this machine.");
COMMAND(group, "@group", "NAME", "Bring a group into its state",
    "Creates, changes or removes a group of this machine.");
COMMAND(archive, "@file", "PATH", "Fetch an archive and extract it",
    "Fetches a file, compares its checksum, and extracts it. An archive with "
    "'..', absolute paths, links that lead out, or devices is refused.");
COMMAND(edit, "@file", "PATH", "Bring a line, block or key of a file about",
    "Sets or removes one line, block or key of a file that others write, too. "
    "The rest of the file stays byte by byte.");
