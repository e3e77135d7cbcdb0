/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Formats the records of a run as text. A table gives each member its section
 * and label; members that it lacks are shown at the end, so that nothing of a
 * record is hidden.
 */

#include "cli/audit/record_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/printable.h"
#include "base/size.h"

#define LABEL_WIDTH 12
#define TEXT_MAX    ((size_t)20 << 20)
#define DEPTH_MAX   8

enum how {
	AS_IS,
	AS_DURATION, /* milliseconds */
	AS_SIZE,     /* bytes */
	AS_KIB,
};

static const struct member {
	const char *section; /* on its first row; else NULL */
	const char *label;
	const char *path;
	bool is_end; /* a member of the end record */
	enum how how;
} members[] = {
    {"asked", "directory", "/cwd", false, AS_IS},
    {NULL, "shell", "/shell", false, AS_IS},
    {NULL, "module", "/module", false, AS_IS},
    {NULL, "description", "/description", false, AS_IS},
    {NULL, "program", "/program", false, AS_IS},
    {NULL, "variables", "/env", false, AS_IS},
    {NULL, "input", "/stdin", false, AS_IS},
    {NULL, "limits", "/limits", false, AS_IS},
    {NULL, "trace", "/trace", false, AS_IS},
    {"by", "agent", "/who/agent", false, AS_IS},
    {NULL, "door", "/who/door", false, AS_IS},
    {NULL, "user id", "/who/uid", false, AS_IS},
    {NULL, "process", "/who/pid", false, AS_IS},
    {NULL, "runs as", "/as", false, AS_IS},
    {"decided", "policy", "/policy", false, AS_IS},
    {NULL, "request", "/request", false, AS_IS},
    {NULL, "redacted", "/redacted", false, AS_IS},
    {"walls", "profile", "/sandbox/profile", false, AS_IS},
    {NULL, "network", "/sandbox/network", false, AS_IS},
    {NULL, "planned", "/sandbox/layers", false, AS_IS},
    {NULL, "applied", "/layers", true, AS_IS},
    {NULL, "missing", "/missing", true, AS_IS},
    {NULL, "refused", "/denials", true, AS_IS},
    {"outcome", "outcome", "/outcome", true, AS_IS},
    {NULL, "exit code", "/exit_code", true, AS_IS},
    {NULL, "signal", "/signal", true, AS_IS},
    {NULL, "limit", "/limit", true, AS_IS},
    {NULL, "error", "/error", true, AS_IS},
    {NULL, "error", "/error", false, AS_IS},
    {NULL, "took", "/duration_ms", true, AS_DURATION},
    {NULL, "user time", "/usage/user_ms", true, AS_DURATION},
    {NULL, "system time", "/usage/system_ms", true, AS_DURATION},
    {NULL, "memory", "/usage/max_rss_kib", true, AS_KIB},
    {NULL, "killed", "/killed", true, AS_IS},
    {NULL, "background", "/background", true, AS_IS},
    {NULL, "tree", "/tree", true, AS_IS},
    {"runs later", "files", "/triggers", true, AS_IS},
    {"output", "stdout", "/stdout/bytes", true, AS_SIZE},
    {NULL, "  sha256", "/stdout/sha256", true, AS_IS},
    {NULL, "stderr", "/stderr/bytes", true, AS_SIZE},
    {NULL, "  sha256", "/stderr/sha256", true, AS_IS},
    {NULL, "kept", "/kept", true, AS_IS},
    {NULL, NULL, NULL, false, AS_IS},
};

/* Members of every record, and those at the top of the page. */
static const char *const shown_elsewhere[] = {
    "seq", "time", "prev", "hash", "kind", "run", "argv", NULL};

static void record_page_add_value(
    struct w_buf *text, yyjson_val *val, unsigned depth);

static void
record_page_add_list(struct w_buf *text, yyjson_val *list, unsigned depth)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(list, i, count, item)
	{
		w_buf_add_str(text, i == 0 ? "" : ", ");
		record_page_add_value(text, item, depth + 1);
	}
}

/* "name value, name value" */
static void
record_page_add_object(struct w_buf *text, yyjson_val *object, unsigned depth)
{
	const char *comma = "";
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(object, i, count, key, val)
	{
		if (yyjson_is_null(val))
			continue;
		w_buf_add_fmt(text, "%s%s ", comma, yyjson_get_str(key));
		record_page_add_value(text, val, depth + 1);
		comma = ", ";
	}
}

static void
record_page_add_value(struct w_buf *text, yyjson_val *val, unsigned depth)
{
	if (depth > DEPTH_MAX)
		w_buf_add_str(text, "...");
	else if (yyjson_is_str(val))
		w_buf_add(text, yyjson_get_str(val), yyjson_get_len(val));
	else if (yyjson_is_bool(val))
		w_buf_add_str(text, yyjson_get_bool(val) ? "yes" : "no");
	else if (yyjson_is_uint(val))
		w_buf_add_fmt(text, "%" PRIu64, yyjson_get_uint(val));
	else if (yyjson_is_int(val))
		w_buf_add_fmt(text, "%" PRId64, yyjson_get_sint(val));
	else if (yyjson_is_arr(val))
		record_page_add_list(text, val, depth);
	else if (yyjson_is_obj(val))
		record_page_add_object(text, val, depth);
}

static void
add_amount(struct w_buf *text, uint64_t amount, enum how how)
{
	char duration[W_DURATION_TEXT_MAX];
	char size[W_SIZE_TEXT_MAX];

	if (how == AS_DURATION) {
		w_duration_format(amount, duration);
		w_buf_add_str(text, duration);
		return;
	}
	w_size_format(how == AS_KIB ? amount << 10 : amount, size);
	w_buf_add_str(text, size);
}

void
w_page_heading(struct w_record_page *page, const char *text)
{
	w_buf_add_fmt(page->out, "\n%s%s%s\n",
	    page->has_colour ? "\033[1m" : "", text,
	    page->has_colour ? "\033[0m" : "");
}

void
w_page_row(struct w_record_page *page, const char *label, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	w_buf_add_fmt(page->out, "  %-*s  ", LABEL_WIDTH, label);
	(void)w_printable_add(page->out, text, 0);
	w_buf_add_char(page->out, '\n');
}

void
w_page_bytes(struct w_record_page *page, const char *label, const char *mark,
    const char *bytes, size_t len)
{
	w_buf_add_fmt(page->out, "  %-*s  %s", LABEL_WIDTH, label, mark);
	w_printable_add_bytes(page->out, bytes, len);
	w_buf_add_char(page->out, '\n');
}

static void
record_page_add_row(struct w_record_page *page, const char *label,
    yyjson_val *val, enum how how)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (how != AS_IS && yyjson_is_uint(val))
		add_amount(&text, yyjson_get_uint(val), how);
	else
		record_page_add_value(&text, val, 0);
	w_page_row(page, label, text.data);
}

/* Whether some row shows the member or a part of it. */
static bool
record_page_is_known(const char *name, bool is_end)
{
	const size_t len = strlen(name);

	for (size_t i = 0; shown_elsewhere[i] != NULL; i++) {
		if (strcmp(shown_elsewhere[i], name) == 0)
			return true;
	}
	for (const struct member *it = members; it->path != NULL; it++) {
		const char *path = it->path + 1;

		if (it->is_end == is_end && strncmp(path, name, len) == 0 &&
		    (path[len] == '\0' || path[len] == '/'))
			return true;
	}
	return false;
}

static void
add_unknown(struct w_record_page *page, yyjson_val *record, bool is_end,
    bool *has_heading)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(record, i, count, key, val)
	{
		if (record_page_is_known(yyjson_get_str(key), is_end))
			continue;
		if (!*has_heading)
			w_page_heading(page, "also");
		*has_heading = true;
		record_page_add_row(page, yyjson_get_str(key), val, AS_IS);
	}
}

void
w_page_run(struct w_record_page *page, yyjson_val *begin, yyjson_val *end)
{
	const char *pending = NULL;
	bool has_also = false;

	for (const struct member *it = members; it->path != NULL; it++) {
		yyjson_val *val =
		    yyjson_ptr_get(it->is_end ? end : begin, it->path);

		if (it->section != NULL)
			pending = it->section;
		if (val == NULL || yyjson_is_null(val))
			continue;
		if (pending != NULL)
			w_page_heading(page, pending);
		pending = NULL;
		record_page_add_row(page, it->label, val, it->how);
	}
	add_unknown(page, begin, false, &has_also);
	add_unknown(page, end, true, &has_also);
}

void
w_page_record(struct w_record_page *page, yyjson_val *record)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(record, i, count, key, val)
	{
		record_page_add_row(page, yyjson_get_str(key), val, AS_IS);
	}
}
