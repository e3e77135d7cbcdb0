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
 *     W_BATCH_MS, as long as the loop is dispatched.
 */
struct w_recorder {
	struct w_runner *runner;   /* borrowed */
	const writ_config *config; /* borrowed; NULL: not known yet */
	struct w_trail *trail;     /* NULL: not open */
	struct w_decider *decider; /* borrowed */
	struct w_buf buf;          /* the record that is being written */
	bool may_run;              /* audit_failure is "run" */

	/* Secrets: first those of the environment of this process, then,
	 * while a run is being started, those of its request. */
	struct w_redactor redactor;
	struct w_env_snapshot snapshot;
	size_t own_secrets;
	struct w_request_reader reader; /* understands requests */
	const char *understood;         /* the module; while a run is started */

	/* While a run is being started. */
	writ_error failed; /* of the attempt whose end is recorded already */
	bool has_failed;
	bool has_begun;     /* the attempt has a begin record */
	bool is_unwritable; /* the trail itself refuses */

	struct w_batch batch; /* on their way to the disk */
	time_t tidied;        /* when kept outputs were looked at; 0: never */
};

/* The door must outlive the recorder. */
void w_recorder_init(struct w_recorder *recorder, struct w_runner *runner,
    struct w_decider *decider);

/* A request that was not checked yet, and may be an older caller's, with
 * today's size. */
void w_recorder_copy(const writ_request *request, writ_request *out);

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

/* ---- recorder_run.c ---- */

/* The last step before a process exists. Not WRIT_OK: the run may not start.
 * asked is the request as it came. */
writ_status w_recorder_begin_run(struct w_recorder *recorder,
    const writ_request *asked, const struct w_prepared *prepared,
    struct w_run_result *storage, writ_error *err);

/* It had begun, and did not start after all; nothing of it is left. Another
 * attempt may follow, as another run. */
void w_recorder_fail_run(
    struct w_recorder *recorder, const char *run_id, const writ_error *error);

/* See struct w_run_listener. ctx is a recorder. */
void w_recorder_end_run(void *ctx, struct w_run_result *storage);
void w_recorder_abandon_run(void *ctx, const char *run_id);

/* ---- for recorder_run.c ---- */

struct w_audit_request_facts;

/* Empties the buffer for the next record. */
struct w_buf *w_recorder_buf(struct w_recorder *recorder);

/* Appends what is in the buffer. *out_seq is 0 when that failed. */
writ_status w_recorder_append(struct w_recorder *recorder,
    enum w_log_urgency urgency, uint64_t *out_seq, writ_error *err);

/* Says that the run cannot be recorded, for the reason in inner. */
writ_status w_recorder_fail(
    struct w_recorder *recorder, const writ_error *inner, writ_error *err);

struct w_record_who w_recorder_who(
    const struct w_recorder *recorder, const writ_request *request);
void w_recorder_hash(const struct w_recorder *recorder,
    const writ_request *request, const struct w_audit_request_facts *facts,
    char out_hex[W_SHA256_HEX + 1]);

#endif /* W_ENGINE_RECORDER_H */
