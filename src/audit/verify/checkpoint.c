/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checkpoints: the number and hash of a record, to be stored where nobody who
 * can write the trail can write. signing.h says what a signature covers.
 */

#include <inttypes.h>
#include <string.h>

#include <writ/audit.h>

#include "audit/audit.h"
#include "audit/query/trail_backward.h"
#include "audit/record/audit_append.h"
#include "audit/verify/signing.h"
#include "base/encode.h"
#include "base/error.h"
#include "log/log_reader.h"

struct covered {
	uint64_t seq;
	char hash[W_SHA256_HEX + 1];
};

static writ_status
find_last(writ_audit *audit, struct covered *out_last, writ_error *err)
{
	struct w_trail_lines lines;
	struct w_trail_backward backward;
	struct w_log_line line;
	struct w_trail_position position;
	bool is_there = false;

	w_trail_lines_init(&lines, audit->dir_fd);
	writ_status status = w_trail_backward_init(&backward, &lines, err);
	if (status == WRIT_OK)
		status = w_trail_backward_next(
		    &backward, &line, &position, &is_there, err);
	if (status == WRIT_OK && !is_there)
		status = w_fail(err, WRIT_E_NOTFOUND, "audit", 0,
		    "the trail in '%s' has no record to cover", audit->dir);
	if (status == WRIT_OK) {
		out_last->seq = line.seq;
		memcpy(out_last->hash, line.hash, W_SHA256_HEX);
		out_last->hash[W_SHA256_HEX] = '\0';
	}
	w_trail_backward_done(&backward);
	w_trail_lines_done(&lines);
	return status;
}

static writ_status
add_signature(struct w_buf *buf, const struct covered *last,
    const char *private_key, writ_error *err)
{
	uint8_t signature[W_SIGNATURE_SIZE];
	struct w_signing_key *key;

	if (private_key == NULL) {
		w_buf_add_str(buf, ",\"signer\":null,\"signature\":null");
		return WRIT_OK;
	}
	writ_status status = w_signing_key_read(private_key, true, &key, err);
	if (status != WRIT_OK)
		return status;
	status = w_signing_sign(key, last->seq, last->hash, signature, err);
	if (status == WRIT_OK) {
		w_buf_add_fmt(buf, ",\"signer\":\"%s\",\"signature\":\"",
		    w_signing_key_id(key));
		w_base64_add(buf, signature, sizeof(signature));
		w_buf_add_char(buf, '"');
	}
	w_signing_key_free(key);
	return status;
}

/* The record as it is in the trail. */
static writ_status
read_back(writ_audit *audit, const struct w_log_mark *mark, struct w_buf *buf,
    writ_error *err)
{
	struct w_log_reader *reader;
	struct w_log_line line;
	struct w_log_place place;
	enum w_log_read what = W_LOG_END;

	writ_status status =
	    w_log_reader_open(audit->dir, W_TRAIL_NAME, &reader, err);
	if (status != WRIT_OK)
		return status;
	status = w_log_reader_seek(reader, mark->segment, mark->offset, err);
	if (status == WRIT_OK)
		status = w_log_reader_next(reader, &what, &line, &place, err);
	if (status == WRIT_OK && (what != W_LOG_LINE || line.seq != mark->seq))
		status = w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "record %" PRIu64 " is not where it was just written",
		    mark->seq);
	if (status == WRIT_OK)
		w_buf_add(buf, line.bytes, line.len);
	w_log_reader_free(reader);
	return status;
}

writ_status
writ_audit_checkpoint(writ_audit *audit, const char *private_key,
    char **out_json, size_t *out_len, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;
	W_AUTO_BUF struct w_buf json;
	struct covered last;
	struct w_log_mark mark;

	w_buf_init(&buf, W_LOG_LINE_MAX);
	w_buf_init(&json, W_LOG_LINE_MAX);
	writ_status status = w_audit_find_dir(audit, err);
	if (status == WRIT_OK)
		status = find_last(audit, &last, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_fmt(&buf,
	    "\"kind\":\"checkpoint\",\"covers\":%" PRIu64
	    ",\"covers_hash\":\"%s\"",
	    last.seq, last.hash);
	status = add_signature(&buf, &last, private_key, err);
	if (status == WRIT_OK)
		status = w_audit_append(audit, &buf, &mark, err);
	if (status == WRIT_OK)
		status = read_back(audit, &mark, &json, err);
	if (status != WRIT_OK)
		return status;
	char *made = w_buf_take(&json, out_len);
	if (made == NULL)
		return w_fail_nomem(err, "audit");
	*out_json = made;
	return WRIT_OK;
}
