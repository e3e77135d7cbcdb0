/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_BINDING_H
#define W_MODULE_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/buf.h"
#include "base/words.h"
#include "command/description/source_document.h"
#include "command/description/stat_data.h"
#include "command/grammar/grammar.h"
#include "module/binding/binding_template.h"
#include "schema/schema.h"

/*
 * One module: the meaning of one element of `bindings` in a *.binding.yaml.
 *
 * The element is a JSON object, from YAML or from the cache, and the module is
 * made from it by one function. Strict: a key that is not known is refused,
 * with the one that was meant.
 *
 *     module_id      "cli.git.commit"                              required
 *     target         "exec:///usr/bin/git commit"                  this, ...
 *     argv           the same as words; must agree with target     both,
 *     command        or a template instead, see template.h         or this
 *     description documentation tags version annotations examples metadata
 *     input_schema   an object; without: no arguments
 *     output_schema  an object; checks json_output
 *     timeout        "30s", or milliseconds
 *     json_flag      words that make the command print JSON: a list, or a
 *                    text that is split like a shell would (also found as
 *                    metadata.json_flag)
 *     output         {as: text|json|image|audio|resource, mime_type, uri}
 *     success        exit codes that are no failure, [0] by itself
 *     input          {as: arguments|json}: json gives the whole input to the
 *                    command's standard input instead
 *     cwd stdin env env_mode env_pass sandbox network       of the request;
 *                    cwd, stdin and the values of env are templates
 */
enum w_output_as {
	W_OUTPUT_TEXT,
	W_OUTPUT_JSON,
	W_OUTPUT_IMAGE,
	W_OUTPUT_AUDIO,
	W_OUTPUT_RESOURCE,
};

/* What others should know before they call it; from `annotations`. */
struct w_annotations {
	bool is_readonly;
	bool is_destructive;
	bool is_idempotent;
	bool requires_approval; /* true when nothing is said at all */
	bool is_approval_said;  /* it is true, and not by default */
	bool is_open_world;     /* likewise */
};

struct w_module {
	/* Borrowed from the element. */
	const char *id;
	const char *description;   /* "" when there is none */
	const char *documentation; /* NULL when there is none, like the next */
	const char *version;
	yyjson_val *tags;         /* an array of strings, or NULL */
	yyjson_val *input_schema; /* of no arguments when there is none */
	yyjson_val *output_schema;
	yyjson_val *examples;
	yyjson_val *metadata;
	yyjson_val *env;      /* object of templates, or NULL */
	yyjson_val *env_pass; /* array of globs, or NULL */
	const char *env_mode; /* NULL: the door's */
	const char *cwd;      /* a template, like the next; or NULL */
	const char *stdin_text;
	const char *sandbox;
	const char *network;
	const char *mime_type;
	const char *uri;

	/* Its own. */
	yyjson_doc *no_arguments; /* what input_schema is when there is none */
	struct w_words words; /* program and fixed words; of a template those
				 before the first place */
	struct w_words json_flag;
	struct w_binding_template
	    *command; /* NULL: it has a form to render by */
	struct w_grammar *grammar;
	const struct w_grammar *by; /* what it renders by instead: the form of a
				    described command, which has the same
				    parameters. Borrowed; NULL: form */
	struct w_annotations annotations;
	enum w_output_as output_as;
	bool wants_json_input; /* on its standard input */
	uint64_t timeout_ms;   /* 0: the door's */
	uint8_t success[32];   /* a bit for each exit code that is a good one */
};

/* Makes a module from its element, which is borrowed. In *out_at (unless NULL)
 * is the key or value at fault. The schemas are looked at for their form only;
 * whoever calls the module compiles them. */
writ_status w_module_new(yyjson_val *element, struct w_module **out_module,
    yyjson_val **out_at, writ_error *err);
void w_module_free(struct w_module *module);

bool w_module_is_success(const struct w_module *module, int exit_code);

/*
 * A file of bindings. One element that is wrong does not take the others with
 * it: problem is called for each, with its place, and reading goes on. A file
 * that cannot be read at all is the status of this function.
 */
#define W_BINDING_BYTES_MAX W_SOURCE_DOCUMENT_BYTES_MAX

struct w_binding_sink {
	void *ctx;
	/* The element, with line and column; valid during the call. Not
	 * WRIT_OK ends the reading. */
	writ_status (*element)(void *ctx, yyjson_val *element, unsigned line,
	    unsigned column, writ_error *err);
	void (*problem)(void *ctx, const writ_error *problem);
	const char *only; /* an id: nothing else is looked at; NULL: all is */
};

/* Text of a file; both YAML and JSON. Only elements that w_module_new() takes,
 * and whose schemas compile where is_thorough says so, reach the sink; then an
 * example that its schema does not take is a problem as well. */
writ_status w_binding_read_text(const char *text, size_t len, bool is_thorough,
    const struct w_binding_sink *sink, writ_error *err);

/* A file below a directory: opened once without following a link at its end,
 * a regular file that only root or this user can write, in a directory of
 * which the same holds, of at most W_BINDING_BYTES_MAX. */
writ_status w_binding_read_file(int dir_fd, const char *name, bool is_thorough,
    const struct w_binding_sink *sink, writ_error *err);

/* A file of which somebody has proved all that, read thoroughly: it must be the
 * one, and as it was then, by its identity. Who owns it is not asked: not every
 * process can tell. */
writ_status w_binding_read_proven(const char *path,
    const struct w_stat_data *proven, const struct w_binding_sink *sink,
    writ_error *err);

/* Appends the file of these elements, in the form that others read too. */
void w_binding_add_yaml(
    struct w_buf *buf, yyjson_val *const *elements, size_t count);

/*
 * Writes text to a file of that name in the directory, so that readers see the
 * old or the new one and a crash leaves one of them. A link there is refused,
 * and so is a file that is there already unless may_replace.
 */
writ_status w_binding_write(int dir_fd, const char *name, const char *text,
    size_t len, bool may_replace, writ_error *err);

#endif /* W_MODULE_BINDING_H */
