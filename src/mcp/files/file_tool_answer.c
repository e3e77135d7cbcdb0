/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The answers of the file tools: what writ-file said, as text. An image is an
 * image. The difference that a change made is in the record, and not shown: the
 * model knows what it asked for.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/error.h"
#include "base/printable.h"
#include "data/json.h"
#include "mcp/files/file_tools.h"

enum {
	ANSWER_MAX = 16 << 20,
	DENIAL_MAX = 300, /* bytes */
	DEPTH_MAX = 64,
};

/* ---- what it did ---- */

static const char *
file_answer_image(const char *bytes, size_t len)
{
	static const struct {
		const char *type;
		const char *magic;
		size_t magic_len;
		size_t offset;
	} kinds[] = {
	    {"image/png", "\x89PNG\r\n\x1a\n", 8, 0},
	    {"image/jpeg", "\xff\xd8\xff", 3, 0},
	    {"image/gif", "GIF8", 4, 0},
	    {"image/webp", "WEBP", 4, 8},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (len > kinds[i].offset + kinds[i].magic_len &&
		    memcmp(bytes + kinds[i].offset, kinds[i].magic,
			kinds[i].magic_len) == 0)
			return kinds[i].type;
	}
	return NULL;
}

static void
file_answer_fail(struct w_rpc_request *rpc_request)
{
	writ_error err;

	(void)w_fail_nomem(&err, "answer");
	w_rpc_request_fail_with(rpc_request, &err);
}

static void
file_answer_reply_image(
    struct w_rpc_request *rpc_request, const char *type, const writ_output *out)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, ANSWER_MAX);
	w_buf_add_str(&buf, "\"content\":[{\"type\":\"image\",\"data\":\"");
	w_base64_add(&buf, out->head, out->head_len);
	w_buf_add_fmt(&buf, "\",\"mimeType\":\"%s\"}],\"isError\":false", type);
	if (buf.failed)
		file_answer_fail(rpc_request);
	else
		w_rpc_request_reply(rpc_request, buf.data, buf.len);
}

/* Up to the difference. */
static size_t
file_answer_shown(const struct w_mcp_file_call *call, const writ_output *out)
{
	const char *diff = call->has_diff
			       ? memmem(out->head, out->head_len, "\n--- ", 5)
			       : NULL;

	return diff == NULL ? out->head_len : (size_t)(diff - out->head);
}

static size_t
file_answer_trim(const char *text, size_t len)
{
	while (len > 0 && text[len - 1] == '\n')
		len--;
	return len;
}

/* ---- why it did not ---- */

static bool
file_answer_is_below(const char *path, const char *dir)
{
	const size_t len = strlen(dir);

	return path[0] != '/' || (strncmp(path, dir, len) == 0 &&
				     (path[len] == '/' || path[len] == '\0'));
}

/* The path of a call as a place, and whether a sandbox has one of its own
 * there. A path of a patch follows its option, that of the others is the last
 * word. */
static bool
file_answer_is_private(const char *path)
{
	static const char *const dirs[] = {
	    "/tmp", "/var/tmp", "/dev/shm", NULL};

	for (size_t i = 0; dirs[i] != NULL; i++) {
		if (path[0] == '/' && file_answer_is_below(path, dirs[i]))
			return true;
	}
	return false;
}

/* A file that was written to a /tmp which is gone with the call. Whether it is
 * there is asked outside of the sandbox, and nothing else. */
static bool
file_answer_is_gone(const struct w_mcp_file_call *call)
{
	for (size_t i = 0; call->has_diff && i < call->argv.count; i++) {
		const char *word = call->argv.items[i];
		struct stat st;

		if (file_answer_is_private(word) &&
		    !file_answer_is_below(word, call->server->cwd) &&
		    lstat(word, &st) < 0)
			return true;
	}
	return false;
}

/* Outside of the project, what a wall refused is likely to be allowed in it. */
static void
file_answer_add_advice(
    struct w_buf *buf, const struct w_mcp_file_call *call, const char *said)
{
	const char *cwd = call->server->cwd;
	const char *path =
	    call->argv.count == 0 ? "" : call->argv.items[call->argv.count - 1];

	if (strstr(said, "outside of what this sandbox") != NULL &&
	    !file_answer_is_below(path, cwd))
		w_buf_add_fmt(buf, "\nfiles in '%s' can be written", cwd);
	else if (strstr(said, "No such file") != NULL &&
		 file_answer_is_private(path))
		w_buf_add_str(buf, "\na sandbox has a directory of its own "
				   "there, which is empty");
}

static void
file_answer_reply_failure(struct w_rpc_request *rpc_request,
    const struct w_mcp_file_call *call, const writ_result *result)
{
	const writ_output *said = &result->out[WRIT_STDERR];
	const size_t len = file_answer_trim(said->head, said->head_len);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, ANSWER_MAX);
	if (result->outcome != WRIT_EXITED || result->signal != 0 || len == 0)
		w_buf_add_fmt(&text,
		    "it was ended before it was done (%s); the file is as it "
		    "was, or as it was to be",
		    writ_outcome_word(result->outcome));
	if (len > 0) {
		w_buf_add(&text, text.len > 0 ? "\n" : "", text.len > 0);
		w_buf_add(&text, said->head, len);
		file_answer_add_advice(&text, call, said->head);
	}
	if (text.failed)
		file_answer_fail(rpc_request);
	else
		w_tool_reply(rpc_request, text.data, text.len, NULL, true);
}

/* What it did, and whether something will run later because of it. */
static void
file_answer_reply_text(struct w_rpc_request *rpc_request,
    const struct w_mcp_file_call *call, const writ_result *result)
{
	const writ_output *out = &result->out[WRIT_STDOUT];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, ANSWER_MAX);
	w_buf_add(&text, out->head,
	    file_answer_trim(out->head, file_answer_shown(call, out)));
	for (size_t i = 0; i < result->trigger_count; i++) {
		const writ_trigger *trigger = &result->triggers[i];

		if (trigger->path == NULL)
			continue;
		w_buf_add_str(&text, "\nRuns later: ");
		(void)w_printable_add(&text, trigger->path, 0);
		w_buf_add_fmt(&text, ": %s", trigger->why);
	}
	if (text.failed)
		file_answer_fail(rpc_request);
	else
		w_tool_reply(rpc_request, text.data, text.len, NULL, false);
}

static const char lost[] =
    "lost: the sandbox of this call had a directory of its own there, which is "
    "gone; write to a file of the project";

static void
file_answer(struct w_rpc_request *rpc_request, struct w_mcp_run *run)
{
	const struct w_mcp_file_call *call = run->ctx;
	const writ_result *result = run->result;

	/* It goes on only if the client's own wait is over. */
	if (result == NULL) {
		w_mcp_run_answer(rpc_request, run);
		return;
	}
	const writ_output *out = &result->out[WRIT_STDOUT];
	const char *type = file_answer_image(out->head, out->head_len);
	if (result->outcome != WRIT_EXITED || result->exit_code != 0 ||
	    result->signal != 0)
		file_answer_reply_failure(rpc_request, call, result);
	else if (type != NULL)
		file_answer_reply_image(rpc_request, type, out);
	else if (result->session == NULL && file_answer_is_gone(call))
		w_tool_reply(rpc_request, lost, sizeof(lost) - 1, NULL, true);
	else
		file_answer_reply_text(rpc_request, call, result);
}

/* ---- refusals ---- */

static const char *
file_answer_member(yyjson_val *object, const char *key)
{
	const char *text = yyjson_get_str(yyjson_obj_get(object, key));

	return text == NULL ? "" : text;
}

/* What the first rule matched, and why it is there. */
static void
file_answer_add_reason(struct w_buf *buf, yyjson_val *decision)
{
	yyjson_val *rule =
	    yyjson_arr_get_first(yyjson_obj_get(decision, "rules"));
	const char *because = file_answer_member(rule, "because");

	w_buf_add_fmt(buf, "it %s", file_answer_member(rule, "matched"));
	if (because[0] != '\0')
		w_buf_add_fmt(buf, " (%s)", because);
}

static bool
file_answer_is_change(yyjson_val *decision)
{
	yyjson_val *paths = yyjson_obj_get(decision, "paths");
	yyjson_arr_iter iter = yyjson_arr_iter_with(paths);
	yyjson_val *path;

	while ((path = yyjson_arr_iter_next(&iter)) != NULL) {
		if (strcmp(file_answer_member(path, "effect"), "read") != 0)
			return true;
	}
	return false;
}

/* Whether the same would be allowed for another file of the project. */
static bool
file_answer_would_allow(struct w_mcp *server, bool is_change)
{
	const char *const argv[] = {"writ-file", is_change ? "write" : "read",
	    "--", "writ-probe", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	W_AUTO_FREE char *program = w_mcp_file_program();
	W_AUTO_FREE char *decision = NULL;
	size_t len = 0;

	request.argv = argv;
	request.program = program;
	request.cwd = server->cwd;
	request.agent = server->options.agent;
	request.session = server->session;
	return program != NULL &&
	       writ_decide(server->engine, &request, &decision, &len, NULL) ==
		   WRIT_OK &&
	       strncmp(decision, "{\"decision\":\"allow\"", 19) == 0;
}

static void
file_answer_cut(struct w_buf *buf, size_t most)
{
	if (buf->len <= most)
		return;
	buf->len = w_utf8_trim_end(buf->data, most - 3);
	w_buf_add_str(buf, "...");
}

/* At most DENIAL_MAX bytes: what was denied, and what would not be. */
static void
file_answer_add_denial(
    struct w_buf *buf, struct w_mcp *server, const char *details)
{
	const struct w_json_limits limits = {strlen(details), DEPTH_MAX};
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf advice;

	w_buf_init(&advice, ANSWER_MAX);
	if (w_json_read(details, limits.bytes_max, &limits, &json, NULL) !=
	    WRIT_OK)
		return;
	yyjson_val *decision = yyjson_obj_get(w_json_root(json), "decision");
	const bool is_change = file_answer_is_change(decision);
	file_answer_add_reason(buf, decision);
	if (file_answer_would_allow(server, is_change))
		w_buf_add_fmt(&advice, "\nallowed: %s other files of '%s'",
		    is_change ? "changing" : "reading", server->cwd);
	if (advice.len > DENIAL_MAX / 2)
		advice.len = 0;
	file_answer_cut(buf, DENIAL_MAX - advice.len);
	w_buf_add(buf, advice.data, advice.len);
	w_json_free(json);
}

static void
file_answer_refuse(struct w_rpc_request *rpc_request, const writ_error *error,
    const char *details)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, ANSWER_MAX);
	w_buf_add_fmt(&text, "%s: ", writ_status_word(error->status));
	if (error->status == WRIT_E_DENIED && details != NULL) {
		file_answer_add_denial(&text, rpc_request->server, details);
	} else {
		w_buf_add_str(&text, error->message);
		if (error->suggestion[0] != '\0')
			w_buf_add_fmt(&text, "\n%s", error->suggestion);
	}
	if (text.failed)
		file_answer_fail(rpc_request);
	else
		w_tool_reply(rpc_request, text.data, text.len, NULL, true);
}

const struct w_mcp_run_start w_mcp_file_run_start = {
    .answer = file_answer,
    .refuse = file_answer_refuse,
    .free = w_mcp_file_call_free,
};
