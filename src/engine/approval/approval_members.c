/* SPDX-License-Identifier: Apache-2.0 */

/* Members common to the files of questions, answers and grants. */

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "data/json_words.h"
#include "engine/approval/approval.h"

#define WORD(name, word) word,

static const char *const scope_words[] = {WRIT_SCOPE_MAP(WORD)};
static const char *const state_words[] = {WRIT_APPROVAL_STATE_MAP(WORD)};

enum {
	SCOPE_COUNT = sizeof(scope_words) / sizeof(scope_words[0])
};

const char *
w_approval_scope_word(writ_scope scope)
{
	return scope_words[scope];
}

bool
w_approval_scope_has_rule(writ_scope scope)
{
	return scope == WRIT_SCOPE_SHAPE || scope == WRIT_SCOPE_PROJECT ||
	       scope == WRIT_SCOPE_ALWAYS;
}

const char *
w_approval_state_word(writ_approval_state state)
{
	return state_words[state];
}

void
w_approval_add_actor(struct w_buf *buf, const struct w_actor *actor)
{
	w_buf_add_fmt(buf, ",\"by\":{\"uid\":%" PRIu64 ",\"pid\":%d",
	    actor->uid, actor->pid);
	w_json_add_text_member(buf, "via", actor->via);
	w_buf_add_char(buf, '}');
}

struct w_actor
w_approval_own_actor(void)
{
	return (struct w_actor){.uid = getuid(), .pid = getpid()};
}

void
w_approval_add_validity(struct w_buf *buf, const struct w_validity *validity)
{
	w_json_add_number_member(buf, "at", validity->at_ms);
	w_json_add_number_member(buf, "until", validity->until_ms);
	w_json_add_text_member(buf, "boot", validity->boot);
	w_json_add_number_member(buf, "boot_ms", validity->boot_ms);
}

bool
w_approval_parse_text(yyjson_val *root, const char *key, const char **out_text)
{
	yyjson_val *val = yyjson_obj_get(root, key);

	*out_text = NULL;
	if (yyjson_is_null(val))
		return true;
	if (!w_json_is_text(val))
		return false;
	*out_text = yyjson_get_str(val);
	return true;
}

bool
w_approval_parse_validity(yyjson_val *root, struct w_validity *out_validity)
{
	yyjson_val *at = yyjson_obj_get(root, "at");
	yyjson_val *until = yyjson_obj_get(root, "until");
	yyjson_val *since = yyjson_obj_get(root, "boot_ms");
	const char *boot;

	if (!yyjson_is_uint(at) || !yyjson_is_uint(until) ||
	    !yyjson_is_uint(since) ||
	    !w_approval_parse_text(root, "boot", &boot) || boot == NULL ||
	    strlen(boot) >= sizeof(out_validity->boot))
		return false;
	*out_validity = (struct w_validity){
	    .at_ms = yyjson_get_uint(at),
	    .until_ms = yyjson_get_uint(until),
	    .boot_ms = yyjson_get_uint(since),
	};
	memcpy(out_validity->boot, boot, strlen(boot) + 1);
	return true;
}

/* Files of an older writ have none. */
bool
w_approval_parse_project(yyjson_val *root, const char **out_project)
{
	*out_project = NULL;
	return yyjson_obj_get(root, "project") == NULL ||
	       w_approval_parse_text(root, "project", out_project);
}

bool
w_approval_parse_scope(yyjson_val *root, writ_scope *out_scope)
{
	yyjson_val *val = yyjson_obj_get(root, "scope");

	for (size_t i = 0; i < SCOPE_COUNT; i++) {
		if (!yyjson_equals_str(val, scope_words[i]))
			continue;
		*out_scope = (writ_scope)i;
		return true;
	}
	return false;
}

void
w_approval_parse_actor(yyjson_val *root, struct w_actor *out_actor)
{
	yyjson_val *by = yyjson_obj_get(root, "by");
	const uint64_t pid = yyjson_get_uint(yyjson_obj_get(by, "pid"));

	out_actor->uid = yyjson_get_uint(yyjson_obj_get(by, "uid"));
	out_actor->pid = pid <= INT_MAX ? (int)pid : 0;
	/* Missing in older files. */
	(void)w_approval_parse_text(by, "via", &out_actor->via);
}
