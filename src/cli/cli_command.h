/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CLI_COMMAND_H
#define W_CLI_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/error.h>

/*
 * The descriptor of a `writ` command.
 *
 * Each command is one file that exports one descriptor. The parser, --help,
 * the shell completions and the generated parts of the manual pages all use
 * the same tables, so they cannot disagree.
 */

/* How the value of an option is checked, and as what it is stored. */
enum w_option_kind {
	W_OPTION_NONE,     /* not at all */
	W_OPTION_HELP,     /* --help, which is handled before the command is */
	W_OPTION_FLAG,     /* bool: it is given */
	W_OPTION_TEXT,     /* const char *, as written */
	W_OPTION_NAME,     /* likewise, not empty */
	W_OPTION_WORD,     /* likewise, one of words */
	W_OPTION_LIST,     /* struct w_words: each value that is given */
	W_OPTION_COUNT,    /* uint64_t */
	W_OPTION_MILLI,    /* uint64_t: a number like 0.5, in thousandths */
	W_OPTION_DURATION, /* uint64_t of milliseconds, more than 0 */
	W_OPTION_SIZE,     /* uint64_t of bytes, more than 0 */
	W_OPTION_SINCE,    /* uint64_t: a time, in microseconds */
	W_OPTION_UNTIL,    /* likewise; a day is meant to its end */
	W_OPTION_SETTING,  /* writ_config *, by writ_config_set() of key */
	W_OPTION_REQUEST,  /* by store(), for writ_draft_set() of key */
};

struct w_option;

/* Called for each option and operand. The value points into argv. */
typedef writ_status (*w_option_fn)(void *args, const struct w_option *option,
    const char *value, writ_error *err);

/*
 * A row of an option table. Its words are arrays: pointers would be filled in
 * by the loader at each start of the program, for all commands, and that took
 * a fifth of a short run. A word that is not given is "".
 */
struct w_option {
	char name[20];       /* "timeout"; "" ends a table */
	char arg[20];        /* "DURATION"; "": a plain switch */
	char range[24];      /* "1ms to 10m", from 1 to max; "": any */
	char key[20];        /* of a setting or request: "timeout_ms" */
	char help[232];      /* one sentence, without the default */
	char standard[96];   /* the default in words; "": not shown */
	char words[104];     /* values to complete: "kill|keep", "@file",
				"@dir", "@command", "@commands" (of
				writ), "@user", "@group", "@profile",
				"@run", "@running", "@module",
				"@approval", "@grant", "@session" (ids),
				"@live-session" (names),
				"@policy" (presets and files) */
	char heading[24];    /* on the first option of a group; else "" */
	char letter;         /* 'e' for -e; 0: none */
	unsigned char store; /* which of the command's stores, from 1; 0:
				store the value as kind says */
	enum w_option_kind kind;
	int id;        /* for the store */
	size_t offset; /* of the value in the command's own struct */
	uint64_t max;  /* of a number that has a range */
};

/* Where the value of a row goes: W_TO(FLAG, struct ps_args, is_json) */
#define W_TO(kind_word, type, member) \
	.kind = W_OPTION_##kind_word, .offset = offsetof(type, member)

/* clang-format off */
#define W_HELP_ROW \
	{.name = "help", .letter = 'h', .kind = W_OPTION_HELP, \
	 .help = "Show this help."}

/* For the commands that read the audit trail; heading as in w_option, where as
 * W_TO() says. */
#define W_STATE_DIR_ROW(heading_text, where) \
	{.name = "state-dir", .arg = "DIR", where, \
	 .key = "state_dir", .words = "@dir", .heading = heading_text, \
	 .help = "Where writ keeps its state; see writ config show."}
/* clang-format on */

/* Arrays for the same reason. */
struct w_example {
	char line[128]; /* "" ends a table */
	char says[76];
};

struct w_exit_row {
	char status[16]; /* "124"; "" ends a table */
	char meaning[160];
};

#define W_STORES_MAX 4

struct w_cli_command {
	const char *name;
	const char *summary; /* one line, for the list of commands */
	const char *usage;   /* what follows "writ " */
	const char *about;   /* a short paragraph; NULL: use the summary */
	const struct w_option *options;
	const struct w_example *examples; /* NULL: none */
	const struct w_exit_row *exits;
	const struct w_option *operand;   /* where operands go; words and kind,
				      and in help what is said to a second one.
				      A TEXT is one operand; NULL: none */
	w_option_fn stores[W_STORES_MAX]; /* of rows and operand */
	bool stops_at_operand; /* the rest belongs to another program */
	bool is_hidden;        /* not in the help, not completed */
	int usage_exit;        /* exit status for a wrong command line */
	int (*run)(int argc, char **argv);
	const struct w_cli_command *const *subs; /* subcommands, NULL-ended; see
						subcommand.h. run is then called
						without one; NULL: an error */
};

extern const struct w_cli_command w_cmd_apply;
extern const struct w_cli_command w_cmd_approvals;
extern const struct w_cli_command w_cmd_attach;
extern const struct w_cli_command w_cmd_audit;
extern const struct w_cli_command w_cmd_call;
extern const struct w_cli_command w_cmd_complete;
extern const struct w_cli_command w_cmd_completion;
extern const struct w_cli_command w_cmd_config;
extern const struct w_cli_command w_cmd_diff;
extern const struct w_cli_command w_cmd_doctor;
extern const struct w_cli_command w_cmd_ensure;
extern const struct w_cli_command w_cmd_facts;
extern const struct w_cli_command w_cmd_fleet;
extern const struct w_cli_command w_cmd_help;
extern const struct w_cli_command w_cmd_init;
extern const struct w_cli_command w_cmd_kill;
extern const struct w_cli_command w_cmd_manifest;
extern const struct w_cli_command w_cmd_manual;
extern const struct w_cli_command w_cmd_mcp;
extern const struct w_cli_command w_cmd_module;
extern const struct w_cli_command w_cmd_output;
extern const struct w_cli_command w_cmd_policy;
extern const struct w_cli_command w_cmd_ps;
extern const struct w_cli_command w_cmd_redo;
extern const struct w_cli_command w_cmd_run;
extern const struct w_cli_command w_cmd_sandbox;
extern const struct w_cli_command w_cmd_schema;
extern const struct w_cli_command w_cmd_session;
extern const struct w_cli_command w_cmd_quarantine;
extern const struct w_cli_command w_cmd_trial;
extern const struct w_cli_command w_cmd_undo;
extern const struct w_cli_command w_cmd_validate;
extern const struct w_cli_command w_cmd_version;
extern const struct w_cli_command w_cmd_wait;
extern const struct w_cli_command w_cmd_watch;

/* The program itself as a command, for `writ --help`. */
extern const struct w_cli_command w_cmd_writ;

/* All commands in the order of the help; ends with NULL. */
extern const struct w_cli_command *const w_cli_commands[];

/* The options of `writ run` (run/run_options.c). */
extern const struct w_option w_cli_run_options[];

/* The command of that name, or NULL. */
const struct w_cli_command *w_cli_command_find(const char *name);

/*
 * Parses the command line of a command and stores its values in args. Returns
 * -1 if the command should continue, else the exit status: help was shown, or a
 * usage error reported.
 */
int w_cli_command_begin(
    const struct w_cli_command *command, int argc, char **argv, void *args);

/* Fails with "unknown command" and the most similar name. */
writ_status w_cli_command_unknown(const char *name, writ_error *err);

#endif /* W_CLI_CLI_COMMAND_H */
