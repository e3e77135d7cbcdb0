/* SPDX-License-Identifier: Apache-2.0 */

/* Hook files, for agent programs that accept a replacement command. */

#include "cli/hook/hook_file.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
static const struct w_hook_file files[] = {
	{"claude", ".claude", "settings.json",
	 "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"*\",\n"
	 "  \"hooks\": [{\"type\": \"command\", \"command\": "
	 "\"writ policy check --confine\"}]}]}}\n"},
	{"codex", ".codex", "hooks.json",
	 "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash|apply_patch\",\n"
	 "  \"hooks\": [{\"type\": \"command\", \"command\": "
	 "\"writ policy check --confine\"}]}]}}\n"},
	{"cursor", ".cursor", "hooks.json",
	 "{\"version\": 1, \"hooks\": {\n"
	 "  \"preToolUse\": [{\"command\": \"writ policy check --confine\", "
	 "\"failClosed\": true}],\n"
	 "  \"beforeReadFile\": [{\"command\": \"writ policy check\", "
	 "\"failClosed\": true}]}}\n"},
	{"gemini", ".gemini", "settings.json",
	 "{\"hooks\": {\"BeforeTool\": [{\"matcher\": "
	 "\"run_shell_command|read_file|write_file|replace\",\n"
	 "  \"hooks\": [{\"type\": \"command\", \"command\": "
	 "\"writ policy check --confine\"}]}]}}\n"},
};
/* clang-format on */

const struct w_hook_file *
w_hook_file_of(const char *program)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (strcmp(files[i].program, program) == 0)
			return &files[i];
	}
	return NULL;
}
