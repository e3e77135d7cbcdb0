/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The receipt of what writ wrote into the settings of a program. It lies in the
 * state directory, which no run can write to.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "cli/mcp/install_plan.h"
#include "data/json.h"

#define DEPTH_MAX 8
#define HASH_LEN  8

static const char *const format_words[] = {"json", "toml", "yaml", NULL};

/* ---- reading ---- */

static const char *
install_receipt_text(yyjson_val *object, const char *name)
{
	const char *text = yyjson_get_str(yyjson_obj_get(object, name));

	return text != NULL ? text : "";
}

static bool
install_receipt_take(yyjson_val *object, struct w_install_edit *out)
{
	yyjson_val *path = yyjson_obj_get(object, "path");
	const char *format = install_receipt_text(object, "format");
	size_t i;
	size_t count;
	yyjson_val *name;

	*out = (struct w_install_edit){
	    .base = install_receipt_text(object, "base"),
	    .below = install_receipt_text(object, "below"),
	    .is_new = yyjson_get_bool(yyjson_obj_get(object, "new")),
	    .at = (size_t)yyjson_get_uint(yyjson_obj_get(object, "at")),
	    .was = install_receipt_text(object, "was"),
	    .now = install_receipt_text(object, "now"),
	    .value.json = install_receipt_text(object, "value"),
	    .value.is_item = yyjson_get_bool(yyjson_obj_get(object, "item")),
	};
	for (i = 0; format_words[i] != NULL; i++) {
		if (strcmp(format_words[i], format) == 0)
			break;
	}
	if (format_words[i] == NULL || yyjson_arr_size(path) == 0 ||
	    yyjson_arr_size(path) > W_SETTINGS_DEPTH)
		return false;
	out->format = (enum w_client_settings_format)i;
	yyjson_arr_foreach(path, i, count, name)
	{
		out->value.path[i] = yyjson_get_str(name);
		if (out->value.path[i] == NULL)
			return false;
	}
	return out->base[0] == '/' && out->below[0] != '\0' &&
	       out->value.json[0] != '\0';
}

static writ_status
install_receipt_parse(struct w_install_receipt *receipt, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = W_SETTINGS_TEXT_MAX, .depth_max = DEPTH_MAX};
	size_t i;
	size_t count;
	yyjson_val *item;
	writ_error why;

	if (!receipt->file.is_there)
		return WRIT_OK;
	bool is_good =
	    w_json_read(receipt->file.text.data, receipt->file.text.len,
		&limits, &receipt->json, &why) == WRIT_OK;
	yyjson_val *edits =
	    is_good ? yyjson_obj_get(w_json_root(receipt->json), "edits")
		    : NULL;
	is_good = is_good && yyjson_arr_size(edits) <= W_INSTALL_EDITS;
	yyjson_arr_foreach(edits, i, count, item)
	{
		is_good = is_good && install_receipt_take(
					 item, &receipt->edits[receipt->count]);
		receipt->count += is_good;
	}
	if (is_good)
		return WRIT_OK;
	return w_fail(err, WRIT_E_PARSE, "mcp", 0,
	    "'%.200s', which says what was written, cannot be read",
	    receipt->file.path);
}

/* One for each program, server and directory. */
static writ_status
install_receipt_name(const struct w_install_entry *entry, const char *state_dir,
    char out[PATH_MAX], writ_error *err)
{
	struct w_install_target target;
	uint8_t sum[W_SHA256_SIZE];
	char hash[HASH_LEN * 2 + 1] = "";
	writ_status status = w_install_entry_target(entry, &target, err);

	if (status != WRIT_OK)
		return status;
	W_AUTO_FREE char *real = realpath(target.base, NULL);
	if (real == NULL)
		return w_fail(err, WRIT_E_SYSTEM, "mcp", errno,
		    "cannot find '%.200s'", target.base);
	w_sha256(real, strlen(real), sum);
	w_hex_put(hash, sum, HASH_LEN);
	if (snprintf(out, PATH_MAX, "%s/clients/%s-%s-%s.json", state_dir + 1,
		entry->host->name, entry->name, hash) >= PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "the path of the state directory is too long");
	return WRIT_OK;
}

writ_status
w_install_receipt_read(struct w_install_receipt *receipt, const char *state_dir,
    const struct w_install_entry *entry, writ_error *err)
{
	char below[PATH_MAX];

	receipt->json = NULL;
	receipt->count = 0;
	w_client_settings_file_init(&receipt->file);
	receipt->file.is_private = true;
	writ_status status = install_receipt_name(entry, state_dir, below, err);
	if (status == WRIT_OK)
		status = w_client_settings_file_read(
		    &receipt->file, "/", below, err);
	return status == WRIT_OK ? install_receipt_parse(receipt, err) : status;
}

void
w_install_receipt_done(struct w_install_receipt *receipt)
{
	w_client_settings_file_done(&receipt->file);
	w_json_free(receipt->json);
}

/* ---- writing ---- */

static void
install_receipt_add(struct w_buf *buf, const struct w_install_edit *edit)
{
	W_AUTO_FREE char *real = realpath(edit->base, NULL);

	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "base", real != NULL ? real : edit->base);
	w_json_add_text_member(buf, "below", edit->below);
	w_json_add_text_member(buf, "format", format_words[edit->format]);
	w_json_add_bool_member(buf, "new", edit->is_new);
	w_json_add_number_member(buf, "at", edit->at);
	w_json_add_text_member(buf, "was", edit->was);
	w_json_add_text_member(buf, "now", edit->now);
	w_json_add_list_member(buf, "path", edit->value.path);
	w_json_add_text_member(buf, "value", edit->value.json);
	w_json_add_bool_member(buf, "item", edit->value.is_item);
	w_buf_add_char(buf, '}');
}

writ_status
w_install_receipt_write(struct w_install_receipt *receipt,
    const struct w_install_edit *more, size_t count, writ_error *err)
{
	const size_t all = receipt->count + count;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_SETTINGS_TEXT_MAX);
	if (all == 0)
		return receipt->file.is_there
			   ? w_client_settings_file_remove(&receipt->file, err)
			   : WRIT_OK;
	if (all > W_INSTALL_EDITS)
		return w_fail(err, WRIT_E_INVALID, "mcp", 0,
		    "'%.200s' has too many changes; --remove first",
		    receipt->file.path);
	w_buf_add_str(&text, "{\"edits\":[");
	for (size_t i = 0; i < all; i++) {
		w_buf_add_str(&text, i == 0 ? "" : ",");
		install_receipt_add(&text, i < receipt->count
					       ? &receipt->edits[i]
					       : &more[i - receipt->count]);
	}
	w_buf_add_str(&text, "]}\n");
	if (text.failed)
		return w_fail_nomem(err, "mcp");
	return w_client_settings_file_write(&receipt->file, &text, err);
}
