/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_ENGINE_STATE_H
#define W_ENGINE_ENGINE_STATE_H

#include <stdbool.h>

#include <writ/run.h>

#include "engine/config/config_state.h"
#include "engine/decide/decider.h"
#include "engine/profile/shown_profile.h"
#include "engine/recorder/recorder.h"
#include "run/run.h"

struct writ_engine {
	struct w_runner runner;
	char *spill_dir;     /* as the options say; NULL: by the settings */
	writ_config *config; /* NULL: not looked up yet, or in vain */
	bool has_looked;
	bool is_unaudited; /* no record is wanted */
	char *door;
	char *sandbox;    /* for requests that name none; NULL */
	char *base;       /* canonical; NULL: the current directory is gone */
	char *output_dir; /* of kept outputs; NULL: none */
	struct w_config_profile_dirs profile_dirs;
	struct w_decider decider;
	struct w_recorder recorder;
};

/* Looks up where things are, once. */
writ_status w_engine_find_paths(writ_engine *engine, writ_error *err);

/* Takes up a request: finds places and keys, and understands its words. */
writ_status w_engine_accept(
    writ_engine *engine, const writ_request *request, writ_error *err);

/*
 * Judges a request and runs nothing: tell is called when it is decided, while
 * the decider knows the case. Fails like writ_decide(), or as tell does.
 */
typedef writ_status (*w_engine_decided_fn)(
    void *ctx, struct w_decider *decider, writ_error *err);
writ_status w_engine_evaluate(writ_engine *engine, const writ_request *request,
    w_engine_decided_fn tell, void *ctx, writ_error *err);

#endif /* W_ENGINE_ENGINE_STATE_H */
