/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The result of `writ audit verify`, as JSON and as text.
 */

#include "cli/audit/audit_proof.h"

#include <inttypes.h>

#include "cli/options/datetime.h"

void
w_cli_audit_proof_json(struct w_buf *buf, const writ_audit_proof *proof)
{
	w_buf_add_fmt(buf,
	    "],\"proof\":{\"proved\":%s,\"records\":%" PRIu64
	    ",\"bytes\":%" PRIu64 ",\"files\":%" PRIu64
	    ",\"first_seq\":%" PRIu64 ",\"last_seq\":%" PRIu64
	    ",\"last_hash\":\"%s\",\"keyed\":%s",
	    proof->bad == 0 ? "true" : "false", proof->records, proof->bytes,
	    proof->files, proof->first_seq, proof->last_seq, proof->last_hash,
	    proof->is_keyed ? "true" : "false");
	w_buf_add_fmt(buf,
	    ",\"runs\":%" PRIu64 ",\"running\":%" PRIu64 ",\"lost\":%" PRIu64
	    ",\"checkpoints\":%" PRIu64 ",\"signatures\":%" PRIu64
	    ",\"outputs\":%" PRIu64 ",\"bad\":%" PRIu64 ",\"warnings\":%" PRIu64
	    ",\"notes\":%" PRIu64 "}}\n",
	    proof->runs, proof->running, proof->lost, proof->checkpoints,
	    proof->signatures, proof->outputs, proof->bad, proof->warnings,
	    proof->notes);
}

static void
audit_proof_add_count(
    struct w_buf *buf, uint64_t count, const char *one, const char *many)
{
	if (count > 0)
		w_buf_add_fmt(
		    buf, ", %" PRIu64 " %s", count, count == 1 ? one : many);
}

void
w_cli_audit_proof_text(struct w_buf *buf, const writ_audit_proof *proof)
{
	char first[W_DATETIME_MAX];
	char last[W_DATETIME_MAX];

	w_datetime_format(proof->first_us, first);
	w_datetime_format(proof->last_us, last);
	w_buf_add_fmt(buf, "%s: %" PRIu64 " record%s in %" PRIu64 " file%s",
	    proof->bad == 0 ? "proved" : "NOT proved", proof->records,
	    proof->records == 1 ? "" : "s", proof->files,
	    proof->files == 1 ? "" : "s");
	if (proof->records > 0)
		w_buf_add_fmt(buf, ", %" PRIu64 " to %" PRIu64 ", %s to %s",
		    proof->first_seq, proof->last_seq, first, last);
	audit_proof_add_count(buf, proof->runs, "run", "runs");
	audit_proof_add_count(
	    buf, proof->running, "of them running", "of them running");
	audit_proof_add_count(
	    buf, proof->lost, "without an end", "without an end");
	audit_proof_add_count(
	    buf, proof->checkpoints, "checkpoint", "checkpoints");
	audit_proof_add_count(
	    buf, proof->signatures, "signature proved", "signatures proved");
	audit_proof_add_count(
	    buf, proof->outputs, "kept output proved", "kept outputs proved");
	audit_proof_add_count(buf, proof->bad, "fault", "faults");
	audit_proof_add_count(buf, proof->warnings, "warning", "warnings");
	w_buf_add_fmt(buf, "%s\n", proof->is_keyed ? ", keyed" : "");
	if (proof->records > 0)
		w_buf_add_fmt(buf, "last hash %s\n", proof->last_hash);
}
