/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Prints values of a JSON document as Python prints them.
 *
 *     json_value TEXT 'd["name"][0]'
 *     json_value TEXT 'd["name"], d["list"][-1]'
 *
 * Exits with 2 for everything that takes a real Python: other expressions, text
 * that is not JSON, values that are not there, containers, fractions, and
 * strings that Python would print with an escape.
 */

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

static _Noreturn void
leave_to_python(void)
{
	_exit(2);
}

/* Steps over `text` if it stands at *at. */
static bool
is_next(const char **at, const char *text)
{
	const size_t len = strlen(text);

	if (strncmp(*at, text, len) != 0)
		return false;
	*at += len;
	return true;
}

/* The last of several equal names applies, as in Python. */
static yyjson_val *
member(yyjson_val *object, const char *name, size_t len)
{
	yyjson_val *found = NULL;
	yyjson_val *key;
	size_t at, count;
	yyjson_val *value;

	yyjson_obj_foreach(object, at, count, key, value)
	{
		if (yyjson_equals_strn(key, name, len))
			found = value;
	}
	return found;
}

static yyjson_val *
element(yyjson_val *array, long index)
{
	const long size = (long)yyjson_arr_size(array);

	if (index < 0)
		index += size;
	return index < 0 ? NULL : yyjson_arr_get(array, (size_t)index);
}

/* The value of the expression at *at: d, then ["name"] or [number]. */
static yyjson_val *
value_of(yyjson_val *value, const char **at)
{
	if (!is_next(at, "d"))
		leave_to_python();
	while (value != NULL && is_next(at, "[")) {
		const char quote = **at;

		if (quote == '"' || quote == '\'') {
			const char *name = *at + 1;
			const char *end = strchr(name, quote);

			if (end == NULL ||
			    memchr(name, '\\', (size_t)(end - name)) != NULL)
				leave_to_python();
			value = member(value, name, (size_t)(end - name));
			*at = end + 1;
		} else {
			char *end;

			value = element(value, strtol(*at, &end, 10));
			if (end == *at)
				leave_to_python();
			*at = end;
		}
		if (!is_next(at, "]"))
			leave_to_python();
	}
	if (value == NULL)
		leave_to_python();
	return value;
}

static void
print_quoted(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isprint((unsigned char)text[i]) || text[i] == '\'' ||
		    text[i] == '\\')
			leave_to_python();
	}
	printf("'%s'", text);
}

static void
print_value(yyjson_val *value, bool is_quoted)
{
	const size_t len = yyjson_get_len(value);

	if (yyjson_is_null(value))
		fputs("None", stdout);
	else if (yyjson_is_bool(value))
		fputs(yyjson_get_bool(value) ? "True" : "False", stdout);
	else if (yyjson_is_uint(value))
		printf("%llu", (unsigned long long)yyjson_get_uint(value));
	else if (yyjson_is_sint(value))
		printf("%lld", (long long)yyjson_get_sint(value));
	else if (yyjson_is_str(value) && is_quoted)
		print_quoted(yyjson_get_str(value), len);
	else if (yyjson_is_str(value))
		fwrite(yyjson_get_str(value), 1, len, stdout);
	else
		leave_to_python();
}

/* Nothing is printed before all is known. */
static char printed[1 << 20];

int
main(int argc, char **argv)
{
	yyjson_val *values[32];
	size_t count = 0;
	yyjson_doc *doc =
	    argc == 3 ? yyjson_read(argv[1], strlen(argv[1]), 0) : NULL;
	const char *at = argc == 3 ? argv[2] : "";
	const bool is_open = is_next(&at, "(");

	if (doc == NULL)
		leave_to_python();
	do {
		if (count == sizeof(values) / sizeof(*values))
			leave_to_python();
		values[count++] = value_of(yyjson_doc_get_root(doc), &at);
	} while (is_next(&at, ", "));
	if ((is_open && !is_next(&at, ")")) || *at != '\0')
		leave_to_python();
	if (setvbuf(stdout, printed, _IOFBF, sizeof(printed)) != 0)
		leave_to_python();
	if (count == 1) {
		print_value(values[0], false);
	} else {
		for (size_t i = 0; i < count; i++) {
			fputs(i == 0 ? "(" : ", ", stdout);
			print_value(values[i], true);
		}
		putchar(')');
	}
	putchar('\n');
	yyjson_doc_free(doc);
	return 0;
}
