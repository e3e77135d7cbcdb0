/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The interface of the default route, from the kernel's tables: columns
 * separated by blanks, addresses in hexadecimal.
 */

#include <string.h>

#include "base/hex.h"
#include "manifest/facts/facts_sources.h"

#define COLUMNS_MAX 11

#define FLAG_UP     1
#define FLAG_REJECT 0x200

struct facts_route_column {
	const char *text;
	size_t len;
};

static size_t
facts_route_split(
    const char *line, size_t len, struct facts_route_column out[COLUMNS_MAX])
{
	size_t count = 0;
	size_t at = 0;

	while (at < len && count < COLUMNS_MAX) {
		while (at < len && (line[at] == ' ' || line[at] == '\t'))
			at++;
		const size_t start = at;
		while (at < len && line[at] != ' ' && line[at] != '\t')
			at++;
		if (at > start)
			out[count++] = (struct facts_route_column){
			    line + start, at - start};
	}
	return count;
}

static bool
is_zeros(const struct facts_route_column *column, size_t digits)
{
	if (column->len != digits)
		return false;
	for (size_t i = 0; i < digits; i++)
		if (column->text[i] != '0')
			return false;
	return true;
}

static bool
facts_route_number_of(const struct facts_route_column *column, unsigned base,
    uint64_t *out_number)
{
	uint64_t number = 0;

	if (column->len == 0 || column->len > 10)
		return false;
	for (size_t i = 0; i < column->len; i++) {
		int digit = w_hex_digit(column->text[i]);

		if (digit < 0 || digit >= (int)base)
			return false;
		number = number * base + (unsigned)digit;
	}
	*out_number = number;
	return true;
}

static bool
facts_route_copy_name(const struct facts_route_column *column,
    char out_name[W_FACT_INTERFACE_MAX])
{
	if (column->len == 0 || column->len >= W_FACT_INTERFACE_MAX ||
	    memchr(column->text, '\0', column->len) != NULL)
		return false;
	memcpy(out_name, column->text, column->len);
	out_name[column->len] = '\0';
	return true;
}

/* The columns of a table. */
struct facts_route_shape {
	size_t columns;
	size_t name;
	size_t target;
	size_t target_digits;
	size_t mask; /* or prefix length */
	size_t mask_digits;
	size_t flags;
	size_t metric;
	unsigned metric_base;
};

static bool
is_default(const struct facts_route_shape *shape,
    const struct facts_route_column *columns, uint64_t *out_metric)
{
	uint64_t flags;

	return is_zeros(&columns[shape->target], shape->target_digits) &&
	       is_zeros(&columns[shape->mask], shape->mask_digits) &&
	       facts_route_number_of(&columns[shape->flags], 16, &flags) &&
	       (flags & FLAG_UP) != 0 && (flags & FLAG_REJECT) == 0 &&
	       facts_route_number_of(
		   &columns[shape->metric], shape->metric_base, out_metric);
}

/* The route with the smallest metric. */
static bool
facts_route_find(const struct facts_route_shape *shape, const char *text,
    size_t len, char out_name[W_FACT_INTERFACE_MAX])
{
	struct w_fact_lines lines = {.at = text, .end = text + len};
	uint64_t best = UINT64_MAX;
	const char *line;
	size_t line_len;

	while (w_fact_lines_next(&lines, &line, &line_len)) {
		struct facts_route_column columns[COLUMNS_MAX];
		uint64_t metric;

		if (facts_route_split(line, line_len, columns) >=
			shape->columns &&
		    is_default(shape, columns, &metric) && metric < best &&
		    facts_route_copy_name(&columns[shape->name], out_name))
			best = metric;
	}
	return best < UINT64_MAX;
}

bool
w_fact_route_v4(
    const char *text, size_t len, char out_name[W_FACT_INTERFACE_MAX])
{
	static const struct facts_route_shape shape = {.columns = 8,
	    .name = 0,
	    .target = 1,
	    .target_digits = 8,
	    .mask = 7,
	    .mask_digits = 8,
	    .flags = 3,
	    .metric = 6,
	    .metric_base = 10};

	return facts_route_find(&shape, text, len, out_name);
}

bool
w_fact_route_v6(
    const char *text, size_t len, char out_name[W_FACT_INTERFACE_MAX])
{
	static const struct facts_route_shape shape = {.columns = 10,
	    .name = 9,
	    .target = 0,
	    .target_digits = 32,
	    .mask = 1,
	    .mask_digits = 2,
	    .flags = 8,
	    .metric = 5,
	    .metric_base = 16};

	return facts_route_find(&shape, text, len, out_name);
}
