/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Requests from outside. Whatever the bytes are, a draft either takes them and
 * is a well-formed request, or refuses them with a message and is as it was.
 */

#include <writ/draft.h>

#include "check.h"
#include "engine/request/draft_fields.h"

/* Refused, but only after most kinds of keys have been read. */
static const char refused[] =
    "{\"cwd\":\"/other\",\"roots\":[\"/x\",\"/y\"],\"env\":{\"Z\":\"9\"},"
    "\"read\":[\"r\"],\"secrets\":[\"s\"],\"agent\":\"other\",\"pty\":true,"
    "\"env_pass\":[],\"stdin\":{\"b64\":\"AAAA\"},\"user\":7,"
    "\"nice\":-20,\"tree\":\"caller\",\"timeout_ms\":-1}";

static uint64_t
mix(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t
mix_text(uint64_t hash, const char *text)
{
	return text == NULL ? mix(hash, "", 1)
			    : mix(hash, text, strlen(text) + 1);
}

static uint64_t
mix_list(uint64_t hash, const char *const *list)
{
	for (; list != NULL && *list != NULL; list++)
		hash = mix_text(hash, *list);
	return mix(hash, "", 1);
}

static const char *
text_of(const writ_request *request, const struct w_draft_field *field)
{
	const char *text;

	memcpy(&text, (const char *)request + field->offset, sizeof(text));
	return text;
}

static const char *const *
list_of(const writ_request *request, const struct w_draft_field *field)
{
	const char *const *list;

	memcpy(&list, (const char *)request + field->offset, sizeof(list));
	return list;
}

/* Of everything the request says and points to: every key of the table. */
static uint64_t
fingerprint(const writ_request *request)
{
	uint64_t hash = mix(0, request, sizeof(*request));
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);

	for (size_t i = 0; i < count; i++) {
		if (fields[i].kind == W_KIND_STRING)
			hash = mix_text(hash, text_of(request, &fields[i]));
		else if (fields[i].kind == W_KIND_LIST ||
			 fields[i].kind == W_KIND_MAP)
			hash = mix_list(hash, list_of(request, &fields[i]));
	}
	return mix(hash, request->stdin_data, request->stdin_len);
}

static void
check_command(const writ_request *request)
{
	CHECK(request->argv == NULL || request->shell == NULL);
	CHECK(request->argv == NULL || request->argv[0][0] != '\0');
	CHECK(request->shell == NULL || request->shell[0] != '\0');
	CHECK(request->cwd == NULL || request->cwd[0] != '\0');
	CHECK(request->roots == NULL || request->roots[0] != NULL);
	for (size_t i = 0; request->env != NULL && request->env[i] != NULL; i++)
		CHECK(strchr(request->env[i], '=') > request->env[i]);
}

static void
check_stdin(const writ_request *request)
{
	bool is_file = request->stdin_kind == WRIT_STDIN_FILE;
	bool is_data = request->stdin_kind == WRIT_STDIN_DATA;

	CHECK(is_file || is_data || request->stdin_kind == WRIT_STDIN_NULL);
	CHECK(is_file == (request->stdin_path != NULL));
	CHECK(is_data == (request->stdin_data != NULL));
	CHECK(is_data || request->stdin_len == 0);
}

static void
check_numbers(const writ_request *request)
{
	const uint64_t most = UINT64_C(1) << 60;

	CHECK(request->size == sizeof(*request));
	CHECK(request->timeout_ms <= most && request->cpu_ms <= most);
	CHECK(request->idle_timeout_ms <= most);
	CHECK(request->memory <= most && request->file_size <= most);
	CHECK(request->max_output <= most);
	CHECK(request->grace_ms <= most || request->grace_ms == WRIT_ZERO);
	CHECK(request->processes <= 4194304);
	CHECK(request->open_files <= INT32_MAX);
	CHECK(request->umask == 0 || (request->umask & ~0777U) == 0x10000);
	CHECK(request->nice >= -20 && request->nice <= 19);
	CHECK(request->env_mode <= WRIT_ENV_INHERIT);
	CHECK(request->background <= WRIT_BACKGROUND_KEEP);
	CHECK(request->hold <= WRIT_HOLD_CALLER);
	CHECK(request->network <= WRIT_NETWORK_HOSTS);
	CHECK(request->tmp_size <= most);
	CHECK(request->keep <= most || request->keep == WRIT_ZERO);
	CHECK(request->rows <= 65535 && request->columns <= 65535);
}

static bool
is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return *text == '\0';
}

/* A text with a maximum has that many printable characters, and one at
 * least. */
static void
check_texts(const writ_request *request)
{
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);

	for (size_t i = 0; i < count; i++) {
		if (fields[i].kind != W_KIND_STRING || fields[i].max == 0)
			continue;
		const char *text = text_of(request, &fields[i]);
		CHECK(text == NULL ||
		      (text[0] != '\0' && strlen(text) <= fields[i].max));
		CHECK(text == NULL || is_printable(text));
	}
}

static void
check_outcome(writ_draft *draft, writ_status status, const writ_error *err,
    uint64_t before)
{
	const writ_request *request = writ_draft_request(draft);

	check_command(request);
	check_stdin(request);
	check_numbers(request);
	check_texts(request);
	if (status == WRIT_OK)
		return;
	CHECK(status == WRIT_E_INVALID);
	check_error(err, status);
	CHECK(fingerprint(request) == before);
}

static void
read_json(writ_draft *draft, const char *text, size_t len)
{
	uint64_t before = fingerprint(writ_draft_request(draft));
	writ_error err = {0};
	writ_status status = writ_draft_read_json(draft, text, len, &err);

	check_outcome(draft, status, &err, before);
}

static void
set_every_key(writ_draft *draft, const char *text)
{
	size_t count;
	const writ_key *keys = writ_draft_keys(&count);

	for (size_t i = 0; i < count; i++) {
		uint64_t before = fingerprint(writ_draft_request(draft));
		writ_error err = {0};
		writ_status status =
		    writ_draft_set(draft, keys[i].name, text, &err);

		check_outcome(draft, status, &err, before);
	}
	CHECK(writ_draft_set(draft, "", text, NULL) == WRIT_E_INVALID);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);
	writ_draft *draft = NULL;

	CHECK(writ_draft_new(&draft, NULL) == WRIT_OK);
	read_json(draft, text, size);
	read_json(draft, refused, sizeof(refused) - 1);
	read_json(draft, text, size / 2);
	set_every_key(draft, text);
	read_json(draft, text, size);
	read_json(draft, refused, sizeof(refused) - 1);
	writ_draft_free(draft);
	free(text);
	return 0;
}
