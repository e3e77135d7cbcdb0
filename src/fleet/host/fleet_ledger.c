/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a host has taken, and how far it is; the invariants are in
 * fleet_ledger.h. The lines are in a log (log/log.h); what they say is kept in
 * memory, by id.
 */

#include "fleet/host/fleet_ledger.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "data/json.h"
#include "fleet/host/fleet_file.h"
#include "fleet/host/fleet_ledger_state.h"
#include "fleet/order/fleet_order.h"
#include "log/log.h"
#include "log/log_reader.h"

#define STAGE     "ledger"
#define LOG_NAME  "ledger"
#define DEPTH_MAX 64
#define KEEP_MS   (UINT64_C(24) * 3600 * 1000)
/* Lines that nobody needs before the log is written anew. */
#define WASTE_MAX 4096

static const char *const kind_words[] = {
    [W_FLEET_RECEIVED] = "received",
    [W_FLEET_STARTED] = "started",
    [W_FLEET_DONE] = "done",
    [W_FLEET_PUBLISHED] = "published",
};

/* ---- lines ---- */

static void
begin_line(struct w_buf *line, enum w_fleet_state state, const char *id)
{
	w_buf_init(line, W_LOG_LINE_MAX);
	w_buf_add_fmt(
	    line, "\"kind\":\"%s\",\"id\":\"%s\"", kind_words[state], id);
}

static void
add_receipt(struct w_buf *line, uint64_t expires, const char *order, size_t len,
    const uint8_t sum[W_SHA256_SIZE])
{
	char hex[W_SHA256_HEX];

	w_hex_put(hex, sum, W_SHA256_SIZE);
	w_buf_add_fmt(line,
	    ",\"expires\":%ju,\"sum\":\"%.*s\",\"order\":", (uintmax_t)expires,
	    W_SHA256_HEX, hex);
	if (order == NULL)
		w_buf_add_str(line, "null");
	else
		w_json_add_bytes(line, order, len);
}

static writ_status
append_line(struct w_fleet_ledger *ledger, struct w_log *log,
    struct w_buf *line, enum w_log_urgency urgency, writ_error *err)
{
	writ_status status = line->failed ? w_fail_nomem(err, STAGE)
					  : w_log_append(log, line->data,
						line->len, urgency, NULL, err);

	if (status == WRIT_OK)
		ledger->lines++;
	w_buf_done(line);
	return status;
}

/* ---- reading ---- */

static writ_status
read_receipt(struct w_fleet_ledger *ledger, yyjson_val *map, const char *id,
    writ_error *err)
{
	yyjson_val *order = yyjson_obj_get(map, "order");
	const char *hex = yyjson_get_str(yyjson_obj_get(map, "sum"));
	struct w_fleet_receipt receipt = {.id = id,
	    .expires = yyjson_get_uint(yyjson_obj_get(map, "expires"))};
	uint8_t sum[W_SHA256_SIZE];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_FLEET_ORDER_MAX);
	if (hex == NULL || strlen(hex) != W_SHA256_HEX ||
	    !w_hex_get(sum, hex, sizeof(sum)))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the entry %s has no sum", id);
	if (!yyjson_is_null(order)) {
		if (!w_json_get_bytes(&text, order))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the entry %s has no order", id);
		receipt.order = text.data;
		receipt.len = text.len;
	}
	return w_fleet_ledger_add(ledger, &receipt, sum, err);
}

static writ_status
read_step(struct w_fleet_entry *entry, yyjson_val *map,
    enum w_fleet_state state, writ_error *err)
{
	entry->state = state;
	if (state == W_FLEET_STARTED)
		return WRIT_OK;
	w_fleet_ledger_drop(&entry->order, &entry->order_len);
	w_fleet_ledger_drop(&entry->result, &entry->result_len);
	if (state == W_FLEET_PUBLISHED)
		return WRIT_OK;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_LOG_LINE_MAX);
	w_json_add_value(&text, yyjson_obj_get(map, "result"));
	return !text.failed && w_fleet_ledger_keep(&entry->result,
				   &entry->result_len, text.data, text.len)
		   ? WRIT_OK
		   : w_fail_nomem(err, STAGE);
}

static writ_status
read_line(struct w_fleet_ledger *ledger, const struct w_log_line *line,
    writ_error *err)
{
	const struct w_json_limits limits = {W_LOG_LINE_MAX, DEPTH_MAX};
	struct w_json *json = NULL;
	size_t state = 0;

	while (state <= W_FLEET_PUBLISHED &&
	       (strlen(kind_words[state]) != line->kind_len ||
		   memcmp(kind_words[state], line->kind, line->kind_len) != 0))
		state++;
	if (state > W_FLEET_PUBLISHED)
		return WRIT_OK; /* the log's own lines */
	writ_status status =
	    w_json_read(line->bytes, line->len, &limits, &json, err);
	if (status != WRIT_OK)
		return status;
	yyjson_val *map = w_json_root(json);
	const char *id = yyjson_get_str(yyjson_obj_get(map, "id"));
	struct w_fleet_entry *entry =
	    id == NULL ? NULL : w_fleet_ledger_find(ledger, id);
	if (state == W_FLEET_RECEIVED && id != NULL && entry == NULL)
		status = read_receipt(ledger, map, id, err);
	else if (entry != NULL && state > W_FLEET_RECEIVED)
		status = read_step(entry, map, (enum w_fleet_state)state, err);
	else
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the line %ju of the ledger in '%s' is about nothing",
		    (uintmax_t)line->seq, ledger->dir);
	ledger->lines++;
	w_json_free(json);
	return status;
}

static writ_status
read_all(struct w_fleet_ledger *ledger, writ_error *err)
{
	struct w_log_reader *reader = NULL;
	enum w_log_read read = W_LOG_LINE;
	struct w_log_line line;
	struct w_log_place place;

	writ_status status =
	    w_log_reader_open(ledger->dir, LOG_NAME, &reader, err);
	while (status == WRIT_OK && read != W_LOG_END) {
		status = w_log_reader_next(reader, &read, &line, &place, err);
		/* What is torn was never on disk as a whole, so nothing
		 * followed from it. */
		if (status == WRIT_OK && read == W_LOG_PART)
			break;
		if (status == WRIT_OK && read == W_LOG_LINE)
			status = read_line(ledger, &line, err);
	}
	w_log_reader_free(reader);
	return status;
}

/* ---- writing it anew ---- */

static bool
is_needed(const struct w_fleet_entry *entry, uint64_t now_ms)
{
	return entry->state != W_FLEET_PUBLISHED ||
	       now_ms < entry->expires + KEEP_MS;
}

static writ_status
copy_entry(struct w_fleet_ledger *ledger, struct w_log *log,
    const struct w_fleet_entry *entry, writ_error *err)
{
	struct w_buf line;

	begin_line(&line, W_FLEET_RECEIVED, entry->id);
	add_receipt(
	    &line, entry->expires, entry->order, entry->order_len, entry->sum);
	writ_status status = append_line(ledger, log, &line, W_LOG_BEGINS, err);
	if (status != WRIT_OK || entry->state == W_FLEET_RECEIVED)
		return status;
	begin_line(&line, entry->state, entry->id);
	if (entry->state == W_FLEET_DONE) {
		w_buf_add_str(&line, ",\"result\":");
		w_buf_add(&line, entry->result, entry->result_len);
	}
	return append_line(ledger, log, &line, W_LOG_BEGINS, err);
}

static void
remove_log(const char *dir)
{
	DIR *stream = opendir(dir);
	const struct dirent *found;

	if (stream == NULL)
		return;
	while ((found = readdir(stream)) != NULL) {
		if (found->d_name[0] != '.')
			(void)unlinkat(dirfd(stream), found->d_name, 0);
	}
	(void)closedir(stream);
	(void)rmdir(dir);
}

static writ_status
open_log(const char *dir, enum w_log_durability durability,
    struct w_log **out_log, writ_error *err)
{
	const struct w_log_options options = {
	    .name = LOG_NAME, .durability = durability};

	return w_log_open(dir, &options, out_log, err);
}

static writ_status
write_anew(struct w_fleet_ledger *ledger, const char *dir, uint64_t now_ms,
    writ_error *err)
{
	struct w_log *log = NULL;

	ledger->lines = 0;
	writ_status status = open_log(dir, W_LOG_NONE, &log, err);
	for (size_t i = 0; status == WRIT_OK && i < ledger->count; i++) {
		if (is_needed(&ledger->entries[i], now_ms))
			status =
			    copy_entry(ledger, log, &ledger->entries[i], err);
	}
	if (status == WRIT_OK) {
		int failed = w_log_sync(log);

		if (failed != 0)
			status = w_fail(err, WRIT_E_SYSTEM, STAGE, failed,
			    "cannot sync '%s'", dir);
	}
	w_log_close(log);
	return status;
}

/* Whether most lines are about nothing that is needed. */
static bool
has_waste(const struct w_fleet_ledger *ledger, uint64_t now_ms)
{
	size_t needed = 0;

	if (ledger->lines < WASTE_MAX)
		return false;
	for (size_t i = 0; i < ledger->count; i++)
		needed += is_needed(&ledger->entries[i], now_ms);
	return ledger->lines >= 2 * needed + WASTE_MAX;
}

/* Writes what is needed into a second log, and exchanges the two at once: a
 * crash leaves one or the other. */
static writ_status
forget(struct w_fleet_ledger *ledger, uint64_t now_ms, writ_error *err)
{
	char other[W_FLEET_PATH_MAX];

	if (!has_waste(ledger, now_ms))
		return WRIT_OK;
	(void)snprintf(other, sizeof(other), "%s.new", ledger->dir);
	remove_log(other);
	writ_status status = write_anew(ledger, other, now_ms, err);
	if (status != WRIT_OK)
		return status;
	if (renameat2(AT_FDCWD, other, AT_FDCWD, ledger->dir, RENAME_EXCHANGE) <
	    0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot exchange '%s' for a new one", ledger->dir);
	remove_log(other);
	w_fleet_ledger_drop_all(ledger);
	return read_all(ledger, err);
}

/* ---- opening ---- */

static writ_status
take_lock(struct w_fleet_ledger *ledger, writ_error *err)
{
	char path[W_FLEET_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s.lock", ledger->dir);
	ledger->lock_fd =
	    open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (ledger->lock_fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot open '%s'", path);
	if (flock(ledger->lock_fd, LOCK_EX | LOCK_NB) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "another process has the ledger '%s'", ledger->dir);
	return WRIT_OK;
}

static writ_status
load(struct w_fleet_ledger *ledger, uint64_t now_ms, writ_error *err)
{
	writ_status status = take_lock(ledger, err);

	/* Opening for writing repairs the end, so it comes before reading. */
	if (status == WRIT_OK)
		status = open_log(ledger->dir, W_LOG_SYNC, &ledger->log, err);
	if (status != WRIT_OK)
		return status;
	w_log_close(ledger->log);
	ledger->log = NULL;
	status = read_all(ledger, err);
	if (status == WRIT_OK)
		status = forget(ledger, now_ms, err);
	if (status == WRIT_OK)
		status = open_log(ledger->dir, W_LOG_SYNC, &ledger->log, err);
	for (size_t i = 0; status == WRIT_OK && i < ledger->count; i++)
		ledger->entries[i].was_lost =
		    ledger->entries[i].state == W_FLEET_STARTED;
	return status;
}

writ_status
w_fleet_ledger_tidy(
    struct w_fleet_ledger *ledger, uint64_t now_ms, writ_error *err)
{
	if (!has_waste(ledger, now_ms))
		return WRIT_OK;
	w_log_close(ledger->log);
	ledger->log = NULL;
	writ_status status = forget(ledger, now_ms, err);
	if (status == WRIT_OK)
		status = open_log(ledger->dir, W_LOG_SYNC, &ledger->log, err);
	return status;
}

writ_status
w_fleet_ledger_open(const char *dir, uint64_t now_ms,
    struct w_fleet_ledger **out_ledger, writ_error *err)
{
	struct w_fleet_ledger *ledger = calloc(1, sizeof(*ledger));

	if (ledger == NULL)
		return w_fail_nomem(err, STAGE);
	ledger->lock_fd = -1;
	ledger->dir = strdup(dir);
	writ_status status = ledger->dir == NULL ? w_fail_nomem(err, STAGE)
						 : load(ledger, now_ms, err);
	if (status == WRIT_OK)
		*out_ledger = ledger;
	else
		w_fleet_ledger_free(ledger);
	return status;
}

void
w_fleet_ledger_free(struct w_fleet_ledger *ledger)
{
	if (ledger == NULL)
		return;
	w_log_close(ledger->log);
	w_fleet_ledger_drop_all(ledger);
	w_close(&ledger->lock_fd);
	free(ledger->dir);
	free(ledger);
}

/* ---- steps ---- */

void
w_fleet_ledger_sum(const char *order, size_t len, uint8_t out[W_SHA256_SIZE])
{
	w_sha256(order, len, out);
}

writ_status
w_fleet_ledger_receive(struct w_fleet_ledger *ledger,
    const struct w_fleet_receipt *receipt, writ_error *err)
{
	uint8_t sum[W_SHA256_SIZE];
	struct w_buf line;

	if (w_fleet_ledger_find(ledger, receipt->id) != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s was received before", receipt->id);
	w_fleet_ledger_sum(receipt->order, receipt->len, sum);
	begin_line(&line, W_FLEET_RECEIVED, receipt->id);
	add_receipt(&line, receipt->expires, receipt->order, receipt->len, sum);
	writ_status status =
	    append_line(ledger, ledger->log, &line, W_LOG_BEGINS, err);
	return status == WRIT_OK ? w_fleet_ledger_add(ledger, receipt, sum, err)
				 : status;
}

static writ_status
find_before(struct w_fleet_ledger *ledger, const char *id,
    enum w_fleet_state state, struct w_fleet_entry **out_entry, writ_error *err)
{
	struct w_fleet_entry *entry = w_fleet_ledger_find(ledger, id);

	if (entry == NULL || entry->state >= state)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "%s cannot become '%s'", id, kind_words[state]);
	*out_entry = entry;
	return WRIT_OK;
}

writ_status
w_fleet_ledger_start(
    struct w_fleet_ledger *ledger, const char *id, writ_error *err)
{
	struct w_fleet_entry *entry = w_fleet_ledger_find(ledger, id);
	struct w_buf line;

	/* One that was lost, and may be repeated, starts once more. */
	if (entry == NULL || entry->state > W_FLEET_STARTED ||
	    (entry->state == W_FLEET_STARTED && !entry->was_lost))
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "%s cannot be started", id);
	begin_line(&line, W_FLEET_STARTED, id);
	writ_status status =
	    append_line(ledger, ledger->log, &line, W_LOG_BEGINS, err);
	if (status == WRIT_OK) {
		entry->state = W_FLEET_STARTED;
		entry->was_lost = false;
	}
	return status;
}

writ_status
w_fleet_ledger_finish(struct w_fleet_ledger *ledger, const char *id,
    const char *result, size_t len, writ_error *err)
{
	struct w_fleet_entry *entry = NULL;
	struct w_buf line;
	char *copy = NULL;
	size_t copy_len = 0;

	writ_status status = find_before(ledger, id, W_FLEET_DONE, &entry, err);
	if (status != WRIT_OK)
		return status;
	if (!w_fleet_ledger_keep(&copy, &copy_len, result, len))
		return w_fail_nomem(err, STAGE);
	begin_line(&line, W_FLEET_DONE, id);
	w_buf_add_str(&line, ",\"result\":");
	w_buf_add(&line, result, len);
	status = append_line(ledger, ledger->log, &line, W_LOG_ENDS, err);
	if (status != WRIT_OK) {
		free(copy);
		return status;
	}
	w_fleet_ledger_drop(&entry->order, &entry->order_len);
	entry->result = copy;
	entry->result_len = copy_len;
	entry->state = W_FLEET_DONE;
	entry->is_sent = false;
	return WRIT_OK;
}

writ_status
w_fleet_ledger_publish(
    struct w_fleet_ledger *ledger, const char *id, writ_error *err)
{
	struct w_fleet_entry *entry = NULL;
	struct w_buf line;

	writ_status status =
	    find_before(ledger, id, W_FLEET_PUBLISHED, &entry, err);
	if (status != WRIT_OK)
		return status;
	if (entry->state != W_FLEET_DONE)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "%s has no result yet", id);
	begin_line(&line, W_FLEET_PUBLISHED, id);
	status = append_line(ledger, ledger->log, &line, W_LOG_ENDS, err);
	if (status != WRIT_OK)
		return status;
	w_fleet_ledger_drop(&entry->result, &entry->result_len);
	entry->state = W_FLEET_PUBLISHED;
	return WRIT_OK;
}
