/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A line of the trail as facts; see entry.h. The bytes come from a file that
 * somebody may have edited: nothing is taken for granted, and a run's id,
 * which names files, holds letters and digits only.
 */

#include "audit/entry.h"
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

/* A string, or bytes that are no UTF-8 as {"b64":"..."}. */
static const char *
text_of(struct w_entry *facts, yyjson_val *val)
{
	if (yyjson_is_str(val))
		return yyjson_get_str(val);
	yyjson_val *b64 = yyjson_obj_get(val, "b64");
	if (!yyjson_is_str(b64))
		return NULL;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, W_LOG_LINE_MAX);
	if (!w_base64_decode(&buf, yyjson_get_str(b64), yyjson_get_len(b64))) {
		facts->is_full |= buf.failed;
		return NULL;
	}
	if (!w_words_add(&facts->texts, buf.data, strlen(buf.data))) {
		facts->is_full = true;
		return NULL;
	}
	return facts->texts.items[facts->texts.count - 1];
}

static uint64_t
number_of(yyjson_val *object, const char *key)
{
	return yyjson_get_uint(yyjson_obj_get(object, key));
}

static void
read_who(struct w_entry *facts, yyjson_val *who)
{
	uint64_t pid = number_of(who, "pid");

	facts->uid = number_of(who, "uid");
	facts->pid = pid <= INT_MAX ? (int)pid : 0;
	facts->pidns = number_of(who, "pidns");
	facts->door = yyjson_get_str(yyjson_obj_get(who, "door"));
	facts->agent = text_of(facts, yyjson_obj_get(who, "agent"));
}

static void
read_request(struct w_entry *facts, yyjson_val *root)
{
	read_who(facts, yyjson_obj_get(root, "who"));
	facts->argv = yyjson_obj_get(root, "argv");
	facts->shell = text_of(facts, yyjson_obj_get(root, "shell"));
	facts->module = text_of(facts, yyjson_obj_get(root, "module"));
	facts->asked = text_of(facts, yyjson_arr_get_first(facts->argv));
	facts->program = text_of(facts, yyjson_obj_get(root, "program"));
	facts->cwd = text_of(facts, yyjson_obj_get(root, "cwd"));
	facts->sandbox = yyjson_get_str(
	    yyjson_obj_get(yyjson_obj_get(root, "sandbox"), "profile"));
}

static void
read_stream(struct w_entry *facts, yyjson_val *stream, int which)
{
	yyjson_val *sum = yyjson_obj_get(stream, "sha256");

	facts->out_bytes[which] = number_of(stream, "bytes");
	if (yyjson_get_len(sum) == W_SHA256_HEX)
		facts->sha256[which] = yyjson_get_str(sum);
}

static void
read_kept(struct w_entry *facts, yyjson_val *kept)
{
	facts->kept = text_of(facts, yyjson_obj_get(kept, "file"));
	facts->kept_bytes = number_of(kept, "bytes");
	facts->is_kept_whole = yyjson_get_bool(yyjson_obj_get(kept, "whole"));
}

static void
read_end(struct w_entry *facts, yyjson_val *root)
{
	yyjson_val *code = yyjson_obj_get(root, "exit_code");
	yyjson_val *usage = yyjson_obj_get(root, "usage");
	const char *signal = yyjson_get_str(yyjson_obj_get(root, "signal"));

	facts->outcome = yyjson_get_str(yyjson_obj_get(root, "outcome"));
	if (yyjson_is_int(code))
		facts->exit_code = yyjson_get_int(code);
	if (signal != NULL)
		facts->signal = w_signal_find(signal);
	facts->duration_ms = number_of(root, "duration_ms");
	facts->cpu_ms =
	    number_of(usage, "user_ms") + number_of(usage, "system_ms");
	read_stream(facts, yyjson_obj_get(root, "stdout"), 0);
	read_stream(facts, yyjson_obj_get(root, "stderr"), 1);
	read_kept(facts, yyjson_obj_get(root, "kept"));
}

static void
read_members(struct w_entry *facts, yyjson_val *root)
{
	yyjson_val *run = yyjson_obj_get(root, "run");

	facts->word = yyjson_get_str(yyjson_obj_get(root, "kind"));
	if (yyjson_is_str(run) &&
	    w_entry_is_run_id(yyjson_get_str(run), yyjson_get_len(run)))
		facts->run = yyjson_get_str(run);
	if (facts->kind == W_ENTRY_BEGIN || facts->kind == W_ENTRY_REFUSED)
		read_request(facts, root);
	if (facts->kind == W_ENTRY_END)
		read_end(facts, root);
	if (facts->kind != W_ENTRY_BEGIN && facts->outcome == NULL)
		facts->outcome = yyjson_get_str(
		    yyjson_obj_get(yyjson_obj_get(root, "error"), "code"));
}

yyjson_doc *
w_entry_parse(const struct w_log_line *line, bool *out_is_full)
{
	yyjson_read_err why = {0};
	/* Without the flag for reading in place it writes nothing there. */
	yyjson_doc *doc = yyjson_read_opts(
	    (char *)(uintptr_t)line->bytes, line->len, 0, NULL, &why);

	*out_is_full = why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION;
	return doc;
}

bool
w_entry_read(const struct w_log_line *line, struct w_entry *out_facts)
{
	bool is_full;
	yyjson_doc *doc = w_entry_parse(line, &is_full);
	yyjson_val *root = yyjson_doc_get_root(doc);

	if (!yyjson_is_obj(root)) {
		yyjson_doc_free(doc);
		*out_facts = (struct w_entry){.is_full = is_full};
		return false;
	}
	*out_facts = (struct w_entry){
	    .doc = doc, .exit_code = -1, .kind = w_entry_kind_of(line)};
	read_members(out_facts, root);
	if (!out_facts->is_full)
		return true;
	w_entry_done(out_facts);
	out_facts->is_full = true;
	return false;
}

void
w_entry_done(struct w_entry *facts)
{
	yyjson_doc_free(facts->doc);
	w_words_done(&facts->texts);
	*facts = (struct w_entry){0};
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
w_entry_is_ok(const struct w_entry *facts)
{
	return facts->kind == W_ENTRY_END && facts->exit_code == 0 &&
	       facts->outcome != NULL && strcmp(facts->outcome, "exited") == 0;
}
