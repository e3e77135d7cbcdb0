/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SAMPLE_DESCRIPTIONS_H
#define W_TEST_SAMPLE_DESCRIPTIONS_H

/* Small descriptions of well-known programs, which have one of everything. */

#include <stdio.h>
#include <string.h>

#include "command/analysis/analysis.h"
#include "command/description/command.h"

static const char *const described[] = {
    "command: ls\nstyle: gnu\noptions:\n  -l: long\n  -a, --all: all\n"
    "operands:\n  file* <path:read>: {default: .}\neffects: []\n",
    "command: cat\noptions:\n  -n: number\noperands:\n"
    "  file* <path:read>: files\neffects: []\n",
    "command: rm\noptions:\n  -r: trees\n  -f: force\n  -i: ask\noperands:\n"
    "  file+ <path:delete>: files\neffects: []\n",
    "command: cp\noptions:\n  -r: trees\noperands:\n"
    "  source+ <path:read>: from\n  target <path:write>: to\neffects: []\n",
    "command: echo\nstyle: literal\noperands:\n  text* <text>: words\n"
    "effects: []\n",
    "command: sort\noptions:\n  -o, --output <path:write>: there\n"
    "  -u: once\n  -k <text>...: by\n"
    "  --compress-program <program>: {inner: appended}\noperands:\n"
    "  file* <path:read>: files\neffects: []\n",
    "command: gzip\noptions:\n  -k, --keep: keep\n  -d: undo\n  -c: print\n"
    "operands:\n  file* <path:read>: files\neffects: []\nwhen:\n"
    "  - has: file\n    lacks: c\n    effects: [\"write {file:dir}\"]\n"
    "  - has: file\n    lacks: [c, keep]\n    effects: [\"delete {file}\"]\n",
    "command: env\nstyle: posix\noptions:\n  -i: empty\n  -u <text>...: drop\n"
    "  -C, --chdir <path:base>: there\n"
    "  -S, --split-string <program>: {inner: appended}\noperands:\n"
    "  variable* <assignment>: sets\n  command? <command>: runs\n"
    "effects: []\n",
    "command: timeout\nstyle: posix\noptions:\n  -k <duration>: then\n"
    "  -s <text>: signal\noperands:\n  duration <duration>: time\n"
    "  command <command>: runs\neffects: []\n",
    "command: nice\nstyle: posix\noptions:\n  -n <integer:-20..19>: by\n"
    "operands:\n  command? <command>: runs\neffects: []\n",
    "command: xargs\nstyle: posix\noptions:\n  -n <integer>: words\n"
    "  -0: nul\n  -I <text>: stands for a line\n  -a <path:read>: from\n"
    "operands:\n  command? <command>:\n    inner: appended\n"
    "    placeholder: [I]\neffects: []\n",
    "command: find\nstyle: leading\nordered: expression\ndashes: no\noptions:\n"
    "  -name <glob>: matches\n"
    "  -delete: {effects: [\"delete {path|.}\"]}\n"
    "  -fprint <path:write>: there\n"
    "  -exec <command> ;: {inner: placed}\n"
    "  -execdir <command> ;: {inner: [placed, elsewhere]}\noperands:\n"
    "  path* <path:read>: {default: .}\neffects: []\n",
    "command: sh\nalso: [bash, dash]\nstyle: posix\noptions:\n  -c: text\n"
    "  -e: end\n  -l: login\noperands:\n"
    "  script <script:sh>: {only: [c]}\n"
    "  file? <path:read>: {unless: [c]}\n"
    "  argument* <text>: {}\neffects: []\nwhen:\n"
    "  - lacks: c\n    effects: [code]\n",
    "command: ssh\nstyle: posix\noptions:\n  -p <integer>: port\n"
    "  -o <text>...:\n    cases:\n      \"BatchMode=*\": []\n"
    "      \"*\": [code]\noperands:\n  host <host>: there\n"
    "  command? <command>: {inner: [remote, joined]}\neffects: []\nwhen:\n"
    "  - has: command\n    effects: [\"publish {host}\"]\n",
    "command: sudo\nstyle: posix\noptions:\n  -u <text>: who\noperands:\n"
    "  variable* <assignment>: sets\n  command <command>: runs\n"
    "effects: [priv]\n",
    "command: curl\noptions:\n  -o, --output <path:write>: there\n"
    "  -u, --user <secret>: who\n  -H, --header <header>...: sent\n"
    "  -d, --data <data>...: {effects: [publish]}\n"
    "  -F, --form <form>...: {effects: [publish]}\n"
    "  -T, --upload-file <path:read>: {effects: [\"publish {url}\"]}\n"
    "  -s: silent\noperands:\n  url* <url>: where\neffects: []\n"
    "environment: {CURL_*: code}\n",
    "command: getter\noptions:\n  -e <text>: {about: here, key: here}\n"
    "  -f <text>...:\n    about: from\n    key: from\n    cases:\n"
    "      \"*://*\": [\"net {from}\"]\n      \"*\": [\"read {from}\"]\n"
    "operands:\n  package* <text>:\n    cases:\n"
    "      \"*://*\": [\"net {package}\"]\neffects: []\n"
    "when:\n  - {lacks: here, effects: [\"publish site\"]}\n",
    "command: builder\noptions:\n  --get <host>: {effects: [\"net {get}\"]}\n"
    "effects: [may net]\n",
    "command: scp\noperands:\n  source+ <remote:read>: from\n"
    "  target <remote:write>: to\neffects: []\n",
    "command: git\noptions:\n  -C <path:base>...: there\n"
    "  -c <text>...:\n    cases:\n      \"color.*\": []\n"
    "      \"*\": [code]\nglobals: before\ncommands:\n"
    "  add:\n    operands:\n      path* <path:read>: what\n"
    "    effects: [code, \"write .\"]\n"
    "  show:\n    operands:\n      object* <revision>: what\n"
    "    effects: [\"read .\"]\n    when:\n"
    "      - except: {object: \"*:*\"}\n        effects: [code]\n"
    "  config:\n    options:\n      --global: of the user\n    operands:\n"
    "      name <text>: which\n      value? <text>: what\n"
    "    effects: [\"read .\"]\n    when:\n"
    "      - all: [global, value]\n        effects: [\"write ~/.gitconfig\"]\n"
    "effects: []\n",
    "command: sed\noptions:\n  -n: quiet\n"
    "  -e, --expression <script:sed>...: more\n"
    "  -i: {effects: [\"write {file}\"]}\noperands:\n"
    "  script <script:sed>: {unless: [expression]}\n"
    "  file* <path:read>: files\neffects: []\n",
    "command: awk\nstyle: posix\noperands:\n  program <script:awk>: what\n"
    "  file* <path:read>: files\neffects: []\n",
    "command: python3\noptions:\n  -c <script>: text\noperands:\n"
    "  file? <path:read>: what\neffects: [code]\n",
    "command: make\noptions:\n  -C <path:base>...: there\noperands:\n"
    "  goal* <text>: what\neffects: [code, \"write .\"]\nhelpers: [sh, cc]\n",
};

#define DESCRIBED (sizeof(described) / sizeof(described[0]))

static struct w_command *known[DESCRIBED];

static inline const struct w_command *
find_known(void *ctx, const char *name, size_t len)
{
	(void)ctx;
	for (size_t i = 0; i < DESCRIBED; i++) {
		const char *own = w_command_root(known[i])->name;
		const char *const *also = w_command_also(known[i]);

		if (strlen(own) == len && memcmp(own, name, len) == 0)
			return known[i];
		for (; also != NULL && *also != NULL; also++) {
			if (strlen(*also) == len &&
			    memcmp(*also, name, len) == 0)
				return known[i];
		}
	}
	return NULL;
}

static inline const char *
origin_of_known(void *ctx, const struct w_command *command)
{
	(void)ctx;
	(void)command;
	return "builtin";
}

static const struct w_command_source known_source = {
    .find = find_known, .origin = origin_of_known};

static inline int
read_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < DESCRIBED; i++) {
		writ_error err = {.status = WRIT_OK};

		if (w_command_read_text(described[i], strlen(described[i]),
			true, &known[i], &err) == WRIT_OK)
			continue;
		(void)fprintf(stderr, "%s\n%u:%u: %s\n", described[i], err.line,
		    err.column, err.message);
		return -1;
	}
	return 0;
}

static inline int
free_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < DESCRIBED; i++)
		w_command_free(known[i]);
	return 0;
}

#endif /* W_TEST_SAMPLE_DESCRIPTIONS_H */
