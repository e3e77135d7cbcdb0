/* SPDX-License-Identifier: Apache-2.0 */

/* Reads how long, and in which project, a rule holds: `until` and `project`. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/ascii.h"
#include "policy/read/policy_reader.h"

#define UNTIL_FORM "dddd-dd-ddTdd:dd:ddZ"

/* Seconds of the epoch; 0: no such time. */
static int64_t
seconds_of(const char *text)
{
	struct tm when = {.tm_year = 0};
	struct tm back;

	if (strlen(text) != strlen(UNTIL_FORM))
		return 0;
	for (size_t i = 0; UNTIL_FORM[i] != '\0'; i++) {
		if (UNTIL_FORM[i] == 'd' ? !w_is_digit(text[i])
					 : text[i] != UNTIL_FORM[i])
			return 0;
	}
	int *const parts[] = {&when.tm_year, &when.tm_mon, &when.tm_mday,
	    &when.tm_hour, &when.tm_min, &when.tm_sec};
	static const unsigned starts[] = {0, 5, 8, 11, 14, 17};
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		int number = 0;

		for (const char *c = text + starts[i]; w_is_digit(*c); c++)
			number = number * 10 + (*c - '0');
		*parts[i] = number;
	}
	when.tm_year -= 1900;
	when.tm_mon -= 1;
	back = when;
	const time_t seconds = timegm(&back);
	/* The 31st of June would be the 1st of July. */
	return back.tm_mon == when.tm_mon && back.tm_mday == when.tm_mday &&
		       back.tm_hour == when.tm_hour &&
		       back.tm_min == when.tm_min && seconds > 0
		   ? (int64_t)seconds
		   : 0;
}

bool
w_read_until(struct w_policy_reader *reader, yyjson_val *val, int64_t *out)
{
	const char *text = w_read_text(reader, val, "until");

	if (text == NULL)
		return false;
	*out = seconds_of(text);
	if (*out != 0)
		return true;
	(void)w_read_refuse(
	    reader, val, "until '%.64s' is not a point in time", text);
	w_read_suggest(reader, "write it in UTC, such as 2030-01-31T18:00:00Z");
	return false;
}

void
w_read_rule_until(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	(void)w_read_until(reader, val, &rule->until);
}

const char *
w_read_project(struct w_policy_reader *reader, yyjson_val *val)
{
	const char *text = w_read_text(reader, val, "project");
	const size_t len = text != NULL ? strlen(text) : 0;

	if (text == NULL)
		return NULL;
	if (text[0] != '/' && strncmp(text, "~/", 2) != 0) {
		(void)w_read_refuse(reader, val,
		    "project '%.128s' must begin with / or ~/", text);
		w_read_suggest(reader,
		    "the whole path of the project's root, without links");
		return NULL;
	}
	if (len < 2 || text[len - 1] == '/') {
		(void)w_read_refuse(
		    reader, val, "project '%.128s' is no directory", text);
		w_read_suggest(reader, "leave the '/' at the end out");
		return NULL;
	}
	if (strstr(text, "//") != NULL || strstr(text, "/./") != NULL ||
	    strstr(text, "/../") != NULL ||
	    (len >= 3 && strcmp(text + len - 3, "/..") == 0)) {
		(void)w_read_refuse(reader, val,
		    "project '%.128s' has '//', '/./' or '..' in it", text);
		return NULL;
	}
	return text;
}

void
w_read_rule_project(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	rule->project = w_read_project(reader, val);
}
