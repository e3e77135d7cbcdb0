/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the interpreter of a script and the loader of a program.
 *
 * Files are untrusted: an offset or size from a file is only used for the next
 * read, which the kernel bounds by the file's end.
 */

#include "sandbox/allowlist/executable.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_MAX_LEN = 255, /* the kernel reads no more of a first line */
	HEADERS_MAX = 512
};

static bool
read_at(int fd, void *bytes, size_t len, uint64_t at)
{
	return at <= INT64_MAX - len &&
	       pread(fd, bytes, len, (off_t)at) == (ssize_t)len;
}

static const char *
executable_skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* Copies a word and returns its end. A word that does not fit is dropped. */
static const char *
executable_take_word(const char *at, char *out, size_t size)
{
	const size_t len = strcspn(at, " \t");

	if (len < size) {
		memcpy(out, at, len);
		out[len] = '\0';
	}
	return at + len;
}

/* The fields of a program header that are used here, for both ELF classes. */
struct segment {
	uint32_t type;
	uint64_t offset;
	uint64_t size;
};

struct table {
	uint64_t offset;
	uint64_t entry_size;
	unsigned count;
	bool is_wide;
};

static bool
read_table(int fd, bool is_wide, struct table *out)
{
	Elf64_Ehdr elf64;
	Elf32_Ehdr elf32;

	if (is_wide) {
		if (!read_at(fd, &elf64, sizeof(elf64), 0))
			return false;
		*out = (struct table){
		    elf64.e_phoff, elf64.e_phentsize, elf64.e_phnum, true};
		return elf64.e_phentsize >= sizeof(Elf64_Phdr);
	}
	if (!read_at(fd, &elf32, sizeof(elf32), 0))
		return false;
	*out = (struct table){
	    elf32.e_phoff, elf32.e_phentsize, elf32.e_phnum, false};
	return elf32.e_phentsize >= sizeof(Elf32_Phdr);
}

static bool
read_segment(
    int fd, const struct table *table, unsigned index, struct segment *out)
{
	const uint64_t at = table->offset + index * table->entry_size;
	Elf64_Phdr elf64;
	Elf32_Phdr elf32;

	if (table->is_wide) {
		if (!read_at(fd, &elf64, sizeof(elf64), at))
			return false;
		*out = (struct segment){
		    elf64.p_type, elf64.p_offset, elf64.p_filesz};
		return true;
	}
	if (!read_at(fd, &elf32, sizeof(elf32), at))
		return false;
	*out = (struct segment){elf32.p_type, elf32.p_offset, elf32.p_filesz};
	return true;
}

static void
find_loader(int fd, const struct table *table, struct w_executable *out)
{
	struct segment segment;

	for (unsigned i = 0; i < table->count && i < HEADERS_MAX; i++) {
		if (!read_segment(fd, table, i, &segment))
			return;
		if (segment.type != PT_INTERP)
			continue;
		char *path = out->interpreter;
		if (segment.size < 2 ||
		    segment.size > sizeof(out->interpreter) ||
		    !read_at(fd, path, segment.size, segment.offset) ||
		    path[segment.size - 1] != '\0')
			path[0] = '\0';
		return;
	}
}

static bool
is_elf(const unsigned char *head, ssize_t len)
{
	const unsigned char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
					? ELFDATA2LSB
					: ELFDATA2MSB;

	return len >= EI_NIDENT && memcmp(head, ELFMAG, SELFMAG) == 0 &&
	       head[EI_DATA] == order &&
	       (head[EI_CLASS] == ELFCLASS64 || head[EI_CLASS] == ELFCLASS32);
}

void
w_executable_read(int fd, struct w_executable *out_executable)
{
	char head[LINE_MAX_LEN + 1] = "";
	struct table table;

	out_executable->is_elf = false;
	out_executable->is_script = false;
	out_executable->interpreter[0] = '\0';
	out_executable->argument[0] = '\0';
	const ssize_t len = pread(fd, head, LINE_MAX_LEN, 0);
	if (len < 2)
		return;
	head[len] = '\0';
	if (head[0] == '#' && head[1] == '!') {
		head[strcspn(head, "\n")] = '\0';
		out_executable->is_script = true;
		const char *at =
		    executable_take_word(executable_skip_blanks(head + 2),
			out_executable->interpreter,
			sizeof(out_executable->interpreter));
		(void)executable_take_word(executable_skip_blanks(at),
		    out_executable->argument, sizeof(out_executable->argument));
		return;
	}
	if (!is_elf((const unsigned char *)head, len))
		return;
	out_executable->is_elf = true;
	if (read_table(fd, head[EI_CLASS] == ELFCLASS64, &table))
		find_loader(fd, &table, out_executable);
}
