/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Compiles the descriptions of data/commands into the program: the same index
 * that a module directory has in memory, with the texts as compact JSON, and a
 * table of all names. It is written as assembler source, so that numbers have
 * the byte order of the target, and without pointers, so that nothing is
 * relocated when writ starts.
 *
 *     embed-commands OUTPUT FILE...
 *
 * An invalid file ends the build, with the place of the error.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "command/description/command.h"
#include "module/registry/curated.h"
#include "module/registry/registry_command.h"

#include "description_text.h"

#define PROGRAMS_MAX 4096
#define NAMES_MAX    8192
#define LINE_BYTES   96

struct program {
	const char *file;
	struct w_command *command;
};

struct name {
	const char *text;
	uint32_t at;
	size_t program;
};

static struct program programs[PROGRAMS_MAX];
static size_t program_count;
static struct name names[NAMES_MAX];
static size_t name_count;

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

static void __attribute__((noreturn))
refuse(const char *file, const writ_error *err)
{
	give_up("%s:%u:%u: %s%s%s", file, err->line, err->column, err->message,
	    err->suggestion[0] != '\0' ? ": " : "", err->suggestion);
}

/* ---- reading ---- */

/* The file must be named after its command, so that it is found. */
static void
check_name(const char *file, const char *command)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash == NULL ? file : slash + 1;
	const size_t len = strlen(command);

	if (strncmp(name, command, len) != 0 ||
	    strcmp(name + len, ".yaml") != 0)
		give_up("%s:1:1: this file should be called '%s.yaml'", file,
		    command);
}

static void
read_program(struct program *program, const char *file)
{
	static struct description_text description;
	writ_error err = {0};

	if (!description_text_read(&description, file, W_COMMAND_BYTES_MAX))
		give_up("%s", description.error);
	program->file = file;
	if (w_command_read_text(description.text.data, description.text.len,
		true, &program->command, &err) != WRIT_OK) {
		file =
		    description_text_place(&description, err.line, &err.line);
		refuse(file, &err);
	}
	w_buf_done(&description.text);
	check_name(file, w_command_root(program->command)->name);
}

static int
compare_programs(const void *a, const void *b)
{
	const struct program *left = a;
	const struct program *right = b;

	return strcmp(w_command_root(left->command)->name,
	    w_command_root(right->command)->name);
}

static void
read_all(char **files)
{
	for (size_t i = 0; files[i] != NULL; i++) {
		if (program_count == PROGRAMS_MAX)
			give_up("more than %d programs", PROGRAMS_MAX);
		read_program(&programs[program_count++], files[i]);
	}
	if (program_count > 0)
		qsort(programs, program_count, sizeof(programs[0]),
		    compare_programs);
}

/* ---- the index and the names ---- */

static void
make_image(struct w_module_index *module_index)
{
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder maker;
	const struct w_stat_data none = {0};
	writ_error err = {0};

	w_module_index_builder_init(&maker, "");
	for (size_t i = 0; i < program_count; i++) {
		w_module_index_builder_begin(&maker, &none, programs[i].file);
		if (w_registry_add_command(&maker, programs[i].command, &err) !=
		    WRIT_OK)
			refuse(programs[i].file, &err);
		w_module_index_builder_end(&maker, false);
	}
	if (w_module_index_builder_make(&maker, module_index, &err) != WRIT_OK)
		refuse("data/commands", &err);
}

static int
compare_names(const void *a, const void *b)
{
	const struct name *left = a;
	const struct name *right = b;

	return strcmp(left->text, right->text);
}

static void
collect_names(const struct w_module_index *module_index)
{
	for (uint32_t i = 0; i < module_index->head->file_count; i++) {
		uint32_t at = module_index->files[i].names;

		for (uint32_t k = 0; k < module_index->files[i].name_count;
		     k++) {
			const char *text =
			    w_module_index_string(module_index, at);

			if (name_count == NAMES_MAX)
				give_up("more than %d names", NAMES_MAX);
			names[name_count++] = (struct name){text, at, i};
			at += (uint32_t)strlen(text) + 1;
		}
	}
	if (name_count > 0)
		qsort(names, name_count, sizeof(names[0]), compare_names);
	for (size_t i = 1; i < name_count; i++) {
		if (strcmp(names[i - 1].text, names[i].text) == 0)
			give_up("%s: '%s' is described in %s, too",
			    programs[names[i].program].file, names[i].text,
			    programs[names[i - 1].program].file);
	}
}

/* An alias (same_as) must name an existing description. */
static void
check_same(void)
{
	for (size_t i = 0; i < program_count; i++) {
		const char *same = w_command_same_as(programs[i].command);
		const struct name key = {.text = same};
		const struct name *found =
		    same == NULL ? NULL
				 : bsearch(&key, names, name_count,
				       sizeof(names[0]), compare_names);

		if (same != NULL && found == NULL)
			give_up("%s: same_as: '%s' is not described",
			    programs[i].file, same);
		if (found != NULL &&
		    w_command_same_as(programs[found->program].command) != NULL)
			give_up("%s: same_as: '%s' is the same as another",
			    programs[i].file, same);
	}
}

/* ---- assembler ---- */

/* The x86-64 ABI aligns an array of 16 bytes or more so. */
static void
begin_symbol(FILE *out, const char *name)
{
	(void)fprintf(out,
	    "\t.balign 16\n\t.globl %s\n\t.hidden %s\n\t.type %s, %%object\n"
	    "%s:\n",
	    name, name, name, name);
}

static void
end_symbol(FILE *out, const char *name)
{
	(void)fprintf(out, "\t.size %s, . - %s\n", name, name);
}

static void
write_bytes(FILE *out, const char *symbol, const char *bytes, size_t len)
{
	begin_symbol(out, symbol);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (i % LINE_BYTES == 0)
			(void)fputs("\t.ascii \"", out);
		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
			(void)fprintf(out, "\\%03o", c);
		else
			(void)fputc(c, out);
		if (i % LINE_BYTES == LINE_BYTES - 1 || i == len - 1)
			(void)fputs("\"\n", out);
	}
	end_symbol(out, symbol);
}

/* Field by field, as in module_index.h. All files have the same path: their
 * origin, which is after the strings. */
static void
write_files(FILE *out, const struct w_module_index *module_index)
{
	begin_symbol(out, "w_curated_files");
	for (uint32_t i = 0; i < module_index->head->file_count; i++) {
		const struct w_module_index_file *file =
		    &module_index->files[i];

		(void)fprintf(out, "\t.zero %zu\n", sizeof(file->identity));
		(void)fprintf(out,
		    "\t.long %u, %u, %u, %u, %u, 0, %u, %u, 0, 0\n", file->text,
		    file->text_len, file->names, file->name_count,
		    module_index->head->strings_len, file->first_module,
		    file->module_count);
	}
	end_symbol(out, "w_curated_files");
}

static void
write_modules(FILE *out, const struct w_module_index *module_index)
{
	begin_symbol(out, "w_curated_modules");
	for (uint32_t i = 0; i < module_index->head->module_count; i++) {
		const struct w_module_index_entry *module =
		    &module_index->modules[i];

		(void)fprintf(out,
		    "\t.long 0, 0, %u, %u, %u, %u, %u, %u, %u, %u, "
		    "%u, %u\n",
		    module->id, module->description, module->command,
		    module->version, module->tags, module->tag_count,
		    module->annotations, module->file, module->line,
		    module->column);
	}
	end_symbol(out, "w_curated_modules");
	begin_symbol(out, "w_curated_order");
	for (uint32_t i = 0; i < module_index->head->module_count; i++)
		(void)fprintf(out, "\t.long %u\n", module_index->order[i]);
	end_symbol(out, "w_curated_order");
}

static void
write_names(FILE *out, const struct w_module_index *module_index)
{
	begin_symbol(out, "w_curated_counts");
	(void)fprintf(out, "\t.long %zu, %zu, %u, %u, %zu\n", program_count,
	    name_count, module_index->head->module_count,
	    module_index->head->tag_count,
	    module_index->head->strings_len + sizeof(W_CURATED_ORIGIN));
	end_symbol(out, "w_curated_counts");
	begin_symbol(out, "w_curated_names");
	for (size_t i = 0; i < name_count; i++)
		(void)fprintf(
		    out, "\t.long %u, %zu\n", names[i].at, names[i].program);
	end_symbol(out, "w_curated_names");
}

static void
write_all(const char *file, const struct w_module_index *module_index)
{
	W_AUTO_BUF struct w_buf strings;
	FILE *out = fopen(file, "we");

	if (out == NULL)
		give_up("%s: %s", file, strerror(errno));
	w_buf_init(&strings, W_MODULE_INDEX_STRINGS_MAX);
	w_buf_add(
	    &strings, module_index->strings, module_index->head->strings_len);
	w_buf_add(&strings, W_CURATED_ORIGIN, sizeof(W_CURATED_ORIGIN));
	if (strings.failed)
		give_up("out of memory");
	(void)fputs("\t.section .rodata\n", out);
	write_names(out, module_index);
	write_files(out, module_index);
	write_modules(out, module_index);
	write_bytes(out, "w_curated_strings", strings.data, strings.len);
	write_bytes(out, "w_curated_texts", module_index->texts,
	    (size_t)module_index->head->texts_len);
	(void)fputs("\t.section .note.GNU-stack, \"\", %progbits\n", out);
	if (ferror(out) != 0 || fclose(out) != 0)
		give_up("%s: cannot be written", file);
}

int
main(int argc, char **argv)
{
	struct w_module_index module_index = {0};

	if (argc < 2)
		give_up("usage: embed-commands OUTPUT FILE...");
	read_all(argv + 2);
	make_image(&module_index);
	collect_names(&module_index);
	check_same();
	write_all(argv[1], &module_index);
	w_module_index_done(&module_index);
	for (size_t i = 0; i < program_count; i++)
		w_command_free(programs[i].command);
	return EXIT_SUCCESS;
}
