/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A request as bytes under a key.
 *
 * The form, in this order and nothing left out: a version; then for each
 * member a number of 8 bytes, little endian, or a text. A text is its length
 * plus one as a number and its bytes; one that is missing is the number 0. A
 * list is its count plus one and its texts; a missing one is 0. So no two
 * different requests have the same bytes.
 */

#include "audit/request_hash.h"

#include <stdlib.h>
#include <string.h>

#define VERSION "writ request 1\n"

static void
add_number(struct w_hmac *mac, uint64_t value)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	w_hmac_add(mac, bytes, sizeof(bytes));
}

static void
add_bytes(struct w_hmac *mac, const char *bytes, size_t len)
{
	add_number(mac, (uint64_t)len + 1);
	w_hmac_add(mac, bytes, len);
}

static void
add_text(struct w_hmac *mac, const char *text)
{
	if (text == NULL)
		add_number(mac, 0);
	else
		add_bytes(mac, text, strlen(text));
}

static size_t
count(const char *const *list)
{
	size_t n = 0;

	while (list[n] != NULL)
		n++;
	return n;
}

static void
add_list(struct w_hmac *mac, const char *const *list)
{
	if (list == NULL) {
		add_number(mac, 0);
		return;
	}
	add_number(mac, (uint64_t)count(list) + 1);
	for (size_t i = 0; list[i] != NULL; i++)
		add_text(mac, list[i]);
}

/* By digest, so that the same can be said of input that is streamed. */
static void
add_stdin(struct w_hmac *mac, const writ_request *request)
{
	uint8_t digest[W_SHA256_SIZE] = {0};

	add_number(mac, request->stdin_kind);
	add_text(mac, request->stdin_kind == WRIT_STDIN_FILE
			  ? request->stdin_path
			  : NULL);
	if (request->stdin_kind == WRIT_STDIN_DATA)
		w_sha256(request->stdin_data, request->stdin_len, digest);
	w_hmac_add(mac, digest, sizeof(digest));
}

static void
add_command(struct w_hmac *mac, const writ_request *request)
{
	add_list(mac, request->argv);
	add_text(mac, request->shell);
	add_text(mac, request->cwd);
	add_list(mac, request->roots);
	add_number(mac, request->env_mode);
	add_list(mac, request->env);
	add_list(mac, request->env_pass);
	add_list(mac, request->env_drop);
	add_stdin(mac, request);
}

static void
add_limits(struct w_hmac *mac, const writ_request *request)
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
	    request->keep,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add_number(mac, numbers[i]);
}

static void
add_walls(struct w_hmac *mac, const writ_request *request)
{
	add_text(mac, request->user);
	add_text(mac, request->group);
	add_text(mac, request->sandbox);
	add_list(mac, request->read);
	add_list(mac, request->write);
	add_list(mac, request->hide);
	add_number(mac, request->network);
	add_number(mac, request->best_effort);
	add_number(mac, request->explain_denials);
	add_text(mac, request->agent);
	add_list(mac, request->secrets);
}

/* ---- what became of the names ---- */

/* A variable that leads into the private directory: its name, and the rest. */
static void
add_variable(struct w_hmac *mac, const char *entry, const char *private_dir)
{
	size_t name_len = strcspn(entry, "=");
	size_t dir_len = private_dir == NULL ? 0 : strlen(private_dir);
	const char *value = entry + name_len + (entry[name_len] == '=');

	add_bytes(mac, entry, name_len);
	if (dir_len > 0 && strncmp(value, private_dir, dir_len) == 0) {
		add_number(mac, 0);
		value += dir_len;
	}
	add_text(mac, value);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The order of an environment means nothing. Without memory to sort it the
 * order counts: a hash that differs refuses more, never less. */
static void
add_env(struct w_hmac *mac, const struct w_request_facts *facts)
{
	const char *const *env = facts->env;

	if (env == NULL) {
		add_number(mac, 0);
		return;
	}
	const size_t n = count(env);
	const char **sorted = calloc(n + 1, sizeof(*sorted));
	if (sorted != NULL) {
		memcpy(sorted, env, n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), compare);
		env = sorted;
	}
	add_number(mac, (uint64_t)n + 1);
	for (size_t i = 0; i < n; i++)
		add_variable(mac, env[i], facts->private_dir);
	free(sorted);
}

void
w_request_hash(const struct w_hmac_key *key, const writ_request *request,
    const struct w_request_facts *facts, uint8_t out_hash[W_SHA256_SIZE])
{
	struct w_hmac mac;

	w_hmac_init(&mac, key);
	w_hmac_add(&mac, VERSION, sizeof(VERSION) - 1);
	add_command(&mac, request);
	add_limits(&mac, request);
	add_walls(&mac, request);
	add_number(&mac, facts != NULL);
	if (facts != NULL) {
		add_text(&mac, facts->program);
		add_text(&mac, facts->cwd);
		add_env(&mac, facts);
		add_number(&mac, facts->uid);
		add_number(&mac, facts->gid);
	}
	w_hmac_end(&mac, out_hash);
}
