/* SPDX-License-Identifier: Apache-2.0 */

/* What a policy expects of itself: each line is judged by it alone, as if it
 * were asked for here and now. */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "engine/decide/decider.h"

#define STAGE        "policy"
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* Everything that one line needs for a moment. */
struct trial {
	struct w_loaded_policy loaded;
	struct w_policies policies;
	struct w_constraints constraints;
	struct w_access_set access_set;
	struct w_analysis *analysis;
	writ_request asked;
	struct w_program program;
	const char **argv; /* words of the line, with ~/ expanded */
};

static void
trial_done(struct trial *trial)
{
	w_constraints_done(&trial->constraints);
	w_access_set_done(&trial->access_set);
	w_analysis_free(trial->analysis);
	w_program_done(&trial->program);
}

static void
trial_init(struct trial *trial, const struct w_decider *decider,
    const struct w_policy *policy, const struct w_policy_expect *expect)
{
	const writ_request standard = WRIT_REQUEST_INIT;

	*trial = (struct trial){.asked = standard, .program = {.fd = -1}};
	trial->asked.shell = expect->shell;
	trial->asked.agent = expect->agent;
	trial->loaded.tier = W_TIER_USER;
	/* Only looked at. */
	memcpy(&trial->loaded.policy, &policy, sizeof(policy));
	trial->policies.loaded[0] = &trial->loaded;
	trial->policies.count = 1;
	trial->policies.project = decider->policies.project;
}

/* People write what they type: a shell would have expanded it. */
static writ_status
decider_expect_take_words(struct trial *trial, const struct w_decider *decider,
    const struct w_policy_expect *expect, writ_error *err)
{
	struct w_arena *arena = &trial->constraints.arena;

	if (expect->argv == NULL)
		return WRIT_OK;
	trial->argv =
	    w_arena_alloc(arena, expect->argc + 1, sizeof(*trial->argv));
	if (trial->argv == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < expect->argc; i++) {
		const char *word = expect->argv[i];
		char path[PATH_MAX];

		trial->argv[i] = word;
		if (strncmp(word, "~/", 2) != 0 || decider->home == NULL ||
		    snprintf(path, sizeof(path), "%s%s", decider->home,
			word + 1) >= (int)sizeof(path))
			continue;
		trial->argv[i] = w_arena_text(arena, path, strlen(path));
		if (trial->argv[i] == NULL)
			return w_fail_nomem(err, STAGE);
	}
	trial->asked.argv = trial->argv;
	return WRIT_OK;
}

static writ_status
understand(struct trial *trial, struct w_decider *decider,
    const struct w_policy_expect *expect, struct w_command_source *source,
    writ_error *err)
{
	const struct w_analysis_input input = {.argv = trial->asked.argv,
	    .argc = expect->argc,
	    .shell = expect->shell};

	decider->reader->config = decider->config;
	*source = w_request_source(decider->reader);
	return w_analysis_new(source, &input, &trial->analysis, err);
}

static writ_status
decider_expect_fill(struct trial *trial, const struct w_decider *decider,
    int cwd_fd, writ_error *err)
{
	const char *path_list = secure_getenv("PATH");
	const char *word = trial->asked.shell != NULL ? trial->constraints.shell
						      : trial->asked.argv[0];
	struct w_access_input input = {
	    .analysis = trial->analysis,
	    .cwd_fd = cwd_fd,
	    .cwd = decider->cwd,
	    .path_list = path_list == NULL ? DEFAULT_PATH : path_list,
	    .home = decider->home,
	    .shell = trial->constraints.shell,
	    .program = &trial->program,
	    .roots = trial->constraints.roots,
	};
	const struct w_program_scope scope = {
	    .path_list = input.path_list, .cwd_fd = cwd_fd, .cwd = input.cwd};

	/* One that is not installed here is judged by its name. */
	if (cwd_fd >= 0 || strchr(word, '/') == NULL)
		(void)w_program_find(word, &scope, &trial->program, NULL);
	return w_access_set_fill(&trial->access_set, &input, err);
}

static struct w_policy_facts
case_of(const struct trial *trial, const struct w_decider *decider,
    const struct w_command_source *source)
{
	const struct w_constraints *constraints = &trial->constraints;

	return (struct w_policy_facts){
	    .agent = trial->asked.agent,
	    .commands = trial->access_set.commands,
	    .count = trial->access_set.count,
	    .shell = trial->asked.shell,
	    .cwd = decider->cwd,
	    .home = decider->home,
	    .profile = constraints->profile,
	    .walls = (unsigned)constraints->walls,
	    .network = (enum w_policy_network)w_constraints_network(
		constraints, &trial->asked, trial->analysis->effects),
	    .source = source,
	};
}

writ_status
w_decider_expect_one(struct w_decider *decider, const struct w_policy *policy,
    const struct w_policy_expect *expect, struct w_decision *out_decision,
    writ_error *err)
{
	W_AUTO_FD int cwd_fd =
	    decider->cwd == NULL ? -1 : open(decider->cwd, O_PATH | O_CLOEXEC);
	struct w_command_source source;
	struct trial trial;

	trial_init(&trial, decider, policy, expect);
	const struct w_constraints_input input = {
	    .policies = &trial.policies,
	    .asked = &trial.asked,
	    .base = decider->base,
	    .home = decider->home,
	    .profile_dirs = decider->profile_dirs,
	    .is_local = true,
	    .is_dry_run = true,
	};
	writ_status status =
	    decider_expect_take_words(&trial, decider, expect, err);
	if (status == WRIT_OK)
		status = w_constraints_make(&trial.constraints, &input, err);
	if (status == WRIT_OK)
		status = understand(&trial, decider, expect, &source, err);
	if (status == WRIT_OK)
		status = decider_expect_fill(&trial, decider, cwd_fd, err);
	if (status == WRIT_OK) {
		const struct w_policy_facts c =
		    case_of(&trial, decider, &source);
		const struct w_policy_set policy_set = {
		    .tiers = trial.constraints.tiers,
		    .count = trial.constraints.count,
		    .grants = decider->supposed,
		    .grant_count = decider->supposed != NULL,
		};

		status = w_policy_evaluate(&policy_set, &c, out_decision, err);
	}
	trial_done(&trial);
	return status;
}

static writ_status
decider_expect_add_fault(struct w_policy_faults *faults,
    const struct w_policy_expect *expect, const struct w_decision *decision,
    writ_error *err)
{
	const struct w_policy_location *rule =
	    &decision->reasons[0].rule->location;
	char message[320];
	char suggestion[320];

	(void)snprintf(message, sizeof(message),
	    "expected %s, but '%.128s' is %s", w_verdict_word(expect->verdict),
	    expect->text, w_verdict_word(decision->verdict));
	(void)snprintf(suggestion, sizeof(suggestion),
	    "%.160s:%u:%u says so: %.120s", rule->file, rule->line,
	    rule->column, decision->reasons[0].rule->text);
	return w_policy_faults_add(
		   faults, &expect->location, false, message, suggestion)
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

writ_status
w_decider_expect(void *ctx, const struct w_policy *policy,
    struct w_policy_faults *faults, writ_error *err)
{
	struct w_decider *decider = ctx;
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < policy->expect_count && status == WRIT_OK; i++) {
		const struct w_policy_expect *expect = &policy->expects[i];
		struct w_decision decision;

		status = w_decider_expect_one(
		    decider, policy, expect, &decision, err);
		if (status != WRIT_OK)
			break;
		if (decision.verdict != expect->verdict)
			status = decider_expect_add_fault(
			    faults, expect, &decision, err);
		w_decision_done(&decision);
	}
	return status;
}
