/* SPDX-License-Identifier: Apache-2.0 */

/* Compares recorded outputs with the digests in the records, and finds out
 * which missing ones a prune explains. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "audit/query/entry.h"
#include "audit/verify/verify_trail.h"
#include "base/auto.h"
#include "base/hex.h"
#include "log/recording/recording.h"

/* What a recording contains. */
struct recorded {
	struct w_sha256 sums[2];
	uint64_t bytes[2];
	bool has_more; /* followed by an incomplete piece */
};

static writ_status
sum_recording(struct w_recording_reader *reader, struct recorded *recorded,
    writ_error *err)
{
	for (;;) {
		struct w_recording_piece piece;
		writ_status status =
		    w_recording_next(reader, &piece, &recorded->has_more, err);

		if (status != WRIT_OK || piece.len == 0)
			return status;
		w_sha256_add(
		    &recorded->sums[piece.is_stderr], piece.bytes, piece.len);
		recorded->bytes[piece.is_stderr] += piece.len;
	}
}

static bool
has_sum(struct w_sha256 *sum, const char *wanted)
{
	uint8_t raw[W_SHA256_SIZE];
	char hex[W_SHA256_HEX];

	w_sha256_end(sum, raw);
	w_hex_put(hex, raw, sizeof(raw));
	return wanted == NULL || memcmp(hex, wanted, sizeof(hex)) == 0;
}

static void
verify_outputs_compare(struct w_trail_verifier *verifier,
    const struct w_entry *end, struct recorded *recorded)
{
	static const char *const names[] = {"stdout", "stderr"};
	uint64_t bytes = recorded->bytes[0] + recorded->bytes[1];

	verifier->proof.outputs++;
	if (bytes != end->kept_bytes) {
		w_verify_report(verifier, W_VERIFY_OUTPUT_CHANGED, end->run,
		    "the kept output '%s' holds %" PRIu64 " bytes; %" PRIu64
		    " were recorded",
		    end->kept, bytes, end->kept_bytes);
		return;
	}
	if (recorded->has_more)
		w_verify_report(verifier, W_VERIFY_OUTPUT_CHANGED, end->run,
		    "the kept output '%s' has bytes behind its last piece",
		    end->kept);
	/* A partial recording has no digest. */
	for (int i = 0; i < 2 && end->is_kept_whole; i++)
		if (!has_sum(&recorded->sums[i], end->sha256[i]))
			w_verify_report(verifier, W_VERIFY_OUTPUT_CHANGED,
			    end->run,
			    "the %s in the kept output '%s' is not what the "
			    "run wrote: its sum differs",
			    names[i], end->kept);
}

static void
verify_outputs_note_missing(
    struct w_trail_verifier *verifier, const struct w_entry *end)
{
	struct w_audit_run_slot *slot =
	    w_audit_run_map_put(&verifier->missing, end->run);

	verifier->is_full |= slot == NULL;
	if (slot != NULL)
		slot->position =
		    (struct w_trail_position){.seq = verifier->line->seq,
			.offset = verifier->place->offset,
			.segment = verifier->place->segment};
}

static void
check_output(struct w_trail_verifier *verifier, const struct w_entry *end)
{
	W_AUTO_FREE char *path = NULL;
	struct w_recording_reader *reader;
	struct recorded recorded = {0};
	writ_error err = {0};

	if (asprintf(&path, "%s/%s", verifier->audit->output_dir, end->kept) <
	    0) {
		path = NULL;
		verifier->is_full = true;
		return;
	}
	w_sha256_init(&recorded.sums[0]);
	w_sha256_init(&recorded.sums[1]);
	writ_status status = w_recording_open(path, &reader, &err);
	if (status == WRIT_E_NOTFOUND) {
		verify_outputs_note_missing(verifier, end);
		return;
	}
	if (status == WRIT_OK) {
		status = sum_recording(reader, &recorded, &err);
		w_recording_reader_free(reader);
	}
	if (status == WRIT_OK)
		verify_outputs_compare(verifier, end, &recorded);
	else
		w_verify_report(verifier,
		    status == WRIT_E_INVALID ? W_VERIFY_OUTPUT_CHANGED
					     : W_VERIFY_OUTPUT_UNREADABLE,
		    end->run, "%s", err.message);
}

void
w_verify_output(struct w_trail_verifier *verifier)
{
	struct w_entry end;

	if (!w_entry_read(verifier->line, &end)) {
		verifier->is_full |= end.is_full;
		return;
	}
	if (end.run != NULL && end.kept != NULL && end.kept[0] != '.' &&
	    strchr(end.kept, '/') == NULL)
		check_output(verifier, &end);
	w_entry_done(&end);
}

static void
explain_outputs(struct w_trail_verifier *verifier, yyjson_val *names)
{
	size_t i;
	size_t count;
	yyjson_val *name;

	yyjson_arr_foreach(names, i, count, name)
	{
		char run[W_ID_LEN + 1] = "";
		size_t len = strcspn(
		    yyjson_is_str(name) ? yyjson_get_str(name) : "", ".");

		if (!yyjson_is_str(name) ||
		    !w_entry_is_run_id(yyjson_get_str(name), len))
			continue;
		memcpy(run, yyjson_get_str(name), len);
		struct w_audit_run_slot *slot =
		    w_audit_run_map_get(&verifier->missing, run);
		if (slot == NULL)
			continue;
		w_audit_run_map_drop(slot);
		verifier->pruned_outputs++;
	}
}

void
w_verify_prune(struct w_trail_verifier *verifier)
{
	yyjson_doc *doc = w_verify_parse(verifier);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *hash = yyjson_obj_get(root, "through_hash");

	explain_outputs(verifier, yyjson_obj_get(root, "outputs"));
	/* The first remaining record continues from the last pruned one. */
	if (yyjson_get_uint(yyjson_obj_get(root, "through")) + 1 ==
		verifier->first_seq &&
	    yyjson_get_len(hash) == W_SHA256_HEX &&
	    memcmp(yyjson_get_str(hash), verifier->first_prev, W_SHA256_HEX) ==
		0)
		verifier->is_front_explained = true;
	yyjson_doc_free(doc);
}

void
w_verify_missing_outputs(struct w_trail_verifier *verifier)
{
	for (size_t i = 0; i < verifier->missing.cap; i++) {
		const struct w_audit_run_slot *slot =
		    &verifier->missing.slots[i];

		if (slot->run[0] == '\0' || slot->is_gone)
			continue;
		w_verify_report_at(verifier, W_VERIFY_OUTPUT_MISSING,
		    &slot->position, slot->run,
		    "the kept output of run %s is not there, and no record "
		    "says that it was pruned",
		    slot->run);
	}
	if (verifier->pruned_outputs > 0)
		w_verify_report(verifier, W_VERIFY_OUTPUT_PRUNED, NULL,
		    "kept outputs that are not there any more because they "
		    "were pruned, as records say: %" PRIu64,
		    verifier->pruned_outputs);
}
