/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Formats: every check reads any text to its end and no further, and what is
 * one thing is also the wider thing that includes it.
 */

#include "schema/format/format.h"

#include "check.h"

static const char *const names[] = {"date", "date-time", "duration", "email",
    "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6", "iri",
    "iri-reference", "json-pointer", "path", "regex", "relative-json-pointer",
    "time", "uri", "uri-reference", "uri-template", "uuid"};

static const struct {
	const char *narrow;
	const char *wide;
} kin[] = {
    {"uri", "uri-reference"},
    {"uri", "iri"},
    {"iri", "iri-reference"},
    {"uri-reference", "iri-reference"},
    {"ipv4", "hostname"},
    {"date", "path"},
};

static bool
is(const char *name, const char *text, size_t len)
{
	w_format_fn check = w_format_find(name, strlen(name));

	CHECK(check != NULL);
	return check(text, len);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!w_utf8_valid(data, size))
		return 0;

	char *text = copy_exact(data, size);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)is(names[i], text, size);
	for (size_t i = 0; i < sizeof(kin) / sizeof(kin[0]); i++)
		CHECK(!is(kin[i].narrow, text, size) ||
		      is(kin[i].wide, text, size));
	free(text);
	return 0;
}
