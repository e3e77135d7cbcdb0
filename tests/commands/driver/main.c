/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs tables of command lines against the descriptions of commands.
 *
 *   commands [--no-run] DESCRIPTIONS TABLE...
 * DESCRIPTIONS is a directory of YAML files, as data/commands; a table is a
 * file of tests/commands. Prints TAP. With --no-run, or WRIT_COMMANDS_NO_RUN in
 * the environment, the commands themselves are not run: they behave the same
 * however this program was built. WRIT_TEST_STEP=4 runs every fourth of them.
 *
 *   commands --explain DESCRIPTIONS WORD...
 * prints the analysis of one command line.
 *
 *   commands --options DESCRIPTIONS PROGRAM [SUBCOMMAND...]
 * prints the names of all options, one per line, with "=" after those that need
 * a value and "[=]" after those that may have one.
 *
 *   commands --nodes DESCRIPTIONS PROGRAM
 * prints the sub-commands, one per line.
 *
 *   commands --text FILE
 * prints a description of data/commands with its parts.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../tools/description_text.h"
#include "base/words.h"
#include "command/description/command.h"
#include "data/yaml.h"
#include "table.h"

static bool may_run = true;
static unsigned run_number;

void
tap_ok(struct tap *tap, const char *what)
{
	printf("ok %u - %s\n", ++tap->count, what);
}

void
tap_skip(struct tap *tap, const char *what, const char *why)
{
	printf("ok %u - %s # SKIP %s\n", ++tap->count, what, why);
}

void
tap_fail(struct tap *tap, const char *what, const char *fmt, ...)
{
	va_list args;

	printf("not ok %u - %s\n# ", ++tap->count, what);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	tap->failed++;
}

char *
read_whole(const char *path, size_t *out_len)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t cap = 0;

	if (file == NULL) {
		perror(path);
		exit(2);
	}
	ssize_t got = getdelim(&text, &cap, '\0', file);
	(void)fclose(file);
	*out_len = got < 0 ? 0 : (size_t)got;
	return text;
}

/* Appends a list of texts, for use as a NULL-ended list. */
static void
add_all(struct w_words *words, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *word;

	yyjson_arr_foreach(list, i, count, word)
	{
		if (!w_words_add(
			words, yyjson_get_str(word), yyjson_get_len(word)))
			abort();
	}
}

/* The words of an entry: split from its line, or listed. */
static bool
words_of(struct tap *tap, yyjson_val *entry, struct w_words *words)
{
	yyjson_val *line = yyjson_obj_get(entry, "line");
	writ_error err = {0};

	if (line != NULL && w_words_split(yyjson_get_str(line),
				yyjson_get_len(line), words, &err) != WRIT_OK) {
		tap_fail(tap, yyjson_get_str(line), "%s", err.message);
		return false;
	}
	add_all(words, yyjson_obj_get(entry, "argv"));
	if (words->count == 0)
		tap_fail(tap, "an entry", "has neither line nor argv");
	return words->count > 0;
}

static void
add_quoted(struct w_buf *buf, const struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		if (buf->len > 0)
			w_buf_add_char(buf, ' ');
		w_words_quote(buf, words->items[i]);
	}
}

/* For the name of a test case, which is one line without "#". */
static char *
quoted(const struct w_words *env, const struct w_words *words)
{
	struct w_buf buf;
	size_t len;

	w_buf_init(&buf, 1024 * 1024);
	add_quoted(&buf, env);
	add_quoted(&buf, words);
	char *line = w_buf_take(&buf, &len);
	for (char *c = line; c != NULL && *c != '\0'; c++) {
		if (*c == '\n' || *c == '\r' || *c == '#')
			*c = ' ';
	}
	return line;
}

static unsigned
number_of(const char *variable)
{
	const char *text = getenv(variable);

	return text != NULL ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* All of them, or every n-th, starting at WRIT_TEST_OFFSET. */
static bool
is_chosen(void)
{
	const unsigned step = number_of("WRIT_TEST_STEP");

	run_number++;
	return step == 0 ||
	       run_number % step == number_of("WRIT_TEST_OFFSET") % step;
}

static void
run_entry(struct tap *tap, const struct w_command_source *source,
    struct line *line, enum verdict verdict)
{
	struct w_words words = {.items = NULL};
	struct w_words env = {.items = NULL};
	bool is_to_run = yyjson_obj_get(line->entry, "exit") != NULL ||
			 yyjson_obj_get(line->entry, "makes") != NULL ||
			 yyjson_obj_get(line->entry, "spares") != NULL;

	if (!words_of(tap, line->entry, &words))
		return;
	add_all(&env, yyjson_obj_get(line->entry, "env"));
	char *text = quoted(&env, &words);
	line->text = text;
	line->argv = (const char *const *)words.items;
	line->env = (const char *const *)env.items;
	judge(tap, source, line, verdict);
	if (is_to_run && may_run && is_chosen())
		execute(tap, line);
	free(text);
	w_words_done(&words);
	w_words_done(&env);
}

static void
run_list(struct tap *tap, const struct w_command_source *source,
    yyjson_val *table, const char *key, enum verdict verdict)
{
	struct line line = {
	    .setup = yyjson_get_str(yyjson_obj_get(table, "setup"))};
	size_t i;
	size_t count;
	yyjson_val *entry;

	yyjson_arr_foreach(yyjson_obj_get(table, key), i, count, entry)
	{
		line.entry = entry;
		run_entry(tap, source, &line, verdict);
	}
}

static void
run_table(
    struct tap *tap, const struct w_command_source *source, const char *path)
{
	const struct w_json_limits limits = {1024 * 1024, 32};
	struct w_yaml *yaml;
	writ_error err = {0};
	size_t len;
	char *text = read_whole(path, &len);

	if (w_yaml_read(text, len, &limits, &yaml, &err) != WRIT_OK) {
		tap_fail(
		    tap, path, "%u:%u: %s", err.line, err.column, err.message);
		free(text);
		return;
	}
	yyjson_val *root = w_yaml_root(yaml);
	run_list(tap, source, root, "understood", UNDERSTOOD);
	run_list(tap, source, root, "refused", REFUSED);
	run_list(tap, source, root, "dangerous", DANGEROUS);
	w_yaml_free(yaml);
	free(text);
}

static int
explain(
    const struct w_command_source *source, const char *const *argv, size_t argc)
{
	struct w_analysis_input input = {.argv = argv, .argc = argc};
	struct w_analysis *analysis;
	writ_error err = {0};
	struct w_buf buf;

	if (w_analysis_new(source, &input, &analysis, &err) != WRIT_OK) {
		(void)fprintf(stderr, "%s\n", err.message);
		return 2;
	}
	w_buf_init(&buf, 16 * 1024 * 1024);
	w_analysis_add_json(&buf, analysis);
	yyjson_doc *doc = yyjson_read(buf.data, buf.len, 0);
	char *pretty = yyjson_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES, NULL);
	puts(pretty != NULL ? pretty : buf.data);
	free(pretty);
	yyjson_doc_free(doc);
	w_buf_done(&buf);
	w_analysis_free(analysis);
	return 0;
}

static const struct w_command_node *
node_of(const struct w_command_source *source, const char *const *words)
{
	const struct w_command *command =
	    source->find(source->ctx, words[0], strlen(words[0]));
	const struct w_command_node *node =
	    command != NULL ? w_command_root(command) : NULL;

	for (words++; node != NULL && *words != NULL; words++)
		node = w_command_child(node, *words, strlen(*words));
	return node;
}

static void
print_names(const struct w_param *param)
{
	for (size_t i = 0; i < param->name_count; i++) {
		const struct w_flag_name *name = &param->names[i];
		const char *value = "=";

		if ((name->spellings & (unsigned)W_SPELL_BARE) != 0)
			value = param->values == NULL ? "" : "[=]";
		printf("%s%s\n", name->token, value);
	}
}

static int
print_options(const struct w_command_source *source, const char *const *words)
{
	const struct w_command_node *node = node_of(source, words);
	const struct w_grammar *grammar;
	writ_error err = {0};

	if (node == NULL ||
	    w_command_grammar(node, &grammar, &err) != WRIT_OK) {
		(void)fprintf(stderr, "%s: %s\n", words[0],
		    node == NULL ? "there is no description" : err.message);
		return 2;
	}
	for (size_t i = 0; i < grammar->count; i++)
		print_names(&grammar->params[i]);
	return 0;
}

/* The words that name it, after the program. */
static void
print_path(const struct w_command_node *node)
{
	if (node->depth > 1) {
		print_path(node->parent);
		(void)fputc(' ', stdout);
	}
	(void)fputs(node->name, stdout);
}

static void
print_nodes(const struct w_command_node *node)
{
	for (size_t i = 0; i < node->child_count; i++) {
		print_path(&node->children[i]);
		(void)fputc('\n', stdout);
		print_nodes(&node->children[i]);
	}
}

static int
inspect(const struct w_command_source *source, const char *how,
    const char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	if (strcmp(how, "--explain") == 0)
		return explain(source, words, count);
	if (strcmp(how, "--options") == 0)
		return print_options(source, words);
	const struct w_command_node *node = node_of(source, words);
	if (node != NULL)
		print_nodes(node);
	return node != NULL ? 0 : 2;
}

static int
print_text(const char *file)
{
	static struct description_text description;

	if (!description_text_read(&description, file, W_COMMAND_BYTES_MAX)) {
		(void)fprintf(stderr, "%s\n", description.error);
		return 2;
	}
	(void)fwrite(description.text.data, 1, description.text.len, stdout);
	w_buf_done(&description.text);
	return 0;
}

int
main(int argc, char **argv)
{
	const char *const *args = (const char *const *)argv + 1;
	struct tap tap = {0};
	const char *how = "";
	int code;

	if (argc > 1 && strncmp(*args, "--", 2) == 0)
		how = *args++;
	if (strcmp(how, "--text") == 0 && args[0] != NULL)
		return print_text(args[0]);
	if (argc < 3 || args[0] == NULL || args[1] == NULL) {
		puts("usage: commands [--no-run] DESCRIPTIONS TABLE...\n"
		     "       commands --explain DESCRIPTIONS WORD...\n"
		     "       commands --options DESCRIPTIONS PROGRAM "
		     "[SUBCOMMAND...]\n"
		     "       commands --nodes DESCRIPTIONS PROGRAM\n"
		     "       commands --text FILE");
		return 2;
	}
	bool is_looking = how[0] != '\0' && strcmp(how, "--no-run") != 0;
	may_run = how[0] == '\0' && getenv("WRIT_COMMANDS_NO_RUN") == NULL;
	struct descriptions *all = descriptions_open(args[0]);
	struct w_command_source source = descriptions_source(all);
	if (is_looking) {
		code = inspect(&source, how, args + 1);
	} else {
		for (args++; *args != NULL; args++)
			run_table(&tap, &source, *args);
		printf("1..%u\n", tap.count);
		code = tap.failed > 0 || descriptions_bad(all) > 0;
	}
	descriptions_close(all);
	return code;
}
