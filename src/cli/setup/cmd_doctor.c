/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ doctor`: which sandbox features work here, which profiles are
 * available, and how to get what is missing.
 */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/doctor.h>
#include <writ/undo.h>
#include <writ/writ.h>

#include "base/auto.h"
#include "base/buf.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/wrapped_page.h"
#include "cli/setup/container_offer.h"
#include "data/json.h"

struct doctor_args {
	bool is_json;
	bool is_fixing;
	bool is_yes;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", W_TO(FLAG, struct doctor_args, is_json),
	 .help = "Print a JSON object."},
	{.name = "fix", W_TO(FLAG, struct doctor_args, is_fixing),
	 .help = "If 'workspace' cannot be built here and 'container' can, offer "
	         "to write that into your policy."},
	{.name = "yes", .letter = 'y', W_TO(FLAG, struct doctor_args, is_yes),
	 .help = "With --fix: do not ask."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ doctor", "every layer, every profile, and what to do"},
	{"writ doctor >/dev/null || exit 1",
	 "in a script or in CI: go on only if 'workspace' is available"},
	{"writ doctor --json | jq -r '.layers[] | select(.available | not) "
	 "| .remedy'",
	 "just the remedies"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "the profile 'workspace' is available here; with --fix: or your "
	      "policy now says 'container'"},
	{"1", "it is not, or the answer could not be written"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

/* The marks for yes and no. */
struct marks {
	const char *yes;
	const char *no;
	const char *without; /* missing, but no profile needs it */
	const char *bold;
	const char *dim;
	const char *plain;
};

static const struct marks in_colour = {"\033[32m\342\234\223\033[0m",
    "\033[31m\342\234\227\033[0m", "\033[33m-\033[0m", "\033[1m", "\033[2m",
    "\033[0m"};
static const struct marks in_words = {"ok", "no", "--", "", "", ""};

static void
add_machine(struct w_buf *buf, const struct marks *marks,
    const writ_doctor_machine *machine)
{
	w_buf_add_fmt(buf, "%swrit %s%s on Linux %s, uid %u", marks->bold,
	    writ_version(), marks->plain, machine->kernel, machine->uid);
	if (machine->is_privileged)
		w_buf_add_str(buf, ", privileged");
	if (machine->container[0] != '\0')
		w_buf_add_fmt(buf, ", in %s%s",
		    strcmp(machine->container, "container") == 0 ? "a " : "",
		    machine->container);
	if (machine->ci[0] != '\0')
		w_buf_add_fmt(buf, ", CI: %s", machine->ci);
	w_buf_add_char(buf, '\n');
}

/* The column of a row's text, for the lines below it. */
#define INDENT "                    "

/* A mark and a name. What follows is aligned; no trailing blanks. */
static void
doctor_add_head(
    struct w_buf *buf, const char *mark, const char *name, const char *text)
{
	w_buf_add_fmt(buf, "  %s  ", mark);
	if (text[0] == '\0')
		w_buf_add_str(buf, name);
	else
		w_buf_add_fmt(buf, "%-14s%s", name, text);
}

static void
add_layer(struct w_buf *buf, const struct marks *marks,
    const writ_doctor_layer *layer)
{
	const char *text = layer->is_available ? layer->detail : layer->cause;
	const char *mark = layer->is_available ? marks->yes
			   : layer->is_needed  ? marks->no
					       : marks->without;

	const bool is_blocked = layer->needs[0] != '\0';

	doctor_add_head(buf, mark, layer->name, is_blocked ? "needs " : text);
	w_buf_add_str(buf, layer->needs);
	if (!layer->is_available && !is_blocked) {
		if (layer->setting[0] != '\0')
			w_buf_add_fmt(buf, " (%s)", layer->setting);
		w_buf_add_fmt(buf, "\n" INDENT "%sfailed: %s: %s%s\n",
		    marks->dim, layer->step[0] == '\0' ? "it" : layer->step,
		    strerror(layer->sys_errno), marks->plain);
		w_buf_add_fmt(buf, INDENT "try: %s", layer->remedy);
	}
	w_buf_add_char(buf, '\n');
}

static void
doctor_add_profile(struct w_buf *buf, const struct marks *marks,
    const writ_doctor_profile *profile)
{
	doctor_add_head(buf, profile->is_available ? marks->yes : marks->no,
	    profile->name, profile->is_available ? "" : "refused: no ");
	for (size_t i = 0; profile->missing[i] != NULL; i++) {
		w_buf_add_fmt(
		    buf, "%s%s", i == 0 ? "" : ", ", profile->missing[i]);
		if (i == 0 && !profile->is_possible)
			break;
		if (i == 0)
			w_buf_add_fmt(buf, "; best effort would lack %s",
			    profile->missing[0]);
	}
	w_buf_add_char(buf, '\n');
}

static void
add_report(
    struct w_buf *buf, const struct marks *marks, const writ_doctor *doctor)
{
	size_t count;

	add_machine(buf, marks, writ_doctor_about(doctor));
	w_buf_add_fmt(buf, "\n%slayers%s\n", marks->bold, marks->plain);
	const writ_doctor_layer *layers = writ_doctor_layers(doctor, &count);
	for (size_t i = 0; i < count; i++)
		add_layer(buf, marks, &layers[i]);
	w_buf_add_fmt(buf, "\n%sprofiles%s\n", marks->bold, marks->plain);
	const writ_doctor_profile *profiles =
	    writ_doctor_profiles(doctor, &count);
	for (size_t i = 0; i < count; i++)
		doctor_add_profile(buf, marks, &profiles[i]);
}

/* Why what runs change here could not be undone; NULL: it can. */
static const char *
find_undo_lack(const writ_doctor *doctor)
{
	char cwd[PATH_MAX];
	writ_config *config = NULL;
	const char *lack = "the state directory cannot be found";

	if (!writ_doctor_has(doctor, "workspace"))
		return "there is no 'workspace' here";
	if (getcwd(cwd, sizeof(cwd)) == NULL ||
	    writ_config_new(&config, NULL) != WRIT_OK)
		return lack;
	lack = writ_undo_lack(config, cwd);
	writ_config_free(config);
	return lack;
}

static void
add_undo(struct w_buf *buf, const struct marks *marks, const char *lack)
{
	w_buf_add_fmt(
	    buf, "\n%sundo in this directory%s\n", marks->bold, marks->plain);
	doctor_add_head(buf, lack == NULL ? marks->yes : marks->without, "undo",
	    lack == NULL ? "what runs change here can be taken back" : lack);
	w_buf_add_char(buf, '\n');
}

/* The library's object ends with a brace. */
static void
add_undo_json(struct w_buf *buf, const char *lack)
{
	buf->len--;
	w_buf_add_str(buf, ",\"undo\":{\"available\":");
	w_buf_add_str(buf, lack == NULL ? "true" : "false");
	w_json_add_text_member(buf, "why", lack);
	w_buf_add_str(buf, "}}\n");
}

static int
print_report(const writ_doctor *doctor, bool is_json)
{
	const char *lack = find_undo_lack(doctor);
	const bool has_colour = w_print_has_colour(STDOUT_FILENO);
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (!is_json) {
		add_report(&buf, has_colour ? &in_colour : &in_words, doctor);
		add_undo(&buf, has_colour ? &in_colour : &in_words, lack);
		return w_wrapped_page_print(&buf);
	}
	if (writ_doctor_json(doctor, &json, &len) == WRIT_OK) {
		w_buf_add(&buf, json, len);
		add_undo_json(&buf, lack);
	} else {
		buf.failed = true;
	}
	return w_print(&buf);
}

static int
doctor_fix(bool is_yes)
{
	writ_config *config = NULL;
	writ_error err;

	if (writ_config_new(&config, &err) != WRIT_OK)
		return w_print_failure(&err, false, 1);
	const int status = w_cli_container_offer(config, is_yes);
	writ_config_free(config);
	return status;
}

static int
doctor_run(int argc, char **argv)
{
	struct doctor_args args = {.is_json = false};
	writ_doctor *doctor = NULL;
	writ_error err;

	int status = w_cli_command_begin(&w_cmd_doctor, argc, argv, &args);
	if (status >= 0)
		return status;
	if (writ_doctor_new(&doctor, &err) != WRIT_OK) {
		if (args.is_json)
			w_print_error_json(&err);
		else
			w_print_error(&err, NULL);
		return 1;
	}
	status = print_report(doctor, args.is_json);
	if (status == 0 && args.is_fixing && w_cli_container_is_apt(doctor))
		status = doctor_fix(args.is_yes);
	else if (status == 0 && !writ_doctor_has(doctor, "workspace"))
		status = 1;
	writ_doctor_free(doctor);
	return status;
}

const struct w_cli_command w_cmd_doctor = {
    .name = "doctor",
    .summary = "Show which sandboxes this machine can build",
    .usage = "doctor [--json] [--fix [--yes]]",
    .about = "writ doctor builds every sandbox layer once, in throwaway "
	     "processes, and shows which profiles are available, what is "
	     "missing, why, and how to get it.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = doctor_run,
};
