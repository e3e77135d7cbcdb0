/* SPDX-License-Identifier: Apache-2.0 */

/* Verifies a log file by file and line by line. log_verifier.h has an
 * overview. */

#include "log/verify/log_verify.h"

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "log/verify/log_verifier.h"

struct w_json *
w_log_verifier_json(
    struct w_log_verifier *verifier, const struct w_log_line *line)
{
	const struct w_json_limits limits = {64 << 10, 8};
	struct w_json *json = NULL;

	/* A line that could not be parsed for lack of memory must not pass as
	 * valid. */
	if (w_json_read(line->bytes, line->len, &limits, &json, NULL) ==
	    WRIT_E_NOMEM)
		verifier->faults.has_failed = true;
	return json;
}

static void
enter_file(struct w_log_verifier *verifier, uint32_t number, uint32_t claimed)
{
	if (verifier->segment == 0 && claimed == 1) {
		verifier->next_seq = 1;
		memset(verifier->hash, '0', W_SHA256_HEX);
	}
	verifier->before = verifier->claimed;
	verifier->segment = number;
	verifier->claimed = claimed;
	verifier->is_begun = false;
	verifier->is_mode_certain = false;
	verifier->mode_fault = W_LOG_NO_FAULT;
	verifier->faults.order++;
	verifier->proof->files++;
}

static void
log_verify_take_line(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place)
{
	if (verifier->options->on_line != NULL)
		verifier->options->on_line(verifier->options->ctx, line, place);
	if (w_log_line_is(line, "segment"))
		w_log_verifier_choose_mode(verifier, line, place);
	enum w_log_trust trust = w_log_verifier_trust(verifier, line);
	w_log_verifier_begin_file(verifier, line, trust, place);
	w_log_verifier_place(verifier, line, trust, place);
	if (trust != W_LOG_UNSOUND && w_log_line_is(line, "recovery"))
		w_log_verifier_recovery(verifier, line, place);
}

void
w_log_verifier_flush_part(struct w_log_verifier *verifier)
{
	struct w_log_line line = {
	    .bytes = verifier->part, .len = verifier->part_len};

	if (verifier->part == NULL)
		return;
	verifier->proof->bytes += verifier->part_len;
	w_log_debris_add(verifier, W_LOG_PART, &line, &verifier->part_place);
	free(verifier->part);
	verifier->part = NULL;
}

static writ_status
log_verify_take(struct w_log_verifier *verifier, enum w_log_read read,
    const struct w_log_line *line, const struct w_log_place *place,
    writ_error *err)
{
	/* A writer may have replaced the partial line. */
	free(verifier->part);
	verifier->part = NULL;
	if (read == W_LOG_PART) {
		verifier->part = malloc(line->len);
		if (verifier->part == NULL)
			return w_fail_nomem(err, "audit");
		memcpy(verifier->part, line->bytes, line->len);
		verifier->part_len = line->len;
		verifier->part_place = *place;
		return WRIT_OK;
	}
	verifier->proof->bytes += line->len + 1;
	if (read == W_LOG_LINE)
		log_verify_take_line(verifier, line, place);
	else
		w_log_debris_add(verifier, read, line, place);
	return WRIT_OK;
}

writ_status
w_log_verifier_drain(struct w_log_verifier *verifier, writ_error *err)
{
	enum w_log_read read = W_LOG_LINE;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && read != W_LOG_END && !verifier->is_over) {
		struct w_log_line line;
		struct w_log_place place;

		status = w_log_reader_next(
		    verifier->reader, &read, &line, &place, err);
		if (status != WRIT_OK || read == W_LOG_END)
			break;
		if (place.segment != verifier->segment) {
			w_log_verifier_flush_part(verifier);
			enter_file(verifier, place.segment, place.segment);
		}
		status = log_verify_take(verifier, read, &line, &place, err);
	}
	return status;
}

/* One of several files, up to its end. */
static writ_status
verify_file(struct w_log_verifier *verifier, writ_error *err)
{
	enum w_log_read read = W_LOG_LINE;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK) {
		struct w_log_line line;
		struct w_log_place place;

		status = w_log_reader_next(
		    verifier->reader, &read, &line, &place, err);
		if (status != WRIT_OK || read == W_LOG_END ||
		    place.segment != verifier->segment)
			break;
		status = log_verify_take(verifier, read, &line, &place, err);
	}
	w_log_verifier_flush_part(verifier);
	return status;
}

static writ_status
verify_listed(struct w_log_verifier *verifier, const struct w_log_outline *file,
    bool is_last, writ_error *err)
{
	uint32_t claimed = file->claimed > 0 ? file->claimed : file->number;

	if (file->is_stranger || file->is_empty) {
		verifier->claimed = claimed;
		verifier->faults.order++;
		return WRIT_OK;
	}
	enter_file(verifier, file->number, claimed);
	writ_status status =
	    w_log_reader_seek(verifier->reader, file->number, 0, err);
	if (status == WRIT_E_NOTFOUND) {
		/* It existed at the start. Files missing from the start of the
		 * log were pruned meanwhile. */
		if (w_log_reader_first(verifier->reader) > file->number) {
			w_log_verifier_skip(verifier, 0);
			verifier->before = verifier->claimed = 0;
		}
		return WRIT_OK;
	}
	if (status != WRIT_OK)
		return status;
	return is_last ? w_log_verifier_drain(verifier, err)
		       : verify_file(verifier, err);
}

/* Whether writers continue after it. */
static bool
is_live(const struct w_log_verifier *verifier, size_t last)
{
	for (size_t i = 0; i < last; i++)
		if (verifier->files[i].number > verifier->files[last].number)
			return false;
	return !verifier->files[last].is_stranger;
}

static writ_status
verify_all(struct w_log_verifier *verifier, writ_error *err)
{
	writ_status status = w_log_verifier_list(verifier, err);
	size_t last = verifier->file_count;

	for (size_t i = 0; i < verifier->file_count; i++)
		if (!verifier->files[i].is_empty)
			last = i;
	bool has_lines = last < verifier->file_count;
	verifier->is_over = has_lines && !is_live(verifier, last);
	for (size_t i = 0; has_lines && i <= last && status == WRIT_OK; i++)
		status = verify_listed(verifier, &verifier->files[i],
		    i == last && !verifier->is_over, err);
	return status == WRIT_OK ? w_log_verifier_finish(verifier, err)
				 : status;
}

static void
free_verifier(struct w_log_verifier *verifier)
{
	for (size_t i = 0; i < verifier->torn_count; i++)
		free(verifier->torn[i]);
	free(verifier->torn);
	free(verifier->files);
	free(verifier->part);
	w_log_faults_done(&verifier->faults);
	w_log_reader_free(verifier->reader);
	explicit_bzero(&verifier->key, sizeof(verifier->key));
	free(verifier);
}

writ_status
w_log_verify_run(const struct w_log_verify_options *verify,
    struct w_log_proof *out_proof, writ_error *err)
{
	struct w_log_verifier *verifier = calloc(1, sizeof(*verifier));
	struct w_log_proof proof = {.is_keyed = true};

	if (verifier == NULL)
		return w_fail_nomem(err, "audit");
	verifier->options = verify;
	verifier->proof = &proof;
	verifier->doubt = verifier->twin = verifier->again = W_LOG_NO_FAULT;
	verifier->mode_fault = verifier->debris_fault = W_LOG_NO_FAULT;
	verifier->has_key = verify->key != NULL;
	verifier->mode = verifier->has_key ? W_LOG_KEYED : W_LOG_PLAIN;
	verifier->key_word.kind = W_LOG_FAULT_COUNT;
	if (verifier->has_key) {
		w_hmac_key_init(&verifier->key, verify->key, verify->key_len);
		w_log_key_id(verify->key, verify->key_len, verifier->key_id);
	}
	writ_status status = w_log_reader_open(
	    verify->dir, verify->name, &verifier->reader, err);
	if (status == WRIT_OK) {
		verifier->reader->reads_all = true;
		status = verify_all(verifier, err);
	}
	proof.is_keyed &= verifier->has_key && proof.files > 0;
	if (status == WRIT_OK)
		status =
		    w_log_faults_report(&verifier->faults, verify, &proof, err);
	if (status == WRIT_OK)
		*out_proof = proof;
	free_verifier(verifier);
	return status;
}
