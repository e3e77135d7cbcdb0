/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_RECORDER_H
#define W_ENGINE_RECORDER_H

#include <stdbool.h>

#include "audit/redact.h"
#include "audit/trail.h"
#include "engine/config_state.h"
#include "exec/run.h"
#include "os/loop.h"

/*
 * Keeps the record of an engine's runs.
 *
 * Invariants
 *  1. A process exists only after its begin record was written, unless the
 *     setting audit_failure says "run"; then the result says why it has none.
 *  2. What has a begin record gets one end record, before its result is
 *     handed out; if that cannot be written, the result says so and the trail
 *     tells it when it can be written again.
 *  3. A request that fails in any other way gets one refused record.
 *  4. With durability "batch" a record is on its way to the disk within
 *     W_RECORDER_BATCH_MS, as long as the loop is dispatched.
 */
#define W_RECORDER_BATCH_MS 10

struct w_recorder {
	struct w_runner *runner;   /* borrowed */
	const writ_config *config; /* borrowed; NULL: not known yet */
	struct w_trail *trail;     /* NULL: not open */
	struct w_run_hooks hooks;
	struct w_buf buf; /* the record that is being written */
	bool may_run;     /* audit_failure is "run" */
	bool is_closing;  /* no timer is wanted any more */

	/* While a run is being started. */
	struct w_redactor redactor;
	writ_error failed; /* of the attempt whose end is recorded already */
	bool has_failed;
	bool has_begun;     /* the attempt has a begin record */
	bool is_unwritable; /* the trail itself refuses */

	struct w_timer timer; /* armed: something is to be synced */
};

/* The door must outlive the recorder. */
void w_recorder_init(struct w_recorder *recorder, struct w_runner *runner);

/* Opens the trail, at the first run or after it could not be opened, and
 * takes note of the secrets of a request. */
writ_status w_recorder_open(struct w_recorder *recorder,
    const writ_config *config, const char *door, const writ_request *request,
    writ_error *err);

/* The start of a run is over: it failed with err, or err is NULL. */
void w_recorder_started(struct w_recorder *recorder,
    const writ_request *request, const writ_error *err);

/* No further run starts; those that live will be abandoned. */
void w_recorder_close(struct w_recorder *recorder);
void w_recorder_done(struct w_recorder *recorder);

#endif /* W_ENGINE_RECORDER_H */
