/* SPDX-License-Identifier: Apache-2.0 */

/* Reads user and group resources. */

#include <string.h>

#include "manifest/types/account.h"

#define NAME_LEN_MAX 32

static void
read_ensure(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"present", "absent", NULL};

	(void)key;
	(void)w_typed_read_ensure(parser, member, val, words);
}

static void
read_membership(struct w_parser *parser, const struct w_parse_key *key,
    void *member, yyjson_val *val)
{
	static const char *const words[] = {"minimum", "inclusive", NULL};

	w_typed_read_choice(parser, key, member, val, words);
}

const struct w_parse_key w_parse_user_keys[] = {
    W_PARSE_COMMON_KEYS(read_ensure, w_typed_read_provider_none),
    {"uid", w_typed_read_number, W_TYPED_AT(W_USER_UID)},
    {"group", w_typed_read_word, W_TYPED_AT(W_USER_GROUP)},
    {"groups", w_typed_read_words, W_TYPED_AT(W_USER_GROUPS)},
    {"membership", read_membership, W_TYPED_AT(W_USER_MEMBERSHIP)},
    {"shell", w_typed_read_path, W_TYPED_AT(W_USER_SHELL)},
    {"home", w_typed_read_path, W_TYPED_AT(W_USER_HOME)},
    {"comment", w_typed_read_text, W_TYPED_AT(W_USER_COMMENT)},
    {"system", w_typed_read_truth, W_TYPED_AT(W_USER_SYSTEM)},
    {"manage_home", w_typed_read_truth, W_TYPED_AT(W_USER_MANAGE_HOME)},
    {"password", w_typed_read_secret, W_TYPED_AT(W_USER_PASSWORD)},
    {NULL, NULL, 0},
};

const struct w_parse_key w_parse_group_keys[] = {
    W_PARSE_COMMON_KEYS(read_ensure, w_typed_read_provider_none),
    {"gid", w_typed_read_number, W_TYPED_AT(W_GROUP_GID)},
    {"system", w_typed_read_truth, W_TYPED_AT(W_GROUP_SYSTEM)},
    {NULL, NULL, 0},
};

static void
account_keys_check_map(struct w_parser *parser, yyjson_val *map)
{
	(void)parser;
	(void)map;
}

/* What the files of accounts can hold, and useradd does not take for an
 * option. */
static bool
is_account_name(const char *name)
{
	return strlen(name) <= NAME_LEN_MAX && w_typed_is_name(name, "_.-$@") &&
	       strchr("0123456789.", name[0]) == NULL;
}

static void
check_name(struct w_parser *parser, const struct w_resource *resource)
{
	if (resource->name.template.parts != NULL &&
	    resource->name.text[0] != '\0' &&
	    !is_account_name(resource->name.text))
		(void)w_parse_refuse_at(parser, &resource->name.at,
		    "'%.60s' cannot be the name of a %s", resource->name.text,
		    w_resource_word(resource->type));
}

/* A line of the file has the fields, with ':' in between. */
static void
check_field(struct w_parser *parser, const struct w_resource *resource,
    int index, const char *what)
{
	const char *text = w_typed_early(resource, index);

	if (text != NULL && strpbrk(text, ":\n\r") != NULL)
		(void)w_typed_refuse_with(parser, resource, index,
		    "%s cannot have a ':' or a new line", what);
}

static void
user_keys_check(struct w_parser *parser, struct w_resource *resource)
{
	const struct w_property_list *groups =
	    &resource->as.typed->values[W_USER_GROUPS];
	const char *group = w_typed_early(resource, W_USER_GROUP);

	check_name(parser, resource);
	check_field(parser, resource, W_USER_COMMENT, "comment");
	check_field(parser, resource, W_USER_HOME, "home");
	check_field(parser, resource, W_USER_SHELL, "shell");
	for (size_t i = 0; i < groups->count; i++) {
		if (groups->items[i].text != NULL &&
		    !is_account_name(groups->items[i].text))
			(void)w_parse_refuse_at(parser, &groups->items[i].at,
			    "'%.60s' cannot be the name of a group",
			    groups->items[i].text);
	}
	if (group != NULL && !is_account_name(group) &&
	    strspn(group, "0123456789") != strlen(group))
		(void)w_typed_refuse_with(parser, resource, W_USER_GROUP,
		    "'%.60s' cannot be the name of a group", group);
	if (w_typed_has(resource, W_USER_MEMBERSHIP) && groups->count == 0)
		(void)w_typed_refuse_with(parser, resource, W_USER_MEMBERSHIP,
		    "membership says what groups means, and there are none");
}

static void
group_keys_check(struct w_parser *parser, struct w_resource *resource)
{
	check_name(parser, resource);
}

const struct w_parse_type w_parse_user = {
    .keys = w_parse_user_keys,
    .check_map = account_keys_check_map,
    .check = user_keys_check,
};

const struct w_parse_type w_parse_group = {
    .keys = w_parse_group_keys,
    .check_map = account_keys_check_map,
    .check = group_keys_check,
};
