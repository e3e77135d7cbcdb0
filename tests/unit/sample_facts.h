/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SAMPLE_FACTS_H
#define W_TEST_SAMPLE_FACTS_H

/* Cases made of command lines: programs are in /usr/bin, the working directory
 * is /work/p and the only root, the home directory is /home/u. Nothing of it
 * has to exist. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "policy/evaluate/decision.h"
#include "sample_descriptions.h"

#define SAMPLE_COMMANDS (W_ANALYSIS_INNER_MAX + 1)

static inline void
sample_facts_check(bool holds)
{
	if (!holds)
		abort();
}

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

	sample_facts_check(out != NULL);
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
		sample_facts_check(out != NULL);
		(void)snprintf(out, size, "%s%s", links[i][1], spelled + len);
		return out;
	}
	return spelled;
}

/* A case, and what it is made of. */
struct sample_facts {
	struct w_policy_facts c;
	struct w_policy_command commands[SAMPLE_COMMANDS];
	struct w_analysis *analysis;
	struct w_words words;
	struct w_arena arena;
};

static inline struct w_policy_path *
case_paths(struct sample_facts *sample, const struct w_analysis *analysis)
{
	struct w_policy_path *paths = w_arena_alloc(
	    &sample->arena, analysis->touch_count + 1, sizeof(*paths));

	sample_facts_check(paths != NULL);
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		if (touch->kind != W_TOUCH_PATH || touch->target == NULL)
			continue;
		paths[i].spelled =
		    spelled_path(&sample->arena, touch->target, touch->len);
		paths[i].resolved =
		    resolved_path(&sample->arena, paths[i].spelled);
		paths[i].is_directory =
		    is_in_list(directories, paths[i].resolved);
		paths[i].exists = true;
	}
	return paths;
}

static inline void
name_program(struct sample_facts *sample, struct w_policy_command *command)
{
	const struct w_analysis *analysis = command->analysis;
	const char *word = analysis->shell != NULL || analysis->argc == 0
			       ? "sh"
			       : analysis->argv[0];
	const char *slash = strrchr(word, '/');
	const char *name = slash == NULL ? word : slash + 1;
	const char **names = w_arena_alloc(&sample->arena, 3, sizeof(*names));
	size_t size = strlen(word) + 16;
	char *path = w_arena_alloc(&sample->arena, size, 1);

	sample_facts_check(names != NULL);
	sample_facts_check(path != NULL);
	names[0] = name;
	(void)snprintf(path, size, "/usr/bin/%s", name);
	command->program = (struct w_policy_program){
	    .called_as = word, .names = names, .path = path, .spelled = path};
	if (slash != NULL) {
		command->program.spelled =
		    spelled_path(&sample->arena, word, strlen(word));
		command->program.path = command->program.spelled;
		command->program.is_own = word[0] != '/';
	}
	command->is_builtin = command->is_shell && strcmp(word, "cd") == 0;
}

static inline void
add_commands(struct sample_facts *sample, const struct w_analysis *analysis,
    bool is_shell, bool is_remote)
{
	struct w_policy_command *command = &sample->commands[sample->c.count++];

	sample_facts_check(sample->c.count <= SAMPLE_COMMANDS);
	*command = (struct w_policy_command){.analysis = analysis,
	    .is_shell = is_shell || analysis->shell != NULL,
	    .is_remote = is_remote,
	    .paths = case_paths(sample, analysis)};
	name_program(sample, command);
	for (size_t i = 0; i < analysis->inner_count; i++)
		add_commands(sample, analysis->inner[i].analysis,
		    is_shell || analysis->inner[i].is_shell,
		    is_remote ||
			(analysis->inner[i].how & W_INNER_REMOTE) != 0);
}

static inline void
sample_facts_fill(
    struct sample_facts *sample, const struct w_analysis_input *input)
{
	sample_facts_check(w_analysis_new(&known_source, input,
			       &sample->analysis, NULL) == WRIT_OK);
	sample->c = (struct w_policy_facts){.commands = sample->commands,
	    .shell = input->shell,
	    .cwd = ROOT,
	    .home = HOME,
	    .env = input->env,
	    .profile = "workspace",
	    .walls = 4,
	    .source = &known_source};
	add_commands(sample, sample->analysis, false, false);
}

static inline struct sample_facts *
sample_facts_new(const char *line)
{
	struct sample_facts *sample = calloc(1, sizeof(*sample));

	sample_facts_check(sample != NULL);
	sample_facts_check(
	    w_words_split(line, strlen(line), &sample->words, NULL) == WRIT_OK);
	const struct w_analysis_input input = {
	    .argv = (const char *const *)sample->words.items,
	    .argc = sample->words.count};
	sample_facts_fill(sample, &input);
	return sample;
}

static inline struct sample_facts *
sample_facts_shell(const char *text)
{
	struct sample_facts *sample = calloc(1, sizeof(*sample));
	const struct w_analysis_input input = {.shell = text};

	sample_facts_check(sample != NULL);
	sample_facts_fill(sample, &input);
	return sample;
}

static inline void
sample_facts_free(struct sample_facts *sample)
{
	w_analysis_free(sample->analysis);
	w_words_done(&sample->words);
	w_arena_done(&sample->arena);
	free(sample);
}

#endif /* W_TEST_SAMPLE_FACTS_H */
