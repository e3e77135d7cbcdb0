/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_JUDGING_H
#define W_TEST_JUDGING_H

/* Policies, and cases made of command lines: programs
 * are in /usr/bin, the working directory is /work/p and the only root, the home
 * directory is /home/u. Nothing of it has to exist. */

#include "meanings.h"
#include "policy/judge.h"

#define ROOT "/work/p"
#define HOME "/home/u"

static const char *const judged_roots[] = {ROOT, NULL};

/* Links that there are, and directories. */
static const char *const links[][2] = {
    {ROOT "/link", "/etc/passwd"},
    {ROOT "/out", "/etc"},
};
static const char *const directories[] = {
    "/", "/home", HOME, "/work", ROOT, ROOT "/src", ROOT "/.git", "/etc", NULL};

static inline bool
is_in_list(const char *const *list, const char *text)
{
	for (; *list != NULL; list++) {
		if (strcmp(*list, text) == 0)
			return true;
	}
	return false;
}

/* Makes it absolute, by its text alone. */
static inline char *
spelled_path(struct w_arena *arena, const char *path, size_t len)
{
	char *out = w_arena_alloc(arena, len + sizeof(ROOT) + sizeof(HOME), 1);
	size_t used = 0;
	const char *end = path + len;

	assert_non_null(out);
	if (len > 0 && path[0] == '~') {
		used = strlen(strcpy(out, HOME));
		path++;
	} else if (len == 0 || path[0] != '/') {
		used = strlen(strcpy(out, ROOT));
	}
	while (path < end) {
		const char *slash = memchr(path, '/', (size_t)(end - path));
		size_t part = (size_t)((slash == NULL ? end : slash) - path);

		if (part == 2 && memcmp(path, "..", 2) == 0) {
			while (used > 0 && out[--used] != '/')
				;
		} else if (part > 0 && !(part == 1 && path[0] == '.')) {
			out[used++] = '/';
			memcpy(out + used, path, part);
			used += part;
		}
		path += part + (slash != NULL);
	}
	if (used == 0)
		out[used++] = '/';
	out[used] = '\0';
	return out;
}

static inline const char *
resolved_path(struct w_arena *arena, const char *spelled)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		size_t len = strlen(links[i][0]);

		if (strncmp(spelled, links[i][0], len) != 0 ||
		    (spelled[len] != '\0' && spelled[len] != '/'))
			continue;
		size_t size = strlen(spelled) + strlen(links[i][1]) + 1;
		char *out = w_arena_alloc(arena, size, 1);
		assert_non_null(out);
		(void)snprintf(out, size, "%s%s", links[i][1], spelled + len);
		return out;
	}
	return spelled;
}

/* A case, and what it is made of. */
struct docket {
	struct w_case c;
	struct w_case_command commands[64];
	struct w_meaning *meaning;
	struct w_words words;
	struct w_arena arena;
};

static inline struct w_case_path *
case_paths(struct docket *docket, const struct w_meaning *meaning)
{
	struct w_case_path *paths = w_arena_alloc(
	    &docket->arena, meaning->touch_count + 1, sizeof(*paths));

	assert_non_null(paths);
	for (size_t i = 0; i < meaning->touch_count; i++) {
		const struct w_touch *touch = &meaning->touches[i];

		if (touch->kind != W_TOUCH_PATH || touch->target == NULL)
			continue;
		paths[i].spelled =
		    spelled_path(&docket->arena, touch->target, touch->len);
		paths[i].resolved =
		    resolved_path(&docket->arena, paths[i].spelled);
		paths[i].is_directory =
		    is_in_list(directories, paths[i].resolved);
		paths[i].exists = true;
	}
	return paths;
}

static inline void
name_program(struct docket *docket, struct w_case_command *command)
{
	const struct w_meaning *meaning = command->meaning;
	const char *word = meaning->shell != NULL || meaning->argc == 0
			       ? "sh"
			       : meaning->argv[0];
	const char *slash = strrchr(word, '/');
	const char *name = slash == NULL ? word : slash + 1;
	const char **names = w_arena_alloc(&docket->arena, 3, sizeof(*names));
	size_t size = strlen(word) + 16;
	char *path = w_arena_alloc(&docket->arena, size, 1);

	assert_non_null(names);
	assert_non_null(path);
	names[0] = name;
	(void)snprintf(path, size, "/usr/bin/%s", name);
	command->program = (struct w_case_program){
	    .called_as = word, .names = names, .path = path, .spelled = path};
	if (slash != NULL) {
		command->program.spelled =
		    spelled_path(&docket->arena, word, strlen(word));
		command->program.path = command->program.spelled;
		command->program.is_own = word[0] != '/';
	}
	command->is_builtin = command->is_shell && strcmp(word, "cd") == 0;
}

static inline void
add_commands(struct docket *docket, const struct w_meaning *meaning,
    bool is_shell, bool is_remote)
{
	struct w_case_command *command = &docket->commands[docket->c.count++];

	assert_true(docket->c.count <= 64);
	*command = (struct w_case_command){.meaning = meaning,
	    .is_shell = is_shell || meaning->shell != NULL,
	    .is_remote = is_remote,
	    .paths = case_paths(docket, meaning)};
	name_program(docket, command);
	for (size_t i = 0; i < meaning->inner_count; i++)
		add_commands(docket, meaning->inner[i].meaning,
		    is_shell || meaning->inner[i].is_shell,
		    is_remote || (meaning->inner[i].how & W_INNER_REMOTE) != 0);
}

static inline void
docket_fill(struct docket *docket, const struct w_meaning_input *input)
{
	docket->meaning = meaning_of(input);
	docket->c = (struct w_case){.commands = docket->commands,
	    .shell = input->shell,
	    .cwd = ROOT,
	    .home = HOME,
	    .env = input->env,
	    .profile = "workspace",
	    .walls = 3,
	    .source = &known_source};
	add_commands(docket, docket->meaning, false, false);
}

static inline struct docket *
docket_new(const char *line)
{
	struct docket *docket = calloc(1, sizeof(*docket));
	writ_error err = {.status = WRIT_OK};

	assert_non_null(docket);
	if (w_words_split(line, strlen(line), &docket->words, &err) != WRIT_OK)
		fail_msg("%s: %s", line, err.message);
	const struct w_meaning_input input = {
	    .argv = (const char *const *)docket->words.items,
	    .argc = docket->words.count};
	docket_fill(docket, &input);
	return docket;
}

static inline struct docket *
docket_shell(const char *text)
{
	struct docket *docket = calloc(1, sizeof(*docket));
	const struct w_meaning_input input = {.shell = text};

	assert_non_null(docket);
	docket_fill(docket, &input);
	return docket;
}

static inline void
docket_free(struct docket *docket)
{
	w_meaning_free(docket->meaning);
	w_words_done(&docket->words);
	w_arena_done(&docket->arena);
	free(docket);
}

/* A policy from its text; "version: 1" is put in front. */
static inline struct w_policy *
policy_new(const char *text)
{
	struct w_policy_faults faults = {.count = 0};
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};
	struct w_buf buf;

	w_buf_init(&buf, W_POLICY_TEXT_MAX);
	w_buf_add_fmt(&buf, "version: 1\n%s", text);
	if (w_policy_read(buf.data, buf.len, "policy.yaml", NULL, &policy,
		&faults, &err) != WRIT_OK)
		fail_msg("%s\n%u: %s", text, err.line, err.message);
	w_policy_faults_done(&faults);
	w_buf_done(&buf);
	return policy;
}

/* The answer of one policy. The decision is the caller's to end. */
static inline struct w_decision
judged(const struct w_policy *policy, const struct w_case *c)
{
	const struct w_bench_seat seat = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_bench bench = {.seats = &seat, .count = 1};
	struct w_decision decision;
	struct w_decision fully;

	assert_int_equal(w_judge(&bench, c, &decision, NULL), WRIT_OK);
	assert_int_equal(w_judge_fully(&bench, c, &fully, NULL), WRIT_OK);
	assert_int_equal(decision.verdict, fully.verdict);
	assert_ptr_equal(decision.reasons[0].rule, fully.reasons[0].rule);
	assert_string_equal(decision.message, fully.message);
	w_decision_done(&fully);
	return decision;
}

static inline void
case_is(const struct w_policy *policy, const struct docket *docket,
    const char *line, const char *want)
{
	struct w_decision decision = judged(policy, &docket->c);
	const char *have = w_verdict_word(decision.verdict);

	if (strcmp(have, want) != 0) {
		print_error("%s\n  is %s: %s\n  not %s\n", line, have,
		    decision.message, want);
		mismatches++;
	}
	w_decision_done(&decision);
}

/* Lines of "allow: git log", "deny $: a | b" ("$": a text for a shell), each
 * held against the policy. */
static inline void
policy_says(const char *text, const char *const *lines)
{
	struct w_policy *policy = policy_new(text);

	for (; *lines != NULL; lines++) {
		char want[8] = "";
		const char *line = strchr(*lines, ':');
		bool is_shell = strchr(*lines, '$') == line - 1;
		size_t len = (size_t)(line - *lines) - (is_shell ? 2 : 0);

		assert_non_null(line);
		assert_true(len < sizeof(want));
		memcpy(want, *lines, len);
		line += 2;
		struct docket *docket =
		    is_shell ? docket_shell(line) : docket_new(line);
		case_is(policy, docket, line, want);
		docket_free(docket);
	}
	w_policy_free(policy);
}

#define SAYS(text, ...) \
	policy_says((text), (const char *const[]){__VA_ARGS__, NULL})

#endif /* W_TEST_JUDGING_H */
