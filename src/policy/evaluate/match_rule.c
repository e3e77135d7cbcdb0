/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Matches a rule against a command, and against one item of it.
 *
 * A rule that denies or asks matches broadly: any name of the program, in any
 * letter case, either form of a path. A rule that allows matches exactly: both
 * forms of a path, and a name means the known program, never a file that the
 * project put there.
 */

#include <string.h>

#include "policy/evaluate/evaluation.h"
#include "policy/glob.h"
#include "policy/hosts/host_touch.h"

bool
w_rule_is_broad(const struct w_rule *rule)
{
	return rule->verdict != W_ALLOW;
}

bool
w_globs_match(w_globs globs, const char *text, size_t len, bool is_folded)
{
	for (; *globs != NULL; globs++) {
		if (w_glob_text(*globs, strlen(*globs), text, len, is_folded))
			return true;
	}
	return false;
}

static bool
globs_have(w_globs globs, const char *text, bool is_folded)
{
	return text != NULL &&
	       w_globs_match(globs, text, strlen(text), is_folded);
}

/* ---- the program ---- */

static bool
has_name(
    const struct w_policy_program *program, const char *glob, bool is_broad)
{
	const char *const *name = program->names;
	size_t len = strlen(glob);

	if (name == NULL)
		return program->called_as != NULL &&
		       w_glob_text(glob, len, program->called_as,
			   strlen(program->called_as), is_broad);
	for (; *name != NULL; name++) {
		if (w_glob_text(glob, len, *name, strlen(*name), is_broad))
			return true;
	}
	return false;
}

bool
w_evaluation_has_program(
    const struct w_evaluation *evaluation, const char *glob, bool is_broad)
{
	const struct w_policy_program *program = &evaluation->command->program;
	const char *const one[] = {glob, NULL};

	if (strchr(glob, '/') != NULL)
		return w_path_globs_match(
			   evaluation, one, program->spelled, 0) ||
		       w_path_globs_match(evaluation, one, program->path, 0);
	if (program->is_own && !is_broad)
		return false;
	return has_name(program, glob, is_broad);
}

static bool
is_one_of_programs(
    const struct w_evaluation *evaluation, w_globs programs, bool is_broad)
{
	for (; *programs != NULL; programs++) {
		if (w_evaluation_has_program(evaluation, *programs, is_broad))
			return true;
	}
	return false;
}

/* A bare name that leads to an own program does not match `called_as` of an
 * allow rule. */
static bool
is_called(const struct w_evaluation *evaluation, const struct w_rule *rule)
{
	const struct w_policy_program *program = &evaluation->command->program;
	bool is_broad = w_rule_is_broad(rule);

	if (program->called_as == NULL ||
	    (program->is_own && !is_broad &&
		strchr(program->called_as, '/') == NULL))
		return false;
	return globs_have(rule->called_as, program->called_as, is_broad);
}

/* A project can give its modules any free id, also one that the user has
 * allowed for somebody else's module. */
const char *
w_evaluation_module(const struct w_evaluation *evaluation, bool is_broad)
{
	const struct w_policy_facts *facts = evaluation->facts;

	return evaluation->command_index == 0 &&
		       (is_broad || facts->is_module_trusted)
		   ? facts->module
		   : NULL;
}

/* An own program's description may belong to another program. */
static bool
match_rule_has_module(
    const struct w_evaluation *evaluation, const struct w_rule *rule)
{
	bool is_broad = w_rule_is_broad(rule);

	if (evaluation->command->program.is_own && !is_broad)
		return false;
	return globs_have(rule->modules, evaluation->command->analysis->id,
		   is_broad) ||
	       globs_have(rule->modules,
		   w_evaluation_module(evaluation, is_broad), is_broad);
}

/* The module that was called runs the outermost command. */
static bool
match_rule_was_called(
    const struct w_evaluation *evaluation, const struct w_rule *rule)
{
	bool is_broad = w_rule_is_broad(rule);

	/* A project cannot get out of a rule by a module of its own. */
	if (rule->called[0][0] == '\0')
		return w_evaluation_module(evaluation, false) == NULL;
	if (evaluation->command->program.is_own && !is_broad)
		return false;
	return globs_have(
	    rule->called, w_evaluation_module(evaluation, is_broad), is_broad);
}

static bool
fits_program(struct w_evaluation *evaluation, const struct w_rule *rule)
{
	bool is_broad = w_rule_is_broad(rule);

	if (rule->programs != NULL &&
	    !is_one_of_programs(evaluation, rule->programs, is_broad))
		return false;
	if (rule->called_as != NULL && !is_called(evaluation, rule))
		return false;
	if (rule->modules != NULL && !match_rule_has_module(evaluation, rule))
		return false;
	if (rule->called != NULL && !match_rule_was_called(evaluation, rule))
		return false;
	if (rule->input_count > 0 &&
	    !w_rule_matches_arguments(evaluation, rule))
		return false;
	return rule->shape_count == 0 ||
	       w_rule_matches_shapes(evaluation, rule);
}

/* ---- its circumstances ---- */

#define DAY 1440U /* minutes */

static bool
is_time(const struct w_rule_time *time, unsigned week_minute)
{
	unsigned days = time->days == 0 ? 0x7fU : time->days;
	unsigned day = week_minute / DAY % 7;
	unsigned minute = week_minute % DAY;
	bool is_today = (days & (1U << day)) != 0;
	bool was_yesterday = (days & (1U << ((day + 6) % 7))) != 0;

	if (time->from <= time->to)
		return is_today && minute >= time->from && minute < time->to;
	return (is_today && minute >= time->from) ||
	       (was_yesterday && minute < time->to);
}

static bool
is_shell_text(const char *glob, const char *text)
{
	const char *blanks = " \t\r\n";

	if (text == NULL)
		return false;
	text += strspn(text, blanks);
	size_t len = strlen(text);
	while (len > 0 && strchr(blanks, text[len - 1]) != NULL)
		len--;
	return w_glob_text(glob, strlen(glob), text, len, false);
}

/* A rule of one project, and one that ends. With the time or the project
 * unknown, allow rules do not match. */
static bool
fits_bounds(const struct w_policy_facts *facts, const struct w_rule *rule)
{
	const char *root = rule->project;

	if (rule->until != 0 && (facts->now == 0 ? !w_rule_is_broad(rule)
						 : facts->now >= rule->until))
		return false;
	if (root == NULL)
		return true;
	if (facts->project == NULL)
		return w_rule_is_broad(rule);
	if (root[0] != '~')
		return strcmp(root, facts->project) == 0;
	const size_t len = facts->home != NULL ? strlen(facts->home) : 0;
	return len > 0 && strncmp(facts->project, facts->home, len) == 0 &&
	       strcmp(facts->project + len, root + 1) == 0;
}

/* Who wrote a policy before there were hosts means them by `host`, when it
 * asks or denies and when it allows. */
static bool
fits_network(const struct w_evaluation *evaluation, const struct w_rule *rule,
    unsigned network)
{
	const struct w_policy *policy = evaluation->tier->policy;

	return (rule->networks & (1U << network)) != 0 ||
	       (network == W_POLICY_NETWORK_HOSTS && !policy->knows_hosts &&
		   (rule->networks & (1U << W_POLICY_NETWORK_HOST)) != 0);
}

static bool
fits_surroundings(
    const struct w_evaluation *evaluation, const struct w_rule *rule)
{
	const struct w_policy_facts *facts = evaluation->facts;

	if (rule->agents != NULL &&
	    !globs_have(rule->agents, evaluation->agent, w_rule_is_broad(rule)))
		return false;
	if (!fits_bounds(facts, rule))
		return false;
	const bool is_usual = facts->has_usual && rule->verdict != W_DENY;
	const unsigned walls = is_usual ? facts->usual_walls : facts->walls;
	const unsigned network =
	    is_usual ? facts->usual_network : facts->network;

	if (rule->walls_min != 0 && walls < rule->walls_min)
		return false;
	if (rule->walls_below != 0 && walls >= rule->walls_below)
		return false;
	if (rule->networks != 0 && !fits_network(evaluation, rule, network))
		return false;
	if (rule->undo != 0 &&
	    (rule->undo &
		(evaluation->command->can_undo ? W_RULE_CAN_UNDO
					       : W_RULE_CANNOT_UNDO)) == 0)
		return false;
	if (rule->time == NULL)
		return true;
	/* With an unknown time, allow rules do not match. */
	return facts->has_time ? is_time(rule->time, facts->week_minute)
			       : w_rule_is_broad(rule);
}

bool
w_rule_matches_command(
    struct w_evaluation *evaluation, const struct w_rule *rule)
{
	if (!fits_surroundings(evaluation, rule))
		return false;
	if (rule->is_shell >= 0 &&
	    (rule->is_shell == 1) != evaluation->is_shell)
		return false;
	if (rule->shell_text != NULL &&
	    (!evaluation->is_shell ||
		!is_shell_text(rule->shell_text, evaluation->facts->shell)))
		return false;
	return fits_program(evaluation, rule);
}

/* ---- one item ---- */

static bool
has_path(const struct w_evaluation *evaluation, w_globs globs,
    const struct w_evaluation_item *item, bool is_broad)
{
	const struct w_policy_path *path = item->path;
	unsigned whole = path->is_directory
			     ? item->effect & (W_EFFECT_WRITE | W_EFFECT_DELETE)
			     : 0;

	if (!is_broad)
		return w_path_globs_match(
			   evaluation, globs, path->spelled, 0) &&
		       w_path_globs_match(evaluation, globs, path->resolved, 0);
	return path->is_elusive ||
	       w_path_globs_match(evaluation, globs, path->spelled, whole) ||
	       w_path_globs_match(evaluation, globs, path->resolved, whole);
}

static bool
fits_path(const struct w_evaluation *evaluation, const struct w_rule *rule,
    const struct w_evaluation_item *item)
{
	bool is_broad = w_rule_is_broad(rule);
	bool is_asked = false;

	for (unsigned i = 0; i < 4; i++) {
		unsigned effects = 1U << i;

		if (rule->paths[i] == NULL)
			continue;
		is_asked = true;
		if (is_broad && effects == W_EFFECT_WRITE)
			effects |= W_EFFECT_DELETE;
		if ((item->effect & effects) != 0 && item->path != NULL &&
		    has_path(evaluation, rule->paths[i], item, is_broad))
			return true;
	}
	return !is_asked;
}

static bool
fits_target(w_globs globs, const struct w_touch *touch, int kind, bool is_broad)
{
	size_t len;

	if (touch == NULL || (int)touch->kind != kind || touch->target == NULL)
		return false;
	len = touch->len;
	/* A trailing dot names the same host. */
	if (kind == W_TOUCH_HOST && len > 1 && touch->target[len - 1] == '.')
		len--;
	return w_globs_match(globs, touch->target, len, is_broad) ||
	       (kind == W_TOUCH_HOST && touch->manager != NULL &&
		   w_globs_match(
		       globs, touch->manager, touch->manager_len, is_broad));
}

/* allow: {} */
static bool
is_unconditional(const struct w_rule *rule)
{
	return rule->agents == NULL && rule->programs == NULL &&
	       rule->called_as == NULL && rule->modules == NULL &&
	       rule->called == NULL && rule->input_count == 0 &&
	       rule->shape_count == 0 && rule->is_shell < 0 &&
	       rule->shell_text == NULL && rule->walls_min == 0 &&
	       rule->walls_below == 0 && rule->networks == 0 &&
	       rule->undo == 0 && rule->time == NULL && rule->until == 0 &&
	       rule->project == NULL;
}

/* Leaving the sandbox is allowed only by naming that effect, never along with a
 * command. So is an approval that a module asks for; naming the module is
 * enough for it. */
static bool
allows_by_name(const struct w_evaluation *evaluation, const struct w_rule *rule,
    const struct w_evaluation_item *item)
{
	if (rule->effects != 0 || is_unconditional(rule))
		return true;
	const char *called = w_evaluation_module(evaluation, false);

	return item->effect == W_EFFECT_APPROVAL &&
	       ((rule->modules != NULL &&
		    globs_have(rule->modules, called, false)) ||
		   (rule->called != NULL &&
		       globs_have(rule->called, called, false)));
}

/* A variable with an effect is not of the command: who allows a program or a
 * text did not allow an agent's LD_PRELOAD along with it. One that is set in a
 * text that is allowed as it stands was. Shapes look at their touches
 * themselves. */
static bool
allows_variable(
    const struct w_evaluation *evaluation, const struct w_rule *rule)
{
	if (evaluation->facts->are_variables_allowed || rule->effects != 0 ||
	    rule->variables != NULL || rule->shape_count > 0)
		return true;
	if (rule->shell_text != NULL)
		return evaluation->command_index > 0;
	return rule->programs == NULL && rule->called_as == NULL &&
	       rule->modules == NULL && rule->called == NULL;
}

bool
w_rule_matches_item(const struct w_evaluation *evaluation,
    const struct w_rule *rule, const struct w_evaluation_item *item)
{
	bool is_broad = w_rule_is_broad(rule);
	const struct w_analysis *analysis = evaluation->command->analysis;
	const struct w_touch *touch = item->touch < analysis->touch_count
					  ? &analysis->touches[item->touch]
					  : NULL;

	if (rule->effects != 0 && (rule->effects & item->effect) == 0)
		return false;
	if ((item->effect & (W_EFFECT_MORE | W_EFFECT_APPROVAL)) != 0 &&
	    !is_broad && !allows_by_name(evaluation, rule, item))
		return false;
	if (touch != NULL && touch->kind == W_TOUCH_VARIABLE && !is_broad &&
	    !allows_variable(evaluation, rule))
		return false;
	if (rule->hosts != NULL &&
	    ((item->effect & (W_EFFECT_NET | W_EFFECT_PUBLISH)) == 0 ||
		!fits_target(rule->hosts, touch, W_TOUCH_HOST, is_broad)))
		return false;
	if (rule->host_list != NULL &&
	    (item->effect != W_EFFECT_NET ||
		!w_host_list_has_touch(rule->host_list, touch)))
		return false;
	if (rule->variables != NULL &&
	    !fits_target(rule->variables, touch, W_TOUCH_VARIABLE, is_broad))
		return false;
	return fits_path(evaluation, rule, item);
}
