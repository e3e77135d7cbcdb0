/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_DECIDER_H
#define W_ENGINE_DECIDER_H

#include <writ/module.h>
#include <writ/policy.h>

#include "audit/record/redact.h"
#include "base/sha256.h"
#include "engine/approval/approvals.h"
#include "engine/decide/access_set.h"
#include "engine/decide/constraints.h"
#include "engine/policies/policies.h"
#include "engine/request/request_reader.h"
#include "run/resolve/prepare.h"

/*
 * Decides about an engine's requests: asks the policies, and whoever has to be
 * asked besides.
 *
 * Invariants
 *  1. No run starts without a decision, and none but "allow" lets it start.
 *  2. What was judged is what runs: the program's file, the words and the
 *     directory are those of the judged case, and only the walls are chosen
 *     afterwards, by the decision.
 *  3. An approval is used up by one start, however often that is tried.
 */
struct w_decider {
	/* Of the engine; borrowed. */
	const writ_config *config;
	const char *door;
	const char *base;    /* canonical; NULL: there is none */
	const char *sandbox; /* of the engine; NULL: as policies say */
	bool has_terminal;
	const char *spill_dir; /* NULL: nothing is spilled */
	writ_error no_walls;   /* why there can be none; WRIT_OK: there can */
	const char *const *profile_dirs;
	struct w_request_reader *reader;
	struct w_redactor *redactor;          /* NULL: nothing is recorded */
	const struct w_hmac_key *request_key; /* NULL: there is none */

	struct w_policies policies;
	struct w_grant_cache grants;
	const struct w_grant *supposed; /* that counts for lines of expect;
					   NULL: none does */
	writ_notice_fn on_notice;       /* NULL: nobody listens */
	void *notice_ctx;
	bool has_told_default;

	bool is_decided; /* in a runner: whoever had to be asked was */

	/* Of an isolated call: see decider_isolated.h. */
	writ_request outer;        /* that starts the runner */
	writ_request call_checked; /* the call's own, with its defaults */
	writ_modules *modules;
	writ_call *call; /* NULL: the request is any other */

	/* Of the request at hand. */
	writ_request asked;   /* as it came, today's size */
	writ_request checked; /* the same, with its defaults */
	bool is_dry_run;      /* nothing is to run: writ_decide() */
	bool has_used;        /* its approval; by this start */
	struct w_constraints constraints;
	struct w_access_set access_set;
	struct w_policy_facts c;
	struct w_command_source source;
	const char *cwd;            /* borrowed; NULL: there is none */
	struct w_analysis *certain; /* where the reader's is doubtful */
	char *home;
	struct w_decision decision;
	bool has_decision;
	struct w_restriction restriction;
	writ_request granted; /* what it became */
	const char *grant;
	const char *approval;
	char *rule; /* the place of the reason */
	char hash[W_SHA256_HEX + 1];
	const char *trouble; /* of grants that could not be read; NULL */

	/* Until the next request. */
	char *json;     /* the decision object of the last that did not run */
	char *question; /* what it was, for who is asked; NULL: nobody is */
	char *told;     /* the decision object as those see it */
	char *shape;    /* the rule that would grant it; NULL: none */
	char *agent;
	char *session;
};

void w_decider_init(struct w_decider *decider);
void w_decider_done(struct w_decider *decider);

/* A request comes in; its words must live until it has started. */
void w_decider_accept(struct w_decider *decider, const writ_request *asked);

/* It has started, or not: what was looked up for it goes. */
void w_decider_finish(struct w_decider *decider);

/* Where '~/' leads: HOME, or what the user database says. */
writ_status w_decider_find_home(struct w_decider *decider, writ_error *err);

/*
 * The policy's two steps of a start.
 *
 * Planning comes when it is known who and where, before the environment is made
 * and the program looked for: walls, network and limits of the request become
 * those of the policy and what was asked beyond it. What the request then
 * points to lives until w_decider_finish().
 *
 * Deciding comes when it is known which program, too: prepared gets the
 * decision and what it leaves of the walls. *missing says why there is no
 * program or no directory; its status is WRIT_OK where there are both.
 */
writ_status w_decider_constrain(struct w_decider *decider,
    struct w_prepared *prepared, writ_request *request, writ_error *err);
writ_status w_decider_decide(struct w_decider *decider,
    struct w_prepared *prepared, const writ_error *missing,
    writ_request *request, writ_error *err);

/* ---- decider_facts.c ---- */

/* Makes the case of the request at hand. */
writ_status w_decider_make_facts(struct w_decider *decider,
    const struct w_prepared *prepared, writ_error *err);

/* Says in the case what time it is; without, no rule that asks matches. */
void w_decider_set_time(struct w_decider *decider);

/* ---- decider_json.c ---- */

/* The decision object of the case at hand; yours. */
writ_status w_decider_json(struct w_decider *decider, char **out_json,
    size_t *out_len, writ_error *err);

/* The canonical request without its secrets, for who is asked; yours. */
writ_status w_decider_request_json(struct w_decider *decider,
    const struct w_prepared *prepared, char **out_json, writ_error *err);

/* ---- decider_refuse.c ---- */

/* Says why not, and what would be allowed or where to read more. instead may
 * be NULL. */
writ_status w_decider_explain(const struct w_decider *decider,
    writ_status status, const char *instead, writ_error *err);

/* Keeps what a refusal has to tell, and says it. */
writ_status w_decider_deny(
    struct w_decider *decider, const char *instead, writ_error *err);
writ_status w_decider_ask(struct w_decider *decider,
    const struct w_prepared *prepared, writ_error *err);

/* ---- decider_expect.c ---- */

/* A w_expect_fn; ctx is a decider. */
writ_status w_decider_expect(void *ctx, const struct w_policy *policy,
    struct w_policy_faults *faults, writ_error *err);

/* What one policy alone says about one line of its expect. *out_decision is
 * yours to w_decision_done(). */
writ_status w_decider_expect_one(struct w_decider *decider,
    const struct w_policy *policy, const struct w_policy_expect *expect,
    struct w_decision *out_decision, writ_error *err);

#endif /* W_ENGINE_DECIDER_H */
