/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether a rule that a person typed matches the request in question. The words
 * of the question are evaluated again, with the rule as the only grant, under
 * policies that ask about one effect each: a rule that lets all of one effect
 * pass matches the request.
 *
 * This only keeps people from granting something else than they think: the
 * engine decides each time what a grant lets run. So what cannot be evaluated
 * here is no reason to fail.
 */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/words.h"
#include "engine/approval/grant.h"
#include "engine/decide/decider.h"
#include "engine/hosts/reach_question.h"
#include "engine/profile/shown_profile.h"
#include "policy/evaluate/host_judgement.h"

#define DOCUMENT_MAX 320

/* The request of the question. */
struct asked {
	struct w_words argv;
	const char *shell;
	const char *cwd;
	struct w_words hosts;
	struct w_policy_expect expect;
};

static bool
grant_fit_add_word(struct w_words *words, yyjson_val *val)
{
	yyjson_val *b64 = yyjson_obj_get(val, "b64");
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, W_APPROVAL_FILE_MAX);
	if (yyjson_is_str(val))
		return w_words_add(
		    words, yyjson_get_str(val), yyjson_get_len(val));
	return yyjson_is_str(b64) &&
	       w_base64_decode(
		   &bytes, yyjson_get_str(b64), yyjson_get_len(b64)) &&
	       w_words_add(words, bytes.data, bytes.len);
}

static bool
take_asked(const struct w_approval *item, struct asked *asked)
{
	yyjson_val *request =
	    yyjson_obj_get(w_json_root(item->question), "request");
	yyjson_val *argv = yyjson_obj_get(request, "argv");
	size_t i;
	size_t count;
	yyjson_val *val;

	asked->shell = yyjson_get_str(yyjson_obj_get(request, "shell"));
	asked->cwd = yyjson_get_str(yyjson_obj_get(request, "cwd"));
	yyjson_arr_foreach(argv, i, count, val)
	{
		if (!grant_fit_add_word(&asked->argv, val))
			return false;
	}
	if ((asked->argv.count == 0) == (asked->shell == NULL))
		return false;
	yyjson_arr_foreach(yyjson_obj_get(request, "hosts"), i, count, val)
	{
		if (!grant_fit_add_word(&asked->hosts, val))
			return false;
	}
	asked->expect = (struct w_policy_expect){
	    .argv = asked->shell == NULL
			? (const char *const *)asked->argv.items
			: NULL,
	    .argc = asked->argv.count,
	    .shell = asked->shell,
	    .agent = item->agent,
	};
	return true;
}

static struct w_policy *
read_policy(const struct w_approval *item, const char *effect)
{
	const char *profile = yyjson_get_str(yyjson_ptr_get(
	    w_json_root(item->question), "/decision/sandbox/profile"));
	const struct w_policy_source source = {.include = NULL};
	struct w_policy_faults faults = {.count = 0};
	struct w_policy *policy = NULL;
	W_AUTO_BUF struct w_buf document;

	w_buf_init(&document, DOCUMENT_MAX);
	/* The second rule says that the policy knows of hosts. */
	w_buf_add_fmt(&document,
	    "version: 1\ndefault: allow\nagents: { '*': {} }\n"
	    "rules:\n  - ask: { effect: %s }\n"
	    "  - allow: { effect: read, network: hosts }\n",
	    effect);
	/* With the profile of the request: rules may test it. */
	if (profile != NULL && profile[0] != '\0' &&
	    profile[strspn(profile, "abcdefghijklmnopqrstuvwxyz")] == '\0')
		w_buf_add_fmt(&document, "sandbox: %.32s\n", profile);
	if (!document.failed)
		(void)w_policy_read(document.data, document.len, "grant",
		    &source, &policy, &faults, NULL);
	w_policy_faults_done(&faults);
	return policy;
}

/* Under each policy in turn. */
static bool
fits_some(struct w_decider *decider, const struct w_approval *item,
    const struct asked *asked)
{
	static const char *const effects[] = {
#define X(name, bit, word) word,
	    W_EFFECT_MAP(X)
#undef X
		"unknown"};
	bool fits = false;
	bool is_judged = false;

	for (size_t i = 0; i < sizeof(effects) / sizeof(*effects) && !fits;
	     i++) {
		struct w_policy *policy = read_policy(item, effects[i]);
		struct w_decision decision;

		if (policy != NULL &&
		    w_decider_expect_one(decider, policy, &asked->expect,
			&decision, NULL) == WRIT_OK) {
			fits = decision.grant != NULL;
			is_judged = true;
			w_decision_done(&decision);
		}
		w_policy_free(policy);
	}
	return fits || !is_judged;
}

/* The parts of an engine that evaluating one command needs. */
static bool
grant_fit_judge(const writ_config *config, const struct w_approval *item,
    const struct asked *asked, const struct w_grant *grant)
{
	struct w_request_reader reader = {.config = NULL};
	struct w_config_profile_dirs dirs = {.paths = {NULL}};
	struct w_decider decider;
	bool fits = true;

	w_decider_init(&decider);
	if (w_config_profile_dirs_init(&dirs, config, NULL) == WRIT_OK &&
	    w_decider_find_home(&decider, NULL) == WRIT_OK) {
		decider.config = config;
		decider.cwd = asked->cwd;
		decider.profile_dirs = dirs.paths;
		decider.reader = &reader;
		decider.supposed = grant;
		if (asked->hosts.count > 0)
			decider.supposed_hosts =
			    (const char *const *)asked->hosts.items;
		fits = fits_some(&decider, item, asked);
	}
	w_decider_done(&decider);
	w_config_profile_dirs_done(&dirs);
	w_request_reader_done(&reader);
	return fits;
}

/* ---- a connection ---- */

/* Whether the rule opens the host of a connection that waits. *out_fits is
 * untouched if the question is about none. */
static bool
fits_connection(
    const struct w_approval *item, const struct w_grant *grant, bool *out_fits)
{
	const char *place = yyjson_get_str(yyjson_ptr_get(
	    w_json_root(item->question), "/request/" W_REACH_QUESTION_KEY));
	const char *colon = place == NULL ? NULL : strrchr(place, ':');
	char host[W_REACH_QUESTION_TEXT];

	if (colon == NULL || (size_t)(colon - place) >= sizeof(host))
		return false;
	memcpy(host, place, (size_t)(colon - place));
	host[colon - place] = '\0';
	struct w_policy *policy = read_policy(item, "net");
	const struct w_policy_tier tier = {.policy = policy};
	const struct w_policy_set set = {
	    .tiers = &tier, .count = 1, .grants = grant, .grant_count = 1};
	struct w_policy_facts facts = {.agent = item->agent,
	    .network = W_POLICY_NETWORK_HOSTS,
	    .walls = W_WALLS_STRICT,
	    .now = time(NULL),
	    .project = item->project};
	const struct w_host_connection connection = {
	    .host = host, .port = (uint16_t)strtoul(colon + 1, NULL, 10)};
	struct w_host_judgement judgement;
	w_decider_add_time(&facts);
	if (policy != NULL && w_policy_judge_host(&set, &facts, &connection,
				  &judgement, NULL) == WRIT_OK)
		*out_fits = judgement.grant != NULL;
	w_policy_free(policy);
	return true;
}

bool
w_grant_rule_fits(const writ_config *config, const struct w_approval *item,
    const struct w_rule *rule)
{
	const struct w_grant grant = {.id = item->id, .rule = rule};
	struct asked asked = {.shell = NULL};
	bool fits = true;

	if (fits_connection(item, &grant, &fits))
		return fits;
	if (take_asked(item, &asked))
		fits = grant_fit_judge(config, item, &asked, &grant);
	w_words_done(&asked.argv);
	w_words_done(&asked.hosts);
	return fits;
}
