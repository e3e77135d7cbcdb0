/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the record of an engine's runs: when what is written, and what becomes
 * of a run whose record cannot be. */

#include "engine/recorder.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "audit/request_hash.h"
#include "base/hex.h"
#include "exec/request_check.h"

/* ---- trouble ---- */

static void
suggest(
    const struct w_recorder *recorder, const writ_error *inner, writ_error *err)
{
	static const char way_out[] =
	    "audit_failure=run (--audit-failure run) runs without a record";

	if (inner->sys_errno == ENOSPC || inner->sys_errno == EDQUOT)
		w_suggest(err, "make room for the audit trail; %s", way_out);
	else if (inner->suggestion[0] != '\0')
		w_suggest(err, "%s; %s", inner->suggestion, way_out);
	else if (recorder->trail == NULL && inner->sys_errno != 0)
		w_suggest(err, "set WRIT_STATE_DIR to a directory of yours; %s",
		    way_out);
	else
		w_suggest(err, "%s", way_out);
}

/* The run cannot be recorded: says so, in one way wherever it was found. */
static writ_status
fail_unrecorded(
    struct w_recorder *recorder, const writ_error *inner, writ_error *err)
{
	writ_status status =
	    inner->status == WRIT_E_NOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM;

	recorder->is_unwritable = true;
	(void)w_fail(err, status, "audit", 0, "cannot record the run: %s",
	    inner->message);
	err->sys_errno = inner->sys_errno;
	suggest(recorder, inner, err);
	return status;
}

/* ---- when it reaches the disk ---- */

static void
sync_now(struct w_timer *timer)
{
	struct w_recorder *recorder =
	    W_OWNER_OF(timer, struct w_recorder, timer);

	if (recorder->trail != NULL)
		(void)w_log_sync(recorder->trail->log);
}

static void
sync_soon(struct w_recorder *recorder)
{
	const bool is_batch = w_config_number(recorder->config,
				  W_SET_AUDIT_DURABILITY) == W_LOG_BATCH;

	struct w_loop *loop = &recorder->runner->loop;

	/* Runs have reserved room for one more; without a run it may lack. */
	if (is_batch && !recorder->is_closing && recorder->timer.slot == 0 &&
	    w_loop_reserve_timers(loop, loop->heap_len + 1))
		w_loop_arm(loop, &recorder->timer,
		    w_now_ns() + W_RECORDER_BATCH_MS * W_NS_PER_MS);
}

/* ---- writing ---- */

/* The same memory serves all records. */
static struct w_buf *
fresh_buf(struct w_recorder *recorder)
{
	recorder->buf.len = 0;
	recorder->buf.failed = false;
	return &recorder->buf;
}

/* Appends what is in the buffer. *out_seq is 0 when that failed. */
static writ_status
append(struct w_recorder *recorder, enum w_log_urgency urgency,
    uint64_t *out_seq, writ_error *err)
{
	struct w_log_mark mark;

	*out_seq = 0;
	if (recorder->trail == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "audit", 0,
		    "the audit trail is not open");
	writ_status status = w_trail_append(
	    recorder->trail, &recorder->buf, urgency, &mark, err);
	if (status != WRIT_OK) {
		w_trail_lose(recorder->trail, 1, err->message);
		return status;
	}
	*out_seq = mark.seq;
	sync_soon(recorder);
	return WRIT_OK;
}

static struct w_record_who
who_asks(const struct w_recorder *recorder, const writ_request *request)
{
	struct w_record_who who = recorder->trail->who;

	who.agent = request->agent;
	return who;
}

static void
hash_request(const struct w_recorder *recorder, const writ_request *request,
    const struct w_request_facts *facts, char out_hex[W_SHA256_HEX + 1])
{
	uint8_t hash[W_SHA256_SIZE];

	w_request_hash(&recorder->trail->request_key, request, facts, hash);
	w_hex_put(out_hex, hash, sizeof(hash));
	out_hex[W_SHA256_HEX] = '\0';
}

static void
add_begin(struct w_recorder *recorder, const struct w_run_begin *told)
{
	const struct w_prepared *prepared = told->prepared;
	const writ_result *result = &told->box->result;
	const struct w_identity *identity = &prepared->identity;
	const struct w_request_facts facts = {
	    .program = prepared->program.path,
	    .cwd = prepared->cwd,
	    .env = (const char *const *)prepared->env.items,
	    .private_dir = prepared->scratch,
	    .uid = identity->is_set ? identity->uid : geteuid(),
	    .gid = identity->is_set ? identity->gid : getegid(),
	};
	const struct w_record_who who = who_asks(recorder, told->request);
	char hash[W_SHA256_HEX + 1];

	hash_request(recorder, told->request, &facts, hash);
	const struct w_record_begin begin = {
	    .run_id = told->run_id,
	    .who = &who,
	    .request = told->request,
	    .program = facts.program,
	    .cwd = facts.cwd,
	    .env = facts.env,
	    .uid = facts.uid,
	    .gid = facts.gid,
	    .profile = result->sandbox,
	    .network = result->network,
	    .layers = result->layers,
	    .request_hash = hash,
	};
	w_record_add_begin(fresh_buf(recorder), &recorder->redactor, &begin);
}

/* ---- the hooks ---- */

static writ_status
on_begin(void *ctx, const struct w_run_begin *told, writ_error *err)
{
	struct w_recorder *recorder = ctx;
	writ_error inner = {0};

	recorder->redactor.has_redacted = false;
	if (recorder->trail != NULL)
		add_begin(recorder, told);
	writ_status status = append(
	    recorder, W_LOG_BEGINS, &told->box->result.begin_seq, &inner);
	recorder->has_begun = status == WRIT_OK;
	if (status == WRIT_OK)
		return WRIT_OK;
	if (!recorder->may_run)
		return fail_unrecorded(recorder, &inner, err);
	w_result_box_set_unrecorded(told->box,
	    recorder->trail == NULL ? recorder->failed.message : inner.message);
	return WRIT_OK;
}

static void
on_fail(void *ctx, const char *run_id, const writ_error *error)
{
	struct w_recorder *recorder = ctx;
	writ_error inner;
	uint64_t seq;

	if (!recorder->has_begun)
		return;
	recorder->failed = *error;
	recorder->has_failed = true;
	recorder->redactor.has_redacted = false;
	w_record_add_failed(
	    fresh_buf(recorder), &recorder->redactor, run_id, error);
	(void)append(recorder, W_LOG_ENDS, &seq, &inner);
}

static void
on_end(void *ctx, struct w_result_box *box)
{
	struct w_recorder *recorder = ctx;
	writ_result *result = &box->result;
	writ_error inner;

	if (result->begin_seq == 0) {
		if (recorder->trail != NULL)
			w_trail_lose(recorder->trail, 1, result->unrecorded);
		return;
	}
	const uint64_t bytes =
	    result->out[WRIT_STDOUT].bytes + result->out[WRIT_STDERR].bytes;
	w_record_add_end(
	    fresh_buf(recorder), result, result->recording_bytes == bytes);
	if (append(recorder, W_LOG_ENDS, &result->end_seq, &inner) != WRIT_OK)
		w_result_box_set_unrecorded(box, inner.message);
}

static void
on_abandon(void *ctx, const char *run_id)
{
	struct w_recorder *recorder = ctx;
	writ_error inner;
	uint64_t seq;

	w_record_add_abandoned(fresh_buf(recorder), run_id);
	(void)append(recorder, W_LOG_ENDS, &seq, &inner);
}

/* ---- the life of a recorder ---- */

void
w_recorder_init(struct w_recorder *recorder, struct w_runner *runner)
{
	*recorder = (struct w_recorder){
	    .runner = runner,
	    .hooks = {recorder, on_begin, on_fail, on_end, on_abandon},
	    .timer = {.fn = sync_now},
	};
	w_buf_init(&recorder->buf, W_TRAIL_RECORD_MAX);
}

static writ_status
open_trail(struct w_recorder *recorder, const char *door, writ_error *err)
{
	const writ_config *config = recorder->config;
	writ_status status = w_config_need(config, W_SET_STATE_DIR, err);

	if (status != WRIT_OK)
		return status;
	const uint64_t durability =
	    w_config_number(config, W_SET_AUDIT_DURABILITY);
	const struct w_trail_options options = {
	    .state_dir = w_config_path(config, W_SET_STATE_DIR),
	    .durability = (enum w_log_durability)durability,
	    .key_file = w_config_path(config, W_SET_AUDIT_KEY),
	    .segment_max = w_config_number(config, W_SET_AUDIT_SEGMENT),
	    .door = door,
	};
	return w_trail_open(&options, &recorder->trail, err);
}

/* The request was not checked yet, and may be an older caller's. */
static void
copy_asked(const writ_request *request, writ_request *out)
{
	const writ_request standard = WRIT_REQUEST_INIT;
	size_t size =
	    request->size < sizeof(*out) ? request->size : sizeof(*out);

	*out = standard;
	if (size >= sizeof(request->size))
		memcpy(out, request, size);
	out->size = sizeof(*out);
	if (out->stdin_data == NULL)
		out->stdin_len = 0;
}

static writ_status
learn_secrets(
    struct w_recorder *recorder, const writ_request *request, writ_error *err)
{
	struct w_redactor *redactor = &recorder->redactor;
	writ_request asked;

	copy_asked(request, &asked);
	writ_status status = w_redactor_add(redactor, asked.secrets, err);
	if (status == WRIT_OK)
		status = w_redactor_add_env(redactor, asked.env, err);
	/* Also what is not passed on: a shell has put it into our argv. */
	if (status == WRIT_OK)
		status = w_redactor_add_env(
		    redactor, (const char *const *)environ, err);
	return status;
}

writ_status
w_recorder_open(struct w_recorder *recorder, const writ_config *config,
    const char *door, const writ_request *request, writ_error *err)
{
	writ_error inner = {0};
	writ_status status = WRIT_OK;

	recorder->config = config;
	recorder->may_run = w_config_number(config, W_SET_AUDIT_FAILURE) != 0;
	recorder->runner->hooks = &recorder->hooks;
	recorder->has_failed = false;
	recorder->has_begun = false;
	recorder->is_unwritable = false;
	w_redactor_done(&recorder->redactor);
	status = learn_secrets(recorder, request, err);
	if (status != WRIT_OK || recorder->trail != NULL)
		return status;
	status = open_trail(recorder, door, &inner);
	if (status == WRIT_OK)
		return WRIT_OK;
	recorder->failed = inner;
	return recorder->may_run ? WRIT_OK
				 : fail_unrecorded(recorder, &inner, err);
}

static void
write_refused(struct w_recorder *recorder, const writ_request *request,
    const writ_error *error)
{
	char run_id[W_ID_LEN + 1];
	char hash[W_SHA256_HEX + 1];
	writ_request asked;
	writ_error inner;
	uint64_t seq;

	if (w_request_check(request, &asked, NULL) != WRIT_OK)
		copy_asked(request, &asked);
	const struct w_record_who who = who_asks(recorder, &asked);
	hash_request(recorder, &asked, NULL, hash);
	w_run_id_make(run_id);
	const struct w_record_refused refused = {
	    .run_id = run_id,
	    .who = &who,
	    .request = &asked,
	    .error = error,
	    .request_hash = hash,
	};
	recorder->redactor.has_redacted = false;
	w_record_add_refused(
	    fresh_buf(recorder), &recorder->redactor, &refused);
	(void)append(recorder, W_LOG_BEGINS, &seq, &inner);
}

void
w_recorder_started(struct w_recorder *recorder, const writ_request *request,
    const writ_error *err)
{
	/* The end record of a failed attempt has told it, unless something
	 * else stopped the next one. */
	const bool is_told =
	    recorder->has_failed && err != NULL &&
	    recorder->failed.status == err->status &&
	    strcmp(recorder->failed.message, err->message) == 0;

	if (err != NULL && !is_told && !recorder->is_unwritable &&
	    recorder->trail != NULL)
		write_refused(recorder, request, err);
	w_redactor_done(&recorder->redactor);
}

void
w_recorder_close(struct w_recorder *recorder)
{
	recorder->is_closing = true;
	if (recorder->timer.slot != 0)
		w_loop_disarm(&recorder->runner->loop, &recorder->timer);
}

void
w_recorder_done(struct w_recorder *recorder)
{
	w_trail_close(recorder->trail);
	recorder->trail = NULL;
	w_redactor_done(&recorder->redactor);
	w_buf_done(&recorder->buf);
}
