/* SPDX-License-Identifier: Apache-2.0 */

/* Writes a decision as JSON; docs/policy.md describes the members. Secrets are
 * masked in every word that is shown. */

#include <string.h>

#include "base/buf.h"
#include "data/json.h"
#include "policy/evaluate/evaluation.h"

#define SHOWN_MAX ((size_t)16 << 20)

/* Repeated hosts are suppressed within this many touches. */
#define LOOK_BACK 64

static void
decision_json_add_key(struct w_buf *buf, const char *key)
{
	if (buf->len > 0 && strchr("{[", w_buf_last(buf)) == NULL)
		w_buf_add_char(buf, ',');
	w_buf_add_fmt(buf, "\"%s\":", key);
}

/* Before an element of an array, or an object in it. */
static void
add_comma(struct w_buf *buf)
{
	if (buf->len > 0 && w_buf_last(buf) != '[')
		w_buf_add_char(buf, ',');
}

static void
add_bytes_member(struct w_buf *buf, const char *key, const char *text)
{
	decision_json_add_key(buf, key);
	if (text == NULL)
		w_buf_add_str(buf, "null");
	else
		w_json_add_bytes(buf, text, strlen(text));
}

/* ---- rules ---- */

static void
decision_json_add_place(
    struct w_buf *buf, const char *key, const struct w_rule *rule)
{
	W_AUTO_BUF struct w_buf place;

	w_buf_init(&place, SHOWN_MAX);
	decision_json_add_key(buf, key);
	if (rule == NULL || rule->location.file == NULL) {
		w_buf_add_str(buf, "null");
		return;
	}
	w_buf_add_str(&place, rule->location.file);
	if (rule->location.line > 0)
		w_buf_add_fmt(&place, ":%u:%u", rule->location.line,
		    rule->location.column);
	w_json_add_bytes(buf, place.data, place.len);
	buf->failed = buf->failed || place.failed;
}

static void
decision_json_add_rule(struct w_buf *buf, const struct w_reason *reason)
{
	const struct w_rule *rule = reason->rule;

	add_comma(buf);
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "tier", w_tier_word(reason->tier));
	add_bytes_member(buf, "file", rule->location.file);
	w_buf_add_fmt(buf, ",\"line\":%u,\"column\":%u", rule->location.line,
	    rule->location.column);
	w_json_add_text_member(
	    buf, "decision", w_verdict_word(reason->verdict));
	add_bytes_member(buf, "rule", rule->text);
	add_bytes_member(buf, "because", rule->because);
	add_bytes_member(buf, "message", rule->message);
	add_bytes_member(buf, "matched", reason->what);
	if (reason->outranked_by != NULL)
		decision_json_add_place(
		    buf, "outranked_by", reason->outranked_by);
	w_buf_add_fmt(buf, ",\"command\":%zu}", reason->command);
}

static void
decision_json_add_rules(struct w_buf *buf, const struct w_decision *decision)
{
	decision_json_add_place(buf, "rule", decision->reasons[0].rule);
	decision_json_add_key(buf, "rules");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < decision->reason_count; i++)
		decision_json_add_rule(buf, &decision->reasons[i]);
	w_buf_add_char(buf, ']');
}

/* ---- what commands do ---- */

static void
decision_json_add_effects(struct w_buf *buf, unsigned effects)
{
	decision_json_add_key(buf, "effects");
	w_buf_add_char(buf, '[');
	for (unsigned bit = 0; bit < W_POLICY_EFFECT_COUNT; bit++) {
		const unsigned effect = 1U << bit;

		if ((effects & effect) == 0)
			continue;
		add_comma(buf);
		w_buf_add_fmt(buf, "\"%s\"",
		    effect == W_EFFECT_UNKNOWN    ? "unknown"
		    : effect == W_EFFECT_MORE     ? "more"
		    : effect == W_EFFECT_APPROVAL ? "approval"
						  : w_effect_words[bit]);
	}
	w_buf_add_char(buf, ']');
}

static void
decision_json_add_path(
    struct w_buf *buf, const struct w_policy_command *command, size_t i)
{
	const struct w_touch *touch = &command->analysis->touches[i];
	const struct w_policy_path *path = &command->paths[i];

	if (touch->kind != W_TOUCH_PATH)
		return;
	add_comma(buf);
	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "effect", w_effect_word(touch->effect));
	decision_json_add_key(buf, "path");
	if (touch->target == NULL)
		w_buf_add_str(buf, "null");
	else
		w_json_add_bytes(buf, touch->target, touch->len);
	add_bytes_member(buf, "spelled", path->spelled);
	add_bytes_member(buf, "resolved", path->resolved);
	w_json_add_bool_member(buf, "directory", path->is_directory);
	w_json_add_bool_member(buf, "exists", path->exists);
	w_buf_add_char(buf, '}');
}

static void
decision_json_add_paths(
    struct w_buf *buf, const struct w_policy_command *commands, size_t count)
{
	decision_json_add_key(buf, "paths");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < count; i++) {
		if (commands[i].is_remote || commands[i].paths == NULL)
			continue;
		for (size_t k = 0; k < commands[i].analysis->touch_count; k++)
			decision_json_add_path(buf, &commands[i], k);
	}
	w_buf_add_char(buf, ']');
}

/* Whether this host was not listed yet for an earlier touch. */
static bool
is_new_host(const struct w_analysis *analysis, size_t place)
{
	const struct w_touch *touch = &analysis->touches[place];

	if (touch->kind != W_TOUCH_HOST || touch->target == NULL)
		return false;
	for (size_t i = place > LOOK_BACK ? place - LOOK_BACK : 0; i < place;
	     i++) {
		const struct w_touch *other = &analysis->touches[i];

		if (other->kind == W_TOUCH_HOST && other->target != NULL &&
		    other->len == touch->len &&
		    memcmp(other->target, touch->target, touch->len) == 0)
			return false;
	}
	return true;
}

static void
add_hosts(
    struct w_buf *buf, const struct w_policy_command *commands, size_t count)
{
	decision_json_add_key(buf, "hosts");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < count; i++) {
		const struct w_analysis *analysis = commands[i].analysis;

		for (size_t k = 0; k < analysis->touch_count; k++) {
			if (!is_new_host(analysis, k))
				continue;
			add_comma(buf);
			w_json_add_bytes(buf, analysis->touches[k].target,
			    analysis->touches[k].len);
		}
	}
	w_buf_add_char(buf, ']');
}

static void
add_programs(struct w_buf *buf, const struct w_policy_facts *facts)
{
	decision_json_add_key(buf, "programs");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < facts->count; i++) {
		const struct w_policy_program *program =
		    &facts->commands[i].program;

		if (facts->commands[i].is_builtin || program->called_as == NULL)
			continue;
		add_comma(buf);
		w_buf_add_char(buf, '{');
		add_bytes_member(buf, "called_as", program->called_as);
		add_bytes_member(buf, "path", program->path);
		w_json_add_bool_member(buf, "own", program->is_own);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}

/* ---- each command ---- */

static void
decision_json_add_reason(struct w_buf *buf, const struct w_analysis *analysis)
{
	decision_json_add_key(buf, "reason");
	if (analysis->is_understood) {
		w_buf_add_str(buf, "null");
		return;
	}
	w_buf_add_char(buf, '{');
	add_bytes_member(buf, "message", analysis->reason);
	add_bytes_member(buf, "suggestion", analysis->suggestion);
	if (analysis->reason_word < analysis->argc)
		w_buf_add_fmt(buf, ",\"word\":%zu", analysis->reason_word);
	else
		w_buf_add_str(buf, ",\"word\":null");
	w_buf_add_fmt(buf, ",\"offset\":%zu}", analysis->reason_offset);
}

static void
decision_json_add_words(struct w_buf *buf, const struct w_analysis *analysis)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, SHOWN_MAX);
	if (analysis->shell != NULL) {
		decision_json_add_key(buf, "shell");
		w_masked_add_word(&shown, analysis, 0);
		w_json_add_bytes(buf, shown.data, shown.len);
		buf->failed = buf->failed || shown.failed;
		return;
	}
	decision_json_add_key(buf, "argv");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < analysis->argc; i++) {
		shown.len = 0;
		w_masked_add_word(&shown, analysis, i);
		add_comma(buf);
		w_json_add_bytes(buf, shown.data, shown.len);
	}
	w_buf_add_char(buf, ']');
	buf->failed = buf->failed || shown.failed;
}

static void
decision_json_add_answer(
    struct w_buf *buf, const struct w_decision *decision, size_t command)
{
	const struct w_reason *reason = NULL;
	enum w_verdict verdict = decision->verdict;

	/* Reasons are sorted: the command's first one is its strongest. */
	for (size_t i = 0; reason == NULL && i < decision->reason_count; i++) {
		if (decision->reasons[i].command == command &&
		    decision->reasons[i].outranked_by == NULL)
			reason = &decision->reasons[i];
	}
	if (reason != NULL && reason->verdict < verdict)
		verdict = reason->verdict;
	w_json_add_text_member(
	    buf, "decision", reason == NULL ? NULL : w_verdict_word(verdict));
	decision_json_add_place(
	    buf, "rule", reason == NULL ? NULL : reason->rule);
}

static void
decision_json_add_command(struct w_buf *buf, const struct w_decision *decision,
    const struct w_policy_facts *facts, size_t place, unsigned depth)
{
	const struct w_policy_command *command = &facts->commands[place];
	const struct w_analysis *analysis = command->analysis;
	unsigned effects = 0;

	for (size_t i = 0; i < analysis->touch_count; i++)
		effects |= analysis->touches[i].effect;
	if (command->program.is_own)
		effects |= W_EFFECT_CODE;
	else if (!analysis->is_itself_understood)
		effects |= W_EFFECT_UNKNOWN;
	add_comma(buf);
	w_buf_add_char(buf, '{');
	decision_json_add_words(buf, analysis);
	w_buf_add_fmt(buf, ",\"depth\":%u", depth);
	add_bytes_member(buf, "program", command->program.path);
	w_json_add_text_member(buf, "module", analysis->id);
	w_json_add_bool_member(buf, "understood", analysis->is_understood);
	decision_json_add_reason(buf, analysis);
	decision_json_add_answer(buf, decision, place);
	decision_json_add_effects(buf, effects);
	decision_json_add_paths(buf, command, 1);
	add_hosts(buf, command, 1);
	w_json_add_bool_member(buf, "remote", command->is_remote);
	w_buf_add_char(buf, '}');
}

/* Nesting depth of a command. Outer commands come before inner ones, so their
 * depths are known. */
static unsigned
depth_of(
    const struct w_policy_facts *facts, size_t place, const unsigned *depths)
{
	for (size_t i = place; i > 0; i--) {
		const struct w_analysis *outer =
		    facts->commands[i - 1].analysis;

		for (size_t k = 0; k < outer->inner_count; k++) {
			if (outer->inner[k].analysis ==
			    facts->commands[place].analysis)
				return depths[i - 1] + 1;
		}
	}
	return 0;
}

static void
decision_json_add_commands(struct w_buf *buf, const struct w_decision *decision,
    const struct w_policy_facts *facts)
{
	unsigned depths[W_ANALYSIS_INNER_MAX + 1] = {0};

	decision_json_add_key(buf, "commands");
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < facts->count && i <= W_ANALYSIS_INNER_MAX; i++) {
		depths[i] = depth_of(facts, i, depths);
		decision_json_add_command(buf, decision, facts, i, depths[i]);
	}
	w_buf_add_char(buf, ']');
}

/* ---- the decision ---- */

static void
add_more(struct w_buf *buf, const char *const *more)
{
	if (more == NULL)
		return;
	decision_json_add_key(buf, "more");
	w_buf_add_char(buf, '[');
	for (; *more != NULL; more++) {
		add_comma(buf);
		w_json_add_string(buf, *more, strlen(*more));
	}
	w_buf_add_char(buf, ']');
}

void
w_decision_add_json(struct w_buf *buf, const struct w_decision *decision,
    const struct w_policy_facts *facts)
{
	const struct w_analysis *outermost =
	    facts->count > 0 ? facts->commands[0].analysis : NULL;

	w_json_add_text_member(
	    buf, "decision", w_verdict_word(decision->verdict));
	add_bytes_member(buf, "message", decision->message);
	decision_json_add_rules(buf, decision);
	add_bytes_member(buf, "agent", decision->agent);
	w_json_add_bool_member(buf, "understood", decision->is_understood);
	if (outermost != NULL)
		decision_json_add_reason(buf, outermost);
	w_json_add_text_member(
	    buf, "module", outermost == NULL ? NULL : outermost->id);
	if (facts->module != NULL)
		add_bytes_member(buf, "called", facts->module);
	decision_json_add_effects(buf, decision->effects);
	add_more(buf, facts->more);
	decision_json_add_paths(buf, facts->commands, facts->count);
	add_hosts(buf, facts->commands, facts->count);
	add_programs(buf, facts);
	decision_json_add_commands(buf, decision, facts);
	add_bytes_member(buf, "nearest_allowed", decision->nearest_allowed);
	add_bytes_member(
	    buf, "grant", decision->grant == NULL ? NULL : decision->grant->id);
}
