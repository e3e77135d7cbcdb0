/* SPDX-License-Identifier: Apache-2.0 */

/* Parses resource URIs. */

#include "mcp/resources/resource_uri.h"

#include <string.h>

#define RUN    "writ://run/"
#define RUN_ID 26

struct text {
	const char *at;
	size_t len;
};

static const struct {
	const char *uri;
	enum w_mcp_resource_kind kind;
} fixed[] = {
    {"writ://runs", W_MCP_RESOURCE_RUNS},
    {"writ://audit/tail", W_MCP_RESOURCE_AUDIT},
    {"writ://policy/effective", W_MCP_RESOURCE_POLICY},
};

static const struct {
	const char *name;
	enum w_mcp_resource_kind kind;
} parts[] = {
    {"stdout", W_MCP_RESOURCE_STDOUT},
    {"stderr", W_MCP_RESOURCE_STDERR},
    {"meta", W_MCP_RESOURCE_META},
};

static bool
resource_uri_is_text(const struct text *text, const char *word)
{
	return text->len == strlen(word) &&
	       memcmp(text->at, word, text->len) == 0;
}

/* Splits off the text before the character, and drops the character. false:
 * there is none, and all of the text is split off. */
static bool
resource_uri_cut(struct text *text, char end, struct text *out_first)
{
	const char *found = memchr(text->at, end, text->len);
	const size_t len =
	    found == NULL ? text->len : (size_t)(found - text->at);

	*out_first = (struct text){text->at, len};
	text->at += found == NULL ? len : len + 1;
	text->len -= found == NULL ? len : len + 1;
	return found != NULL;
}

static bool
resource_uri_parse_number(const struct text *digits, uint64_t *out_number)
{
	uint64_t number = 0;

	if (digits->len == 0 || digits->len > 18)
		return false;
	for (size_t i = 0; i < digits->len; i++) {
		if (digits->at[i] < '0' || digits->at[i] > '9')
			return false;
		number = number * 10 + (uint64_t)(digits->at[i] - '0');
	}
	*out_number = number;
	return true;
}

/* offset=N&length=N, each at most once. */
static bool
resource_uri_parse_query(struct text query, struct w_mcp_resource *resource)
{
	bool has_offset = false;
	bool has_length = false;
	bool has_more = true;

	while (has_more) {
		struct text pair;
		struct text name;

		has_more = resource_uri_cut(&query, '&', &pair);
		if (!resource_uri_cut(&pair, '=', &name))
			return false;
		if (resource_uri_is_text(&name, "offset") && !has_offset)
			has_offset =
			    resource_uri_parse_number(&pair, &resource->offset);
		else if (resource_uri_is_text(&name, "length") && !has_length)
			has_length = resource_uri_parse_number(
					 &pair, &resource->length) &&
				     resource->length > 0;
		else
			return false;
		if (!(resource_uri_is_text(&name, "offset") ? has_offset
							    : has_length))
			return false;
	}
	return true;
}

static bool
resource_uri_parse_run(struct text rest, struct w_mcp_resource *resource)
{
	struct text id;
	struct text part;

	if (!resource_uri_cut(&rest, '/', &id) || id.len != RUN_ID)
		return false;
	memcpy(resource->run, id.at, RUN_ID);
	if (strspn(resource->run, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") != RUN_ID)
		return false;
	const bool has_query = resource_uri_cut(&rest, '?', &part);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!resource_uri_is_text(&part, parts[i].name))
			continue;
		resource->kind = parts[i].kind;
		return !has_query ||
		       (resource->kind != W_MCP_RESOURCE_META &&
			   resource_uri_parse_query(rest, resource));
	}
	return false;
}

bool
w_mcp_resource_parse_uri(
    const char *uri, size_t len, struct w_mcp_resource *out_resource)
{
	const struct text whole = {uri, len};
	struct w_mcp_resource resource = {.offset = 0};

	if (len > W_MCP_RESOURCE_URI_MAX)
		return false;
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		if (resource_uri_is_text(&whole, fixed[i].uri)) {
			resource.kind = fixed[i].kind;
			*out_resource = resource;
			return true;
		}
	}
	if (len < strlen(RUN) || memcmp(uri, RUN, strlen(RUN)) != 0 ||
	    !resource_uri_parse_run(
		(struct text){uri + strlen(RUN), len - strlen(RUN)}, &resource))
		return false;
	*out_resource = resource;
	return true;
}
