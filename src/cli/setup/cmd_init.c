/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ init`: writes a policy to start from, based on the files of the
 * directory. The file gets its name only after the library has parsed it and
 * all its 'expect' lines hold.
 */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/config.h>
#include <writ/doctor.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/cli_command.h"
#include "cli/hook/hook_file.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/setup/container_offer.h"
#include "cli/setup/init_file.h"
#include "cli/setup/project.h"
#include "cli/setup/starter_manifest.h"
#include "cli/setup/starter_policy.h"

#define TEXT_MAX ((size_t)1 << 20)

enum {
	FAILED = 1
};

struct init_args {
	const char *preset;
	const char *hook_of;            /* the program; NULL: a policy */
	const struct w_hook_file *hook; /* its file */
	const char *manifest;           /* its path; NULL: a policy */
	bool is_users;
	bool has_force;
	bool is_printed;
	writ_config *config;
	char dir[PATH_MAX]; /* of the project */
	struct w_project project;
	struct w_init_file file;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "preset", .arg = "NAME", W_TO(TEXT, struct init_args, preset),
	 .help = "The preset that the policy includes; 'writ policy presets' "
	         "lists them.",
	 .standard = "developer",
	 .words = "developer|allowlist|denylist|modules-strict|manifest|open"},
	{.name = "user", W_TO(FLAG, struct init_args, is_users),
	 .help = "Write the user's policy, which applies in every directory, "
	         "instead of the project's."},
	{.name = "force", .letter = 'f', W_TO(FLAG, struct init_args, has_force),
	 .help = "Replace an existing policy, or with --manifest a manifest."},
	{.name = "print", W_TO(FLAG, struct init_args, is_printed),
	 .help = "Print the policy and write nothing."},
	{.name = "hook", .arg = "PROGRAM", W_TO(TEXT, struct init_args, hook_of),
	 .words = "claude|codex|cursor|gemini",
	 .help = "Instead of a policy, write the project's settings of an "
	         "agent program (claude, codex, cursor or gemini), so that "
	         "its own shell runs every command through writ, in a sandbox."},
	{.name = "manifest", .arg = "FILE", W_TO(TEXT, struct init_args, manifest),
	 .words = "@file",
	 .help = "Instead of a policy, write a manifest to start from; see "
	         "'writ help apply'."},
	{.name = "config-dir", .arg = "DIR", W_TO(SETTING, struct init_args, config),
	 .key = "config_dir", .words = "@dir",
	 .help = "The user's configuration, for --user."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ init", "write .writ/policy.yaml for this directory"},
	{"writ init --print", "see it first"},
	{"writ init --preset allowlist --force",
	 "begin again, from another preset"},
	{"writ init --user", "a policy for all directories"},
	{"writ init --hook claude",
	 "let Claude Code's own shell run through writ here"},
	{"writ init --manifest site.yaml", "a first manifest"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "there is a policy or manifest already, or it could not be written"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

/* ---- which directory ---- */

/* A policy in the home directory would cover everything the user has. */
static writ_status
init_check_dir(const char *dir, writ_error *err)
{
	const char *home = getenv("HOME");
	W_AUTO_FREE char *real = home == NULL ? NULL : realpath(home, NULL);

	if (strcmp(dir, "/") != 0 && (real == NULL || strcmp(dir, real) != 0))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "init", 0,
	    "'%s' is not a project: its policy would let runs write to "
	    "all of it",
	    dir);
	w_suggest(err, "cd to the project, or writ init --user");
	return WRIT_E_INVALID;
}

static writ_status
init_detect(struct init_args *args, writ_error *err)
{
	if (getcwd(args->dir, sizeof(args->dir)) == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "init", errno,
		    "cannot find the current directory");
	if (args->is_users)
		return w_cli_project_any(&args->project, err);
	if (init_check_dir(args->dir, err) != WRIT_OK)
		return WRIT_E_INVALID;
	writ_status status =
	    w_cli_project_detect(args->dir, &args->project, err);
	if (status == WRIT_OK)
		w_cli_project_drop_missing(&args->project, getenv("PATH"));
	return status;
}

static writ_status
init_find_place(struct init_args *args, writ_error *err)
{
	struct w_init_file *file = &args->file;
	int len;

	if (args->hook != NULL)
		len = snprintf(file->dir, sizeof(file->dir), "%s/%s", args->dir,
		    args->hook->dir);
	else if (args->is_users)
		len = snprintf(file->dir, sizeof(file->dir), "%s",
		    writ_config_get(args->config, "config_dir"));
	else
		len = snprintf(
		    file->dir, sizeof(file->dir), "%s/.writ", args->dir);
	if (len < 0 || (size_t)len >= sizeof(file->dir))
		return w_fail(err, WRIT_E_INVALID, "init", 0,
		    "the path of the file is too long");
	file->name = args->hook != NULL ? args->hook->name : "policy.yaml";
	file->cwd = args->dir;
	file->config = args->config;
	file->is_projects = !args->is_users;
	file->may_replace = args->has_force;
	return WRIT_OK;
}

/* ---- the policy ---- */

static int
init_report(const struct init_args *args)
{
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, TEXT_MAX);
	w_buf_add_fmt(&out, "wrote %s/policy.yaml", args->file.dir);
	for (size_t i = 0; i < args->project.kinds.count; i++)
		w_buf_add_fmt(&out, "%s%s", i == 0 ? " for " : ", ",
		    args->project.kinds.items[i]);
	w_buf_add_str(&out,
	    "\n\nTry\n"
	    "  writ policy test                    what it expects, and "
	    "gets\n"
	    "  writ policy explain -- git push     why something is asked or "
	    "denied\n"
	    "  writ run -- COMMAND                 run something under it\n"
	    "  writ approvals watch                answer what it asks, in "
	    "another terminal\n"
	    "  writ init --hook claude             let an agent's own shell "
	    "run "
	    "through writ\n"
	    "  writ mcp install --client claude    or give it writ's tools\n");
	for (size_t i = 0; i < args->project.managers.count; i++)
		w_buf_add_fmt(&out,
		    "  writ policy allow --host %s --project\n"
		    "%38slet what runs here reach its packages, unasked\n",
		    args->project.managers.items[i], "");
	return w_print(&out);
}

/* Existing settings of the user are never replaced. */
static int
init_hook(struct init_args *args)
{
	writ_error err;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	args->hook = w_hook_file_of(args->hook_of);
	if (args->hook == NULL) {
		(void)w_usage_fail(&w_cmd_init, &err,
		    "--hook: '%.64s' is not claude, codex, cursor or gemini",
		    args->hook_of);
		return w_print_failure(&err, false, w_cmd_init.usage_exit);
	}
	w_buf_add_str(&text, args->hook->text);
	if (args->is_users || args->has_force) {
		(void)w_usage_fail(&w_cmd_init, &err,
		    "--hook and --%s cannot be used together",
		    args->is_users ? "user" : "force");
		return w_print_failure(&err, false, w_cmd_init.usage_exit);
	}
	if (args->is_printed)
		return w_print(&text);
	if (getcwd(args->dir, sizeof(args->dir)) == NULL) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "init", errno,
		    "cannot find the current directory");
		return w_print_failure(&err, false, FAILED);
	}
	if (init_find_place(args, &err) != WRIT_OK ||
	    w_cli_init_check_place(&args->file, &err) != WRIT_OK ||
	    w_cli_init_write(&args->file, &text, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	w_print_note(
	    "wrote %s/%s: each command of its shell is judged, and runs "
	    "through 'writ run'",
	    args->file.dir, args->file.name);
	return 0;
}

static writ_status
place_manifest(struct init_args *args, writ_error *err)
{
	struct w_init_file *file = &args->file;
	const char *slash = strrchr(args->manifest, '/');
	const int dir_len = slash == NULL ? 1 : (int)(slash - args->manifest);
	const int len = snprintf(file->dir, sizeof(file->dir), "%.*s",
	    dir_len == 0 ? 1 : dir_len, slash == NULL ? "." : args->manifest);

	file->name = slash == NULL ? args->manifest : slash + 1;
	if (len < 0 || (size_t)len >= sizeof(file->dir) ||
	    file->name[0] == '\0' || strlen(file->name) > NAME_MAX / 2)
		return w_fail(err, WRIT_E_INVALID, "init", 0,
		    "'%.256s' cannot be the name of a manifest",
		    args->manifest);
	file->is_projects = true;
	file->may_replace = args->has_force;
	return w_cli_init_check_place(file, err);
}

static int
init_manifest(struct init_args *args)
{
	writ_error err;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_buf_add_str(&text, w_starter_manifest_text);
	if (args->is_users || args->hook_of != NULL) {
		(void)w_usage_fail(&w_cmd_init, &err,
		    "--manifest and --%s cannot be used together",
		    args->is_users ? "user" : "hook");
		return w_print_failure(&err, false, w_cmd_init.usage_exit);
	}
	if (args->is_printed)
		return w_print(&text);
	if (place_manifest(args, &err) != WRIT_OK ||
	    w_cli_init_write(&args->file, &text, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	w_print_note("wrote %s; what it would do: writ apply --noop %s",
	    args->manifest, args->manifest);
	return 0;
}

/* Once: who says no is not asked again. */
static void
offer_container(const struct init_args *args)
{
	writ_doctor *doctor = NULL;
	writ_error ignored;

	if (w_cli_container_was_offered(args->config) ||
	    writ_doctor_new(&doctor, &ignored) != WRIT_OK)
		return;
	if (w_cli_container_is_apt(doctor))
		(void)w_cli_container_offer(args->config, false);
	writ_doctor_free(doctor);
}

static int
init_project(struct init_args *args)
{
	struct w_starter_policy starter = {
	    .preset = args->preset,
	    .is_users = args->is_users,
	    .project = &args->project,
	};
	writ_error err;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	writ_status status = init_detect(args, &err);
	if (status == WRIT_OK)
		status = init_find_place(args, &err);
	if (status == WRIT_OK && !args->is_printed)
		status = w_cli_init_check_place(&args->file, &err);
	if (status == WRIT_OK)
		status = w_cli_init_render(&args->file, &starter, &text, &err);
	if (status != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	if (args->is_printed)
		return w_print(&text);
	if (w_cli_init_write(&args->file, &text, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	const int report = init_report(args);
	if (report == 0)
		offer_container(args);
	return report;
}

static int
init_run(int argc, char **argv)
{
	struct init_args args = {.preset = "developer"};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	int status = w_cli_command_begin(&w_cmd_init, argc, argv, &args);
	if (status < 0)
		status = args.manifest != NULL  ? init_manifest(&args)
			 : args.hook_of != NULL ? init_hook(&args)
						: init_project(&args);
	w_cli_project_done(&args.project);
	writ_config_free(args.config);
	return status;
}

const struct w_cli_command w_cmd_init = {
    .name = "init",
    .summary = "Write a starter policy for this directory",
    .usage = "init [OPTION]...",
    .about = "Looks at what kind of project the current directory holds "
	     "and writes a commented .writ/policy.yaml that fits it: a "
	     "preset, the daily work here, files with secrets, and the "
	     "answers expected of it. Nothing in the directory is "
	     "executed. An existing policy is left alone.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = init_run,
};
