/* SPDX-License-Identifier: Apache-2.0 */

/* Kept outputs against the sums in the records, and what prunes explain. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "audit/entry.h"
#include "audit/prove.h"
#include "base/auto.h"
#include "base/hex.h"
#include "store/recording.h"

/* What a recording turned out to hold. */
struct heard {
	struct w_sha256 sums[2];
	uint64_t bytes[2];
	bool has_more; /* behind them, and no whole piece */
};

static writ_status
listen(struct w_recording_reader *reader, struct heard *heard, writ_error *err)
{
	for (;;) {
		struct w_piece piece;
		writ_status status =
		    w_recording_next(reader, &piece, &heard->has_more, err);

		if (status != WRIT_OK || piece.len == 0)
			return status;
		w_sha256_add(
		    &heard->sums[piece.is_stderr], piece.bytes, piece.len);
		heard->bytes[piece.is_stderr] += piece.len;
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
compare(struct w_prove *prove, const struct w_entry *end, struct heard *heard)
{
	static const char *const names[] = {"stdout", "stderr"};
	uint64_t bytes = heard->bytes[0] + heard->bytes[1];

	prove->proof.outputs++;
	if (bytes != end->kept_bytes) {
		w_prove_tell(prove, W_PROVE_OUTPUT_CHANGED, end->run,
		    "the kept output '%s' holds %" PRIu64 " bytes; %" PRIu64
		    " were recorded",
		    end->kept, bytes, end->kept_bytes);
		return;
	}
	if (heard->has_more)
		w_prove_tell(prove, W_PROVE_OUTPUT_CHANGED, end->run,
		    "the kept output '%s' has bytes behind its last piece",
		    end->kept);
	/* Of what was kept in part there is no sum. */
	for (int i = 0; i < 2 && end->is_kept_whole; i++)
		if (!has_sum(&heard->sums[i], end->sha256[i]))
			w_prove_tell(prove, W_PROVE_OUTPUT_CHANGED, end->run,
			    "the %s in the kept output '%s' is not what the "
			    "run wrote: its sum differs",
			    names[i], end->kept);
}

static void
note_missing(struct w_prove *prove, const struct w_entry *end)
{
	struct w_run_slot *slot = w_run_map_put(&prove->missing, end->run);

	prove->is_full |= slot == NULL;
	if (slot != NULL)
		slot->spot = (struct w_spot){.seq = prove->line->seq,
		    .offset = prove->place->offset,
		    .segment = prove->place->segment};
}

static void
check_output(struct w_prove *prove, const struct w_entry *end)
{
	W_AUTO_FREE char *path = NULL;
	struct w_recording_reader *reader;
	struct heard heard = {0};
	writ_error err = {0};

	if (asprintf(&path, "%s/%s", prove->audit->output_dir, end->kept) < 0) {
		path = NULL;
		prove->is_full = true;
		return;
	}
	w_sha256_init(&heard.sums[0]);
	w_sha256_init(&heard.sums[1]);
	writ_status status = w_recording_open(path, &reader, &err);
	if (status == WRIT_E_NOTFOUND) {
		note_missing(prove, end);
		return;
	}
	if (status == WRIT_OK) {
		status = listen(reader, &heard, &err);
		w_recording_reader_free(reader);
	}
	if (status == WRIT_OK)
		compare(prove, end, &heard);
	else
		w_prove_tell(prove,
		    status == WRIT_E_INVALID ? W_PROVE_OUTPUT_CHANGED
					     : W_PROVE_OUTPUT_UNREADABLE,
		    end->run, "%s", err.message);
}

void
w_prove_output(struct w_prove *prove)
{
	struct w_entry end;

	if (!w_entry_read(prove->line, &end)) {
		prove->is_full |= end.is_full;
		return;
	}
	if (end.run != NULL && end.kept != NULL && end.kept[0] != '.' &&
	    strchr(end.kept, '/') == NULL)
		check_output(prove, &end);
	w_entry_done(&end);
}

static void
explain_outputs(struct w_prove *prove, yyjson_val *names)
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
		struct w_run_slot *slot = w_run_map_get(&prove->missing, run);
		if (slot == NULL)
			continue;
		w_run_map_drop(slot);
		prove->pruned_outputs++;
	}
}

/* The first record that remains continues from the last that went. */
static void
explain_front(struct w_prove *prove, yyjson_val *root)
{
	yyjson_val *hash = yyjson_obj_get(root, "through_hash");

	if (yyjson_get_uint(yyjson_obj_get(root, "through")) + 1 ==
		prove->first_seq &&
	    yyjson_get_len(hash) == W_SHA256_HEX &&
	    memcmp(yyjson_get_str(hash), prove->first_prev, W_SHA256_HEX) == 0)
		prove->is_front_explained = true;
}

void
w_prove_prune(struct w_prove *prove)
{
	yyjson_doc *doc = w_prove_parse(prove);
	yyjson_val *root = yyjson_doc_get_root(doc);

	explain_outputs(prove, yyjson_obj_get(root, "outputs"));
	explain_front(prove, root);
	yyjson_doc_free(doc);
}

void
w_prove_missing_outputs(struct w_prove *prove)
{
	for (size_t i = 0; i < prove->missing.cap; i++) {
		const struct w_run_slot *slot = &prove->missing.slots[i];

		if (slot->run[0] == '\0' || slot->is_gone)
			continue;
		w_prove_tell_at(prove, W_PROVE_OUTPUT_MISSING, &slot->spot,
		    slot->run,
		    "the kept output of run %s is not there, and no record "
		    "says that it was pruned",
		    slot->run);
	}
	if (prove->pruned_outputs > 0)
		w_prove_tell(prove, W_PROVE_OUTPUT_PRUNED, NULL,
		    "kept outputs that are not there any more because they "
		    "were pruned, as records say: %" PRIu64,
		    prove->pruned_outputs);
}
