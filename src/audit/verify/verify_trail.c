/* SPDX-License-Identifier: Apache-2.0 */

/* Verifies a trail as a whole. */

#include "audit/verify/verify_trail.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "audit/query/entry.h"
#include "audit/query/trail_lines.h"
#include "base/error.h"

enum {
	TEXT_MAX = 512
};

static const struct {
	const char *word;
	const char *severity;
} kinds[] = {
#define X(name, word, severity) {word, severity},
    W_VERIFY_MAP(X)
#undef X
};

static void
verify_trail_count(writ_audit_proof *proof, const char *severity)
{
	proof->bad += strcmp(severity, "bad") == 0;
	proof->warnings += strcmp(severity, "warning") == 0;
	proof->notes += strcmp(severity, "note") == 0;
}

/* Completes a finding; segment 0: it is about no file. */
__attribute__((format(printf, 5, 0))) static void
report_finding(struct w_trail_verifier *verifier, enum w_verify_kind kind,
    writ_audit_finding finding, uint32_t segment, const char *fmt, va_list args)
{
	char file[W_LOG_NAME_MAX];
	char text[TEXT_MAX];

	(void)vsnprintf(text, sizeof(text), fmt, args);
	w_log_segment_name(W_TRAIL_NAME, segment, file);
	finding.text = text;
	finding.file = segment > 0 ? file : NULL;
	finding.kind = kinds[kind].word;
	finding.severity = kinds[kind].severity;
	finding.advice = w_verify_advice(finding.kind);
	verify_trail_count(&verifier->proof, finding.severity);
	if (verifier->fn != NULL)
		verifier->fn(verifier->ctx, &finding);
}

void
w_verify_report(struct w_trail_verifier *verifier, enum w_verify_kind kind,
    const char *run, const char *fmt, ...)
{
	writ_audit_finding finding = {.run_id = run};
	uint32_t segment = 0;
	va_list args;

	if (verifier->line != NULL) {
		segment = verifier->place->segment;
		finding.offset = verifier->place->offset;
		finding.line = verifier->place->line;
		finding.seq = verifier->line->seq;
	}
	va_start(args, fmt);
	report_finding(verifier, kind, finding, segment, fmt, args);
	va_end(args);
}

void
w_verify_report_at(struct w_trail_verifier *verifier, enum w_verify_kind kind,
    const struct w_trail_position *position, const char *run, const char *fmt,
    ...)
{
	const writ_audit_finding finding = {
	    .offset = position->offset, .seq = position->seq, .run_id = run};
	va_list args;

	va_start(args, fmt);
	report_finding(verifier, kind, finding, position->segment, fmt, args);
	va_end(args);
}

/* ---- from the log ---- */

static const char *
severity_word(enum w_log_severity severity)
{
	switch (severity) {
	case W_LOG_NOTE:
		return "note";
	case W_LOG_WARNING:
		return "warning";
	case W_LOG_BAD:
		break;
	}
	return "bad";
}

static void
on_fault(void *ctx, const struct w_log_fault *fault)
{
	struct w_trail_verifier *verifier = ctx;
	const writ_audit_finding finding = {
	    .kind = w_log_fault_word(fault->kind),
	    .severity = severity_word(w_log_fault_severity(fault->kind)),
	    .file = fault->file,
	    .offset = fault->place.offset,
	    .line = fault->place.line,
	    .seq = fault->seq,
	    .text = fault->text,
	    .advice = w_verify_advice(w_log_fault_word(fault->kind)),
	};

	verify_trail_count(&verifier->proof, finding.severity);
	if (verifier->fn != NULL)
		verifier->fn(verifier->ctx, &finding);
}

yyjson_doc *
w_verify_parse(struct w_trail_verifier *verifier)
{
	bool is_full;
	yyjson_doc *doc = w_entry_parse(verifier->line, &is_full);

	verifier->is_full |= is_full;
	return doc;
}

static void
note_lost(struct w_trail_verifier *verifier)
{
	yyjson_doc *doc = w_verify_parse(verifier);
	yyjson_val *root = yyjson_doc_get_root(doc);

	verifier->has_lost_records = true;
	w_verify_report(verifier, W_VERIFY_UNRECORDED, NULL,
	    "records that could not be written before this one: %" PRIu64,
	    yyjson_get_uint(yyjson_obj_get(root, "records")));
	yyjson_doc_free(doc);
}

static void
on_line(
    void *ctx, const struct w_log_line *line, const struct w_log_place *place)
{
	struct w_trail_verifier *verifier = ctx;
	struct w_verify_recent *recent =
	    &verifier->recent[line->seq % W_VERIFY_RECENT];

	verifier->line = line;
	verifier->place = place;
	if (verifier->first_seq == 0) {
		verifier->first_seq = line->seq;
		memcpy(verifier->first_prev, line->prev, W_SHA256_HEX);
	}
	if (w_entry_kind_of(line) != W_ENTRY_OTHER)
		w_verify_run(verifier);
	else if (w_log_line_is(line, "input"))
		w_verify_input(verifier);
	else if (w_log_line_is(line, "checkpoint"))
		w_verify_checkpoint(verifier);
	else if (w_log_line_is(line, "prune"))
		w_verify_prune(verifier);
	else if (w_log_line_is(line, "lost"))
		note_lost(verifier);
	recent->seq = line->seq;
	memcpy(recent->hash, line->hash, W_SHA256_HEX);
}

/* ---- the whole trail ---- */

/* A checkpoint as it was printed, or just the record it covers. */
static writ_status
read_anchor(const char *text, struct w_log_verify_options *verify, char *hash,
    writ_error *err)
{
	size_t len = strlen(text);
	struct w_log_line line;

	while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL)
		len--;
	if (w_log_line_parse(text, len, &line)) {
		verify->anchor_seq = line.seq;
		memcpy(hash, line.hash, W_SHA256_HEX);
		return WRIT_OK;
	}
	yyjson_doc *doc = yyjson_read(text, len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *covered = yyjson_obj_get(root, "covers_hash");
	verify->anchor_seq = yyjson_get_uint(yyjson_obj_get(root, "covers"));
	bool is_good =
	    verify->anchor_seq != 0 && yyjson_get_len(covered) == W_SHA256_HEX;
	if (is_good)
		memcpy(hash, yyjson_get_str(covered), W_SHA256_HEX);
	yyjson_doc_free(doc);
	if (is_good)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "audit", 0,
	    "the anchor is not a checkpoint record");
	w_suggest(err,
	    "give the line that 'writ audit checkpoint' printed, as it was");
	return WRIT_E_INVALID;
}

static void
take_log_proof(struct w_trail_verifier *verifier, const struct w_log_proof *log)
{
	writ_audit_proof *proof = &verifier->proof;

	proof->records = log->records;
	proof->bytes = log->bytes;
	proof->files = log->files;
	proof->first_seq = log->first_seq;
	proof->last_seq = log->last_seq;
	proof->first_us = log->first_us;
	proof->last_us = log->last_us;
	memcpy(proof->last_hash, log->last_hash, sizeof(proof->last_hash));
	proof->is_keyed = log->is_keyed;
}

static void
report_first_record(struct w_trail_verifier *verifier)
{
	if (verifier->first_seq <= 1 || verifier->is_front_explained)
		return;
	w_verify_report(verifier, W_VERIFY_FRONT_MISSING, NULL,
	    "the trail begins with record %" PRIu64
	    ", and no record says that the ones before it were pruned",
	    verifier->first_seq);
}

static writ_status
verify_log(struct w_trail_verifier *verifier, writ_error *err)
{
	char anchor_hash[W_SHA256_HEX + 1] = "";
	struct w_log_verify_options verify = {
	    .dir = verifier->audit->dir,
	    .name = W_TRAIL_NAME,
	    .key = verifier->audit->key,
	    .key_len = verifier->audit->key_len,
	    .anchor_hash = anchor_hash,
	    .ctx = verifier,
	    .on_fault = on_fault,
	    .on_line = on_line,
	};
	struct w_log_proof log;
	writ_status status = WRIT_OK;

	if (verifier->options->anchor != NULL)
		status = read_anchor(
		    verifier->options->anchor, &verify, anchor_hash, err);
	if (status == WRIT_OK)
		status = w_log_verify_run(&verify, &log, err);
	if (status != WRIT_OK)
		return status;
	verifier->line = NULL;
	take_log_proof(verifier, &log);
	report_first_record(verifier);
	status = w_verify_open_runs(verifier, err);
	if (status != WRIT_OK)
		return status;
	w_verify_missing_outputs(verifier);
	if (verifier->unchecked > 0)
		w_verify_report(verifier, W_VERIFY_UNCHECKED, NULL,
		    "signatures that were not checked, as no public key was "
		    "given: %" PRIu64,
		    verifier->unchecked);
	return verifier->is_full ? w_fail_nomem(err, "audit") : WRIT_OK;
}

writ_status
writ_audit_verify(writ_audit *audit, const writ_audit_verify_options *options,
    writ_audit_finding_fn fn, void *ctx, writ_audit_proof *out_proof,
    writ_error *err)
{
	writ_audit_verify_options given = WRIT_AUDIT_VERIFY_OPTIONS_INIT;
	struct w_trail_verifier verifier = {
	    .audit = audit, .options = &given, .fn = fn, .ctx = ctx};

	if (options != NULL)
		memcpy(&given, options,
		    options->size < sizeof(given) ? options->size
						  : sizeof(given));
	writ_status status = w_audit_find_dir(audit, err);
	if (status == WRIT_OK) {
		verifier.recent =
		    calloc(W_VERIFY_RECENT, sizeof(verifier.recent[0]));
		if (verifier.recent == NULL)
			status = w_fail_nomem(err, "audit");
	}
	if (status == WRIT_OK && given.public_key != NULL)
		status = w_signing_key_read(
		    given.public_key, false, &verifier.key, err);
	if (status == WRIT_OK)
		status = verify_log(&verifier, err);
	if (status == WRIT_OK && out_proof != NULL)
		*out_proof = verifier.proof;
	w_audit_run_map_done(&verifier.runs);
	w_audit_run_map_done(&verifier.missing);
	w_signing_key_free(verifier.key);
	free(verifier.recent);
	return status;
}
