/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reading an input of 500 bytes and judging it by a schema that was compiled
 * before, as a call does it; and the same by ajv in node, which gets schema and
 * inputs from here and runs until its compiler has done what it can.
 *
 * Both count only what happens between the text and the verdict.
 */

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "data/json.h"
#include "schema/schema.h"
#include "shots.h"

enum {
	BATCH = 2000,
	TEXT_MAX = 65536,
	DEPTH_MAX = 64
};

static const char schema_text[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
    "\"type\":\"object\",\"additionalProperties\":false,"
    "\"required\":[\"pattern\",\"paths\"],\"properties\":{"
    "\"pattern\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1000},"
    "\"paths\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":100,"
    "\"items\":{\"type\":\"string\",\"minLength\":1}},"
    "\"ignore_case\":{\"type\":\"boolean\"},"
    "\"line_number\":{\"type\":\"boolean\"},"
    "\"hidden\":{\"type\":\"boolean\"},"
    "\"max_count\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":1000000},"
    "\"before_context\":{\"type\":\"integer\",\"minimum\":0},"
    "\"after_context\":{\"type\":\"integer\",\"minimum\":0},"
    "\"color\":{\"enum\":[\"always\",\"never\",\"auto\"]},"
    "\"glob\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"exclude_dir\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"encoding\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z0-9-]+$\"},"
    "\"since\":{\"type\":\"string\",\"format\":\"date\"},"
    "\"walk\":{\"type\":\"object\",\"additionalProperties\":false,"
    "\"required\":[\"depth\"],\"properties\":{"
    "\"depth\":{\"type\":\"integer\"},\"follow\":{\"type\":\"boolean\"},"
    "\"size\":{\"type\":\"number\",\"exclusiveMinimum\":0}}}}}";

static const char right_text[] =
    "{\"pattern\":\"TODO|FIXME|XXX|HACK|(not yet (done|possible))\","
    "\"paths\":[\"src/schema\",\"src/module\","
    "\"include/writ\",\"tests/unit\",\"docs/manual.md\"],"
    "\"ignore_case\":true,\"line_number\":true,\"hidden\":false,"
    "\"max_count\":250,\"before_context\":2,\"after_context\":4,"
    "\"color\":\"never\",\"glob\":[\"*.c\",\"*.h\",\"*.md\",\"*.build\","
    "\"!compile_commands.json\",\"!*.min.js\"],"
    "\"exclude_dir\":[\"build\",\".git\",\"node_modules\",\"__pycache__\","
    "\"target\",\"dist\"],\"encoding\":\"UTF-8\",\"since\":\"2026-02-28\","
    "\"walk\":{\"depth\":12,\"follow\":false,\"size\":10.5}}";

_Static_assert(sizeof(right_text) == 500 + 1, "500 bytes, as they are called");

/* Five things are wrong with it. */
static const char wrong_text[] =
    "{\"pattern\":\"TODO|FIXME|XXX|HACK|(not yet (done|possible))\","
    "\"paths\":[\"src/schema\",\"src/module\","
    "\"include/writ\",\"tests/unit\",17],"
    "\"ignore_case\":\"yes\",\"line_number\":true,\"hidden\":false,"
    "\"max_count\":250,\"before_context\":-2,\"after_context\":4,"
    "\"color\":\"never\",\"glob\":[\"*.c\",\"*.h\",\"*.md\",\"*.build\","
    "\"!compile_commands.json\",\"!*.min.js\"],"
    "\"exclude_dir\":[\"build\",\".git\",\"node_modules\",\"__pycache__\","
    "\"target\",\"dist\"],\"encoding\":\"UTF 8\",\"since\":\"2026-02-30\","
    "\"walk\":{\"depth\":12,\"follow\":false,\"size\":10.5}}";

/* ---- ours ---- */

static const struct w_schema *
schema_of_all(void)
{
	const struct w_schema_options options = {
	    .draft = W_SCHEMA_2020_12, .formats = true};
	static struct w_schema *schema;
	writ_error err = {0};

	if (schema != NULL)
		return schema;
	yyjson_doc *doc = yyjson_read(schema_text, sizeof(schema_text) - 1, 0);
	if (w_schema_compile(yyjson_doc_get_root(doc), &options, &schema, NULL,
		&err) != WRIT_OK)
		(void)fprintf(stderr, "bench: %s\n", err.message);
	return schema;
}

/* As writ_call_new() does it. */
static bool
judge(const struct w_schema *schema, const char *text, size_t len)
{
	const struct w_json_limits limits = {TEXT_MAX, DEPTH_MAX};
	struct w_json *json = NULL;
	bool is_valid = false;

	if (w_json_read_exact(text, len, &limits, &json, NULL) != WRIT_OK)
		abort();
	if (w_schema_check(schema, w_json_root(json), &is_valid, NULL, NULL) !=
	    WRIT_OK)
		abort();
	if (!is_valid) {
		struct w_schema_report report = {0};

		(void)w_schema_check(
		    schema, w_json_root(json), &is_valid, &report, NULL);
		w_schema_report_done(&report);
	}
	w_json_free(json);
	return is_valid;
}

/* Without what our reader asks beyond the parser's questions. */
static bool
judge_bare(const struct w_schema *schema, const char *text, size_t len)
{
	yyjson_doc *doc = yyjson_read(text, len, 0);
	bool is_valid = false;

	if (w_schema_check(schema, yyjson_doc_get_root(doc), &is_valid, NULL,
		NULL) != WRIT_OK)
		abort();
	yyjson_doc_free(doc);
	return is_valid;
}

static bool
parse_bare(const struct w_schema *schema, const char *text, size_t len)
{
	yyjson_doc *doc = yyjson_read(text, len, 0);

	(void)schema;
	yyjson_doc_free(doc);
	return doc != NULL;
}

static const struct way {
	const char *name;
	bool (*judge)(const struct w_schema *, const char *text, size_t len);
	const char *text;
	size_t len;
	bool is_valid;
} ways[] = {
    {"right", judge, right_text, sizeof(right_text) - 1, true},
    {"wrong", judge, wrong_text, sizeof(wrong_text) - 1, false},
    {"bare", judge_bare, right_text, sizeof(right_text) - 1, true},
    {"parse", parse_bare, right_text, sizeof(right_text) - 1, true},
};

static const struct way *
find_way(const char *name)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(ways[i].name, name) == 0)
			return &ways[i];
	}
	return NULL;
}

struct sample
shot_judge(const struct seat *seat, const struct variant *variant)
{
	const struct w_schema *schema = schema_of_all();
	const struct way *way = find_way(variant->argv[0]);
	struct sample sample = {0};
	unsigned good = 0;

	(void)seat;
	if (schema == NULL || way == NULL)
		return sample;
	uint64_t start = bench_now_ns();
	for (unsigned i = 0; i < BATCH; i++)
		good += way->judge(schema, way->text, way->len) == way->is_valid
			    ? 1
			    : 0;
	if (good == BATCH)
		sample.ns = (bench_now_ns() - start) / BATCH;
	return sample;
}

/* ---- ajv ---- */

/* A node that waits to be asked, for as long as the seat is there. */
struct peer {
	FILE *to;
	FILE *from;
	bool is_ready;
};

static bool
start_node(struct peer *peer, const struct seat *seat)
{
	const char *const argv[] = {
	    seat->settings->node, seat->settings->judge, NULL};
	posix_spawn_file_actions_t actions;
	int in[2], out[2];
	pid_t pid;

	if (pipe(in) < 0 || pipe(out) < 0)
		return false;
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_adddup2(&actions, in[0], 0);
	(void)posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	for (int i = 0; i < 2; i++) {
		(void)posix_spawn_file_actions_addclose(&actions, in[i]);
		(void)posix_spawn_file_actions_addclose(&actions, out[i]);
	}
	int failure = posix_spawn(&pid, argv[0], &actions, NULL,
	    (char *const *)(uintptr_t)argv, seat->envp);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(in[0]);
	(void)close(out[1]);
	peer->to = fdopen(in[1], "w");
	peer->from = fdopen(out[0], "r");
	return failure == 0 && peer->to != NULL && peer->from != NULL;
}

/* Gives node what is to be judged, and waits until it is warm. */
static bool
teach_node(const struct peer *peer)
{
	struct w_buf text;
	char answer[16] = "";

	w_buf_init(&text, TEXT_MAX);
	w_buf_add_str(&text, "{\"schema\":");
	w_buf_add_str(&text, schema_text);
	w_buf_add_str(&text, ",\"right\":");
	w_json_add_text(&text, right_text);
	w_buf_add_str(&text, ",\"wrong\":");
	w_json_add_text(&text, wrong_text);
	w_buf_add_str(&text, "}");
	bool is_sent = !text.failed && fprintf(peer->to, "%s\n", text.data) > 0;
	w_buf_done(&text);
	return is_sent && fflush(peer->to) == 0 &&
	       fgets(answer, sizeof(answer), peer->from) != NULL &&
	       strcmp(answer, "ready\n") == 0;
}

/* argv: who, and which input. */
struct sample
shot_ajv(const struct seat *seat, const struct variant *variant)
{
	static struct peer peer;
	unsigned long long ns = 0;
	char answer[64] = "";

	/* It may be gone, and that is a failed sample. */
	(void)signal(SIGPIPE, SIG_IGN);
	if (peer.to == NULL)
		peer.is_ready = start_node(&peer, seat) && teach_node(&peer);
	if (!peer.is_ready ||
	    fprintf(peer.to, "%s %d\n", variant->argv[1], (int)BATCH) < 0 ||
	    fflush(peer.to) != 0 ||
	    fgets(answer, sizeof(answer), peer.from) == NULL ||
	    sscanf(answer, "%llu", &ns) != 1)
		return (struct sample){0};
	return (struct sample){.ns = ns / BATCH};
}
