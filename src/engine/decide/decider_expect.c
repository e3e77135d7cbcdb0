/* SPDX-License-Identifier: Apache-2.0 */

/* The expect section of a policy: each line is evaluated by that policy
 * alone, as if it were requested here and now. */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/decide/decider.h"

#define STAGE        "policy"
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* Everything that one line needs. */
struct expect_check {
	struct w_loaded_policy loaded;
	struct w_policies policies;
	struct w_constraints constraints;
	struct w_access_set access_set;
	struct w_analysis *analysis;
	writ_request asked;
	struct w_program program;
	const char **argv;   /* words of the line, with ~/ expanded */
	const char *project; /* of the line, likewise; NULL: none */
};

static void
check_init(struct expect_check *check, const struct w_decider *decider,
    const struct w_policy *policy, const struct w_policy_expect *expect)
{
	const writ_request standard = WRIT_REQUEST_INIT;

	*check =
	    (struct expect_check){.asked = standard, .program = {.fd = -1}};
	check->asked.shell = expect->shell;
	check->asked.agent = expect->agent;
	check->asked.hosts = decider->supposed_hosts;
	check->loaded.tier = W_TIER_USER;
	/* Never modified. */
	memcpy(&check->loaded.policy, &policy, sizeof(policy));
	check->policies.loaded[0] = &check->loaded;
	check->policies.count = 1;
	check->policies.project = decider->policies.project;
}

/* A text with ~/ expanded; itself where that is not needed. NULL: no memory. */
static const char *
expand_home(struct w_arena *arena, const char *home, const char *word)
{
	char path[PATH_MAX];

	if (strncmp(word, "~/", 2) != 0 || home == NULL ||
	    snprintf(path, sizeof(path), "%s%s", home, word + 1) >=
		(int)sizeof(path))
		return word;
	return w_arena_text(arena, path, strlen(path));
}

/* Lines are written as typed: a shell would have expanded ~/. */
static writ_status
decider_expect_take_words(struct expect_check *check,
    const struct w_decider *decider, const struct w_policy_expect *expect,
    writ_error *err)
{
	struct w_arena *arena = &check->constraints.arena;

	if (expect->project != NULL) {
		check->project =
		    expand_home(arena, decider->home, expect->project);
		if (check->project == NULL)
			return w_fail_nomem(err, STAGE);
	}
	if (expect->argv == NULL)
		return WRIT_OK;
	check->argv =
	    w_arena_alloc(arena, expect->argc + 1, sizeof(*check->argv));
	if (check->argv == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < expect->argc; i++) {
		check->argv[i] =
		    expand_home(arena, decider->home, expect->argv[i]);
		if (check->argv[i] == NULL)
			return w_fail_nomem(err, STAGE);
	}
	check->asked.argv = check->argv;
	return WRIT_OK;
}

static writ_status
decider_expect_fill(struct expect_check *check, struct w_decider *decider,
    int cwd_fd, writ_error *err)
{
	const char *path_list = secure_getenv("PATH");
	const char *word = check->asked.shell != NULL ? check->constraints.shell
						      : check->asked.argv[0];
	struct w_access_input input = {
	    .analysis = check->analysis,
	    .cwd_fd = cwd_fd,
	    .cwd = decider->cwd,
	    .path_list = path_list == NULL ? DEFAULT_PATH : path_list,
	    .home = decider->home,
	    .shell = check->constraints.shell,
	    .program = &check->program,
	    .roots = check->constraints.roots,
	    .hosts = decider->supposed_hosts,
	    /* What an expectation says holds on every machine; a question was
	     * about the hosts of this one. */
	    .managers = decider->supposed != NULL ? &decider->managers : NULL,
	    .person_env = (const char *const *)environ,
	};
	const struct w_program_scope scope = {
	    .path_list = input.path_list, .cwd_fd = cwd_fd, .cwd = input.cwd};

	/* A program that is not installed is judged by its name. */
	if (cwd_fd >= 0 || strchr(word, '/') == NULL)
		(void)w_program_find(word, &scope, &check->program, NULL);
	return w_access_set_fill(&check->access_set, &input, err);
}

static struct w_policy_facts
expect_facts(const struct expect_check *check, const struct w_decider *decider,
    const struct w_command_source *source)
{
	const struct w_constraints *constraints = &check->constraints;

	return (struct w_policy_facts){
	    .agent = check->asked.agent,
	    .commands = check->access_set.commands,
	    .count = check->access_set.count,
	    .shell = check->asked.shell,
	    .cwd = decider->cwd,
	    .home = decider->home,
	    .profile = constraints->profile,
	    .walls = w_constraints_rule_walls(constraints, constraints->walls),
	    .network = (enum w_policy_network)w_constraints_network(constraints,
		&check->asked,
		w_constraints_needed(constraints, check->access_set.commands,
		    check->access_set.count)),
	    .now = time(NULL),
	    .project =
		check->project != NULL ? check->project : constraints->base,
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
	struct expect_check check;

	check_init(&check, decider, policy, expect);
	const struct w_constraints_input input = {
	    .policies = &check.policies,
	    .asked = &check.asked,
	    .base = decider->base,
	    .home = decider->home,
	    .profile_dirs = decider->profile_dirs,
	    .is_local = true,
	    .is_dry_run = true,
	};
	writ_status status =
	    decider_expect_take_words(&check, decider, expect, err);
	if (status == WRIT_OK)
		status = w_constraints_make(&check.constraints, &input, err);
	if (status == WRIT_OK) {
		const struct w_analysis_input words = {.argv = check.asked.argv,
		    .argc = expect->argc,
		    .shell = expect->shell};

		decider->reader->config = decider->config;
		source = w_request_source(decider->reader);
		status = w_analysis_new(&source, &words, &check.analysis, err);
	}
	if (status == WRIT_OK)
		status = decider_expect_fill(&check, decider, cwd_fd, err);
	if (status == WRIT_OK) {
		const struct w_policy_facts facts =
		    expect_facts(&check, decider, &source);
		const struct w_policy_set policy_set = {
		    .tiers = check.constraints.tiers,
		    .count = check.constraints.count,
		    .grants = decider->supposed,
		    .grant_count = decider->supposed != NULL,
		};

		status =
		    w_policy_evaluate(&policy_set, &facts, out_decision, err);
	}
	w_constraints_done(&check.constraints);
	w_access_set_done(&check.access_set);
	w_analysis_free(check.analysis);
	w_program_done(&check.program);
	return status;
}

bool
w_decider_expect_is_over(const struct w_policy_expect *expect)
{
	return expect->until != 0 && time(NULL) >= expect->until;
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

		if (w_decider_expect_is_over(expect))
			continue;
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
