/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_FLEET_ARGS_H
#define W_CLI_FLEET_ARGS_H

#include <writ/config.h>

#include "base/words.h"
#include "cli/cli_command.h"

/*
 * The command line of `writ fleet`. The same tables are in two programs: writ
 * checks the words and shows help; writ-fleet, which it becomes then, reads
 * them again and acts. So writ itself never loads the library of NATS.
 */
struct w_fleet_args {
	const struct w_cli_command *command;
	writ_config *config;
	bool is_json;
	struct w_words words; /* operands */
	/* up */
	const char *listen;
	const char *collective;
	const char *tls_cert;
	const char *tls_key;
	const char *tls_ca;
	const char *server; /* the URL that hosts use */
	/* invite, join, key */
	const char *file;
	const char *may;
	const char *base;
	const char *user;
	struct w_words tags;
	uint64_t parallel;
	/* whom, and who */
	bool is_all;
	struct w_words hosts;
	const char *where;
	const char *key;
	/* run */
	const char *shell;
	const char *cwd;
	const char *sandbox;
	struct w_words env;
	uint64_t timeout_ms;
	bool is_queued;
	bool is_idempotent;
	uint64_t expires_ms;
	uint64_t limit;
	const char *batch;
	uint64_t canary;
	bool pauses;
	const char *failures_max_text;
	/* waiting */
	uint64_t wait_ms;
	bool is_detached;
	bool is_quiet;
};

/* clang-format off */
#define W_FLEET_COMMON_ROWS(heading_text) \
	W_STATE_DIR_ROW(heading_text, W_TO(SETTING, struct w_fleet_args, config)), \
	{.name = "json", W_TO(FLAG, struct w_fleet_args, is_json), \
	 .help = "Print JSON."}, \
	W_HELP_ROW, \
	{.name = ""}
#define W_FLEET_TARGET_ROWS \
	{.name = "all", .letter = 'a', W_TO(FLAG, struct w_fleet_args, is_all), \
	 .help = "All hosts."}, \
	{.name = "host", .letter = 'H', .arg = "NAME", W_TO(LIST, struct w_fleet_args, hosts), \
	 .help = "This host; may be repeated, or have several with commas."}, \
	{.name = "where", .letter = 'w', .arg = "EXPR", W_TO(NAME, struct w_fleet_args, where), \
	 .help = "Hosts for which the expression over Facts holds, like " \
	         "Facts.os.family == 'debian'."}, \
	{.name = "key", .letter = 'k', .arg = "NAME", W_TO(NAME, struct w_fleet_args, key), \
	 .standard = "default", .help = "Sign with this key; see writ fleet key."}
#define W_FLEET_WAIT_ROW(text) \
	{.name = "wait", .arg = "DURATION", W_TO(DURATION, struct w_fleet_args, wait_ms), \
	 .standard = text, .help = "How long to wait for the hosts."}
/* clang-format on */

extern const struct w_cli_command w_cmd_fleet_cancel;
extern const struct w_cli_command w_cmd_fleet_doctor;
extern const struct w_cli_command w_cmd_fleet_down;
extern const struct w_cli_command w_cmd_fleet_facts;
extern const struct w_cli_command w_cmd_fleet_invite;
extern const struct w_cli_command w_cmd_fleet_join;
extern const struct w_cli_command w_cmd_fleet_key;
extern const struct w_cli_command w_cmd_fleet_nodes;
extern const struct w_cli_command w_cmd_fleet_ping;
extern const struct w_cli_command w_cmd_fleet_results;
extern const struct w_cli_command w_cmd_fleet_run;
extern const struct w_cli_command w_cmd_fleet_status;
extern const struct w_cli_command w_cmd_fleet_up;

extern const struct w_exit_row w_cli_fleet_exits[];

/* Reads a command line. -1: go on; else the exit status. */
int w_cli_fleet_begin(struct w_fleet_args *args,
    const struct w_cli_command *command, int argc, char **argv);
void w_cli_fleet_done(struct w_fleet_args *args);

/* The run() of each: checks the words, and becomes writ-fleet. */
int w_cli_fleet_run(int argc, char **argv);

#endif /* W_CLI_FLEET_ARGS_H */
