/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which functions of a program are entered, in which order, and how deep it is
 * then. Preloaded into a program that was compiled with
 * -finstrument-functions; the C library's own hooks do nothing.
 *
 * At the end it writes a line for each function, when it was entered first: its
 * offset in the program and its depth. WALK_REPORT names the file.
 */

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

#define HOOK            \
	__attribute__(( \
	    visibility("default"), no_instrument_function, used)) void

enum {
	PROGRAM_MAX = 64 << 20, /* bytes of the program */
	ENTERED_MAX = 1 << 16
};

struct entered {
	uint32_t offset;
	uint32_t depth;
};

static uint8_t is_entered[PROGRAM_MAX];
static struct entered entered[ENTERED_MAX];
static size_t entered_count;
static uintptr_t base;
static uint32_t depth;

HOOK __cyg_profile_func_enter(void *function, void *caller);
HOOK __cyg_profile_func_exit(void *function, void *caller);

static void
find_base(void)
{
	const uintptr_t table = (uintptr_t)getauxval(AT_PHDR);
	const ElfW(Phdr) * header;

	for (size_t i = 0; i < getauxval(AT_PHNUM); i++) {
		header = (const ElfW(Phdr) *)(table + i * sizeof(*header));
		if (header->p_type == PT_PHDR)
			base = table - header->p_vaddr;
	}
}

HOOK
__cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	if (base == 0)
		find_base();
	const uintptr_t offset = (uintptr_t)function - base;

	depth++;
	if (offset >= PROGRAM_MAX || is_entered[offset] ||
	    entered_count == ENTERED_MAX)
		return;
	is_entered[offset] = 1;
	entered[entered_count++] =
	    (struct entered){.offset = (uint32_t)offset, .depth = depth};
}

HOOK
__cyg_profile_func_exit(void *function, void *caller)
{
	(void)function;
	(void)caller;
	depth--;
}

__attribute__((destructor)) static void
report(void)
{
	const char *path = getenv("WALK_REPORT");
	FILE *out = path == NULL ? NULL : fopen(path, "we");

	if (out == NULL)
		return;
	for (size_t i = 0; i < entered_count; i++)
		(void)fprintf(
		    out, "%#x %u\n", entered[i].offset, entered[i].depth);
	(void)fclose(out);
}
