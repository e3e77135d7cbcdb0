/* SPDX-License-Identifier: Apache-2.0 */

/* Reads package resources. */

#include <string.h>

#include "manifest/types/package.h"

#define PUNCTUATION "._+:~-"

static const char *const states[] = {
    "present", "absent", "latest", "held", NULL};

bool
w_package_is_version(const char *ensure)
{
	for (size_t i = 0; states[i] != NULL; i++) {
		if (strcmp(states[i], ensure) == 0)
			return false;
	}
	return true;
}

static void
read_ensure(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	struct w_resource *resource = member;
	struct w_property property = {.text = NULL};
	char shown[W_PARSE_SHOWN_MAX];

	if (yyjson_is_num(val)) {
		(void)w_parse_refuse(parser, val,
		    "%s must be text, not a number: a version like 1.10 would "
		    "lose its zero",
		    key->name);
		w_parse_suggest(parser, "put it in quotes");
		return;
	}
	if (!w_parse_fill(parser, val, key->name, &property))
		return;
	if (property.text[0] == '\0')
		(void)w_parse_refuse(
		    parser, val, "ensure is required, and this one is empty");
	else if (!w_typed_is_name(property.text, PUNCTUATION))
		(void)w_parse_refuse(parser, val,
		    "invalid ensure value '%s': must be 'present', 'absent', "
		    "'latest', 'held' or a version",
		    w_parse_shown(parser, property.text, shown));
	else if (strcmp(property.text, "installed") == 0) {
		(void)w_parse_refuse(
		    parser, val, "invalid ensure value 'installed'");
		w_parse_suggest(parser, "write 'present'");
	} else
		resource->ensure = property.text;
}

static void
read_provider(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"apt", "pip", "npm", NULL};
	struct w_resource *resource = member;
	const int which = w_parse_choice(parser, val, key->name, words);

	if (which >= 0)
		resource->provider = words[which];
}

const struct w_parse_key w_parse_package_keys[] = {
    W_PARSE_COMMON_KEYS(read_ensure, read_provider),
    {"hold", w_typed_read_truth, W_TYPED_AT(W_PACKAGE_HOLD)},
    {"purge", w_typed_read_truth, W_TYPED_AT(W_PACKAGE_PURGE)},
    {"directory", w_typed_read_path, W_TYPED_AT(W_PACKAGE_DIRECTORY)},
    {"wait", w_typed_read_time, W_TYPED_AT(W_PACKAGE_WAIT)},
    {"timeout", w_typed_read_time, W_TYPED_AT(W_PACKAGE_TIMEOUT)},
    {"environment", w_typed_read_deferreds, W_TYPED_AT(W_PACKAGE_ENVIRONMENT)},
    {NULL, NULL, 0},
};

static void
package_keys_check_map(struct w_parser *parser, yyjson_val *map)
{
	(void)parser;
	(void)map;
}

/* pip has extras, name[extra], and npm scopes, @scope/name. */
static bool
is_package_name(const struct w_resource *resource)
{
	const char *name = resource->name.text;
	const char *slash = strchr(name, '/');

	if (strcmp(resource->provider, "pip") == 0)
		return w_typed_is_name(name, "._-[],");
	if (strcmp(resource->provider, "npm") != 0)
		return w_typed_is_name(name, PUNCTUATION);
	if (name[0] == '@')
		return slash != NULL && w_typed_is_name(slash + 1, "._-~") &&
		       w_typed_is_name(name + 1, "._-~/");
	return w_typed_is_name(name, "._-~");
}

static void
package_keys_check(struct w_parser *parser, struct w_resource *resource)
{
	const bool is_apt = strcmp(resource->provider, "pip") != 0 &&
			    strcmp(resource->provider, "npm") != 0;
	const bool is_absent = strcmp(resource->ensure, "absent") == 0;

	if (resource->name.template.parts != NULL &&
	    resource->name.text[0] != '\0' && !is_package_name(resource))
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "package name contains dangerous characters: \"%.60s\"",
		    resource->name.text);
	if (!is_apt && strcmp(resource->ensure, "held") == 0)
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "'ensure: held' is only for the provider apt");
	if (!is_apt && (w_typed_has(resource, W_PACKAGE_HOLD) ||
			   w_typed_has(resource, W_PACKAGE_PURGE)))
		(void)w_typed_refuse_with(parser, resource,
		    w_typed_has(resource, W_PACKAGE_HOLD) ? W_PACKAGE_HOLD
							  : W_PACKAGE_PURGE,
		    "'hold' and 'purge' are only for the provider apt");
	if (strcmp(resource->provider, "posix") != 0 && is_apt &&
	    w_typed_has(resource, W_PACKAGE_DIRECTORY))
		(void)w_typed_refuse_with(parser, resource, W_PACKAGE_DIRECTORY,
		    "'directory' is only for the providers pip and npm");
	if (is_absent && w_typed_is_true(resource, W_PACKAGE_HOLD, false))
		(void)w_typed_refuse_with(parser, resource, W_PACKAGE_HOLD,
		    "a package that is absent cannot be held");
	if (strcmp(resource->ensure, "held") == 0 &&
	    !w_typed_is_true(resource, W_PACKAGE_HOLD, true))
		(void)w_typed_refuse_with(parser, resource, W_PACKAGE_HOLD,
		    "'ensure: held' and 'hold: false' contradict each other");
	if (!is_absent && w_typed_is_true(resource, W_PACKAGE_PURGE, false))
		(void)w_typed_refuse_with(parser, resource, W_PACKAGE_PURGE,
		    "'purge: true' is only valid with 'ensure: absent'");
}

const struct w_parse_type w_parse_package = {
    .keys = w_parse_package_keys,
    .check_map = package_keys_check_map,
    .check = package_keys_check,
};
