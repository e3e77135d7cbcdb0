/* SPDX-License-Identifier: Apache-2.0 */

/* The other files that the kernel opens when it executes a file. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/allowlist/executable.h"

static struct w_executable
look(const void *bytes, size_t len)
{
	struct w_executable found;
	int fd = memfd_create("executable", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	memset(&found, 0xa5, sizeof(found));
	w_executable_read(fd, &found);
	assert_int_equal(close(fd), 0);
	return found;
}

static void
expect_script(const char *text, const char *interpreter, const char *argument)
{
	struct w_executable found = look(text, strlen(text));

	assert_true(found.is_script);
	assert_false(found.is_elf);
	assert_string_equal(found.interpreter, interpreter);
	assert_string_equal(found.argument, argument);
}

static void
a_script_names_its_interpreter_and_a_word(void **state)
{
	(void)state;
	expect_script("#!/bin/sh\necho\n", "/bin/sh", "");
	expect_script("#!/bin/sh", "/bin/sh", "");
	expect_script("#! /usr/bin/env  python3\n", "/usr/bin/env", "python3");
	expect_script("#!\t/bin/sed\t-nf x\n", "/bin/sed", "-nf");
	expect_script("#!\n/bin/sh\n", "", "");
	expect_script("#!", "", "");
}

static void
only_the_first_line_counts_and_not_all_of_a_long_one(void **state)
{
	char text[600];

	(void)state;
	memset(text, 'a', sizeof(text));
	text[0] = '#';
	text[1] = '!';
	text[2] = '/';
	struct w_executable found = look(text, sizeof(text));
	assert_int_equal(strlen(found.interpreter), 253);
}

/* A program with one segment, which names its loader. */
struct image {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	char loader[32];
};

static struct image
make_image(void)
{
	struct image image = {
	    .head.e_phoff = offsetof(struct image, segments),
	    .head.e_phentsize = sizeof(Elf64_Phdr),
	    .head.e_phnum = 2,
	    .segments[0].p_type = PT_LOAD,
	    .segments[1].p_type = PT_INTERP,
	    .segments[1].p_offset = offsetof(struct image, loader),
	    .segments[1].p_filesz = sizeof("/lib/ld.so"),
	    .loader = "/lib/ld.so",
	};

	memcpy(image.head.e_ident, ELFMAG, SELFMAG);
	image.head.e_ident[EI_CLASS] = ELFCLASS64;
	image.head.e_ident[EI_DATA] = ELFDATA2LSB;
	return image;
}

static void
expect_loader(const struct image *image, const char *loader)
{
	struct w_executable found = look(image, sizeof(*image));

	assert_true(found.is_elf);
	assert_false(found.is_script);
	assert_string_equal(found.interpreter, loader);
}

static void
a_program_names_its_loader(void **state)
{
	struct image image = make_image();

	(void)state;
	expect_loader(&image, "/lib/ld.so");
	image.segments[1].p_type = PT_NOTE;
	expect_loader(&image, "");
}

static void
a_program_of_32_bits_does_as_well(void **state)
{
	struct {
		Elf32_Ehdr head;
		Elf32_Phdr segment;
		char loader[16];
	} image = {
	    .head.e_phoff = sizeof(Elf32_Ehdr),
	    .head.e_phentsize = sizeof(Elf32_Phdr),
	    .head.e_phnum = 1,
	    .segment.p_type = PT_INTERP,
	    .segment.p_offset = sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
	    .segment.p_filesz = sizeof("/lib/ld32.so"),
	    .loader = "/lib/ld32.so",
	};

	(void)state;
	memcpy(image.head.e_ident, ELFMAG, SELFMAG);
	image.head.e_ident[EI_CLASS] = ELFCLASS32;
	image.head.e_ident[EI_DATA] = ELFDATA2LSB;
	struct w_executable found = look(&image, sizeof(image));
	assert_true(found.is_elf);
	assert_string_equal(found.interpreter, "/lib/ld32.so");
}

static void
numbers_that_lead_nowhere_name_nothing(void **state)
{
	struct image image = make_image();

	(void)state;
	image.head.e_phoff = UINT64_MAX - 10;
	expect_loader(&image, "");
	image = make_image();
	image.head.e_phentsize = 1;
	expect_loader(&image, "");
	image = make_image();
	image.head.e_phnum = UINT16_MAX;
	image.segments[1].p_type = PT_LOAD;
	expect_loader(&image, "");
	image = make_image();
	image.segments[1].p_offset = UINT64_MAX;
	expect_loader(&image, "");
	image = make_image();
	image.segments[1].p_filesz = UINT64_MAX;
	expect_loader(&image, "");
	image = make_image();
	image.segments[1].p_filesz = 3; /* truncated */
	expect_loader(&image, "");
	image = make_image();
	image.segments[1].p_filesz = 0;
	expect_loader(&image, "");
}

static void
other_files_are_neither(void **state)
{
	static const char *const texts[] = {
	    "", "#", "text", "\177ELF", "\177ELF\2\2\1 the other way around"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct w_executable found = look(texts[i], strlen(texts[i]));

		assert_false(found.is_elf);
		assert_false(found.is_script);
		assert_string_equal(found.interpreter, "");
		assert_string_equal(found.argument, "");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_script_names_its_interpreter_and_a_word),
	    cmocka_unit_test(
		only_the_first_line_counts_and_not_all_of_a_long_one),
	    cmocka_unit_test(a_program_names_its_loader),
	    cmocka_unit_test(a_program_of_32_bits_does_as_well),
	    cmocka_unit_test(numbers_that_lead_nowhere_name_nothing),
	    cmocka_unit_test(other_files_are_neither),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
