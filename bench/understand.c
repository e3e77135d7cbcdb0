/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What understanding an argv costs: ten options and their values are parsed,
 * and what they do is told, by a form that was made before; and the same for a
 * program of which nothing has been read yet.
 *
 * The floor is getopt_long() of the C library over the same words, with all
 * options that the description has: it tells options and values apart, and
 * nothing else.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/analysis/analysis.h"
#include "module/registry/curated.h"
#include "plan.h"
#include "shots.h"

enum {
	BATCH = 500,
	WORDS_MAX = 32,
	OPTIONS_MAX = 1024,
	LETTERS_MAX = 512,
	MANY = 100000,
	PARTS = 10
};

/* clang-format off */
static const char *const *const lines[] = {
	WORDS("git", "log", "-n", "20", "--since=2 weeks ago", "--until",
	    "yesterday", "--author=someone", "--oneline", "--graph",
	    "--format=%H %s", "--grep", "fix", "--color=never", "--stat", "--",
	    "src", "include"),
	WORDS("ls", "-l", "-a", "-h", "--sort=size", "-r", "--color=never",
	    "-I", "*.o", "--time-style=iso", "-d", "--full-time", "src",
	    "include"),
	WORDS("curl", "-s", "-S", "-L", "-f", "-X", "POST", "-H",
	    "Accept: text/plain", "-d", "a=b", "--max-time", "5", "--retry",
	    "3", "-o", "out.txt", "https://example.org/a"),
	WORDS("find", "src", "include", "-maxdepth", "3", "-type", "f", "-name",
	    "*.c", "-size", "+10k", "-mtime", "-7", "-not", "-path", "*/old/*",
	    "-newer", "README.md", "-print"),
	NULL,
};
/* clang-format on */

/* A program that is understood over and over. */
struct subject {
	const char *const *argv;
	size_t argc;
	yyjson_doc *doc;
	struct w_command *command;
	const struct w_grammar *grammar;
	size_t depth; /* words that name the sub-command */
	struct option options[OPTIONS_MAX];
	size_t option_count;
	char letters[LETTERS_MAX];
};

static bool
read_description(const char *name, yyjson_doc **doc, struct w_command **command)
{
	struct w_curated curated;

	if (!w_curated_find(name, strlen(name), &curated))
		return false;
	*doc = yyjson_read(curated.json, curated.len, YYJSON_READ_NOFLAG);
	return *doc != NULL && w_command_new(yyjson_doc_get_root(*doc), false,
				   command, NULL, NULL) == WRIT_OK;
}

static const struct w_command *
find_subject(void *ctx, const char *name, size_t len)
{
	const struct w_command *command = ctx;

	return strncmp(w_command_root(command)->name, name, len) == 0 ? command
								      : NULL;
}

/* Whether it was understood. */
static bool
understand(struct w_command *command, const char *const *argv, size_t argc)
{
	const struct w_command_source source = {
	    .find = find_subject, .ctx = command};
	const struct w_analysis_input input = {.argv = argv, .argc = argc};
	struct w_analysis *analysis = NULL;

	if (w_analysis_new(&source, &input, &analysis, NULL) != WRIT_OK)
		return false;
	bool is_understood = analysis->is_understood;
	if (!is_understood)
		(void)fprintf(
		    stderr, "bench: %s: %s\n", argv[0], analysis->reason);
	w_analysis_free(analysis);
	return is_understood;
}

static bool
parse(const struct subject *subject)
{
	const struct w_argv_parse_input input = {
	    .argv = subject->argv, .argc = subject->argc};
	struct w_argv_parse out;

	if (w_argv_parse(subject->command, &input, &out, NULL, NULL) != WRIT_OK)
		return false;
	w_argv_parse_done(&out);
	return true;
}

/* ---- getopt_long() ---- */

static int
argument_of(unsigned spellings)
{
	unsigned with_value =
	    W_SPELL_SEPARATE | W_SPELL_EQUALS | W_SPELL_JOINED;

	if ((spellings & with_value) == 0)
		return no_argument;
	return (spellings & W_SPELL_BARE) != 0 ? optional_argument
					       : required_argument;
}

static void
add_name(struct subject *subject, const struct w_flag_name *name)
{
	static const char *const colons[] = {
	    [no_argument] = "",
	    [required_argument] = ":",
	    [optional_argument] = "::",
	};
	size_t used = strlen(subject->letters);
	int argument = argument_of(name->spellings);
	bool is_long = name->len > 2 && name->token[0] == '-';

	if (is_long && subject->option_count < OPTIONS_MAX - 1)
		subject->options[subject->option_count++] = (struct option){
		    .name = name->token + (name->token[1] == '-' ? 2 : 1),
		    .has_arg = argument,
		    .val = 1};
	else if (name->len == 2 && name->token[0] == '-' &&
		 used + 4 < LETTERS_MAX)
		(void)snprintf(subject->letters + used, LETTERS_MAX - used,
		    "%c%s", name->token[1], colons[argument]);
}

static void
make_options(struct subject *subject)
{
	for (size_t i = 0; i < subject->grammar->count; i++) {
		const struct w_param *param = &subject->grammar->params[i];

		for (size_t k = 0; k < param->name_count; k++)
			add_name(subject, &param->names[k]);
	}
}

/* It moves operands to the end, so the words are copied first. */
static bool
take_options(const struct subject *subject)
{
	bool is_find = strcmp(subject->argv[0], "find") == 0;
	int count = (int)(subject->argc - subject->depth);
	char *words[WORDS_MAX];
	int option;

	for (int i = 0; i <= count; i++)
		words[i] = (char *)(uintptr_t)
			       subject->argv[(size_t)i + subject->depth];
	optind = 0;
	opterr = 0;
	do {
		option = is_find ? getopt_long_only(count, words,
				       subject->letters, subject->options, NULL)
				 : getopt_long(count, words, subject->letters,
				       subject->options, NULL);
	} while (option != -1 && option != '?');
	return option == -1;
}

/* ---- one program ---- */

static bool
make(struct subject *subject, const char *const *argv)
{
	struct w_argv_parse out;

	subject->argv = argv;
	while (argv[subject->argc] != NULL)
		subject->argc++;
	const struct w_argv_parse_input input = {
	    .argv = argv, .argc = subject->argc};
	if (subject->argc >= WORDS_MAX ||
	    !read_description(argv[0], &subject->doc, &subject->command) ||
	    w_argv_parse(subject->command, &input, &out, NULL, NULL) != WRIT_OK)
		return false;
	subject->grammar = out.grammar;
	subject->depth = out.node->depth;
	w_argv_parse_done(&out);
	make_options(subject);
	return true;
}

/* NULL: its words are not understood. */
static const struct subject *
find(const char *name)
{
	static struct subject subjects[sizeof(lines) / sizeof(*lines)];
	size_t i = 0;

	while (lines[i] != NULL && strcmp(lines[i][0], name) != 0)
		i++;
	if (lines[i] == NULL)
		return NULL;
	if (subjects[i].grammar == NULL && !make(&subjects[i], lines[i])) {
		(void)fprintf(stderr, "bench: %s is not understood\n", name);
		return NULL;
	}
	return &subjects[i];
}

static bool
whole(const struct subject *subject)
{
	return understand(subject->command, subject->argv, subject->argc);
}

/* As the first of a process does it, the description read included. */
static bool
first(const struct subject *subject)
{
	yyjson_doc *doc = NULL;
	struct w_command *command = NULL;
	bool is_good = read_description(subject->argv[0], &doc, &command) &&
		       understand(command, subject->argv, subject->argc);

	w_command_free(command);
	yyjson_doc_free(doc);
	return is_good;
}

/* The least that this can cost: its JSON read. */
static bool
first_read(const struct subject *subject)
{
	struct w_curated curated;

	if (!w_curated_find(
		subject->argv[0], strlen(subject->argv[0]), &curated))
		return false;
	yyjson_doc *doc =
	    yyjson_read(curated.json, curated.len, YYJSON_READ_NOFLAG);
	yyjson_doc_free(doc);
	return doc != NULL;
}

/* argv: what is done, and with which program. */
struct sample
shot_understand(const struct seat *seat, const struct variant *variant)
{
	static const struct {
		const char *name;
		bool (*run)(const struct subject *);
		unsigned times;
	} ways[] = {
	    {"getopt", take_options, BATCH},
	    {"parse", parse, BATCH},
	    {"whole", whole, BATCH},
	    {"first", first, 1},
	    {"first-read", first_read, 1},
	};
	const struct subject *subject = find(variant->argv[1]);
	size_t way = 0;

	(void)seat;
	while (strcmp(ways[way].name, variant->argv[0]) != 0)
		way++;
	if (subject == NULL || !ways[way].run(subject))
		return (struct sample){0};
	uint64_t start = bench_now_ns();
	for (unsigned i = 0; i < ways[way].times; i++) {
		if (!ways[way].run(subject))
			return (struct sample){0};
	}
	return (struct sample){
	    .ns = (bench_now_ns() - start) / ways[way].times};
}

/* ---- many words ---- */

/* argv: "all" at once, or in "parts", each with its own command. */
struct sample
shot_many_words(const struct seat *seat, const struct variant *variant)
{
	static const char *words[MANY + 1];
	static char names[MANY][8];
	const struct subject *subject = find("ls");
	size_t count =
	    strcmp(variant->argv[0], "all") == 0 ? MANY : MANY / PARTS;

	(void)seat;
	words[0] = "ls";
	for (int i = 1; i < MANY; i++) {
		(void)snprintf(
		    names[i], sizeof(names[i]), i % 2 == 0 ? "%d" : "-l", i);
		words[i] = names[i];
	}
	words[count] = NULL;
	if (subject == NULL)
		return (struct sample){0};
	uint64_t start = bench_now_ns();
	for (size_t i = 0; i < MANY; i += count) {
		if (!understand(subject->command, words, count))
			return (struct sample){0};
	}
	return (struct sample){.ns = bench_now_ns() - start};
}
