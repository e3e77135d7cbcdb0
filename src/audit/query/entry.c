/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses a line of the trail. The bytes come from a file that somebody may have
 * edited, so nothing is trusted; a run's id, which names files, consists of
 * letters and digits only.
 */

#include "audit/query/entry.h"
#include "base/signal_name.h"

#include <limits.h>
#include <string.h>

static const char run_key[] = "\",\"run\":\"";

bool
w_entry_is_run_id(const char *text, size_t len)
{
	if (len == 0 || len > W_ID_LEN)
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if ((c < '0' || c > '9') && (c < 'A' || c > 'Z') &&
		    (c < 'a' || c > 'z'))
			return false;
	}
	return true;
}

enum w_entry_kind
w_entry_kind_of(const struct w_log_line *line)
{
	if (w_log_line_is(line, "begin"))
		return W_ENTRY_BEGIN;
	if (w_log_line_is(line, "end"))
		return W_ENTRY_END;
	return w_log_line_is(line, "refused") ? W_ENTRY_REFUSED : W_ENTRY_OTHER;
}

/* A string, or {"b64":"..."} for bytes that are not UTF-8. */
static const char *
entry_text_of(struct w_entry *entry, yyjson_val *val)
{
	if (yyjson_is_str(val))
		return yyjson_get_str(val);
	yyjson_val *b64 = yyjson_obj_get(val, "b64");
	if (!yyjson_is_str(b64))
		return NULL;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, W_LOG_LINE_MAX);
	if (!w_base64_decode(&buf, yyjson_get_str(b64), yyjson_get_len(b64))) {
		entry->is_full |= buf.failed;
		return NULL;
	}
	if (!w_words_add(&entry->texts, buf.data, strlen(buf.data))) {
		entry->is_full = true;
		return NULL;
	}
	return entry->texts.items[entry->texts.count - 1];
}

static uint64_t
entry_number_of(yyjson_val *object, const char *key)
{
	return yyjson_get_uint(yyjson_obj_get(object, key));
}

static void
read_request(struct w_entry *entry, yyjson_val *root)
{
	yyjson_val *who = yyjson_obj_get(root, "who");
	uint64_t pid = entry_number_of(who, "pid");

	entry->uid = entry_number_of(who, "uid");
	entry->pid = pid <= INT_MAX ? (int)pid : 0;
	entry->pidns = entry_number_of(who, "pidns");
	entry->door = yyjson_get_str(yyjson_obj_get(who, "door"));
	entry->agent = entry_text_of(entry, yyjson_obj_get(who, "agent"));
	entry->argv = yyjson_obj_get(root, "argv");
	entry->shell = entry_text_of(entry, yyjson_obj_get(root, "shell"));
	entry->module = entry_text_of(entry, yyjson_obj_get(root, "module"));
	entry->asked = entry_text_of(entry, yyjson_arr_get_first(entry->argv));
	entry->program = entry_text_of(entry, yyjson_obj_get(root, "program"));
	entry->cwd = entry_text_of(entry, yyjson_obj_get(root, "cwd"));
	entry->sandbox = yyjson_get_str(
	    yyjson_obj_get(yyjson_obj_get(root, "sandbox"), "profile"));
}

static void
read_stream(struct w_entry *entry, yyjson_val *stream, int which)
{
	yyjson_val *sum = yyjson_obj_get(stream, "sha256");

	entry->out_bytes[which] = entry_number_of(stream, "bytes");
	if (yyjson_get_len(sum) == W_SHA256_HEX)
		entry->sha256[which] = yyjson_get_str(sum);
}

static void
entry_read_end(struct w_entry *entry, yyjson_val *root)
{
	yyjson_val *code = yyjson_obj_get(root, "exit_code");
	yyjson_val *usage = yyjson_obj_get(root, "usage");
	yyjson_val *kept = yyjson_obj_get(root, "kept");
	const char *signal = yyjson_get_str(yyjson_obj_get(root, "signal"));

	entry->outcome = yyjson_get_str(yyjson_obj_get(root, "outcome"));
	if (yyjson_is_int(code))
		entry->exit_code = yyjson_get_int(code);
	if (signal != NULL)
		entry->signal = w_signal_find(signal);
	entry->duration_ms = entry_number_of(root, "duration_ms");
	entry->cpu_ms = entry_number_of(usage, "user_ms") +
			entry_number_of(usage, "system_ms");
	read_stream(entry, yyjson_obj_get(root, "stdout"), 0);
	read_stream(entry, yyjson_obj_get(root, "stderr"), 1);
	entry->kept = entry_text_of(entry, yyjson_obj_get(kept, "file"));
	entry->kept_bytes = entry_number_of(kept, "bytes");
	entry->is_kept_whole = yyjson_get_bool(yyjson_obj_get(kept, "whole"));
}

static void
read_members(struct w_entry *entry, yyjson_val *root)
{
	yyjson_val *run = yyjson_obj_get(root, "run");

	entry->word = yyjson_get_str(yyjson_obj_get(root, "kind"));
	if (yyjson_is_str(run) &&
	    w_entry_is_run_id(yyjson_get_str(run), yyjson_get_len(run)))
		entry->run = yyjson_get_str(run);
	if (entry->kind == W_ENTRY_BEGIN || entry->kind == W_ENTRY_REFUSED)
		read_request(entry, root);
	if (entry->kind == W_ENTRY_END)
		entry_read_end(entry, root);
	if (entry->kind != W_ENTRY_BEGIN && entry->outcome == NULL)
		entry->outcome = yyjson_get_str(
		    yyjson_obj_get(yyjson_obj_get(root, "error"), "code"));
}

yyjson_doc *
w_entry_parse(const struct w_log_line *line, bool *out_is_full)
{
	yyjson_read_err why = {0};
	/* Without YYJSON_READ_INSITU it does not write there. */
	yyjson_doc *doc = yyjson_read_opts(
	    (char *)(uintptr_t)line->bytes, line->len, 0, NULL, &why);

	*out_is_full = why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION;
	return doc;
}

bool
w_entry_read(const struct w_log_line *line, struct w_entry *out_entry)
{
	bool is_full;
	yyjson_doc *doc = w_entry_parse(line, &is_full);
	yyjson_val *root = yyjson_doc_get_root(doc);

	if (!yyjson_is_obj(root)) {
		yyjson_doc_free(doc);
		*out_entry = (struct w_entry){.is_full = is_full};
		return false;
	}
	*out_entry = (struct w_entry){
	    .doc = doc, .exit_code = -1, .kind = w_entry_kind_of(line)};
	read_members(out_entry, root);
	if (!out_entry->is_full)
		return true;
	w_entry_done(out_entry);
	out_entry->is_full = true;
	return false;
}

void
w_entry_done(struct w_entry *entry)
{
	yyjson_doc_free(entry->doc);
	w_words_done(&entry->texts);
	*entry = (struct w_entry){0};
}

void
w_entry_run_of(const struct w_log_line *line, char out_run[W_ID_LEN + 1])
{
	const char *at = line->kind + line->kind_len;
	const char *end = line->payload + line->payload_len;
	size_t key_len = sizeof(run_key) - 1;

	out_run[0] = '\0';
	if ((size_t)(end - at) <= key_len || memcmp(at, run_key, key_len) != 0)
		return;
	at += key_len;
	const char *quote = memchr(at, '"', (size_t)(end - at));
	if (quote == NULL || !w_entry_is_run_id(at, (size_t)(quote - at)))
		return;
	memcpy(out_run, at, (size_t)(quote - at));
	out_run[quote - at] = '\0';
}

bool
w_entry_is_ok(const struct w_entry *entry)
{
	return entry->kind == W_ENTRY_END && entry->exit_code == 0 &&
	       entry->outcome != NULL && strcmp(entry->outcome, "exited") == 0;
}
