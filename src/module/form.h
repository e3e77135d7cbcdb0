/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_FORM_H
#define W_MODULE_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "base/buf.h"
#include "base/error.h"
#include "schema/lookup.h"

/*
 * The form of a command line: which words its arguments become, and where.
 *
 * It is made from the properties of an input schema and their x- keywords, and
 * it is the one description of the command: rendering reads it in one
 * direction, understanding an argv in the other.
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
 * | x-apexe-long-running          | may never end by itself                  |
 * | x-apexe-path                  | a path (format: path says the same)      |
 * | x-sensitive                   | no record shows the value                |
 * | x-writ-attach                 | "separate", "equals", "joined": how a    |
 * |                               | value follows its flag                   |
 * | x-writ-arity                  | how many words one value is; an array of |
 * |                               | that many                                |
 * | x-writ-requires               | keys that this one needs                 |
 * | x-writ-sequence               | an array of objects with one member      |
 * |                               | each, rendered in its order              |
 * | x-writ-dash                   | "allow": an operand may begin with '-'   |
 * | x-apexe-end-of-options        | of the whole schema: "--" ends options   |
 *
 * A property without any of them is a long option: its key with '-' for '_';
 * but one that has its place elsewhere is no word at all, see
 * w_form_set_aside(). x-apexe-path and format: path also count where the
 * property's schema leads to (items, $ref, anyOf, oneOf, allOf), x-sensitive
 * anywhere in it.
 */
enum w_param_kind {
	W_PARAM_OPTION,
	W_PARAM_OPERAND,
	W_PARAM_SEQUENCE,
};

/* In the order of the command line. */
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
	W_TYPE_NUMBER = 8, /* also integers */
	W_TYPE_STRING = 16,
	W_TYPE_ARRAY = 32,
	W_TYPE_OBJECT = 64,
	W_TYPE_ANY = 127,
};

struct w_param {
	const char *key; /* borrowed from the schema */
	size_t key_len;
	const char *help; /* its description; NULL: none */
	char *flag;       /* the token; NULL unless it is an option */
	size_t flag_len;
	enum w_param_kind kind;
	enum w_slot slot;
	enum w_attach attach;
	unsigned types;      /* of the value */
	unsigned item_types; /* of the elements, when it may be an array */
	unsigned index;      /* of an operand */
	unsigned arity;      /* words of one value, usually 1 */
	bool is_required;
	bool is_value_optional;
	bool is_path;
	bool is_secret;
	bool is_long_running;
	bool may_begin_with_dash;
	bool is_aside;     /* no word: it has its place in cwd, stdin or env */
	size_t *conflicts; /* places in params, both ways */
	size_t conflict_count;
	size_t *requires;
	size_t require_count;
	yyjson_val *schema; /* the property's own schema */
};

struct w_form {
	struct w_param *params; /* in the order of the schema */
	size_t count;
	size_t *operands; /* places in params, by index */
	size_t operand_count;
	size_t *order; /* places in params, as on the command line */
	bool has_end_of_options;
	bool is_open;     /* keys that the schema does not list are allowed */
	bool has_secrets; /* an argument, or a part of one, is secret */
	bool has_other_secrets; /* those keys may have secret values */
	struct w_lookup lookup; /* from key to parameter */
};

#define W_FORM_PARAMS_MAX 4096

/* Fails with WRIT_E_INVALID and the key or value at fault in *out_at (unless
 * NULL): an unknown x-apexe- or x-writ- keyword, two operands with one index, a
 * conflict with a key that is not there, a flag that is no flag. The schema is
 * borrowed and must outlive the form; without one (NULL) there is no argument.
 */
writ_status w_form_new(yyjson_val *schema, struct w_form **out_form,
    yyjson_val **out_at, writ_error *err);
void w_form_free(struct w_form *form);

/* The parameter of that key; NULL when there is none. */
const struct w_param *w_form_find(
    const struct w_form *form, const char *key, size_t len);

/* An argument that the working directory, standard input or a variable has a
 * place for is no option as well, unless its property says so (x-apexe-flag,
 * x-apexe-positional): a password must not show up in the list of processes
 * because it is passed on in a variable. */
void w_form_set_aside(struct w_form *form, const struct w_param *param);

/* The key nearest to a wrong one; NULL: none is near. Borrowed. */
const char *w_form_nearest(const struct w_form *form, const char *key);

/* Appends the long option that a key is by itself: "--" and the key with '-'
 * for '_'. false: it cannot be one, and nothing is appended. */
bool w_form_add_flag(struct w_buf *buf, const char *key, size_t len);

#endif /* W_MODULE_FORM_H */
