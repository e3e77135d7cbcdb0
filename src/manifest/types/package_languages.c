/* SPDX-License-Identifier: Apache-2.0 */

/* Packages of Python (pip) and of JavaScript (npm). */

#include <ctype.h>
#include <string.h>
#include <yyjson.h>

#include "manifest/types/package.h"

#define LIST_MAX (UINT64_C(16) << 20)

/* A program that is missing is a failure only when it is needed: in noop an
 * earlier resource would have brought it. */
static bool
fail_missing(struct w_typed_step *x, const char *program)
{
	const char *directory = w_typed_text(x, W_PACKAGE_DIRECTORY);

	if (x->is_noop) {
		w_resource_step_warn(x->step, "there is no %s yet", program);
		return true;
	}
	if (strcmp(x->resource->provider, "pip") == 0 && directory != NULL)
		w_resource_step_fail(x->step,
		    "there is no pip in '%s' (make it before: python3 -m venv "
		    "%s)",
		    directory, directory);
	else
		w_resource_step_fail(
		    x->step, "no suitable provider found: no %s", program);
	return false;
}

static yyjson_doc *
read_answer(struct w_typed_step *x, const struct w_typed_command *command,
    const struct w_typed_answer *answer)
{
	yyjson_doc *doc = answer->is_cut
			      ? NULL
			      : yyjson_read(answer->text[0], answer->len[0], 0);

	if (doc == NULL)
		w_typed_fail_answer(x, command, answer);
	return doc;
}

/* ---- pip ---- */

/* Runs of -, _ and . are the same, and so are small and capital letters. An
 * extra is not a part of the name. */
static bool
is_same_name(const char *one, const char *other)
{
	while (*one != '\0' && *one != '[' && *other != '\0') {
		if (strchr("-_.", *one) != NULL &&
		    strchr("-_.", *other) != NULL) {
			one += strspn(one, "-_.");
			other += strspn(other, "-_.");
		} else if (tolower((unsigned char)*one++) !=
			   tolower((unsigned char)*other++)) {
			return false;
		}
	}
	return (*one == '\0' || *one == '[') && *other == '\0';
}

static void
begin_pip(struct w_typed_step *x, struct w_typed_command *command)
{
	const char *directory = w_typed_text(x, W_PACKAGE_DIRECTORY);

	w_package_command(x, command);
	w_typed_add(command,
	    directory == NULL
		? "pip3"
		: w_resource_step_text(x->step, "%s/bin/pip", directory),
	    NULL);
}

static bool
pip_look(struct w_typed_step *x, struct w_package_state *out_state)
{
	struct w_typed_command command;
	struct w_typed_answer answer;
	yyjson_val *item;
	size_t i;
	size_t count;

	begin_pip(x, &command);
	command.is_query = command.is_missing_ok = true;
	command.output = LIST_MAX;
	w_typed_add(&command, "list", "--format=json", NULL);
	if (!w_typed_ask(x, &command, &answer))
		return false;
	out_state->is_unknown = answer.is_missing;
	if (answer.is_missing)
		return fail_missing(x, "pip");
	yyjson_doc *doc = read_answer(x, &command, &answer);
	if (doc == NULL)
		return false;
	yyjson_arr_foreach(yyjson_doc_get_root(doc), i, count, item)
	{
		const char *name = yyjson_get_str(yyjson_obj_get(item, "name"));
		const char *version =
		    yyjson_get_str(yyjson_obj_get(item, "version"));

		if (name == NULL || version == NULL ||
		    !is_same_name(x->resource->name.text, name))
			continue;
		out_state->is_installed = true;
		out_state->version =
		    w_resource_step_text(x->step, "%s", version);
	}
	yyjson_doc_free(doc);
	return true;
}

/* What an upgrade would install. */
static bool
pip_newest(struct w_typed_step *x, const struct w_package_state *state,
    const char **out_version)
{
	struct w_typed_command command;
	struct w_typed_answer answer;
	yyjson_val *item;
	size_t i;
	size_t count;

	(void)state;
	begin_pip(x, &command);
	command.is_query = true;
	command.output = LIST_MAX;
	w_typed_add(&command, "install", "--upgrade", "--dry-run", "--quiet",
	    "--report=-", x->resource->name.text, NULL);
	if (!w_typed_ask(x, &command, &answer))
		return false;
	if (answer.code != 0) {
		w_typed_fail_answer(x, &command, &answer);
		return false;
	}
	yyjson_doc *doc = read_answer(x, &command, &answer);
	if (doc == NULL)
		return false;
	yyjson_val *list = yyjson_obj_get(yyjson_doc_get_root(doc), "install");
	yyjson_arr_foreach(list, i, count, item)
	{
		yyjson_val *metadata = yyjson_obj_get(item, "metadata");
		const char *name =
		    yyjson_get_str(yyjson_obj_get(metadata, "name"));
		const char *version =
		    yyjson_get_str(yyjson_obj_get(metadata, "version"));

		if (name != NULL && version != NULL &&
		    is_same_name(x->resource->name.text, name))
			*out_version =
			    w_resource_step_text(x->step, "%s", version);
	}
	yyjson_doc_free(doc);
	return true;
}

static bool
pip_install(struct w_typed_step *x, const char *version, bool is_latest)
{
	const char *name = x->resource->name.text;
	struct w_typed_command command;

	begin_pip(x, &command);
	w_typed_add(&command, "install", NULL);
	if (is_latest)
		w_typed_add(&command, "--upgrade", NULL);
	w_typed_add(&command,
	    version == NULL
		? name
		: w_resource_step_text(x->step, "%s==%s", name, version),
	    NULL);
	return w_typed_must_run(x, &command);
}

static bool
pip_remove(struct w_typed_step *x)
{
	struct w_typed_command command;

	begin_pip(x, &command);
	w_typed_add(&command, "uninstall", "--yes",
	    w_resource_step_text(x->step, "%.*s",
		(int)strcspn(x->resource->name.text, "["),
		x->resource->name.text),
	    NULL);
	return w_typed_must_run(x, &command);
}

const struct w_package_provider w_package_pip = {
    .name = "pip",
    .look = pip_look,
    .newest = pip_newest,
    .install = pip_install,
    .remove = pip_remove,
};

/* ---- npm ---- */

static void
begin_npm(
    struct w_typed_step *x, struct w_typed_command *command, const char *verb)
{
	const char *directory = w_typed_text(x, W_PACKAGE_DIRECTORY);

	w_package_command(x, command);
	w_typed_add(command, "npm", verb, NULL);
	if (directory == NULL)
		w_typed_add(command, "--global", NULL);
	else
		w_typed_add(command, "--prefix", directory, NULL);
}

static bool
npm_look(struct w_typed_step *x, struct w_package_state *out_state)
{
	struct w_typed_command command;
	struct w_typed_answer answer;

	begin_npm(x, &command, "ls");
	command.is_query = command.is_missing_ok = true;
	command.output = LIST_MAX;
	w_typed_add(&command, "--json", "--depth=0", NULL);
	if (!w_typed_ask(x, &command, &answer))
		return false;
	out_state->is_unknown = answer.is_missing;
	if (answer.is_missing)
		return fail_missing(x, "npm");
	/* It exits with 1 for every small inconsistency. */
	yyjson_doc *doc = read_answer(x, &command, &answer);
	if (doc == NULL)
		return false;
	yyjson_val *all =
	    yyjson_obj_get(yyjson_doc_get_root(doc), "dependencies");
	yyjson_val *package = yyjson_obj_get(all, x->resource->name.text);
	const char *version =
	    yyjson_get_str(yyjson_obj_get(package, "version"));
	if (version != NULL) {
		out_state->is_installed = true;
		out_state->version =
		    w_resource_step_text(x->step, "%s", version);
	}
	yyjson_doc_free(doc);
	return true;
}

static bool
npm_newest(struct w_typed_step *x, const struct w_package_state *state,
    const char **out_version)
{
	struct w_typed_command command = {.is_query = true};
	struct w_typed_answer answer;

	(void)state;
	w_typed_add(
	    &command, "npm", "view", x->resource->name.text, "version", NULL);
	if (!w_typed_ask(x, &command, &answer))
		return false;
	if (answer.code != 0) {
		w_typed_fail_answer(x, &command, &answer);
		return false;
	}
	*out_version = w_resource_step_text(x->step, "%.*s",
	    (int)strcspn(answer.text[0], "\n"), answer.text[0]);
	return true;
}

static bool
npm_install(struct w_typed_step *x, const char *version, bool is_latest)
{
	const char *name = x->resource->name.text;
	struct w_typed_command command;

	begin_npm(x, &command, "install");
	if (version == NULL && is_latest)
		version = "latest";
	w_typed_add(&command,
	    version == NULL
		? name
		: w_resource_step_text(x->step, "%s@%s", name, version),
	    NULL);
	return w_typed_must_run(x, &command);
}

static bool
npm_remove(struct w_typed_step *x)
{
	struct w_typed_command command;

	begin_npm(x, &command, "uninstall");
	w_typed_add(&command, x->resource->name.text, NULL);
	return w_typed_must_run(x, &command);
}

const struct w_package_provider w_package_npm = {
    .name = "npm",
    .look = npm_look,
    .newest = npm_newest,
    .install = npm_install,
    .remove = npm_remove,
};
