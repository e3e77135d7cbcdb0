/* SPDX-License-Identifier: Apache-2.0 */

/* Reads service resources. */

#include <string.h>

#include "manifest/types/service.h"

static void
read_ensure(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"running", "stopped", NULL};

	(void)key;
	(void)w_typed_read_ensure(parser, member, val, words);
}

static void
read_provider(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"systemd", NULL};

	(void)member;
	(void)w_parse_choice(parser, val, key->name, words);
}

static void
read_refresh(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"restart", "reload", NULL};

	w_typed_read_choice(parser, key, member, val, words);
}

const struct w_parse_key w_parse_service_keys[] = {
    W_PARSE_COMMON_KEYS(read_ensure, read_provider),
    {"enable", w_typed_read_truth, W_TYPED_AT(W_SERVICE_ENABLE)},
    {"refresh", read_refresh, W_TYPED_AT(W_SERVICE_REFRESH)},
    {"settle", w_typed_read_time, W_TYPED_AT(W_SERVICE_SETTLE)},
    {"timeout", w_typed_read_time, W_TYPED_AT(W_SERVICE_TIMEOUT)},
    {"subscribe", w_parse_subscribe,
	offsetof(struct w_resource_draft, body.typed.subscribe)},
    {NULL, NULL, 0},
};

static void
service_keys_begin(struct w_resource_draft *draft)
{
	draft->resource.ensure = "running";
	draft->resource.provider = "systemd";
}

static void
service_keys_check_map(struct w_parser *parser, yyjson_val *map)
{
	(void)parser;
	(void)map;
}

static void
service_keys_check(struct w_parser *parser, struct w_resource *resource)
{
	if (resource->name.template.parts != NULL &&
	    resource->name.text[0] != '\0' &&
	    !w_typed_is_name(resource->name.text, ":_.\\@-"))
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "'%.60s' cannot be the name of a service",
		    resource->name.text);
}

const struct w_parse_type w_parse_service = {
    .keys = w_parse_service_keys,
    .begin = service_keys_begin,
    .check_map = service_keys_check_map,
    .check = service_keys_check,
};
