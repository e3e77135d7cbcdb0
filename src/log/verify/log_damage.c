/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the byte at which a line stops being a record. Only lines that are
 * known to be wrong come here, so this may be slow. */

#include "log/verify/log_damage.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "data/json.h"
#include "log/log_format.h"

/* Placeholders in a pattern: any digit, any lower-case hexadecimal digit. No
 * line has these bytes before its payload. */
#define DIGIT '\1'
#define HEX   '\2'

enum {
	PATTERN_MAX = 256,
	NUMBER_AT = 7,             /* offset in a line */
	ENDING = 11 + W_SHA256_HEX /* ,"hash":"HEX"} */
};

static bool
log_damage_fits(char pattern, char c)
{
	bool is_digit = c >= '0' && c <= '9';

	if (pattern == DIGIT)
		return is_digit;
	if (pattern == HEX)
		return is_digit || (c >= 'a' && c <= 'f');
	return pattern == c;
}

/* The first byte that does not match; the pattern's length: all do. */
static size_t
log_damage_match(const char *bytes, size_t len, const char *pattern)
{
	size_t i = 0;

	while (i < len && pattern[i] != '\0' &&
	       log_damage_fits(pattern[i], bytes[i]))
		i++;
	return i;
}

/* The hash, or a pattern for any hash. */
static const char *
hash_pattern(const char *hash)
{
#define HEX_8 "\2\2\2\2\2\2\2\2"
	static const char any[] =
	    HEX_8 HEX_8 HEX_8 HEX_8 HEX_8 HEX_8 HEX_8 HEX_8;

	return hash[0] != '\0' ? hash : any;
}

/* The expected start of the line. */
static void
make_beginning(char out[PATTERN_MAX], const char *bytes, size_t len,
    uint64_t seq, const char *prev)
{
	char number[24] = {0};

	if (seq > 0)
		(void)snprintf(number, sizeof(number), "%" PRIu64, seq);
	for (size_t i = 0; seq == 0 && i < 20 && len > NUMBER_AT + i &&
			   log_damage_fits(DIGIT, bytes[NUMBER_AT + i]);
	     i++)
		number[i] = DIGIT;
	(void)snprintf(out, PATTERN_MAX,
	    "{\"seq\":%s,\"time\":\"%s\",\"prev\":\"%.64s\",\"kind\":\"",
	    number, "\1\1\1\1-\1\1-\1\1T\1\1:\1\1:\1\1.\1\1\1\1\1\1Z",
	    hash_pattern(prev));
}

static size_t
break_of_json(const char *bytes, size_t len)
{
	const struct w_json_limits limits = {W_LOG_LINE_MAX, 64};
	struct w_json *json = NULL;
	writ_error err = {0};

	if (w_json_read(bytes, len, &limits, &json, &err) == WRIT_OK) {
		w_json_free(json);
		return SIZE_MAX;
	}
	return err.line == 1 && err.column > 0 && err.column <= len
		   ? err.column - 1
		   : SIZE_MAX;
}

static size_t
break_of_ending(const char *bytes, size_t len)
{
	char pattern[PATTERN_MAX];

	if (len < ENDING)
		return len;
	(void)snprintf(
	    pattern, sizeof(pattern), ",\"hash\":\"%s\"}", hash_pattern(""));
	size_t good = log_damage_match(bytes + len - ENDING, ENDING, pattern);
	return good < ENDING ? len - ENDING + good : SIZE_MAX;
}

size_t
w_log_damage_find(const char *bytes, size_t len, uint64_t seq, const char *prev)
{
	char beginning[PATTERN_MAX];

	make_beginning(beginning, bytes, len, seq, prev);
	size_t good = log_damage_match(bytes, len, beginning);
	if (good < strlen(beginning))
		return good;
	good += w_log_kind_span(bytes + good, len - good);
	if (good == len || bytes[good] != '"')
		return good;
	size_t json = break_of_json(bytes, len);
	return json < len ? json : break_of_ending(bytes, len);
}
