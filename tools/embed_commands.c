/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Turns the descriptions of data/commands into what is built in: a table of
 * programs, a table of all their names, and their texts as compact JSON. They
 * are written as assembler source, so that the numbers are those of the machine
 * that writ is built for, and without a pointer among them, so that nothing is
 * relocated when writ starts.
 *
 *     embed-commands OUTPUT FILE...
 *
 * A file that is wrong ends the build, with its place.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "data/json_words.h"
#include "data/yaml.h"

#define FILE_BYTES_MAX (1024 * 1024)
#define DEPTH_MAX      32
#define BYTES_MAX      ((size_t)64 * 1024 * 1024)
#define PROGRAMS_MAX   4096
#define NAMES_MAX      8192
#define LINE_BYTES     96

struct program {
	char *name;
	const char *file;
	uint32_t name_at;
	uint32_t text_at;
	uint32_t text_len;
};

struct name {
	char *text;
	const char *own; /* the program's own name */
	size_t program;  /* its place in the table */
	uint32_t at;
};

struct work {
	struct program programs[PROGRAMS_MAX];
	size_t program_count;
	struct name names[NAMES_MAX];
	size_t name_count;
	struct w_buf strings;
	struct w_buf texts;
};

static void __attribute__((noreturn, format(printf, 1, 2)))
give_up(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vfprintf(stderr, fmt, args);
	va_end(args);
	(void)fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

static char *
copy(const char *text)
{
	char *copied = strdup(text);

	if (copied == NULL)
		give_up("out of memory");
	return copied;
}

static void
add_name(struct work *work, const char *text)
{
	const char *own = work->programs[work->program_count].name;

	if (work->name_count == NAMES_MAX)
		give_up("more than %d names", NAMES_MAX);
	work->names[work->name_count++] =
	    (struct name){.text = copy(text), .own = own};
}

static void
add_also(struct work *work, const char *file, yyjson_val *also)
{
	size_t i;
	size_t count;
	yyjson_val *name;

	yyjson_arr_foreach(also, i, count, name)
	{
		if (!w_json_is_text(name))
			give_up("%s: 'also' is a list of names", file);
		add_name(work, yyjson_get_str(name));
	}
}

static void
add_program(struct work *work, const char *file, yyjson_val *root)
{
	yyjson_val *name = yyjson_obj_get(root, "command");
	struct program *program = &work->programs[work->program_count];
	size_t len = 0;
	W_AUTO_FREE char *text =
	    yyjson_val_write(root, YYJSON_WRITE_NOFLAG, &len);

	if (work->program_count == PROGRAMS_MAX)
		give_up("more than %d programs", PROGRAMS_MAX);
	if (!w_json_is_text(name))
		give_up("%s:1:1: no 'command' that names the program", file);
	if (text == NULL)
		give_up("%s: cannot be written as JSON", file);
	*program = (struct program){.name = copy(yyjson_get_str(name)),
	    .file = file,
	    .text_at = (uint32_t)work->texts.len,
	    .text_len = (uint32_t)len};
	w_buf_add(&work->texts, text, len);
	w_buf_add_char(&work->texts, '\0');
	add_name(work, program->name);
	add_also(work, file, yyjson_obj_get(root, "also"));
	work->program_count++;
}

static void
read_text(const char *file, struct w_buf *text)
{
	char chunk[4096];
	FILE *stream = fopen(file, "re");
	size_t n;

	if (stream == NULL)
		give_up("%s: %s", file, strerror(errno));
	while ((n = fread(chunk, 1, sizeof(chunk), stream)) > 0)
		w_buf_add(text, chunk, n);
	if (ferror(stream) != 0 || text->failed)
		give_up("%s: cannot be read, or is larger than %d bytes", file,
		    FILE_BYTES_MAX);
	(void)fclose(stream);
}

static void
read_file(struct work *work, const char *file)
{
	const struct w_json_limits limits = {
	    .bytes_max = FILE_BYTES_MAX, .depth_max = DEPTH_MAX};
	W_AUTO_BUF struct w_buf text;
	struct w_yaml *yaml = NULL;
	writ_error err = {0};

	w_buf_init(&text, FILE_BYTES_MAX);
	read_text(file, &text);
	if (w_yaml_read(text.data, text.len, &limits, &yaml, &err) != WRIT_OK)
		give_up(
		    "%s:%u:%u: %s", file, err.line, err.column, err.message);
	add_program(work, file, w_yaml_root(yaml));
	w_yaml_free(yaml);
}

/* ---- the tables ---- */

static int
compare_programs(const void *a, const void *b)
{
	const struct program *left = a;
	const struct program *right = b;

	return strcmp(left->name, right->name);
}

static int
compare_names(const void *a, const void *b)
{
	const struct name *left = a;
	const struct name *right = b;

	return strcmp(left->text, right->text);
}

static size_t
place_of(const struct work *work, const char *name)
{
	size_t place = 0;

	while (strcmp(work->programs[place].name, name) != 0)
		place++;
	return place;
}

static uint32_t
add_string(struct work *work, const char *text)
{
	size_t at = work->strings.len;

	w_buf_add(&work->strings, text, strlen(text) + 1);
	return (uint32_t)at;
}

/* Both tables get their order. */
static void
sort_tables(struct work *work)
{
	qsort(work->programs, work->program_count, sizeof(*work->programs),
	    compare_programs);
	qsort(
	    work->names, work->name_count, sizeof(*work->names), compare_names);
	for (size_t i = 0; i < work->program_count; i++)
		work->programs[i].name_at =
		    add_string(work, work->programs[i].name);
	for (size_t i = 0; i < work->name_count; i++) {
		struct name *name = &work->names[i];

		name->program = place_of(work, name->own);
		name->at = add_string(work, name->text);
	}
}

static void
check_names(const struct work *work)
{
	for (size_t i = 1; i < work->name_count; i++) {
		const struct name *left = &work->names[i - 1];
		const struct name *right = &work->names[i];

		if (strcmp(left->text, right->text) == 0)
			give_up("%s: '%s' is described in %s, too",
			    work->programs[right->program].file, right->text,
			    work->programs[left->program].file);
	}
}

/* ---- assembler ---- */

static void
begin_symbol(FILE *out, const char *name)
{
	(void)fprintf(out,
	    "\t.balign 8\n\t.globl %s\n\t.hidden %s\n\t.type %s, %%object\n"
	    "%s:\n",
	    name, name, name, name);
}

static void
end_symbol(FILE *out, const char *name)
{
	(void)fprintf(out, "\t.size %s, . - %s\n", name, name);
}

static void
write_bytes(FILE *out, const char *symbol, const struct w_buf *bytes)
{
	begin_symbol(out, symbol);
	for (size_t i = 0; i < bytes->len; i++) {
		unsigned char c = (unsigned char)bytes->data[i];

		if (i % LINE_BYTES == 0)
			(void)fputs("\t.ascii \"", out);
		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
			(void)fprintf(out, "\\%03o", c);
		else
			(void)fputc(c, out);
		if (i % LINE_BYTES == LINE_BYTES - 1 || i == bytes->len - 1)
			(void)fputs("\"\n", out);
	}
	end_symbol(out, symbol);
}

static void
write_tables(FILE *out, const struct work *work)
{
	begin_symbol(out, "w_curated_counts");
	(void)fprintf(
	    out, "\t.long %zu, %zu\n", work->program_count, work->name_count);
	end_symbol(out, "w_curated_counts");
	begin_symbol(out, "w_curated_programs");
	for (size_t i = 0; i < work->program_count; i++) {
		const struct program *program = &work->programs[i];

		(void)fprintf(out, "\t.long %u, %u, %u\n", program->name_at,
		    program->text_at, program->text_len);
	}
	end_symbol(out, "w_curated_programs");
	begin_symbol(out, "w_curated_names");
	for (size_t i = 0; i < work->name_count; i++)
		(void)fprintf(out, "\t.long %u, %zu\n", work->names[i].at,
		    work->names[i].program);
	end_symbol(out, "w_curated_names");
}

static void
write_all(const char *file, const struct work *work)
{
	FILE *out = fopen(file, "we");

	if (out == NULL)
		give_up("%s: %s", file, strerror(errno));
	if (work->strings.failed || work->texts.failed)
		give_up("out of memory");
	(void)fputs("\t.section .rodata\n", out);
	write_tables(out, work);
	write_bytes(out, "w_curated_strings", &work->strings);
	write_bytes(out, "w_curated_texts", &work->texts);
	(void)fputs("\t.section .note.GNU-stack, \"\", %progbits\n", out);
	if (ferror(out) != 0 || fclose(out) != 0)
		give_up("%s: cannot be written", file);
}

static void
done(struct work *work)
{
	for (size_t i = 0; i < work->program_count; i++)
		free(work->programs[i].name);
	for (size_t i = 0; i < work->name_count; i++)
		free(work->names[i].text);
	w_buf_done(&work->strings);
	w_buf_done(&work->texts);
}

int
main(int argc, char **argv)
{
	static struct work work;

	if (argc < 2)
		give_up("usage: embed-commands OUTPUT FILE...");
	w_buf_init(&work.strings, BYTES_MAX);
	w_buf_init(&work.texts, BYTES_MAX);
	for (int i = 2; i < argc; i++)
		read_file(&work, argv[i]);
	sort_tables(&work);
	check_names(&work);
	write_all(argv[1], &work);
	done(&work);
	return EXIT_SUCCESS;
}
