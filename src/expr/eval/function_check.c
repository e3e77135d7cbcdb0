/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Questions about a text: isIPv4(x) and others. They are what @validate in the
 * data of a manifest is written with. What is not a text is looked at as one.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/duration.h"
#include "expr/eval/eval.h"

#define HOSTNAME_MAX 253
#define LABEL_MAX    63

/* The first argument as a text, and its length as a cost. */
static writ_status
text_of(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, const char **out_text)
{
	struct w_value text;
	writ_status status = w_eval_as_text(eval, call, &args[0], &text);

	if (status == WRIT_OK)
		status = w_eval_spend(eval, call, text.as.string.len >> 8);
	if (status == WRIT_OK)
		*out_text = text.as.string.text;
	return status;
}

static void
put_answer(bool holds, struct w_value *out_value)
{
	*out_value =
	    (struct w_value){.kind = W_VALUE_BOOL, .as.boolean = holds};
}

/* ---- addresses ---- */

static bool
is_address(int family, const char *text)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(family, text, address) == 1;
}

W_FUNCTION(is_ip)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);

	put_answer(
	    is_address(AF_INET, text) || is_address(AF_INET6, text), out_value);
	return status;
}

W_FUNCTION(is_ipv4)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);

	put_answer(is_address(AF_INET, text), out_value);
	return status;
}

W_FUNCTION(is_ipv6)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);

	put_answer(is_address(AF_INET6, text), out_value);
	return status;
}

/* ---- names of hosts ---- */

static bool
is_label(const char *label, size_t len)
{
	if (len == 0 || len > LABEL_MAX || label[0] == '-' ||
	    label[len - 1] == '-')
		return false;
	for (size_t i = 0; i < len; i++) {
		const char c = label[i];

		if (!w_is_digit(c) && (c < 'a' || c > 'z') &&
		    (c < 'A' || c > 'Z') && c != '-')
			return false;
	}
	return true;
}

/* The number of labels; 0: it is no name of a host. */
static size_t
count_labels(const char *name)
{
	size_t count = 0;

	if (strlen(name) > HOSTNAME_MAX)
		return 0;
	for (;;) {
		const size_t len = strcspn(name, ".");

		if (!is_label(name, len))
			return 0;
		count++;
		if (name[len] == '\0')
			return count;
		name += len + 1;
	}
}

W_FUNCTION(is_hostname)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);

	put_answer(count_labels(text) > 0, out_value);
	return status;
}

W_FUNCTION(is_fqdn)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);

	put_answer(count_labels(text) > 1, out_value);
	return status;
}

/* ---- numbers and times ---- */

W_FUNCTION(is_int)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);
	const size_t sign = text[0] == '-' || text[0] == '+';

	put_answer(text[sign] != '\0' &&
		       text[sign + strspn(text + sign, "0123456789")] == '\0',
	    out_value);
	return status;
}

W_FUNCTION(is_float)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);
	char *end = NULL;
	const bool is_plain =
	    text[0] != '\0' && text[strspn(text, "0123456789+-.eE")] == '\0';
	const double number = is_plain ? strtod(text, &end) : 0;

	put_answer(is_plain && *end == '\0' && isfinite(number), out_value);
	return status;
}

W_FUNCTION(is_duration)
{
	const char *text = "";
	uint64_t ms;
	writ_error err = {0};
	writ_status status = text_of(eval, call, args, &text);

	put_answer(w_duration_parse(text, &ms, &err) == WRIT_OK, out_value);
	return status;
}

/* ---- others ---- */

W_FUNCTION(is_regex)
{
	struct w_value text;
	bool holds = false;
	writ_status status = w_eval_as_text(eval, call, &args[0], &text);

	if (status == WRIT_OK)
		status = w_eval_matches(eval, call, &text, &args[1], &holds);
	put_answer(holds, out_value);
	return status;
}

/* Nothing that a shell would act upon between words. */
W_FUNCTION(is_shell_safe)
{
	const char *text = "";
	writ_status status = text_of(eval, call, args, &text);

	put_answer(strpbrk(text, "`$;|&><()\n") == NULL, out_value);
	return status;
}
