/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_KEYWORD_H
#define W_COMMAND_GRAMMAR_KEYWORD_H

#include "command/grammar/grammar_param.h"

#define W_KEY_FLAG           "x-apexe-flag"
#define W_KEY_POSITIONAL     "x-apexe-positional"
#define W_KEY_OPERAND_AT     "x-apexe-operand-position"
#define W_KEY_FLAG_AT        "x-apexe-flag-position"
#define W_KEY_VALUE_OPTIONAL "x-apexe-value-optional"
#define W_KEY_LONG_RUNNING   "x-apexe-long-running"
#define W_KEY_ATTACH         "x-writ-attach"
#define W_KEY_TOKEN          "x-writ-token"
#define W_KEY_ARITY          "x-writ-arity"
#define W_KEY_NAMES          "x-writ-names"
#define W_KEY_SEQUENCE       "x-writ-sequence"
#define W_KEY_DASH           "x-writ-dash"
#define W_KEY_TYPE           "x-writ-type"

/* A property while it is read. */
struct w_grammar_reader {
	struct w_grammar_builder *builder;
	struct w_param *param;
	yyjson_val *key;
};

/* Fails with the property before the message. */
writ_status w_grammar_refuse(const struct w_grammar_reader *in, yyjson_val *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* Checks each keyword, and whether this kind of parameter can have it. */
writ_status w_grammar_check_keywords(const struct w_grammar_reader *in);

/* Fails for an unknown keyword of the whole schema. */
writ_status w_grammar_check_root(struct w_grammar_builder *builder);

#endif /* W_COMMAND_GRAMMAR_KEYWORD_H */
