/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_ARGV_PARSER_H
#define W_COMMAND_ARGV_PARSER_H

#include "command/parse/argv_parse.h"

/* An argv that is being parsed. */
struct w_argv_parser {
	const struct w_command_node *node; /* NULL: by a form alone */
	const struct w_grammar *grammar;
	const char *const *argv;
	size_t argc;
	size_t at;    /* the next word */
	size_t first; /* the first word that the form has something to say to */
	bool is_open_ended;
	bool is_before_name; /* of the sub-command: only what stands there */
	size_t level;        /* by a form alone: fixed words so far */
	bool has_ended;      /* no further word is an option */
	bool has_dashes;     /* because of "--" */
	bool has_begun;      /* style leading: the options have */
	size_t operand_count;

	/* How far the operands before a command are filled. */
	const struct w_param *command; /* the operand; NULL: none */
	size_t cursor;                 /* in the form's operands */
	size_t cursor_count;           /* words that this one has */

	/* In the order of the argv. Without a parameter: an operand of which it
	 * is not said yet which one it is. */
	struct w_match *matches;
	size_t count;
	size_t cap;
	size_t dashes_count; /* matches before "--" */
	bool *is_given;      /* by place; NULL while the form is not certain */
	bool has_dashed;     /* an operand may begin with '-' */
	bool has_behind;     /* an operand stands only behind "--" */

	struct w_argv_parse_fault fault;
	writ_error *err;
};

/* Whether its value is all words of another command. */
static inline bool
w_argv_parse_is_command(const struct w_param *param)
{
	return param->values != NULL &&
	       param->values[0].kind == W_VALUE_COMMAND;
}

/* Fails, and notes the place. */
writ_status w_argv_parser_refuse(struct w_argv_parser *parser, size_t word,
    size_t offset, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));

/* Refuses an option that the form does not have: says what it is short for, or
 * what was probably meant. The token is the bytes before its value. */
writ_status w_argv_parser_refuse_option(struct w_argv_parser *parser,
    size_t word, size_t offset, const char *token, size_t len)
    __attribute__((cold));

/* Likewise a value that its type does not have. */
writ_status w_argv_parser_refuse_value(struct w_argv_parser *parser,
    const struct w_param *param, const struct w_value_type *type, size_t word,
    size_t offset) __attribute__((cold));

/* Notes a use of a parameter. */
writ_status w_argv_parser_push(
    struct w_argv_parser *parser, const struct w_match *match);

/* An option that was found, and where. */
struct w_argv_parse_use {
	const struct w_param *param;
	const struct w_flag_name *name;
	size_t word;
	size_t offset; /* of the token in the word */
};

/* Notes it as a switch; with the value in its own word, from that offset on; or
 * with nothing attached to it, so that values are in the words that follow, if
 * it has any. */
writ_status w_argv_parser_push_switch(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use);
writ_status w_argv_parser_push_attached(struct w_argv_parser *parser,
    const struct w_argv_parse_use *use, size_t offset);
writ_status w_argv_parser_push_alone(
    struct w_argv_parser *parser, const struct w_argv_parse_use *use);
writ_status w_argv_parser_refuse_attached(struct w_argv_parser *parser,
    const struct w_argv_parse_use *use, size_t offset) __attribute__((cold));

/* Whether a word is an option by how it looks, in the place where it is. */
bool w_argv_parser_is_option(
    const struct w_argv_parser *parser, const char *word);

/* Whether the form has such an option. */
bool w_argv_parser_knows_option(
    const struct w_argv_parser *parser, const char *word);

/* Reads the option that the next word is, with its values. */
writ_status w_argv_parser_option(struct w_argv_parser *parser);

/* Reads a first word that is a bundle without a dash. */
writ_status w_argv_parser_cluster(struct w_argv_parser *parser);

/* Whether the options that have been read leave room for an operand. */
bool w_argv_parser_has_room(
    const struct w_argv_parser *parser, const struct w_param *param);

/* Whether a word that begins with '-' and is no option may be the operand that
 * comes next. */
bool w_argv_parser_is_dashed_operand(
    const struct w_argv_parser *parser, const char *word);

/* Notes that the next word is an operand, or begins a command. */
writ_status w_argv_parser_operand(struct w_argv_parser *parser);

/* Reads all words that are left. */
writ_status w_argv_parser_words(struct w_argv_parser *parser);

/* Refuses what is no argv, or too long. */
writ_status w_argv_parser_check(struct w_argv_parser *parser);

/* Whether nothing is missing beside it: help is asked for. */
bool w_argv_parse_is_excuse(const struct w_match *match);

/* Hands out what was found, or where it went wrong. */
writ_status w_argv_parser_end(struct w_argv_parser *parser, writ_status status,
    struct w_argv_parse *out_parse, struct w_argv_parse_fault *out_fault);

/* Says which operand each is, and whether all that belongs together is there;
 * hands out what was found. */
writ_status w_argv_parser_finish(
    struct w_argv_parser *parser, struct w_argv_parse *out_parse);

/* Whether a value is of that type. */
bool w_argv_parse_accepts(
    const struct w_value_type *type, const char *text, size_t len);

#endif /* W_COMMAND_ARGV_PARSER_H */
