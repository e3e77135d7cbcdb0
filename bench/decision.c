/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a decision costs in process: an argv is understood and judged by a
 * policy that was read before, with its program found and its paths looked up
 * already. Once by the policy that counts when there is none, and once by the
 * same with 10,000 further rules of every kind.
 *
 * The floor is understanding it alone.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "module/registry/curated.h"
#include "plan.h"
#include "policy/evaluate/decision.h"
#include "shots.h"

enum {
	BATCH = 500,
	RULES = 10000,
	COMMANDS_MAX = 32,
	KNOWN_MAX = 32
};

/* clang-format off */
static const struct line {
	const char *name; /* as the plan calls it */
	const char *const *argv;
} lines[] = {
	{"git", WORDS("git", "log", "-n", "20", "--oneline", "--stat",
	    "HEAD..main")},
	{"ls", WORDS("ls", "-la", "src")},
	{"grep", WORDS("grep", "-rn", "--include=*.c", "a|b", "src",
	    "include")},
	{"make", WORDS("make", "-j4", "test")},
	{"cp", WORDS("cp", "-a", "build/out.txt", "release/out.txt")},
	{"rm", WORDS("rm", "-r", "build")},
	{"push", WORDS("git", "push", "origin", "main")},
	{"curl", WORDS("curl", "-sSf", "-o", "out.txt",
	    "https://example.org/a")},
	{"timeout", WORDS("timeout", "60", "nice", "-n", "5", "pytest", "-q",
	    "tests")},
	{"text", WORDS("bash", "-c",
	    "cd src && ls -la; grep -rn main .; cat a.c | head -n 20\n"
	    "wc -l *.c; git status --short; git diff --stat\n"
	    "mkdir -p out && cp a.c out/a.c\nrm -f \"$OLD\"\n"
	    "for f in one two; do touch out/$f; done\n"
	    "find . -name '*.c' | sort; if make -j4; then pytest -q; fi\n"
	    "cat <<'END'\nmade\nEND\n"
	    "tail -n 5 log; git log -n 3")},
	{.name = NULL},
};
/* clang-format on */

/* Descriptions that were asked for stay. */
static struct known {
	yyjson_doc *doc;
	struct w_command *command;
	const char *name;
} known[KNOWN_MAX];

static const struct w_command *
find_command(void *ctx, const char *name, size_t len)
{
	size_t i = 0;
	struct w_curated curated;

	(void)ctx;
	for (; i < KNOWN_MAX && known[i].name != NULL; i++) {
		if (strlen(known[i].name) == len &&
		    memcmp(known[i].name, name, len) == 0)
			return known[i].command;
	}
	if (i == KNOWN_MAX || !w_curated_find(name, len, &curated))
		return NULL;
	known[i].doc =
	    yyjson_read(curated.json, curated.len, YYJSON_READ_NOFLAG);
	if (known[i].doc == NULL ||
	    w_command_new(yyjson_doc_get_root(known[i].doc), false,
		&known[i].command, NULL, NULL) != WRIT_OK)
		return NULL;
	known[i].name = strndup(name, len);
	return known[i].command;
}

static const struct w_command_source source = {.find = find_command};

/* ---- policies ---- */

static writ_status
include_preset(void *ctx, const char *name, const char *from, char **out_text,
    size_t *out_len, char **out_file, writ_error *err)
{
	const struct w_preset *preset = w_preset_find(name);

	(void)ctx;
	(void)from;
	(void)err;
	if (preset == NULL)
		return WRIT_E_NOTFOUND;
	*out_text = strndup(preset->text, preset->len);
	*out_len = preset->len;
	*out_file = strdup(name);
	return WRIT_OK;
}

static void
add_rules(struct w_buf *buf)
{
	for (int i = 0; i < RULES; i += 6) {
		w_buf_add_fmt(
		    buf, "  - deny: {program: [tool%d, aid%d]}\n", i, i);
		w_buf_add_fmt(buf, "  - allow: tool%d list ...\n", i);
		w_buf_add_fmt(
		    buf, "  - ask: {host: ['*.h%d.example.org']}\n", i);
		w_buf_add_fmt(
		    buf, "  - deny: {write: ['/srv/data%d/**']}\n", i);
		w_buf_add_fmt(buf,
		    "  - deny: {module: 'cli.tool%d.*', effect: net}\n", i);
		w_buf_add_fmt(buf,
		    "  - ask: {delete: ['./keep%d/**', '**/.keep%d/**']}\n", i,
		    i);
	}
}

static const struct w_policy *
policy_of(const char *which)
{
	static struct w_policy *policies[2];
	const struct w_policy_source files = {.include = include_preset};
	size_t place = strcmp(which, "many") == 0;
	struct w_policy_faults faults = {.count = 0};
	writ_error err = {.status = WRIT_OK};
	struct w_buf buf;

	if (policies[place] != NULL)
		return policies[place];
	w_buf_init(&buf, W_POLICY_TEXT_MAX);
	w_buf_add_str(&buf, "version: 1\ninclude: [developer]\n");
	if (place == 1) {
		w_buf_add_str(&buf, "rules:\n");
		add_rules(&buf);
	}
	if (w_policy_read(buf.data, buf.len, "bench", &files, &policies[place],
		&faults, &err) != WRIT_OK)
		(void)fprintf(stderr, "bench: %u: %s\n", err.line, err.message);
	w_policy_faults_done(&faults);
	w_buf_done(&buf);
	return policies[place];
}

/* ---- cases ---- */

struct subject {
	const char *const *argv;
	size_t argc;
	struct w_policy_command commands[COMMANDS_MAX];
	const char *names[COMMANDS_MAX][2];
	size_t count;
	enum w_policy_network network;
};

static const char *
text_of(const char *before, const char *text, size_t len)
{
	char *out = NULL;

	if (asprintf(&out, "%s%.*s", before, (int)len, text) < 0)
		return "";
	return out;
}

static struct w_policy_path *
look_up(const struct w_analysis *analysis)
{
	struct w_policy_path *paths =
	    calloc(analysis->touch_count + 1, sizeof(*paths));

	for (size_t i = 0; paths != NULL && i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		if (touch->kind != W_TOUCH_PATH || touch->target == NULL)
			continue;
		paths[i].spelled =
		    text_of("/work/project/", touch->target, touch->len);
		paths[i].resolved = strdup(paths[i].spelled);
	}
	return paths;
}

/* What the meanings are this time. is_first: looked up as well. */
static void
enter(struct subject *subject, const struct w_analysis *analysis, bool is_first)
{
	struct w_policy_command *command = &subject->commands[subject->count];

	if (is_first && analysis->argc > 0) {
		const char *name = analysis->argv[0];

		subject->names[subject->count][0] = name;
		command->program = (struct w_policy_program){.called_as = name,
		    .names = subject->names[subject->count],
		    .path = text_of("/usr/bin/", name, strlen(name))};
		command->program.spelled = command->program.path;
		command->paths = look_up(analysis);
	}
	command->analysis = analysis;
	subject->count++;
	for (size_t i = 0;
	     i < analysis->inner_count && subject->count < COMMANDS_MAX; i++)
		enter(subject, analysis->inner[i].analysis, is_first);
}

static struct w_analysis *
understand(const struct subject *subject)
{
	const struct w_analysis_input input = {
	    .argv = subject->argv, .argc = subject->argc};
	struct w_analysis *analysis = NULL;

	if (w_analysis_new(&source, &input, &analysis, NULL) != WRIT_OK)
		return NULL;
	return analysis;
}

/* Its meaning stays: what was looked up points into it. */
static struct subject *
subject_of(const char *name)
{
	static struct subject subjects[sizeof(lines) / sizeof(*lines)];
	size_t i = 0;

	while (lines[i].name != NULL && strcmp(lines[i].name, name) != 0)
		i++;
	struct subject *subject = &subjects[i];
	if (lines[i].name == NULL || subject->argv != NULL)
		return lines[i].name == NULL ? NULL : subject;
	subject->argv = lines[i].argv;
	while (subject->argv[subject->argc] != NULL)
		subject->argc++;
	struct w_analysis *analysis = understand(subject);
	if (analysis == NULL || !analysis->is_understood) {
		(void)fprintf(stderr, "bench: %s is not understood\n", name);
		return NULL;
	}
	if ((analysis->effects & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0)
		subject->network = W_POLICY_NETWORK_HOST;
	enter(subject, analysis, true);
	return subject;
}

static bool
decide(struct subject *subject, const struct w_policy *policy)
{
	static const char *const roots[] = {"/work/project", NULL};
	const struct w_policy_tier seat = {
	    .tier = W_TIER_USER, .policy = policy, .roots = roots};
	const struct w_policy_set policy_set = {.tiers = &seat, .count = 1};
	struct w_analysis *analysis = understand(subject);
	struct w_decision decision;

	if (analysis == NULL)
		return false;
	subject->count = 0;
	enter(subject, analysis, false);
	const struct w_policy_facts c = {.commands = subject->commands,
	    .count = subject->count,
	    .cwd = "/work/project",
	    .home = "/home/user",
	    .profile = "workspace",
	    .walls = 4,
	    .network = subject->network,
	    .has_time = true,
	    .source = &source};
	if (w_policy_evaluate(&policy_set, &c, &decision, NULL) != WRIT_OK)
		return false;
	bool is_expected =
	    decision.verdict ==
	    (subject->network == W_POLICY_NETWORK_HOST ? W_ASK : W_ALLOW);
	if (!is_expected)
		(void)fprintf(stderr, "bench: %s: %s\n", subject->argv[0],
		    decision.message);
	w_decision_done(&decision);
	w_analysis_free(analysis);
	return is_expected;
}

/* argv: the policy ("" : none, it is only understood), and which line. */
struct sample
shot_decide(const struct seat *seat, const struct variant *variant)
{
	struct subject *subject = subject_of(variant->argv[1]);
	bool is_judged = variant->argv[0][0] != '\0';
	const struct w_policy *policy =
	    is_judged ? policy_of(variant->argv[0]) : NULL;

	(void)seat;
	if (subject == NULL || (is_judged && policy == NULL))
		return (struct sample){0};
	uint64_t start = bench_now_ns();
	for (unsigned i = 0; i < BATCH; i++) {
		if (is_judged && !decide(subject, policy))
			return (struct sample){0};
		if (!is_judged)
			w_analysis_free(understand(subject));
	}
	return (struct sample){.ns = (bench_now_ns() - start) / BATCH};
}
