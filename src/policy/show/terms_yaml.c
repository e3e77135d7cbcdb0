/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the settings of a policy or an agent. */

#include <stddef.h>
#include <string.h>

#include <writ/run.h>

#include "base/duration.h"
#include "base/size.h"
#include "policy/show/policy_yaml.h"

#define TMP_WORD(name, word) word,

static void
terms_yaml_add_limit(
    struct w_buf *buf, const struct w_policy_limit_row *row, uint64_t number)
{
	char text[W_DURATION_TEXT_MAX];

	_Static_assert(W_DURATION_TEXT_MAX >= W_SIZE_TEXT_MAX, "fits both");
	if (row->kind == W_POLICY_LIMIT_DURATION)
		w_duration_format(number, text);
	else if (row->kind == W_POLICY_LIMIT_SIZE)
		w_size_format(number, text);
	else
		(void)snprintf(
		    text, sizeof(text), "%llu", (unsigned long long)number);
	w_buf_add_fmt(buf, "%s: %s", row->name, text);
}

/* `tmp: 1GiB`, `tmp: disk`, or `tmp: { size: 1GiB, on: disk }`. */
static void
terms_yaml_add_tmp(struct w_buf *buf, const struct w_policy_limit_row *row,
    const struct w_policy_limits *limits)
{
	static const char *const words[] = {WRIT_TMP_MAP(TMP_WORD)};
	char size[W_SIZE_TEXT_MAX];

	if (limits->tmp_on == WRIT_TMP_DEFAULT) {
		terms_yaml_add_limit(buf, row, limits->tmp);
	} else if (limits->tmp == 0) {
		w_buf_add_fmt(buf, "tmp: %s", words[limits->tmp_on]);
	} else {
		w_size_format(limits->tmp, size);
		w_buf_add_fmt(buf, "tmp: { size: %s, on: %s }", size,
		    words[limits->tmp_on]);
	}
}

static void
terms_yaml_add_limits(
    struct w_buf *buf, const struct w_policy_limits *limits, size_t column)
{
	const char *between = "";

	for (size_t i = 0; i < W_POLICY_LIMIT_COUNT; i++) {
		const struct w_policy_limit_row *row = &w_policy_limit_rows[i];
		uint64_t number;

		memcpy(&number, (const char *)limits + row->offset,
		    sizeof(number));
		const bool is_tmp =
		    row->offset == offsetof(struct w_policy_limits, tmp);
		if (number == 0 && (!is_tmp || limits->tmp_on == 0))
			continue;
		if (between[0] == '\0')
			w_buf_add_fmt(buf, "%*slimits: { ", (int)column, "");
		w_buf_add_str(buf, between);
		if (is_tmp)
			terms_yaml_add_tmp(buf, row, limits);
		else
			terms_yaml_add_limit(buf, row, number);
		between = ", ";
	}
	if (between[0] != '\0')
		w_buf_add_str(buf, " }\n");
}

static void
add_set(struct w_buf *buf, const char *const *set)
{
	w_buf_add_str(buf, "{");
	for (size_t i = 0; set[i] != NULL; i++) {
		const char *equals = strchr(set[i], '=');

		w_buf_add_str(buf, i > 0 ? ", " : " ");
		w_buf_add(buf, "\"", 1);
		w_buf_add(buf, set[i], (size_t)(equals - set[i]));
		w_buf_add_str(buf, "\": ");
		w_flow_add_text(buf, equals + 1);
	}
	w_buf_add_str(buf, " }");
}

static void
terms_yaml_add_environment(struct w_buf *buf,
    const struct w_policy_environment *environment, size_t column)
{
	const char *between = "";

	if (environment->mode == NULL && environment->pass == NULL &&
	    environment->drop == NULL && environment->set == NULL &&
	    environment->standard == NULL)
		return;
	w_buf_add_fmt(buf, "%*senvironment: { ", (int)column, "");
	if (environment->mode != NULL) {
		w_buf_add_fmt(buf, "mode: %s", environment->mode);
		between = ", ";
	}
	if (environment->pass != NULL) {
		w_buf_add_fmt(buf, "%spass: ", between);
		w_flow_add_globs(buf, environment->pass);
		between = ", ";
	}
	if (environment->drop != NULL) {
		w_buf_add_fmt(buf, "%sdrop: ", between);
		w_flow_add_globs(buf, environment->drop);
		between = ", ";
	}
	if (environment->set != NULL) {
		w_buf_add_fmt(buf, "%sset: ", between);
		add_set(buf, environment->set);
		between = ", ";
	}
	if (environment->standard != NULL) {
		w_buf_add_fmt(buf, "%sdefault: ", between);
		add_set(buf, environment->standard);
	}
	w_buf_add_str(buf, " }\n");
}

void
w_show_terms(
    struct w_buf *buf, const struct w_policy_terms *terms, size_t column)
{
	if (terms->sandbox != NULL) {
		w_buf_add_fmt(buf, "%*ssandbox: ", (int)column, "");
		w_flow_add_text(buf, terms->sandbox);
		w_buf_add_char(buf, '\n');
	}
	if (terms->hosts != NULL) {
		w_buf_add_fmt(buf, "%*snetwork: { hosts: ", (int)column, "");
		w_flow_add_globs(buf, terms->hosts);
		w_buf_add_str(buf, " }\n");
	} else if (terms->network != NULL) {
		w_buf_add_fmt(
		    buf, "%*snetwork: %s\n", (int)column, "", terms->network);
	}
	if (terms->judge != NULL)
		w_buf_add_fmt(
		    buf, "%*sjudge: %s\n", (int)column, "", terms->judge);
	if (terms->undo != NULL)
		w_buf_add_fmt(
		    buf, "%*sundo: %s\n", (int)column, "", terms->undo);
	terms_yaml_add_limits(buf, &terms->limits, column);
	terms_yaml_add_environment(buf, &terms->environment, column);
}
