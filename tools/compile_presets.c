/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Compiles the presets of data/policies: reads each one like any policy and
 * writes the result as C source, so that a run under a preset parses nothing.
 *
 *     compile-presets OUTPUT FILE...
 *
 * An invalid preset fails the build, with its location.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "policy/evaluate/rule_index.h"
#include "policy/policy.h"

#define RULES_MAX 4096

struct preset {
	const char *file;
	char name[64];
	char about[256];
	struct w_buf text;
	struct w_policy *policy;
	/* In the order of writing. */
	const struct w_rule *rules[RULES_MAX];
	size_t rule_count;
};

static FILE *out;

static void __attribute__((noreturn, format(printf, 1, 2)))
give_up(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vfprintf(stderr, fmt, args);
	va_end(args);
	(void)fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

static void __attribute__((format(printf, 1, 2))) put(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vfprintf(out, fmt, args);
	va_end(args);
}

/* ---- reading ---- */

static void
read_text(struct preset *preset)
{
	char chunk[4096];
	FILE *stream = fopen(preset->file, "re");

	if (stream == NULL)
		give_up("%s: %s", preset->file, strerror(errno));
	w_buf_init(&preset->text, W_POLICY_TEXT_MAX);
	for (;;) {
		size_t n = fread(chunk, 1, sizeof(chunk), stream);

		if (n == 0)
			break;
		w_buf_add(&preset->text, chunk, n);
	}
	if (ferror(stream) != 0 || preset->text.failed)
		give_up("%s: cannot be read", preset->file);
	(void)fclose(stream);
}

/* The first line describes the preset, after "# ". */
static void
read_names(struct preset *preset)
{
	const char *slash = strrchr(preset->file, '/');
	const char *name = slash == NULL ? preset->file : slash + 1;

	if (sscanf(name, "%63[^.].yaml", preset->name) != 1)
		give_up("%s: a preset is called NAME.yaml", preset->file);
	if (sscanf(preset->text.data, "# %255[^\n]", preset->about) != 1)
		give_up("%s: the first line has to say what it is for",
		    preset->file);
}

static writ_status
refuse_include(void *ctx, const char *name, const char *from, char **out_text,
    size_t *out_len, char **out_file, writ_error *err)
{
	(void)ctx, (void)from, (void)out_text, (void)out_len, (void)out_file;
	return w_fail(err, WRIT_E_INVALID, "policy", 0,
	    "a preset includes nothing, not even '%s'", name);
}

static void
collect_rules(struct preset *preset, const struct w_rule *const *rules)
{
	for (; rules != NULL && *rules != NULL; rules++) {
		if (preset->rule_count == RULES_MAX)
			give_up(
			    "%s: more than %d rules", preset->file, RULES_MAX);
		if ((*rules)->input_count > 0)
			give_up("%s:%u: a preset cannot match values of a "
				"call",
			    preset->file, (*rules)->location.line);
		preset->rules[preset->rule_count++] = *rules;
	}
}

static void
read_preset(struct preset *preset)
{
	const struct w_policy_source source = {.include = refuse_include};
	char shown[80];
	writ_error err = {0};

	read_text(preset);
	read_names(preset);
	(void)snprintf(shown, sizeof(shown), "preset:%s", preset->name);
	if (w_policy_read(preset->text.data, preset->text.len, shown, &source,
		&preset->policy, NULL, &err) != WRIT_OK)
		give_up("%s: %s", preset->file, err.message);
	collect_rules(preset, preset->policy->rules);
	for (size_t i = 0; i < preset->policy->agent_count; i++)
		collect_rules(preset, preset->policy->agents[i].rules);
}

/* ---- writing: values ---- */

static void
put_string(const char *text)
{
	if (text == NULL) {
		put("NULL");
		return;
	}
	put("\"");
	for (; *text != '\0'; text++) {
		const unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '?')
			put("\\%03o", c);
		else
			put("%c", c);
	}
	put("\"");
}

/* A list as a compound literal: it has static storage in a static
 * initialiser. */
static void
put_list(const char *const *list)
{
	if (list == NULL) {
		put("NULL");
		return;
	}
	put("(const char *const[]){");
	for (; *list != NULL; list++) {
		put_string(*list);
		put(", ");
	}
	put("NULL}");
}

static void
put_member(const char *name, const char *text)
{
	if (text == NULL)
		return;
	put("\t.%s = ", name);
	put_string(text);
	put(",\n");
}

static void
put_list_member(const char *name, const char *const *list)
{
	if (list == NULL)
		return;
	put("\t.%s = ", name);
	put_list(list);
	put(",\n");
}

static void
put_spot(const struct w_policy_location *location)
{
	put("\t.location = {");
	put_string(location->file);
	put(", %u, %u},\n", location->line, location->column);
}

/* ---- writing: rules ---- */

static size_t
place_of(const struct preset *preset, const struct w_rule *rule)
{
	for (size_t i = 0; i < preset->rule_count; i++) {
		if (preset->rules[i] == rule)
			return i;
	}
	give_up("%s: a rule is in no list", preset->file);
}

static void
put_shapes(const struct w_rule *rule)
{
	if (rule->shape_count == 0)
		return;
	put("\t.shapes = (const struct w_shape[]){");
	for (size_t i = 0; i < rule->shape_count; i++) {
		const struct w_shape *shape = &rule->shapes[i];

		put("{");
		put_string(shape->text);
		put(", ");
		put_list(shape->words);
		put(", %zu, %d}, ", shape->count, shape->is_open);
	}
	put("},\n\t.shape_count = %zu,\n", rule->shape_count);
}

static void
put_match(const struct w_rule *rule)
{
	put_list_member("agents", rule->agents);
	put_list_member("programs", rule->programs);
	put_list_member("called_as", rule->called_as);
	put_list_member("modules", rule->modules);
	put_list_member("called", rule->called);
	put("\t.effects = %uU,\n\t.paths = {", rule->effects);
	for (size_t i = 0; i < 4; i++) {
		put_list(rule->paths[i]);
		put(", ");
	}
	put("},\n");
	put_list_member("hosts", rule->hosts);
	put_list_member("variables", rule->variables);
	put_shapes(rule);
	put("\t.is_shell = %d,\n", rule->is_shell);
	put_member("shell_text", rule->shell_text);
	put("\t.walls_min = %uU,\n\t.walls_below = %uU,\n\t.networks = %uU,\n",
	    rule->walls_min, rule->walls_below, rule->networks);
	put("\t.undo = %uU,\n\t.is_trial = %s,\n", rule->undo,
	    rule->is_trial ? "true" : "false");
	put("\t.until = %" PRId64 ",\n", rule->until);
	put_member("project", rule->project);
	if (rule->time != NULL)
		put("\t.time = &(const struct w_rule_time){%u, %u, %u},\n",
		    rule->time->days, rule->time->from, rule->time->to);
}

static void
put_rules(const struct preset *preset, size_t number)
{
	put("static const struct w_rule rules%zu[] = {\n", number);
	for (size_t i = 0; i < preset->rule_count; i++) {
		const struct w_rule *rule = preset->rules[i];

		put("{\n\t.kind = %u,\n\t.verdict = %u,\n", rule->kind,
		    rule->verdict);
		put_spot(&rule->location);
		put("\t.order = %zuU,\n", rule->order);
		put_member("text", rule->text);
		put_member("because", rule->because);
		put_member("message", rule->message);
		put_match(rule);
		put("},\n");
	}
	put("};\n");
}

static void
put_rule_list(const struct preset *preset, size_t number,
    const struct w_rule *const *rules)
{
	put("(const struct w_rule *const[]){");
	for (; rules != NULL && *rules != NULL; rules++)
		put("&rules%zu[%zu], ", number, place_of(preset, *rules));
	put("NULL}");
}

/* ---- writing: the index ---- */

static void
put_index_rule(const struct preset *preset, size_t number, const char *name,
    const struct w_rule *rule)
{
	if (rule != NULL)
		put("\t.%s = &rules%zu[%zu],\n", name, number,
		    place_of(preset, rule));
}

static void
put_index(const struct preset *preset, size_t number)
{
	const struct w_rule_index *index = preset->policy->index;

	put("static const struct w_rule_index index%zu = {\n", number);
	put("\t.entries = (struct w_rule_index_entry[]){");
	for (size_t i = 0; i < index->count; i++)
		put("{&rules%zu[%zu], %uU, %zuU}, ", number,
		    place_of(preset, index->entries[i].rule),
		    index->entries[i].effects, index->entries[i].agent);
	put("{NULL, 0, 0}},\n\t.count = %zu,\n", index->count);
	put("\t.filed = (struct w_rule_index_filed[]){");
	for (size_t i = 0; i < index->filed_count; i++)
		put("{%" PRIu64 "U, %u}, ", index->filed[i].hash,
		    index->filed[i].entry);
	put("{0, 0}},\n\t.filed_count = %zu,\n", index->filed_count);
	put("\t.slots = (struct w_rule_index_slot[]){");
	for (size_t i = 0; i <= index->slot_mask; i++)
		put("{%" PRIu64 "U, %u, %u}, ", index->slots[i].hash,
		    index->slots[i].from, index->slots[i].count);
	put("},\n\t.slot_mask = %zu,\n\t.kinds = %uU,\n", index->slot_mask,
	    index->kinds);
	put_index_rule(preset, number, "standard", index->standard);
	put_index_rule(preset, number, "unknown", index->unknown);
	put("};\n");
}

/* ---- writing: the policy ---- */

static void
put_terms(const struct w_policy_terms *terms)
{
	const struct w_policy_environment *environment = &terms->environment;
	const uint64_t *limits = (const uint64_t *)&terms->limits;

	put("\t.terms = {\n");
	put_member("sandbox", terms->sandbox);
	put_member("network", terms->network);
	put_member("judge", terms->judge);
	put_member("undo", terms->undo);
	put_list_member("roots", terms->roots);
	put("\t.limits = {");
	for (size_t i = 0; i < sizeof(terms->limits) / sizeof(*limits); i++)
		put("%" PRIu64 "U, ", limits[i]);
	put("},\n\t.environment = {\n\t.mode = ");
	put_string(environment->mode);
	put(",\n");
	put_list_member("pass", environment->pass);
	put_list_member("drop", environment->drop);
	put_list_member("set", environment->set);
	put_list_member("standard", environment->standard);
	put("\t}},\n");
}

static void
put_agents(const struct preset *preset, size_t number)
{
	const struct w_policy *policy = preset->policy;

	if (policy->agent_count == 0)
		return;
	put("\t.agents = (const struct w_policy_agent[]){\n");
	for (size_t i = 0; i < policy->agent_count; i++) {
		put("{\n");
		put_member("name", policy->agents[i].name);
		put_spot(&policy->agents[i].location);
		put_terms(&policy->agents[i].terms);
		put("\t.rules = ");
		put_rule_list(preset, number, policy->agents[i].rules);
		put("},\n");
	}
	put("\t},\n\t.agent_count = %zu,\n", policy->agent_count);
}

static void
put_expects(const struct w_policy *policy)
{
	if (policy->expect_count == 0)
		return;
	put("\t.expects = (const struct w_policy_expect[]){\n");
	for (size_t i = 0; i < policy->expect_count; i++) {
		const struct w_policy_expect *expect = &policy->expects[i];

		put("{\n");
		put_spot(&expect->location);
		put("\t.verdict = %u,\n\t.argc = %zu,\n", expect->verdict,
		    expect->argc);
		put_list_member("argv", expect->argv);
		put_member("shell", expect->shell);
		put_member("agent", expect->agent);
		put_member("text", expect->text);
		put("},\n");
	}
	put("\t},\n\t.expect_count = %zu,\n", policy->expect_count);
}

static void
put_policy(const struct preset *preset, size_t number)
{
	const struct w_policy *policy = preset->policy;

	put("static const struct w_policy policy%zu = {\n", number);
	put_member("file", policy->file);
	put_member("default_agent", policy->default_agent);
	put_terms(&policy->terms);
	put("\t.shell = %u,\n", policy->shell);
	put_member("shell_program", policy->shell_program);
	put_member("exec_shape", policy->exec_shape);
	put("\t.arguments = %u,\n", policy->arguments);
	put_list_member("programs", policy->programs);
	put("\t.has_allowlist = %d,\n\t.rules = ", policy->has_allowlist);
	put_rule_list(preset, number, policy->rules);
	put(",\n\t.rule_count = %zu,\n", policy->rule_count);
	put_agents(preset, number);
	put("\t.has_agents = %d,\n", policy->has_agents);
	put("\t.knows_hosts = %d,\n", policy->knows_hosts);
	put_expects(policy);
	put_list_member("files", policy->files);
	put("\t.index = &index%zu,\n};\n", number);
}

static void
put_text(const struct preset *preset, size_t number)
{
	put("static const char text%zu[] = {", number);
	for (size_t i = 0; i < preset->text.len; i++)
		put("%s%d,", i % 16 == 0 ? "\n" : "", preset->text.data[i]);
	put("0};\n");
}

static void
put_all(const struct preset *presets, size_t count)
{
	put("#include \"policy/policy.h\"\n"
	    "#include \"policy/evaluate/rule_index.h\"\n");
	for (size_t i = 0; i < count; i++) {
		put_text(&presets[i], i);
		put_rules(&presets[i], i);
		put_index(&presets[i], i);
		put_policy(&presets[i], i);
	}
	put("const struct w_preset w_presets[] = {\n");
	for (size_t i = 0; i < count; i++) {
		put("{");
		put_string(presets[i].name);
		put(", ");
		put_string(presets[i].about);
		put(", text%zu, %zu, &policy%zu},\n", i, presets[i].text.len,
		    i);
	}
	put("};\nconst size_t w_presets_count = %zu;\n", count);
}

int
main(int argc, char **argv)
{
	if (argc < 3)
		give_up("usage: compile-presets OUTPUT FILE...");
	const size_t count = (size_t)argc - 2;
	struct preset *presets = calloc(count, sizeof(*presets));
	if (presets == NULL)
		give_up("out of memory");
	for (size_t i = 0; i < count; i++) {
		presets[i].file = argv[i + 2];
		read_preset(&presets[i]);
	}
	out = fopen(argv[1], "we");
	if (out == NULL)
		give_up("%s: %s", argv[1], strerror(errno));
	put_all(presets, count);
	if (ferror(out) != 0 || fclose(out) != 0)
		give_up("%s: cannot be written", argv[1]);
	for (size_t i = 0; i < count; i++) {
		w_policy_free(presets[i].policy);
		w_buf_done(&presets[i].text);
	}
	free(presets);
	return EXIT_SUCCESS;
}
