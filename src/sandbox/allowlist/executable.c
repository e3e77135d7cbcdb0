/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The interpreter of a script, the loader of a program.
 *
 * Files are read as they are: no number in them is believed further than the
 * next read, which the kernel bounds by the file's end.
 */

#include "sandbox/allowlist/executable.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_MAX_LEN = 255, /* the kernel looks at no more of a first line */
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

/* Copies a word; where it ends. One that does not fit is none. */
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

static void
read_line(const char *line, struct w_executable *out)
{
	const char *at = executable_take_word(executable_skip_blanks(line),
	    out->interpreter, sizeof(out->interpreter));

	out->is_script = true;
	(void)executable_take_word(
	    executable_skip_blanks(at), out->argument, sizeof(out->argument));
}

/* The parts of a program header that count, of either size. */
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
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;

	if (is_wide) {
		if (!read_at(fd, &wide, sizeof(wide), 0))
			return false;
		*out = (struct table){
		    wide.e_phoff, wide.e_phentsize, wide.e_phnum, true};
		return wide.e_phentsize >= sizeof(Elf64_Phdr);
	}
	if (!read_at(fd, &narrow, sizeof(narrow), 0))
		return false;
	*out = (struct table){
	    narrow.e_phoff, narrow.e_phentsize, narrow.e_phnum, false};
	return narrow.e_phentsize >= sizeof(Elf32_Phdr);
}

static bool
read_segment(
    int fd, const struct table *table, unsigned index, struct segment *out)
{
	const uint64_t at = table->offset + index * table->entry_size;
	Elf64_Phdr wide;
	Elf32_Phdr narrow;

	if (table->is_wide) {
		if (!read_at(fd, &wide, sizeof(wide), at))
			return false;
		*out =
		    (struct segment){wide.p_type, wide.p_offset, wide.p_filesz};
		return true;
	}
	if (!read_at(fd, &narrow, sizeof(narrow), at))
		return false;
	*out =
	    (struct segment){narrow.p_type, narrow.p_offset, narrow.p_filesz};
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
		read_line(head + 2, out_executable);
		return;
	}
	if (!is_elf((const unsigned char *)head, len))
		return;
	out_executable->is_elf = true;
	if (read_table(fd, head[EI_CLASS] == ELFCLASS64, &table))
		find_loader(fd, &table, out_executable);
}
