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
#include "trigger/trigger.h"

/*
 * Decides about the requests of an engine: evaluates the policies and, if they
 * say ask, looks for grants and approvals.
 *
 * Invariants
 *  1. No run starts without a decision, and only "allow" lets it start.
 *  2. What was judged is what runs: the program's file, the argv and the
 *     directory are those of the facts. Only the sandbox is chosen
 *     afterwards, by the decision.
 *  3. An approval is used up by one start, however often that is retried.
 */
struct w_decider {
	struct timespec began; /* when the engine was opened */
	/* Of the engine; borrowed. */
	const writ_config *config;
	const char *door;
	const char *base;    /* canonical; NULL: none */
	const char *sandbox; /* of the engine; NULL: the policies decide */
	bool has_terminal;
	const char *spill_dir; /* NULL: nothing is spilled */
	writ_error no_walls;   /* why no sandbox is possible; WRIT_OK: it is */
	const char *const *profile_dirs;
	struct w_name_index *name_index;
	struct w_request_reader *reader;
	struct w_redactor *redactor;          /* NULL: nothing is recorded */
	const struct w_hmac_key *request_key; /* NULL: none */

	struct w_policies policies;
	struct w_grant_cache grants;
	struct w_managers *managers; /* NULL: not needed yet */
	struct w_denied_programs denied;
	struct w_hidden_home hidden;
	const struct w_grant *supposed;    /* grant to assume for lines of
					      expect; NULL: none */
	const char *const *supposed_hosts; /* likewise, of the request */
	writ_notice_fn on_notice;          /* NULL: nobody listens */
	void *notice_ctx;
	bool has_reported_default;

	bool is_decided; /* in a runner: approval was given outside */

	/*
	 * The request is kept in four forms, in this order:
	 *   outer    as received by the engine;
	 *   asked    what is judged: the same, or in an isolated call the
	 *            call's own request;
	 *   checked  asked with its defaults: approvals are bound to its hash;
	 *   granted  checked with what the policy sets: what runs, or would
	 *            run if it were allowed.
	 */

	/* Of an isolated call: see decider_isolated.h. */
	writ_request outer;        /* the request that starts the runner */
	writ_request call_checked; /* the call's own request, with defaults */
	writ_modules *modules;
	writ_call *call; /* NULL: not an isolated call */

	/* Of the current request. */
	writ_request asked;   /* as received, current size */
	writ_request checked; /* the same, with defaults */
	bool is_dry_run;      /* nothing is to run: writ_decide() */
	bool has_used;        /* this start has used its approval */
	struct w_constraints constraints;
	struct w_access_set access_set;
	struct w_policy_facts facts;
	struct w_command_source source;
	const char *cwd;                /* borrowed; NULL: none */
	const char *undo_root;          /* what its layer lies over; NULL: it
					   has none, or nobody knows */
	const char *stays_in;           /* the project in which it is known to
					   stay; NULL: it is not */
	bool has_more_writable;         /* besides the roots */
	struct w_host_list given_hosts; /* of a trusted caller */
	struct w_analysis *certain;     /* replaces a doubtful analysis of the
					   reader */
	char *home;
	struct w_decision decision;
	bool has_decision;
	struct w_restriction restriction;
	writ_request granted; /* the request as granted */
	const char *grant;
	const char *approval;
	char *rule; /* location of the rule that decided */
	char hash[W_SHA256_HEX + 1];
	const char *trouble; /* why grants could not be read; NULL: no
				problem */

	/* Kept until the next request. */
	char *json; /* decision object of the last request that did not run */
	char *question; /* that request, as shown for approval; NULL: none */
	char *shown;    /* the decision object as shown for approval */
	char *shape;    /* the rule that would grant it; NULL: none */
	char *agent;
	char *session;
	char *project; /* its root; NULL: unknown */
};

void w_decider_init(struct w_decider *decider);
void w_decider_done(struct w_decider *decider);

/* Copies a request; what it points to must live until w_decider_finish(). */
void w_decider_accept(struct w_decider *decider, const writ_request *asked);

/* The start succeeded or failed: frees what was looked up for it. */
void w_decider_finish(struct w_decider *decider);

/* Resolves '~/': HOME, or the user database. */
writ_status w_decider_find_home(struct w_decider *decider, writ_error *err);

/*
 * The policy's two steps of a start.
 *
 * w_decider_constrain() runs when user and directory are known, before the
 * environment is made and the program looked up. It sets sandbox, network and
 * limits of the request from the policy and from what was asked. What the
 * request then points to lives until w_decider_finish().
 *
 * w_decider_decide() runs when the program is known too. prepared gets the
 * decision and the restriction of the sandbox. *missing says why there is no
 * program or no directory; its status is WRIT_OK if both exist.
 */
writ_status w_decider_constrain(struct w_decider *decider,
    struct w_prepared *prepared, writ_request *request, writ_error *err);
writ_status w_decider_decide(struct w_decider *decider,
    struct w_prepared *prepared, const writ_error *missing,
    writ_request *request, writ_error *err);

/* The session of the current request: the one that it names or, put into
 * storage, that of this process. */
const char *w_decider_session(
    const struct w_decider *decider, char storage[64]);

/* ---- decider_facts.c ---- */

/* Makes the facts of the current request. */
writ_status w_decider_make_facts(struct w_decider *decider,
    const struct w_prepared *prepared, writ_error *err);

/* Adds the time to the facts; without it no rule with a time matches. */
void w_decider_set_time(struct w_decider *decider);
void w_decider_add_time(struct w_policy_facts *facts);

/* ---- decider_json.c ---- */

/* The decision object of the current facts; the caller frees it. */
writ_status w_decider_json(struct w_decider *decider, char **out_json,
    size_t *out_len, writ_error *err);

/* The canonical request with secrets redacted, to show for approval; the
 * caller frees it. */
writ_status w_decider_request_json(struct w_decider *decider,
    const struct w_prepared *prepared, char **out_json, writ_error *err);

/* ---- decider_void.c ---- */

/* Whether the walls would refuse what a person agreed to; text says why. */
bool w_decider_is_void(
    const struct w_decider *decider, char *text, size_t size);

/* ---- decider_refuse.c ---- */

/* Fills *err with the reason and what would be allowed or where to read
 * more. instead may be NULL. */
writ_status w_decider_explain(const struct w_decider *decider,
    writ_status status, const char *instead, writ_error *err);

/* Fail with WRIT_E_DENIED or WRIT_E_APPROVAL, and keep what there is to
 * report. */
writ_status w_decider_deny(
    struct w_decider *decider, const char *instead, writ_error *err);
writ_status w_decider_ask(struct w_decider *decider,
    const struct w_prepared *prepared, writ_error *err);

/* ---- trigger_reach.c ---- */

/* Where the commands may change triggers: the most that one of them can. */
/* decider_undo.c: whether the run works on a layer, and which commands that
 * covers. May change undo in the request. */
void w_decider_find_undo(struct w_decider *decider, struct w_prepared *prepared,
    writ_request *request);

/* Notes which files are not held back from its layer, because a rule names
 * them. */
writ_status w_decider_permit_named(struct w_decider *decider,
    struct w_prepared *prepared, const writ_request *request, writ_error *err);

/* The directory without which it must not run; NULL: none. */
const char *w_decider_must_cover(const struct w_decider *decider);

/* What refs held then, no command of this session has written. */
struct timespec w_decider_session_began(const struct w_decider *decider);

/* Marks the commands of which all can be undone with a layer over root.
 * has_more: other places are writable. */
void w_decider_mark_undo(struct w_policy_command *commands, size_t count,
    const char *root, bool has_more);

enum w_trigger_reach w_decider_reach(const struct w_policy_facts *facts);

/* ---- decider_expect.c ---- */

/* A w_expect_fn; ctx is a decider. */
writ_status w_decider_expect(void *ctx, const struct w_policy *policy,
    struct w_policy_faults *faults, writ_error *err);

/* Whether its time has passed: it is not checked. */
bool w_decider_expect_is_over(const struct w_policy_expect *expect);
/* What one policy alone decides about one line of its expect. The caller
 * frees *out_decision with w_decision_done(). */
writ_status w_decider_expect_one(struct w_decider *decider,
    const struct w_policy *policy, const struct w_policy_expect *expect,
    struct w_decision *out_decision, writ_error *err);

#endif /* W_ENGINE_DECIDER_H */
