/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Hashes a request under a key.
 *
 * The encoding, in this order and with nothing left out: a version; then for
 * each member a number of 8 bytes, little endian, or a string. A string is its
 * length plus one as a number and its bytes; a missing one is the number 0. A
 * list is its count plus one and its strings; a missing one is 0. So no two
 * different requests have the same encoding.
 */

#include "audit/record/request_hash.h"

#include <stdlib.h>
#include <string.h>

#define VERSION "writ request 2\n"

/* Most members are a few bytes; they are hashed in batches. */
struct form {
	struct w_hmac mac;
	size_t len;
	uint8_t bytes[512];
};

static void
flush(struct form *form)
{
	w_hmac_add(&form->mac, form->bytes, form->len);
	form->len = 0;
}

static void
add_raw(struct form *form, const void *bytes, size_t len)
{
	if (len > sizeof(form->bytes) - form->len)
		flush(form);
	if (len > sizeof(form->bytes)) {
		w_hmac_add(&form->mac, bytes, len);
		return;
	}
	if (len > 0)
		memcpy(form->bytes + form->len, bytes, len);
	form->len += len;
}

static void
request_hash_add_number(struct form *form, uint64_t value)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	add_raw(form, bytes, sizeof(bytes));
}

static void
request_hash_add_bytes(struct form *form, const char *bytes, size_t len)
{
	request_hash_add_number(form, (uint64_t)len + 1);
	add_raw(form, bytes, len);
}

static void
request_hash_add_text(struct form *form, const char *text)
{
	if (text == NULL)
		request_hash_add_number(form, 0);
	else
		request_hash_add_bytes(form, text, strlen(text));
}

static size_t
request_hash_count(const char *const *list)
{
	size_t n = 0;

	while (list[n] != NULL)
		n++;
	return n;
}

static void
request_hash_add_list(struct form *form, const char *const *list)
{
	if (list == NULL) {
		request_hash_add_number(form, 0);
		return;
	}
	request_hash_add_number(form, (uint64_t)request_hash_count(list) + 1);
	for (size_t i = 0; list[i] != NULL; i++)
		request_hash_add_text(form, list[i]);
}

static void
request_hash_add_command(struct form *form, const writ_request *request)
{
	uint8_t digest[W_SHA256_SIZE] = {0};

	request_hash_add_list(form, request->argv);
	request_hash_add_text(form, request->shell);
	request_hash_add_text(form, request->cwd);
	request_hash_add_list(form, request->roots);
	request_hash_add_number(form, request->env_mode);
	request_hash_add_list(form, request->env);
	request_hash_add_list(form, request->env_pass);
	request_hash_add_list(form, request->env_drop);
	request_hash_add_number(form, request->stdin_kind);
	request_hash_add_text(form, request->stdin_kind == WRIT_STDIN_FILE
					? request->stdin_path
					: NULL);
	/* By digest, so that streamed input can be hashed the same way. */
	if (request->stdin_kind == WRIT_STDIN_DATA)
		w_sha256(request->stdin_data, request->stdin_len, digest);
	add_raw(form, digest, sizeof(digest));
}

static void
request_hash_add_limits(struct form *form, const writ_request *request)
{
	const uint64_t numbers[] = {
	    request->timeout_ms,
	    request->idle_timeout_ms,
	    request->grace_ms,
	    request->output_limit,
	    request->spill_limit,
	    request->max_output,
	    request->cpu_ms,
	    request->memory,
	    request->processes,
	    request->open_files,
	    request->file_size,
	    request->umask,
	    (uint64_t)(int64_t)request->nice,
	    request->background,
	    request->hold,
	    request->tmp_size,
	    request->tmp,
	    request->undo,
	    request->stays,
	    request->keep,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		request_hash_add_number(form, numbers[i]);
}

static void
request_hash_add_walls(struct form *form, const writ_request *request)
{
	request_hash_add_text(form, request->user);
	request_hash_add_text(form, request->group);
	request_hash_add_text(form, request->sandbox);
	request_hash_add_list(form, request->read);
	request_hash_add_list(form, request->write);
	request_hash_add_list(form, request->hide);
	request_hash_add_number(form, request->network);
	request_hash_add_list(form, request->hosts);
	request_hash_add_number(form, request->best_effort);
	request_hash_add_number(form, request->explain_denials);
	request_hash_add_text(form, request->agent);
	request_hash_add_list(form, request->secrets);
	request_hash_add_text(form, request->module);
	/* Not its size: that may change while a person is asked. */
	request_hash_add_number(form, request->pty);
}

/* ---- the resolved request ---- */

/* A variable that points into the private directory: its name and the rest. */
static void
request_hash_add_variable(
    struct form *form, const char *entry, const char *private_dir)
{
	size_t name_len = strcspn(entry, "=");
	size_t dir_len = private_dir == NULL ? 0 : strlen(private_dir);
	const char *value = entry + name_len + (entry[name_len] == '=');

	request_hash_add_bytes(form, entry, name_len);
	if (dir_len > 0 && strncmp(value, private_dir, dir_len) == 0) {
		request_hash_add_number(form, 0);
		value += dir_len;
	}
	request_hash_add_text(form, value);
}

static int
request_hash_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The order of an environment has no meaning. Without memory to sort it, it is
 * hashed as it is: a hash that differs refuses more, never less. */
static void
request_hash_add_env(
    struct form *form, const struct w_audit_request_facts *facts)
{
	const char *const *env = facts->env;

	if (env == NULL) {
		request_hash_add_number(form, 0);
		return;
	}
	const size_t n = request_hash_count(env);
	const char **sorted = calloc(n + 1, sizeof(*sorted));
	if (sorted != NULL) {
		memcpy(sorted, env, n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), request_hash_compare);
		env = sorted;
	}
	request_hash_add_number(form, (uint64_t)n + 1);
	for (size_t i = 0; i < n; i++)
		request_hash_add_variable(form, env[i], facts->private_dir);
	free(sorted);
}

void
w_audit_request_hash(const struct w_hmac_key *key, const writ_request *request,
    const struct w_audit_request_facts *facts, uint8_t out_hash[W_SHA256_SIZE])
{
	struct form form;

	form.len = 0;
	w_hmac_init(&form.mac, key);
	add_raw(&form, VERSION, sizeof(VERSION) - 1);
	request_hash_add_command(&form, request);
	request_hash_add_limits(&form, request);
	request_hash_add_walls(&form, request);
	request_hash_add_number(&form, facts != NULL);
	if (facts != NULL) {
		request_hash_add_text(&form, facts->program);
		request_hash_add_text(&form, facts->cwd);
		request_hash_add_env(&form, facts);
		request_hash_add_number(&form, facts->uid);
		request_hash_add_number(&form, facts->gid);
	}
	flush(&form);
	w_hmac_end(&form.mac, out_hash);
}
