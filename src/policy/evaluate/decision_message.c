/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Texts for the user: what a rule matched, and one line about why the command
 * was denied or needs approval.
 */

#include <string.h>

#include "base/basename.h"
#include "base/buf.h"
#include "policy/evaluate/evaluation.h"

#define MESSAGE_MAX 300
#define SHOWN_MAX   120
#define WHAT_MAX    200
#define NO_RULE     "no rule allows it"

/* ---- what a rule matched ---- */

/* Copies a line, with control characters escaped. NULL: no memory. */
static const char *
copy_line(struct w_arena *arena, const struct w_buf *buf)
{
	writ_error shown;
	size_t plain = 0;

	if (buf->failed)
		return NULL;
	while (plain < buf->len && buf->data[plain] >= ' ' &&
	       buf->data[plain] <= '~')
		plain++;
	if (plain == buf->len && plain <= MESSAGE_MAX)
		return w_arena_text(arena, buf->data, buf->len);
	(void)w_fail(&shown, WRIT_E_DENIED, "policy", 0, "%s", buf->data);
	return w_arena_text(arena, shown.message, strlen(shown.message));
}

static const char *
does(unsigned effect, bool has_target)
{
	static const struct {
		const char *alone;
		const char *with;
	} words[] = {{"reads files", "reads"}, {"writes files", "writes"},
	    {"deletes files", "deletes"}, {"executes a program", "executes"},
	    {"runs code that is not its own", "runs code of"},
	    {"uses the network", "reaches"}, {"publishes", "publishes to"},
	    {"runs as another user", "needs another user's rights for"},
	    {"cannot be undone", "cannot undo"},
	    {"sends signals to processes", "sends signals to"}};

	for (unsigned bit = 0; bit < W_EFFECT_COUNT; bit++) {
		if (effect == 1U << bit)
			return has_target ? words[bit].with : words[bit].alone;
	}
	return "runs";
}

static const char *
command_name(const struct w_policy_command *command)
{
	const struct w_analysis *analysis = command->analysis;

	if (command->program.called_as != NULL)
		return command->program.called_as;
	return analysis->argc > 0 ? analysis->argv[0] : "sh";
}

static void
describe_touch(struct w_buf *buf, const struct w_policy_command *command,
    const struct w_reason *reason)
{
	const struct w_touch *touch =
	    &command->analysis->touches[reason->touch];
	const struct w_policy_path *path =
	    command->paths != NULL ? &command->paths[reason->touch] : NULL;

	if (touch->target == NULL && touch->effect == W_EFFECT_NET &&
	    touch->is_possible) {
		w_buf_add_str(buf, "may use the network");
		return;
	}
	w_buf_add_str(buf, does(touch->effect, touch->target != NULL));
	if (touch->target == NULL)
		return;
	w_buf_add_fmt(buf, " '%.*s'",
	    (int)(touch->len > WHAT_MAX ? WHAT_MAX : touch->len),
	    touch->target);
	if (path != NULL && path->spelled != NULL && path->resolved != NULL &&
	    strcmp(path->spelled, path->resolved) != 0)
		w_buf_add_fmt(
		    buf, ", which is '%.*s'", WHAT_MAX, path->resolved);
}

/* Whether the rule matches programs, whatever they do. */
static bool
is_of_program(const struct w_rule *rule)
{
	bool has_program = rule->programs != NULL || rule->called_as != NULL ||
			   rule->modules != NULL || rule->called != NULL ||
			   rule->shape_count > 0;
	bool has_paths = rule->paths[0] != NULL || rule->paths[1] != NULL ||
			 rule->paths[2] != NULL || rule->paths[3] != NULL;

	return has_program && rule->effects == 0 && !has_paths &&
	       rule->hosts == NULL && rule->variables == NULL;
}

static void
describe_plain(struct w_buf *buf, const struct w_policy_command *command,
    const struct w_reason *reason)
{
	const struct w_analysis *analysis = command->analysis;

	if (is_of_program(reason->rule) || reason->effect == 0)
		w_buf_add_fmt(
		    buf, "runs '%.*s'", WHAT_MAX, command_name(command));
	else if (reason->effect == W_EFFECT_APPROVAL)
		w_buf_add_fmt(buf,
		    "is a call of the module '%.*s', which wants each call "
		    "approved",
		    WHAT_MAX, reason->more != NULL ? reason->more : "");
	else if (reason->more != NULL)
		w_buf_add_fmt(buf, "asks for %s", reason->more);
	else if (reason->effect == W_EFFECT_UNKNOWN && analysis->reason == NULL)
		w_buf_add_str(
		    buf, "touches a path that is known only when it runs");
	else if (reason->effect == W_EFFECT_UNKNOWN)
		w_buf_add_fmt(buf, "cannot be analysed: %s", analysis->reason);
	else if (reason->touch < analysis->touch_count)
		describe_touch(buf, command, reason);
	else if (reason->effect == W_EFFECT_CODE)
		w_buf_add_fmt(buf, "runs code of the project, '%.*s'", WHAT_MAX,
		    command_name(command));
	else
		w_buf_add_str(buf, "touches nothing");
}

static void
describe_special(struct w_buf *buf, const struct w_policy_facts *facts,
    const struct w_policy_command *command, const struct w_rule *rule)
{
	switch (rule->kind) {
	case W_RULE_PROGRAMS:
		w_buf_add_fmt(buf, "runs '%.*s', which is not in the list",
		    WHAT_MAX, command_name(command));
		break;
	case W_RULE_TOOLS:
		w_buf_add_fmt(buf, "runs '%.*s', which the agent may not use",
		    WHAT_MAX, command_name(command));
		break;
	case W_RULE_AGENTS:
		w_buf_add_str(buf, "comes from an agent that no policy names");
		break;
	case W_RULE_ROOTS:
		w_buf_add_fmt(buf, "works in '%.*s', outside the roots",
		    WHAT_MAX, facts->cwd != NULL ? facts->cwd : "nowhere");
		break;
	case W_RULE_ARGUMENTS:
		w_buf_add_str(buf, "has a word with forbidden characters");
		break;
	case W_RULE_SHELL:
		w_buf_add_str(buf, "is a text for a shell");
		break;
	case W_RULE_PLAIN:
	case W_RULE_DEFAULT:
	case W_RULE_LISTED:
	case W_RULE_UNKNOWN:
		break;
	}
}

const char *
w_reason_describe(struct w_arena *arena, const struct w_policy_facts *facts,
    const struct w_reason *reason)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_POLICY_TEXT_MAX);
	if (reason->command >= facts->count)
		return "there is nothing to judge";
	const struct w_policy_command *command =
	    &facts->commands[reason->command];
	describe_special(&buf, facts, command, reason->rule);
	if (buf.len == 0)
		describe_plain(&buf, command, reason);
	return copy_line(arena, &buf);
}

/* ---- the message ---- */

/* The program's name; for a shell command, the shell that runs it. */
static const char *
first_word(
    const struct w_policy_command *command, const struct w_policy *policy)
{
	if (command->analysis->shell == NULL)
		return command_name(command);
	return policy->shell_program != NULL ? policy->shell_program : "sh";
}

static const char *
value_of(const char *name, size_t len, const struct w_policy_facts *facts,
    const struct w_decision *decision, const struct w_policy *policy)
{
	const struct w_policy_command *command =
	    &facts->commands[decision->reasons[0].command];
	const char *word = first_word(command, policy);
	const struct {
		const char *name;
		const char *value;
	} values[] = {
	    {"{command}", word},
	    {"{binary}", w_basename(word)},
	    {"{agent}", decision->agent},
	    {"{cwd}", facts->cwd != NULL ? facts->cwd : ""},
	    {"{program}",
		command->program.path != NULL ? command->program.path : word},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (strlen(values[i].name) == len &&
		    memcmp(values[i].name, name, len) == 0)
			return values[i].value;
	}
	return NULL;
}

static void
add_filled(struct w_buf *buf, const char *text,
    const struct w_policy_facts *facts, const struct w_decision *decision,
    const struct w_policy *policy)
{
	while (*text != '\0') {
		size_t plain = strcspn(text, "{");
		const char *end = strchr(text + plain, '}');
		const char *value = NULL;
		size_t len = end == NULL ? 0 : (size_t)(end - text) - plain + 1;

		w_buf_add(buf, text, plain);
		text += plain;
		if (end != NULL)
			value = value_of(text, len, facts, decision, policy);
		if (value != NULL) {
			w_buf_add_str(buf, value);
			text += len;
		} else if (*text != '\0') {
			w_buf_add_char(buf, *text++);
		}
	}
}

static void
add_own_words(struct w_buf *buf, const struct w_policy_facts *facts,
    const struct w_decision *decision, const struct w_policy *policy)
{
	const struct w_reason *reason = &decision->reasons[0];
	const struct w_policy_command *command =
	    &facts->commands[reason->command];
	enum w_rule_kind kind = reason->rule->kind;

	if (kind == W_RULE_TOOLS || kind == W_RULE_AGENTS) {
		w_buf_add_fmt(buf,
		    "agent '%.64s' is not allowed to execute '%.64s'",
		    decision->agent, first_word(command, policy));
		if (kind == W_RULE_AGENTS)
			w_buf_add_str(buf, ": no policy names that agent");
		return;
	}
	w_buf_add_str(buf, reason->verdict == W_ASK
			       ? "the policy asks for approval of '"
			       : "the policy does not allow '");
	w_masked_add_line(buf, command->analysis, SHOWN_MAX);
	bool is_default =
	    kind == W_RULE_DEFAULT && (reason->effect & W_EFFECT_SAID) == 0;
	w_buf_add_str(buf, "': it ");
	w_buf_add_str(buf, reason->what);
	if (is_default)
		w_buf_add_str(buf, ", and " NO_RULE);
}

/* Whether the message of add_own_words() ends with the same words. */
static bool
is_said(const struct w_reason *reason)
{
	const char *because = reason->rule->because;

	if (reason->rule->kind == W_RULE_DEFAULT &&
	    (reason->effect & W_EFFECT_SAID) == 0)
		return strcmp(because, NO_RULE) == 0;
	return strncmp(because, "it ", 3) == 0 &&
	       strcmp(because + 3, reason->what) == 0;
}

static const struct w_policy *
policy_of(const struct w_policy_set *policy_set, enum w_tier tier)
{
	static const struct w_policy none = {.shell_program = NULL};

	for (size_t i = 0; i < policy_set->count; i++) {
		if (policy_set->tiers[i].tier == tier)
			return policy_set->tiers[i].policy;
	}
	return &none;
}

const char *
w_decision_message(const struct w_policy_facts *facts,
    const struct w_policy_set *policy_set, struct w_decision *decision)
{
	W_AUTO_BUF struct w_buf buf;
	const struct w_reason *reason = &decision->reasons[0];
	const struct w_rule *rule = reason->rule;
	const struct w_policy *policy = policy_of(policy_set, reason->tier);

	w_buf_init(&buf, W_POLICY_TEXT_MAX);
	if (decision->verdict == W_ALLOW)
		return "the policy allows it";
	if (reason->command >= facts->count)
		return "there is no policy, or no command";
	if (rule->message != NULL) {
		add_filled(&buf, rule->message, facts, decision, policy);
		return copy_line(&decision->arena, &buf);
	}
	add_own_words(&buf, facts, decision, policy);
	if (rule->because != NULL && buf.len < MESSAGE_MAX && !is_said(reason))
		w_buf_add_fmt(&buf, " (%.*s)", (int)(MESSAGE_MAX - buf.len),
		    rule->because);
	return copy_line(&decision->arena, &buf);
}
