/* SPDX-License-Identifier: Apache-2.0 */

/* The program writ-file: the work of the file tools, inside the sandbox. */

#include <signal.h>
#include <string.h>

#include "files/file_words.h"

static const struct {
	const char *name;
	int (*run)(const struct w_files_words *words);
} commands[] = {
    {"read", w_files_read},
    {"list", w_files_list},
    {"search", w_files_search},
    {"write", w_files_write},
    {"edit", w_files_edit},
    {"patch", w_files_patch},
};

int
main(int argc, char **argv)
{
	static struct w_files_words words;

	/* A file that grows too large is an error, not an end. */
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	if (!w_files_words_read(argc, argv, &words))
		return 2;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, words.command) == 0)
			return commands[i].run(&words);
	}
	(void)w_files_fail("this program does the work of the file tools of "
			   "'writ mcp --tools files'");
	return 2;
}
