/* SPDX-License-Identifier: Apache-2.0 */

/* The walk through a log: file by file, line by line. log_walk.h has the plan
 * of it. */

#include "store/log_verify.h"

#include <stdlib.h>
#include <string.h>

#include "data/json.h"
#include "store/log_walk.h"

struct w_json *
w_log_walk_json(struct w_log_walk *walk, const struct w_log_line *line)
{
	const struct w_json_limits limits = {64 << 10, 8};
	struct w_json *json = NULL;

	/* What could not be read for want of memory must not pass for sound.
	 */
	if (w_json_read(line->bytes, line->len, &limits, &json, NULL) ==
	    WRIT_E_NOMEM)
		walk->faults.has_failed = true;
	return json;
}

static void
enter_file(struct w_log_walk *walk, uint32_t number, uint32_t claimed)
{
	if (walk->segment == 0 && claimed == 1) {
		walk->next_seq = 1;
		memset(walk->hash, '0', W_SHA256_HEX);
	}
	walk->before = walk->claimed;
	walk->segment = number;
	walk->claimed = claimed;
	walk->is_begun = false;
	walk->is_mode_certain = false;
	walk->mode_fault = W_LOG_NO_FAULT;
	walk->faults.order++;
	walk->proof->files++;
}

static void
take_line(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	if (walk->ask->on_line != NULL)
		walk->ask->on_line(walk->ask->ctx, line, place);
	if (w_log_line_is(line, "segment"))
		w_log_walk_choose_mode(walk, line, place);
	enum w_log_trust trust = w_log_walk_trust(walk, line);
	w_log_walk_begin_file(walk, line, trust, place);
	w_log_walk_place(walk, line, trust, place);
	if (trust != W_LOG_UNSOUND && w_log_line_is(line, "recovery"))
		w_log_walk_recovery(walk, line, place);
}

/* Half a line is set aside: if nothing takes its place, it stays. */
static bool
set_part(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	free(walk->part);
	walk->part = malloc(line->len);
	if (walk->part == NULL)
		return false;
	memcpy(walk->part, line->bytes, line->len);
	walk->part_len = line->len;
	walk->part_place = *place;
	return true;
}

void
w_log_walk_keep_part(struct w_log_walk *walk)
{
	struct w_log_line line = {.bytes = walk->part, .len = walk->part_len};

	if (walk->part == NULL)
		return;
	walk->proof->bytes += walk->part_len;
	w_log_debris_add(walk, W_LOG_PART, &line, &walk->part_place);
	free(walk->part);
	walk->part = NULL;
}

static writ_status
take(struct w_log_walk *walk, enum w_log_read read,
    const struct w_log_line *line, const struct w_log_place *place,
    writ_error *err)
{
	if (read == W_LOG_PART)
		return set_part(walk, line, place) ? WRIT_OK
						   : w_fail_nomem(err, "audit");
	/* A writer has put a line where the part was. */
	free(walk->part);
	walk->part = NULL;
	walk->proof->bytes += line->len + 1;
	if (read == W_LOG_LINE)
		take_line(walk, line, place);
	else
		w_log_debris_add(walk, read, line, place);
	return WRIT_OK;
}

writ_status
w_log_walk_drain(struct w_log_walk *walk, writ_error *err)
{
	enum w_log_read read = W_LOG_LINE;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && read != W_LOG_END && !walk->is_over) {
		struct w_log_line line;
		struct w_log_place place;

		status =
		    w_log_reader_next(walk->reader, &read, &line, &place, err);
		if (status != WRIT_OK || read == W_LOG_END)
			break;
		if (place.segment != walk->segment) {
			w_log_walk_keep_part(walk);
			enter_file(walk, place.segment, place.segment);
		}
		status = take(walk, read, &line, &place, err);
	}
	return status;
}

/* One file of several, up to its end. */
static writ_status
walk_file(struct w_log_walk *walk, writ_error *err)
{
	enum w_log_read read = W_LOG_LINE;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK) {
		struct w_log_line line;
		struct w_log_place place;

		status =
		    w_log_reader_next(walk->reader, &read, &line, &place, err);
		if (status != WRIT_OK || read == W_LOG_END ||
		    place.segment != walk->segment)
			break;
		status = take(walk, read, &line, &place, err);
	}
	w_log_walk_keep_part(walk);
	return status;
}

/* It was there when the walk began. What is gone from the beginning of the
 * log was pruned meanwhile. */
static void
pass_vanished(struct w_log_walk *walk, uint32_t number)
{
	if (w_log_reader_first(walk->reader) <= number)
		return;
	w_log_walk_skip(walk, 0);
	walk->before = walk->claimed = 0;
}

static writ_status
walk_listed(struct w_log_walk *walk, const struct w_log_outline *file,
    bool is_last, writ_error *err)
{
	uint32_t claimed = file->claimed > 0 ? file->claimed : file->number;

	if (file->is_stranger || file->is_empty) {
		walk->claimed = claimed;
		walk->faults.order++;
		return WRIT_OK;
	}
	enter_file(walk, file->number, claimed);
	writ_status status =
	    w_log_reader_seek(walk->reader, file->number, 0, err);
	if (status == WRIT_E_NOTFOUND) {
		pass_vanished(walk, file->number);
		return WRIT_OK;
	}
	if (status != WRIT_OK)
		return status;
	return is_last ? w_log_walk_drain(walk, err) : walk_file(walk, err);
}

/* The last file of the walk; the number of files: there is none. */
static size_t
find_last(const struct w_log_walk *walk)
{
	size_t last = walk->file_count;

	for (size_t i = 0; i < walk->file_count; i++)
		if (!walk->files[i].is_empty)
			last = i;
	return last;
}

/* Whether that is also the one behind which writers go on. */
static bool
is_live(const struct w_log_walk *walk, size_t last)
{
	for (size_t i = 0; i < last; i++)
		if (walk->files[i].number > walk->files[last].number)
			return false;
	return !walk->files[last].is_stranger;
}

static writ_status
walk_all(struct w_log_walk *walk, writ_error *err)
{
	writ_status status = w_log_walk_list(walk, err);
	size_t last = find_last(walk);
	bool has_lines = last < walk->file_count;

	walk->is_over = has_lines && !is_live(walk, last);
	for (size_t i = 0; has_lines && i <= last && status == WRIT_OK; i++)
		status = walk_listed(
		    walk, &walk->files[i], i == last && !walk->is_over, err);
	return status == WRIT_OK ? w_log_walk_finish(walk, err) : status;
}

static void
free_walk(struct w_log_walk *walk)
{
	for (size_t i = 0; i < walk->torn_count; i++)
		free(walk->torn[i]);
	free(walk->torn);
	free(walk->files);
	free(walk->part);
	w_log_faults_done(&walk->faults);
	w_log_reader_free(walk->reader);
	explicit_bzero(&walk->key, sizeof(walk->key));
	free(walk);
}

static void
set_key(struct w_log_walk *walk)
{
	const struct w_log_verify *ask = walk->ask;

	walk->has_key = ask->key != NULL;
	walk->mode = walk->has_key ? W_LOG_KEYED : W_LOG_PLAIN;
	walk->key_word.kind = W_LOG_FAULT_COUNT;
	if (!walk->has_key)
		return;
	w_hmac_key_init(&walk->key, ask->key, ask->key_len);
	w_log_key_id(ask->key, ask->key_len, walk->key_id);
}

writ_status
w_log_verify_run(const struct w_log_verify *verify,
    struct w_log_proof *out_proof, writ_error *err)
{
	struct w_log_walk *walk = calloc(1, sizeof(*walk));
	struct w_log_proof proof = {.is_keyed = true};

	if (walk == NULL)
		return w_fail_nomem(err, "audit");
	walk->ask = verify;
	walk->proof = &proof;
	walk->doubt = walk->twin = walk->again = W_LOG_NO_FAULT;
	walk->mode_fault = walk->debris_fault = W_LOG_NO_FAULT;
	set_key(walk);
	writ_status status =
	    w_log_reader_open(verify->dir, verify->name, &walk->reader, err);
	if (status == WRIT_OK) {
		walk->reader->reads_all = true;
		status = walk_all(walk, err);
	}
	proof.is_keyed &= walk->has_key && proof.files > 0;
	if (status == WRIT_OK)
		status = w_log_faults_tell(&walk->faults, verify, &proof, err);
	if (status == WRIT_OK)
		*out_proof = proof;
	free_walk(walk);
	return status;
}
