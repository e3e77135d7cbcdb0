/* SPDX-License-Identifier: Apache-2.0 */

/* Values of expressions. */

#include "expr/value.h"

struct w_value
w_value_text(const char *text, size_t len)
{
	return (struct w_value){
	    .kind = W_VALUE_STRING, .as.string = {.text = text, .len = len}};
}

const char *
w_value_kind_words(enum w_value_kind kind)
{
	static const char *const words[] = {"null", "true or false",
	    "a whole number", "a number", "a string", "a list", "a map"};

	return words[kind];
}
