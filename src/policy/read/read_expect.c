/* SPDX-License-Identifier: Apache-2.0 */

/* Reads `expect`: commands and their expected verdicts. */

#include <string.h>

#include "data/json_words.h"
#include "policy/read/policy_reader.h"

static bool
read_expect_read_command(struct w_policy_reader *reader, yyjson_val *val,
    struct w_policy_expect *expect)
{
	const char *text = w_read_text(reader, val, "a command");
	W_AUTO_WORDS struct w_words words = {.items = NULL};
	writ_error err;

	if (text == NULL)
		return false;
	if (w_words_split(text, strlen(text), &words, &err) != WRIT_OK)
		return w_read_refuse_error(reader, val, "a command", &err);
	if (words.count == 0)
		return w_read_refuse(reader, val, "the command is empty");
	const char **argv =
	    w_read_alloc(reader, words.count + 1, sizeof(*argv));
	for (size_t i = 0; argv != NULL && i < words.count; i++)
		argv[i] =
		    w_read_copy(reader, words.items[i], strlen(words.items[i]));
	expect->argv = argv;
	expect->argc = words.count;
	expect->text = text;
	return true;
}

static void
read_command_key(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	(void)key;
	(void)read_expect_read_command(reader, val, target);
}

static const struct w_read_key command_keys[] = {
    {"command", .read = read_command_key},
    {"shell", W_READ_TEXT, offsetof(struct w_policy_expect, shell),
	.what = "a shell text"},
    {"agent", W_READ_LINE, .offset = offsetof(struct w_policy_expect, agent)},
    {.name = NULL},
};

static void
read_expected(struct w_policy_reader *reader, yyjson_val *val,
    struct w_policy_expect *expect)
{
	if (!yyjson_is_obj(val)) {
		(void)read_expect_read_command(reader, val, expect);
		return;
	}
	(void)w_read_map(reader, val, "an expectation", command_keys, expect);
	expect->text = w_read_flow(reader, val);
	const bool has_command = yyjson_obj_get(val, "command") != NULL;
	const bool has_shell = yyjson_obj_get(val, "shell") != NULL;
	if (has_command == has_shell)
		(void)w_read_refuse(reader, val,
		    "an expectation is about a command or a shell text, and "
		    "this one has %s",
		    has_shell ? "both" : "none");
}

/* An expectation and the key of its verdict. */
struct expect_reader {
	struct w_policy_expect *expect;
	yyjson_val *verdict;
};

static void
read_verdict(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct expect_reader *into = target;

	if (into->verdict != NULL) {
		(void)w_read_refuse(reader, key,
		    "an expectation has one of allow, ask and deny");
		w_read_suggest(reader, "make it two");
		return;
	}
	into->verdict = key;
	into->expect->verdict = w_read_verdict(key);
	read_expected(reader, val, into->expect);
}

static void
read_expect_until(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct expect_reader *into = target;

	(void)key;
	(void)w_read_until(reader, val, &into->expect->until);
}

static void
read_expect_project(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct expect_reader *into = target;

	(void)key;
	into->expect->project = w_read_project(reader, val);
}

static const struct w_read_key expect_keys[] = {
    {"allow", .read = read_verdict},
    {"ask", .read = read_verdict},
    {"deny", .read = read_verdict},
    {"until", .read = read_expect_until},
    {"project", .read = read_expect_project},
    {.name = NULL},
};

static void
read_expect(struct w_policy_reader *reader, yyjson_val *val)
{
	struct w_policy *policy = reader->policy;

	if (!w_read_grow(reader, (void **)&reader->expects,
		policy->expect_count, &reader->expect_cap,
		sizeof(struct w_policy_expect)))
		return;
	struct w_policy_expect *expect = &reader->expects[policy->expect_count];
	struct expect_reader into = {.expect = expect};
	*expect =
	    (struct w_policy_expect){.location = w_read_location(reader, val)};
	if (!w_read_map(reader, val, "an expectation", expect_keys, &into))
		return;
	if (into.verdict == NULL)
		(void)w_read_refuse(reader, val,
		    "this expectation has none of allow, ask and deny");
	policy->expect_count++;
}

void
w_read_expects(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	(void)target;
	(void)key;
	if (!yyjson_is_arr(val)) {
		(void)w_read_refuse(reader, val,
		    "expect must be a list, not %s", w_json_type_words(val));
		if (yyjson_is_obj(val))
			w_read_suggest(reader, "begin each with '- '");
		return;
	}
	yyjson_arr_foreach(val, i, count, item) read_expect(reader, item);
}
