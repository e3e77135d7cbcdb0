/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ARGV_PARSER_H
#define W_COMMAND_ARGV_PARSER_H

#include "command/parse/argv_parse.h"

/* The state of parsing an argv. */
struct w_argv_parser {
	const struct w_command_node *node; /* NULL: by a grammar alone */
	const struct w_grammar *grammar;
	const char *const *argv;
	size_t argc;
	size_t at;    /* the next word */
	size_t first; /* the first word that the grammar applies to */
	bool is_open_ended;
	bool is_before_name; /* before the sub-command's name: only options
				allowed there */
	size_t level;        /* by a grammar alone: fixed words so far */
	bool has_ended;      /* no further word is an option */
	bool has_dashes;     /* because of "--" */
	bool has_begun;      /* style leading: the options have begun */
	size_t operand_count;

	/* How far the operands before a command are filled. */
	const struct w_param *command; /* the operand; NULL: none */
	size_t cursor;                 /* in the grammar's operands */
	size_t cursor_count;           /* words of this one so far */

	/* In the order of the argv. No parameter: an operand that is not
	 * assigned yet. */
	struct w_match *matches;
	size_t count;
	size_t cap;
	size_t dashes_count; /* matches before "--" */
	bool *is_given;      /* by index; NULL until the grammar is final */
	bool has_dashed;     /* an operand may begin with '-' */
	bool has_behind;     /* an operand is allowed only after "--" */

	struct w_argv_parse_fault fault;
	writ_error *err;
};

/* Whether its value is the words of another command. */
static inline bool
w_argv_parse_is_command(const struct w_param *param)
{
	return param->values != NULL &&
	       param->values[0].kind == W_VALUE_COMMAND;
}

/* Fails and notes the place. */
writ_status w_argv_parser_refuse(struct w_argv_parser *parser, size_t word,
    size_t offset, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));

/* Fails for an option that the grammar lacks: reports what it abbreviates, or
 * what was probably meant. The token is the bytes before its value. */
writ_status w_argv_parser_refuse_option(struct w_argv_parser *parser,
    size_t word, size_t offset, const char *token, size_t len)
    __attribute__((cold));

/* The same for a value that its type does not allow. */
writ_status w_argv_parser_refuse_value(struct w_argv_parser *parser,
    const struct w_param *param, const struct w_value_type *type, size_t word,
    size_t offset) __attribute__((cold));

/* Adds a use of a parameter. */
writ_status w_argv_parser_push(
    struct w_argv_parser *parser, const struct w_match *match);

/* An option found, and where. */
struct w_argv_parse_use {
	const struct w_param *param;
	const struct w_flag_name *name;
	size_t word;
	size_t offset; /* of the token in the word */
};

/* Add it as a switch; with the value in the same word, from that offset on;
 * or with nothing attached, so that its values, if any, are the words that
 * follow. */
writ_status w_argv_parser_push_switch(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use);
writ_status w_argv_parser_push_attached(struct w_argv_parser *parser,
    const struct w_argv_parse_use *use, size_t offset);
writ_status w_argv_parser_push_alone(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use);
writ_status w_argv_parser_refuse_attached(struct w_argv_parser *parser,
    const struct w_argv_parse_use *use, size_t offset) __attribute__((cold));

/* Whether a word looks like an option at this place. */
bool w_argv_parser_is_option(
    const struct w_argv_parser *parser, const char *word);

/* Whether the grammar has such an option. */
bool w_argv_parser_knows_option(
    const struct w_argv_parser *parser, const char *word);

/* Parses the next word as an option, with its values. */
writ_status w_argv_parser_option(struct w_argv_parser *parser);

/* Parses a first word that is a bundle without a dash. */
writ_status w_argv_parser_cluster(struct w_argv_parser *parser);

/* Whether the options read so far leave room for an operand. */
bool w_argv_parser_has_room(
    const struct w_argv_parser *parser, const struct w_param *param);

/* Whether a word that begins with '-' and is no option may be the next
 * operand. */
bool w_argv_parser_is_dashed_operand(
    const struct w_argv_parser *parser, const char *word);

/* Adds the next word as an operand, or as the start of a command. */
writ_status w_argv_parser_operand(struct w_argv_parser *parser);

/* Parses all remaining words. */
writ_status w_argv_parser_words(struct w_argv_parser *parser);

/* Fails for an invalid argv, or one that is too long. */
writ_status w_argv_parser_check(struct w_argv_parser *parser);

/* Whether it makes missing arguments acceptable: an option like --help. */
bool w_argv_parse_is_excuse(const struct w_match *match);

/* Stores the result, or the place of the fault. */
writ_status w_argv_parser_end(struct w_argv_parser *parser, writ_status status,
    struct w_argv_parse *out_parse, struct w_argv_parse_fault *out_fault);

/* Assigns the operands, checks that everything required is present, and stores
 * the result. */
writ_status w_argv_parser_finish(
    struct w_argv_parser *parser, struct w_argv_parse *out_parse);

/* Whether a value is of that type. */
bool w_argv_parse_accepts(
    const struct w_value_type *type, const char *text, size_t len);

#endif /* W_COMMAND_ARGV_PARSER_H */
