/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_H
#define W_COMMAND_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "command/grammar/effect.h"
#include "schema/hash_table.h"

/*
 * The argument grammar of a command: which words its arguments become, and
 * where.
 *
 * It is made from the properties of an input schema and their x- keywords, or
 * from the description of a command (command.h). Rendering uses it in one
 * direction, parsing an argv in the other.
 *
 *     PROGRAM [before-subcommand] WORD... [before-operands] [leading operands]
 *             [flags] [json flag] [--] [trailing operands]
 *
 * | keyword                       | meaning                                  |
 * |-------------------------------|------------------------------------------|
 * | x-apexe-flag                  | the literal token: "-l", "--max-time"    |
 * | x-apexe-positional            | an operand, by its index                 |
 * | x-apexe-operand-position      | "before-flags"                           |
 * | x-apexe-flag-position         | "before-operands", "before-subcommand"   |
 * | x-apexe-value-optional        | true is the bare flag, a value is        |
 * |                               | attached to it                           |
 * | x-apexe-conflicts-with        | keys that exclude this one               |
 * | x-apexe-long-running          | may never exit by itself                 |
 * | x-apexe-path                  | a path (same as format: path)            |
 * | x-sensitive                   | the value appears in no record           |
 * | x-writ-attach                 | "separate", "equals", "joined": how a    |
 * |                               | value follows its flag                   |
 * | x-writ-token                  | the literal token if it has no dash:     |
 * |                               | "if", "+x", "("                          |
 * | x-writ-arity                  | number of words of one value, which is   |
 * |                               | an array of that length                  |
 * | x-writ-names                  | other names of the option, which are     |
 * |                               | parsed but never rendered                |
 * | x-writ-type                   | type of the words of its value, as in    |
 * |                               | docs/commands.md: "path:read"            |
 * | x-writ-requires               | keys that this one needs                 |
 * | x-writ-sequence               | an array of objects with one member      |
 * |                               | each, rendered in its order              |
 * | x-writ-dash                   | "allow": an operand may begin with '-'   |
 * | x-apexe-end-of-options        | of the whole schema: "--" ends options   |
 *
 * A property without any of them is a long option: its key with '-' for '_'.
 * But one passed another way is no word at all, see w_grammar_set_aside().
 * x-apexe-path and format: path also apply where they are found through items,
 * $ref, anyOf, oneOf or allOf; x-sensitive applies anywhere in the schema.
 */
enum w_param_kind {
	W_PARAM_OPTION,
	W_PARAM_OPERAND,
	W_PARAM_SEQUENCE,
};

/* In command-line order. */
enum w_slot {
	W_SLOT_BEFORE_SUBCOMMAND,
	W_SLOT_BEFORE_OPERANDS,
	W_SLOT_LEADING, /* operands */
	W_SLOT_FLAGS,
	W_SLOT_TRAILING, /* operands */
};

enum w_attach {
	W_ATTACH_SEPARATE, /* --flag value */
	W_ATTACH_EQUALS,   /* --flag=value */
	W_ATTACH_JOINED,   /* -fvalue */
};

/* Types that a value may have, as bits. */
enum {
	W_TYPE_NULL = 1,
	W_TYPE_BOOLEAN = 2,
	W_TYPE_INTEGER = 4,
	W_TYPE_NUMBER = 8, /* includes integers */
	W_TYPE_STRING = 16,
	W_TYPE_ARRAY = 32,
	W_TYPE_OBJECT = 64,
	W_TYPE_ANY = 127,
};

/* The type of a value, beyond its JSON type. */
enum w_value_type_kind {
	W_VALUE_TEXT,
	W_VALUE_INTEGER,
	W_VALUE_NUMBER,
	W_VALUE_DURATION,
	W_VALUE_SIZE,
	W_VALUE_CHOICE,
	W_VALUE_PATH,
	W_VALUE_URL,
	W_VALUE_HOST,   /* [user@]host[:port] */
	W_VALUE_REMOTE, /* [user@]host:path, or a local path */
	W_VALUE_REVISION,
	W_VALUE_REGEX,
	W_VALUE_GLOB,
	W_VALUE_SECRET,
	W_VALUE_HEADER,     /* Name: value */
	W_VALUE_DATA,       /* text, or @file */
	W_VALUE_MULTIPART,  /* name=text, name=@file */
	W_VALUE_ASSIGNMENT, /* NAME=value */
	W_VALUE_COMMAND,    /* the words of another command */
	W_VALUE_PROGRAM,    /* one word that is a whole command line */
	W_VALUE_SCRIPT,     /* one word in some script language */
};

enum w_script {
	W_SCRIPT_OTHER, /* its effects are unknown */
	W_SCRIPT_SH,
	W_SCRIPT_SED,
	W_SCRIPT_AWK,
	W_SCRIPT_JQ,
};

/* How a nested command is run, as bits. */
enum {
	W_INNER_APPENDED = 1,   /* more words follow that are not seen here */
	W_INNER_PLACED = 2,     /* "{}" in it is replaced */
	W_INNER_REMOTE = 4,     /* its files are on another machine */
	W_INNER_JOINED = 8,     /* its words are joined and given to a shell */
	W_INNER_ELSEWHERE = 16, /* in a directory known only at run time */
	W_INNER_TERMINAL = 32,  /* with a terminal */
};

struct w_value_type {
	enum w_value_type_kind kind;
	enum w_script script; /* for W_VALUE_SCRIPT */
	unsigned access;      /* effects on the path */
	bool is_base;         /* path:base: other paths are relative to it */
	int64_t min;          /* for W_VALUE_INTEGER */
	int64_t max;
	const char *const *choices; /* for W_VALUE_CHOICE, NULL-ended */
};

/* Effects of values that match a glob. */
struct w_value_case {
	const char *glob;
	const struct w_effect *effects;
	size_t effect_count;
};

/* How a flag and its value may be written, as bits: what the parser accepts.
 * (w_attach is what rendering writes.) */
enum {
	W_SPELL_BARE = 1,     /* no value */
	W_SPELL_SEPARATE = 2, /* the next word, or words */
	W_SPELL_EQUALS = 4,   /* --flag=value */
	W_SPELL_JOINED = 8,   /* -fvalue */
};

/* One name of an option. */
struct w_flag_name {
	const char *token; /* "-f", "--force", "-name", "if", "+x" */
	size_t len;
	unsigned spellings;
};

struct w_param {
	const char *key; /* borrowed from the schema, or in the grammar's
			    arena */
	size_t key_len;
	const char *help; /* its description; NULL: none */
	char *flag;       /* the token; NULL unless it is an option */
	size_t flag_len;
	enum w_param_kind kind;
	enum w_slot slot;
	enum w_attach attach;
	unsigned types;      /* of the value */
	unsigned item_types; /* of the elements, if it may be an array */
	unsigned index; /* of an operand; of an option 0, or 1 if it comes after
			   all others */
	unsigned arity; /* words per value, usually 1 */
	bool is_required;
	bool is_value_optional;
	bool is_path;
	bool is_secret;
	bool is_long_running;
	bool is_incidental; /* not the purpose of the command */
	bool may_begin_with_dash;
	bool is_aside;     /* no word: passed as cwd, stdin or env */
	size_t *conflicts; /* indexes in params, both ways */
	size_t conflict_count;
	size_t *requires;
	size_t require_count;
	yyjson_val *schema; /* the property's own schema; NULL: made from a
			       command description */

	/* For parsing only. In the grammar's arena. */
	const struct w_flag_name *names; /* of an option, flag among them */
	size_t name_count;
	const struct w_value_type *values; /* one for each word of a value;
					      NULL: a switch */
	const struct w_value_case *cases;
	size_t case_count;
	unsigned inner;             /* W_INNER_ bits */
	const size_t *placeholders; /* indexes in params: their values are
				       placeholders in the command */
	size_t placeholder_count;
	unsigned min_count;   /* of an operand: 0 or 1 */
	bool is_repeatable;   /* an option: every use applies. An operand: any
				 number of words */
	bool is_until_end;    /* its words end with ";", or with "{}" and "+" */
	bool is_after_dashes; /* an operand allowed only after "--" */
	bool is_global;       /* from a level above the sub-command */
	size_t level;         /* for a global option: how many words of the
				 sub-command's name precede it */
	bool is_step;         /* part of the grammar's sequence */
	bool is_last; /* an option after whose value there are only operands,
			 even with dashes */
	const size_t *unless; /* indexes in params: the operand is absent if one
				 of them is given */
	size_t unless_count;
	const size_t *only; /* likewise: it is present only if one is given */
	size_t only_count;
	const char *standard; /* the value of a missing operand; NULL: none */
};

/* How the words of an argv are read. docs/commands.md has the table. */
enum w_style {
	W_STYLE_GNU,
	W_STYLE_POSIX,
	W_STYLE_WORDS,
	W_STYLE_LEADING,
	W_STYLE_CLUSTER,
	W_STYLE_PAIRS,
	W_STYLE_LITERAL,
};

/* A parameter that is given, and whose values all match. */
struct w_grammar_except {
	size_t param; /* index in params */
	const char *glob;
};

/* Effects under a condition; without one they always apply. */
struct w_grammar_rule {
	const size_t *has; /* indexes in params; one of them is given */
	size_t has_count;
	const size_t *all; /* all of them are */
	size_t all_count;
	const size_t *lacks; /* none of them is */
	size_t lacks_count;
	const struct w_grammar_except *excepts; /* none of them is true */
	size_t except_count;
	bool needs_terminal; /* applies only on a terminal */
	const struct w_effect *effects;
	size_t effect_count;
};

/* An environment variable that changes what the command does. */
struct w_grammar_variable {
	const char *glob;
	unsigned effects;
};

#define W_GRAMMAR_NONE SIZE_MAX

struct w_grammar {
	struct w_param *params; /* in the order of the schema */
	size_t count;
	size_t *operands; /* indexes in params, by operand index */
	size_t operand_count;
	size_t *order; /* indexes in params, in command-line order */
	bool has_end_of_options;
	bool is_open;     /* keys that the schema does not list are allowed */
	bool has_secrets; /* an argument, or part of one, is secret */
	bool has_other_secrets;     /* unlisted keys may have secret values */
	struct w_hash_table lookup; /* from key to parameter */

	/* What parsing needs besides. */
	struct w_arena arena;
	enum w_style style;
	bool honours_dashes; /* "--" ends the options when an argv is parsed */
	bool are_globals_anywhere; /* also after the sub-command */
	size_t sequence; /* index of the parameter that all others become
			    steps of, because their order matters; or
			    W_GRAMMAR_NONE */
	size_t number;   /* "-5" is this option with the value 5 */
	struct w_hash_table names; /* from a flag's token to its parameter:
				      the command's own options, and those of
				      levels above that may be anywhere */
	size_t joined_max;         /* the longest token with W_SPELL_JOINED */
	size_t short_max;          /* the longest token with one dash */
	bool has_plus;             /* tokens that begin with '+' */
	const struct w_grammar_rule *rules;
	size_t rule_count;
	const struct w_grammar_variable *variables;
	size_t variable_count;
	const char *const *helpers; /* NULL-ended; NULL: none */
	bool are_effects_known;     /* the effects are described */
	unsigned incidental;        /* effects caused only by configuration */
};

#define W_GRAMMAR_PARAMS_MAX 4096

/* Fails with WRIT_E_INVALID: an unknown x-apexe- or x-writ- keyword, two
 * operands with one index, a conflict with a missing key, an invalid flag.
 * *out_at (unless NULL) is then the key or value at fault. The schema is
 * borrowed and must outlive the grammar; NULL: no arguments. */
writ_status w_grammar_new(yyjson_val *schema, struct w_grammar **out_grammar,
    yyjson_val **out_at, writ_error *err);
void w_grammar_free(struct w_grammar *grammar);

/* Fills names and related members, and is_step. Call it once, when all
 * parameters have their names. false: no memory. */
bool w_grammar_index_names(struct w_grammar *grammar);

/* The parameter of that key; NULL: none. */
const struct w_param *w_grammar_find(
    const struct w_grammar *grammar, const char *key, size_t len);

/* An argument passed as working directory, standard input or a variable is not
 * an option too, unless its property says so (x-apexe-flag,
 * x-apexe-positional): a password passed in a variable must not appear in the
 * process list. */
void w_grammar_set_aside(
    struct w_grammar *grammar, const struct w_param *param);

/* The key most similar to a wrong one; NULL: none. Borrowed. */
const char *w_grammar_nearest(const struct w_grammar *grammar, const char *key);

/* Appends the long option for a key: "--" and the key with '-' for '_'. false:
 * it cannot be one, and nothing is appended. */
bool w_grammar_add_flag(struct w_buf *buf, const char *key, size_t len);

#endif /* W_COMMAND_GRAMMAR_H */
