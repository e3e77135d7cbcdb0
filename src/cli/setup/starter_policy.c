/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes a policy to start from. It is written for people: each part says why
 * it is there, and alternatives are shown as comments.
 */

#include "cli/setup/starter_policy.h"

#include <string.h>

#include "cli/setup/starter_manifest.h"
#include "data/yaml_string.h"

#define COLUMNS 78

/* The lines of expect that are always included. */
#define LAST_COUNT 2

/* "# " and the text, wrapped; column: of the '#'. */
static void
add_comment(struct w_buf *buf, size_t column, const char *text)
{
	while (*text != '\0') {
		size_t len = strlen(text);
		const size_t room = COLUMNS - column - 2;

		if (len > room) {
			len = room;
			while (len > 0 && text[len] != ' ')
				len--;
		}
		if (len == 0)
			len = strcspn(text, " ");
		w_buf_add_fmt(
		    buf, "%*s# %.*s\n", (int)column, "", (int)len, text);
		text += len;
		text += strspn(text, " ");
	}
}

static void
add_list_comment(struct w_buf *buf, const struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		w_buf_add_str(buf, i == 0                  ? ""
				   : i + 1 == words->count ? " and "
							   : ", ");
		w_buf_add_str(buf, words->items[i]);
	}
}

static void
starter_policy_add_head(
    struct w_buf *buf, const struct w_starter_policy *starter)
{
	const struct w_project *project = starter->project;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, buf->max);
	w_buf_add_str(buf, W_SCHEMA_MODELINE("policy"));
	if (starter->is_users) {
		w_buf_add_str(&text,
		    "What agents may run for you, wherever they work. A "
		    "project's own .writ/policy.yaml can only tighten it.");
	} else {
		w_buf_add_str(&text, "What agents may run in this project");
		if (project->kinds.count > 0) {
			w_buf_add_str(&text, ", which looks like ");
			add_list_comment(&text, &project->kinds);
		}
		w_buf_add_str(&text,
		    ". It can only tighten what the user's and the machine's "
		    "policies say.");
	}
	add_comment(buf, 0, text.data);
	buf->failed = buf->failed || text.failed;
	for (size_t i = 0; i < project->notes.count; i++) {
		w_buf_add_str(buf, "#\n");
		add_comment(buf, 0, project->notes.items[i]);
	}
	w_buf_add_str(buf,
	    "#\n"
	    "#   writ policy explain -- COMMAND   what it answers, and why\n"
	    "#   writ policy test                 whether 'expect' below "
	    "holds\n"
	    "#   writ approvals                   what is being asked about\n"
	    "#\n"
	    "# The language: writ-policy(5).\n"
	    "version: 1\n\n");
}

/* A project's policy opens nothing: the rules are for the user's. */
static void
starter_policy_add_managers(struct w_buf *buf, const struct w_words *managers)
{
	if (managers->count == 0)
		return;
	add_comment(buf, 0,
	    "Packages come from the hosts that your configuration of the "
	    "package manager names. The first time is a question, whose answer "
	    "is remembered. To say yes before, put this into your own policy, "
	    "with 'project' if only here:");
	for (size_t i = 0; i < managers->count; i++)
		w_buf_add_fmt(buf,
		    "#   - allow: { host: \"%s\", network: hosts }\n",
		    managers->items[i]);
	w_buf_add_char(buf, '\n');
}

static void
starter_policy_add_base(
    struct w_buf *buf, const struct w_starter_policy *starter)
{
	if (strcmp(starter->preset, "developer") == 0)
		add_comment(buf, 0,
		    "Allows whatever the sandbox holds: it can write in the "
		    "project and has no network but loopback. Asks about the "
		    "network, about publishing and about what cannot be "
		    "undone. Denies running as another user, and places with "
		    "secrets.");
	add_comment(buf, 0, "All of it: writ policy show --effective");
	w_buf_add_fmt(buf, "include: [%s]\n\n", starter->preset);
	starter_policy_add_managers(buf, &starter->project->managers);
	w_buf_add_str(buf,
	    "# limits: { timeout: 10m, memory: 4GiB }   # of every run\n"
	    "# agents: { reviewer: { sandbox: readonly } }\n\n");
}

/* ---- rules ---- */

/* ["a", "b"], wrapped; continuation lines start at that column. */
static void
add_flow_list(struct w_buf *buf, const struct w_words *words, size_t column)
{
	size_t line_start = buf->len - column;

	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < words->count; i++) {
		const size_t len = strlen(words->items[i]) + 4;

		if (i > 0)
			w_buf_add_char(buf, ',');
		if (i > 0 && buf->len - line_start + len > COLUMNS) {
			w_buf_add_fmt(buf, "\n%*s", (int)column, "");
			line_start = buf->len - column;
		} else if (i > 0) {
			w_buf_add_char(buf, ' ');
		}
		w_buf_add_fmt(buf, "\"%s\"", words->items[i]);
	}
	w_buf_add_char(buf, ']');
}

static void
starter_policy_add_commands(
    struct w_buf *buf, const struct w_starter_policy *starter)
{
	const struct w_project *project = starter->project;

	if (!starter->has_commands || project->commands.count == 0)
		return;
	add_comment(buf, 2,
	    "Daily work of programs that writ has no description of: "
	    "exactly these words, and only in a sandbox without a "
	    "network. Where the user's policy asks about them, a person "
	    "is still asked; that answer can be remembered.");
	w_buf_add_str(buf, "  - allow:\n      shape: ");
	add_flow_list(buf, &project->commands, 14);
	w_buf_add_str(buf, "\n      sandbox: workspace\n"
			   "      network: off\n");
}

static void
add_secrets(struct w_buf *buf, const struct w_project *project)
{
	add_comment(buf, 2,
	    "Files with secrets: a command that names one is denied. Code that "
	    "runs here may still open them, but has no network to send them "
	    "over.");
	w_buf_add_str(buf, "  - deny:\n      read: ");
	add_flow_list(buf, &project->secrets, 13);
	w_buf_add_str(buf, "\n    because: it contains secrets\n");
}

static void
starter_policy_add_rules(
    struct w_buf *buf, const struct w_starter_policy *starter)
{
	const struct w_project *project = starter->project;
	const bool is_developer = strcmp(starter->preset, "developer") == 0;

	w_buf_add_str(buf, "rules:\n");
	starter_policy_add_commands(buf, starter);
	add_secrets(buf, project);
	for (size_t i = 0; is_developer && i + 1 < project->rules.count;
	     i += 2) {
		w_buf_add_fmt(buf, "  - %s\n", project->rules.items[i]);
		w_buf_add_fmt(
		    buf, "    because: %s\n", project->rules.items[i + 1]);
	}
	add_comment(buf, 2, "- deny: { write: [\"./migrations/**\"] }");
	add_comment(buf, 2, "  because: they are applied already");
}

/* ---- expectations ---- */

struct expecting {
	struct w_buf *buf;
	const struct w_starter_policy *starter;
	size_t count;
	size_t max;
};

static void
starter_policy_add_line(
    struct expecting *expecting, const char *verdict, const char *line)
{
	if (expecting->count == expecting->max)
		return;
	const char *answer = expecting->starter->answers[expecting->count++];
	w_buf_add_fmt(
	    expecting->buf, "  - %s: ", answer != NULL ? answer : verdict);
	w_yaml_add_string(expecting->buf, line, strlen(line), 0);
	w_buf_add_char(expecting->buf, '\n');
}

static void
starter_policy_add_lines(struct expecting *expecting, const char *verdict,
    const struct w_words *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		starter_policy_add_line(expecting, verdict, lines->items[i]);
}

static void
add_expect(struct w_buf *buf, const struct w_starter_policy *starter)
{
	struct expecting expecting = {
	    .buf = buf,
	    .starter = starter,
	    .max = W_STARTER_EXPECT_MAX - LAST_COUNT,
	};

	w_buf_add_char(buf, '\n');
	add_comment(buf, 0,
	    "What it must answer, checked whenever it is read: a change that "
	    "breaks one of these is refused.");
	w_buf_add_str(buf, "expect:\n");
	starter_policy_add_lines(&expecting,
	    starter->has_commands ? "allow" : "ask",
	    &starter->project->commands);
	starter_policy_add_lines(&expecting, "allow", &starter->project->daily);
	starter_policy_add_lines(&expecting, "ask", &starter->project->asked);
	expecting.max += LAST_COUNT;
	starter_policy_add_line(&expecting, "deny", "cat .env");
	starter_policy_add_line(&expecting, "deny", "env sudo id");
}

/* The commands are the first lines of expect. */
bool
w_starter_policy_allows_commands(const struct w_starter_policy *starter)
{
	for (size_t i = 0; i < starter->project->commands.count; i++) {
		if (i < W_STARTER_EXPECT_MAX - LAST_COUNT &&
		    (starter->answers[i] == NULL ||
			strcmp(starter->answers[i], "allow") != 0))
			return false;
	}
	return true;
}

void
w_starter_policy_add(struct w_buf *buf, const struct w_starter_policy *starter)
{
	starter_policy_add_head(buf, starter);
	starter_policy_add_base(buf, starter);
	starter_policy_add_rules(buf, starter);
	add_expect(buf, starter);
}
