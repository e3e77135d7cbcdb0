/* SPDX-License-Identifier: Apache-2.0 */

/* Decides about isolated calls. */

#include "engine/decide/decider_isolated.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/engine_state.h"
#include "os/resolve.h"
#include "os/trust.h"
#include "run/resolve/request_check.h"

#define STAGE   "policy"
#define PROGRAM "writ"

/* The value of a variable that the request sets; the last one wins. */
static const char *
find_variable(const char *const *env, const char *name)
{
	const size_t len = strlen(name);
	const char *value = NULL;

	for (; env != NULL && *env != NULL; env++) {
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			value = *env + len + 1;
	}
	return value;
}

static bool
is_runner(const writ_request *asked)
{
	return asked->shell == NULL && asked->argv != NULL &&
	       asked->argv[0] != NULL && asked->argv[1] != NULL &&
	       strcmp(asked->argv[1], WRIT_ISOLATED_FLAG) == 0 &&
	       asked->argv[2] != NULL && asked->argv[3] == NULL &&
	       asked->stdin_kind == WRIT_STDIN_DATA &&
	       asked->stdin_data != NULL;
}

/* What the runner will read from its request. */
static struct w_isolated_input
input_of(const writ_request *outer)
{
	return (struct w_isolated_input){
	    .id = outer->argv[2],
	    .text = outer->stdin_data,
	    .len = outer->stdin_len,
	    .trace_id = NULL,
	    .call = find_variable(outer->env, W_ISOLATED_CALL),
	    .arguments = find_variable(outer->env, W_ISOLATED_ARGUMENTS),
	};
}

void
w_decider_forget_module_runner(struct w_decider *decider)
{
	writ_call_free(decider->call);
	decider->call = NULL;
	writ_modules_free(decider->modules);
	decider->modules = NULL;
}

static writ_status
make_call(struct w_decider *decider, writ_error *err)
{
	const writ_request *outer = &decider->outer;
	const struct w_isolated_input input = input_of(outer);
	const char *file = find_variable(outer->env, W_ISOLATED_FILE);

	writ_status status = file == NULL ? WRIT_E_INVALID
					  : w_isolated_modules_of(input.id,
						file, &decider->modules, err);
	if (status == WRIT_OK)
		status = w_isolated_call(
		    decider->modules, &input, &decider->call, err);
	return status;
}

static writ_status
take_call(struct w_decider *decider, writ_error *err)
{
	const writ_request *outer = &decider->outer;
	writ_request *asked = &decider->asked;

	*asked = *writ_call_request(decider->call);
	asked->size = sizeof(*asked);
	if (asked->cwd == NULL)
		asked->cwd = outer->cwd;
	if (asked->agent == NULL)
		asked->agent = outer->agent;
	asked->caller = outer->caller;
	/* Whether the module's file is trusted is known from the outer
	 * request. */
	asked->is_module_trusted = outer->is_module_trusted;
	if (outer->approval != NULL)
		asked->approval = outer->approval;
	if (outer->session != NULL)
		asked->session = outer->session;
	writ_status status =
	    w_run_check_request(asked, &decider->call_checked, err);
	return status == WRIT_OK ? w_request_understand(decider->reader,
				       decider->config, asked, err)
				 : status;
}

writ_status
w_decider_accept_module_runner(struct w_decider *decider, writ_error *err)
{
	decider->outer = decider->asked;
	if (!is_runner(&decider->asked))
		return WRIT_OK;
	writ_error why;
	writ_status status = make_call(decider, &why);
	if (status == WRIT_OK)
		status = take_call(decider, &why);
	if (status == WRIT_OK)
		return WRIT_OK;
	/* The runner reports what is wrong with the call, if it may start. */
	return status == WRIT_E_NOMEM
		   ? w_fail_nomem(err, STAGE)
		   : w_decider_drop_module_runner(decider, err);
}

writ_status
w_decider_drop_module_runner(struct w_decider *decider, writ_error *err)
{
	w_decider_forget_module_runner(decider);
	decider->asked = decider->outer;
	return w_request_understand(
	    decider->reader, decider->config, &decider->asked, err);
}

/* A library runs in another program. There writ is a file of that name that
 * we trust and that does not lie where runs write. */
bool
w_decider_is_writ(
    const struct w_decider *decider, const struct w_prepared *prepared)
{
	const char *const *roots = decider->constraints.roots;
	char path[PATH_MAX];
	struct stat st, own;

	if (prepared->program.fd < 0 || fstat(prepared->program.fd, &st) < 0 ||
	    !w_resolve_fd(prepared->program.fd, path))
		return false;
	const char *slash = strrchr(path, '/');
	if (slash == NULL || strcmp(slash + 1, PROGRAM) != 0)
		return false;
	if (stat("/proc/self/exe", &own) == 0 && own.st_dev == st.st_dev &&
	    own.st_ino == st.st_ino)
		return true;
	for (; *roots != NULL; roots++) {
		if (w_resolve_is_in(path, *roots))
			return false;
	}
	return !w_trust_is_foreign(&st);
}

writ_status
w_decider_allow_module_runner(struct w_decider *decider,
    const struct w_prepared *prepared, writ_request *request, writ_error *err)
{
	struct w_isolated_input input = input_of(&decider->outer);
	char sums[W_POLICIES_SUMS_MAX];
	const struct w_isolated_proof proof = {
	    .input = &input,
	    .file = find_variable(decider->outer.env, W_ISOLATED_FILE),
	    .cwd = prepared->cwd,
	    .base = decider->base,
	    .policies = sums,
	};
	struct w_constraints_list env = {.constraints = &decider->constraints};

	/* It could not hold itself to it. */
	if (decider->policies.text != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the policy of this engine is in memory, and a runner "
		    "reads its policy from a file");
	char entry[PATH_MAX + sizeof(W_ISOLATED_BASE)];
	char text[W_ISOLATED_PROOF_MAX];

	/* The runner needs the state directory, and builds the sandbox
	 * around its module itself. */
	request->sandbox =
	    decider->outer.sandbox == NULL ? "none" : decider->outer.sandbox;
	request->network = decider->outer.network;
	request->hosts = decider->outer.hosts;
	request->write = decider->outer.write;
	request->hide = decider->outer.hide;
	input.profile = decider->constraints.profile;
	w_constraints_list_add_all(&env, request->env);
	(void)snprintf(entry, sizeof(entry), W_ISOLATED_PROFILE "=%s",
	    decider->constraints.profile);
	w_constraints_list_copy(&env, entry);
	if (decider->request_key != NULL) {
		if (decider->base != NULL) {
			(void)snprintf(entry, sizeof(entry),
			    W_ISOLATED_BASE "=%s", decider->base);
			w_constraints_list_copy(&env, entry);
		}
		w_policies_sums(&decider->policies, sums);
		(void)snprintf(
		    entry, sizeof(entry), W_ISOLATED_POLICIES "=%s", sums);
		w_constraints_list_copy(&env, entry);
		w_isolated_prove(decider->request_key, &proof, text);
		(void)snprintf(
		    entry, sizeof(entry), W_ISOLATED_DECIDED "=%s", text);
		w_constraints_list_copy(&env, entry);
	}
	request->env = w_constraints_list_end(&env);
	return request->env == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

writ_status
w_engine_trust_proof(writ_engine *engine, const struct w_isolated_proof *proof,
    const char *text, writ_error *err)
{
	const writ_request nothing = WRIT_REQUEST_INIT;
	writ_status status = w_engine_accept(engine, &nothing, err);
	const struct w_hmac_key *key = engine->decider.request_key;

	w_recorder_finish(&engine->recorder, &nothing, NULL);
	w_decider_finish(&engine->decider);
	if (status == WRIT_OK && key != NULL)
		engine->decider.is_decided =
		    w_isolated_is_proven(key, proof, text);
	if (engine->decider.is_decided) {
		engine->decider.policies.vouched = proof->policies;
		engine->decider.base = proof->base;
	}
	return status;
}
