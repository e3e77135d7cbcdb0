/* SPDX-License-Identifier: Apache-2.0 */

/* Scripts in small languages: what their readers share. */

#include "command/script/script.h"

#include <string.h>

#include "base/encode.h"
#include "base/position.h"
#include "command/script/script_reader.h"

char
w_script_peek(const struct w_script_reader *in, size_t ahead)
{
	return ahead < in->len - in->at ? in->text[in->at + ahead] : '\0';
}

bool
w_script_is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

writ_status
w_script_refuse(struct w_script_reader *in, size_t where, const char *why)
{
	in->fault = where;
	(void)w_fail(in->err, WRIT_E_INVALID, "script", 0, "%s", why);
	w_locate_offset(in->err, in->text, where);
	return WRIT_E_INVALID;
}

writ_status
w_script_touches(
    struct w_script_reader *in, unsigned effect, const char *path, size_t len)
{
	if (in->sink->touches(in->sink->ctx, effect, path, len))
		return WRIT_OK;
	return w_fail_nomem(in->err, "script");
}

writ_status
w_script_runs(struct w_script_reader *in, const char *command, size_t len)
{
	if (in->sink->runs(in->sink->ctx, command, len))
		return WRIT_OK;
	return w_fail_nomem(in->err, "script");
}

/* An interpreter may take the byte after an incomplete character as part of
 * it. */
static writ_status
script_check_bytes(struct w_script_reader *in)
{
	const char *nul = in->len > 0 ? memchr(in->text, '\0', in->len) : NULL;

	if (nul != NULL)
		return w_script_refuse(in, (size_t)(nul - in->text),
		    "a NUL byte cannot be in a script");
	if (!w_utf8_valid(in->text, in->len))
		return w_script_refuse(in, 0,
		    "what is not UTF-8 depends on the interpreter's locale");
	return WRIT_OK;
}

static writ_status
read_script(struct w_script_reader *in, enum w_script language)
{
	writ_status status = script_check_bytes(in);

	if (status != WRIT_OK)
		return status;
	switch (language) {
	case W_SCRIPT_SED:
		return w_script_read_sed(in);
	case W_SCRIPT_AWK:
		return w_script_read_awk(in);
	case W_SCRIPT_JQ:
		return w_script_read_jq(in);
	case W_SCRIPT_SH:
	case W_SCRIPT_OTHER:
		break;
	}
	return w_script_refuse(in, 0, "nothing is known of its language");
}

writ_status
w_script_read(enum w_script language, const char *text, size_t len,
    const struct w_script_sink *sink, size_t *out_offset, writ_error *err)
{
	struct w_script_reader in = {
	    .text = text, .len = len, .sink = sink, .err = err};
	writ_status status = read_script(&in, language);

	if (status == WRIT_E_INVALID && out_offset != NULL)
		*out_offset = in.fault;
	return status;
}
