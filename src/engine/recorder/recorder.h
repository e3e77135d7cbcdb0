/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_RECORDER_H
#define W_ENGINE_RECORDER_H

#include <stdbool.h>

#include "audit/record/redact.h"
#include "audit/record/trail.h"
#include "engine/config/config_state.h"
#include "engine/decide/decider.h"
#include "engine/recorder/batch.h"
#include "engine/recorder/env_snapshot.h"
#include "engine/request/request_reader.h"
#include "run/run.h"

/*
 * Records the runs of an engine.
 *
 * Invariants
 *  1. A process exists only after its begin record was written, unless the
 *     setting audit_failure is "run"; then the result says why it has none.
 *  2. A begin record gets one end record, before the result is handed out; if
 *     that cannot be written, the result says so, and the trail reports it
 *     when it can be written again.
 *  3. A request that fails in any other way gets one refused record.
 *  4. With durability "batch" a record is on its way to the disk within
 *     W_BATCH_MS, as long as the loop is dispatched.
 */
struct w_recorder {
	struct w_runner *runner;   /* borrowed */
	const writ_config *config; /* borrowed; NULL: unknown yet */
	struct w_trail *trail;     /* NULL: not open */
	struct w_decider *decider; /* borrowed */
	struct w_buf buf;          /* the current record */
	bool may_run;              /* audit_failure is "run" */

	/* Secrets: first those of the environment of this process, then,
	 * during the start of a run, those of its request. */
	struct w_redactor redactor;
	struct w_env_snapshot snapshot;
	size_t own_secrets;
	struct w_request_reader reader; /* analyzes requests */
	const char *understood;         /* the module; only during the start
					   of a run */

	/* Only during the start of a run. */
	writ_error failed; /* error of the attempt whose end is already
			      recorded */
	bool has_failed;
	bool has_begun;     /* the attempt has a begin record */
	bool is_unwritable; /* the trail cannot be written */

	struct w_batch batch; /* records to be synced */
	time_t tidied;        /* when outputs were last pruned; 0: never */
};

/* All are borrowed. */
void w_recorder_init(struct w_recorder *recorder, struct w_runner *runner,
    struct w_decider *decider);

/* Opens the trail, at the first run or after a failure, analyzes the request
 * and collects its secrets. */
writ_status w_recorder_open(struct w_recorder *recorder,
    const writ_config *config, const char *door, const writ_request *request,
    writ_error *err);

/* A request is dealt with: writes a refused record if err is not NULL, and
 * forgets the request's secrets. */
void w_recorder_finish(struct w_recorder *recorder, const writ_request *request,
    const writ_error *err);

/* No further run starts; live ones will be abandoned. */
void w_recorder_close(struct w_recorder *recorder);
void w_recorder_done(struct w_recorder *recorder);

/* ---- recorder_run.c ---- */

/* The last step before a process exists. If it fails, the run must not
 * start. asked is the request as received. */
writ_status w_recorder_begin_run(struct w_recorder *recorder,
    const writ_request *asked, const struct w_prepared *prepared,
    struct w_run_result *storage, writ_error *err);

/* A begun run failed to start; nothing of it is left. Another attempt may
 * follow, as another run. */
void w_recorder_fail_run(
    struct w_recorder *recorder, const char *run_id, const writ_error *error);

/* See struct w_run_listener. ctx is a recorder. */
void w_recorder_end_run(void *ctx, struct w_run_result *storage);
void w_recorder_abandon_run(void *ctx, const char *run_id);

/* ---- for recorder_run.c ---- */

struct w_audit_request_facts;

/* Empties the buffer for the next record. */
struct w_buf *w_recorder_buf(struct w_recorder *recorder);

/* Appends the buffer. *out_seq is 0 if that failed. */
writ_status w_recorder_append(struct w_recorder *recorder,
    enum w_log_urgency urgency, uint64_t *out_seq, writ_error *err);

/* Reports that the run cannot be recorded, for the reason in inner. err must
 * not be NULL. */
writ_status w_recorder_fail(
    struct w_recorder *recorder, const writ_error *inner, writ_error *err);

struct w_record_who w_recorder_who(
    const struct w_recorder *recorder, const writ_request *request);
void w_recorder_hash(const struct w_recorder *recorder,
    const writ_request *request, const struct w_audit_request_facts *facts,
    char out_hex[W_SHA256_HEX + 1]);

#endif /* W_ENGINE_RECORDER_H */
