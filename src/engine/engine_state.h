/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_ENGINE_STATE_H
#define W_ENGINE_ENGINE_STATE_H

#include <stdbool.h>

#include <writ/approval.h>
#include <writ/run.h>

#include "engine/config/config_state.h"
#include "engine/decide/decider.h"
#include "engine/profile/shown_profile.h"
#include "engine/recorder/recorder.h"
#include "run/run.h"

struct writ_engine {
	struct w_runner runner;
	char *spill_dir;     /* from the options; NULL: from the settings */
	writ_config *config; /* NULL: not looked up yet, or none */
	bool has_looked;
	bool is_unaudited; /* no_audit was set */
	char *door;
	char *sandbox;    /* for requests that name none; NULL: none */
	char *policy;     /* a text; NULL: none */
	char *base;       /* canonical; NULL: the current directory is gone */
	char *output_dir; /* for kept outputs; NULL: none */
	struct w_config_profile_dirs profile_dirs;
	struct w_decider decider;
	struct w_recorder recorder;
	writ_connection_fn on_connection; /* NULL: nobody was named */
	void *connection_ctx;
};

/* Looks up paths, once. */
writ_status w_engine_find_paths(writ_engine *engine, writ_error *err);

/* Accepts a request: finds paths, opens the audit trail, analyzes its
 * command. */
writ_status w_engine_accept(
    writ_engine *engine, const writ_request *request, writ_error *err);

/*
 * Evaluates a request without running it: tell is called after the decision,
 * while the decider has the facts. Fails like writ_decide(), or as tell does.
 */
typedef writ_status (*w_engine_decided_fn)(
    void *ctx, struct w_decider *decider, writ_error *err);
writ_status w_engine_evaluate(writ_engine *engine, const writ_request *request,
    w_engine_decided_fn tell, void *ctx, writ_error *err);

#endif /* W_ENGINE_ENGINE_STATE_H */
