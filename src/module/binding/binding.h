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
 * One module: an element of `bindings` in a *.binding.yaml.
 *
 * The element is a JSON object, from YAML or from the cache. It is read
 * strictly: an unknown key is an error, with a suggestion.
 *
 *     module_id      "cli.git.commit"                              required
 *     target         "exec:///usr/bin/git commit"                  this, ...
 *     argv           the same as words; must agree with target     both,
 *     command        or a template, see binding_template.h         or this
 *     description documentation tags version annotations examples metadata
 *     input_schema   an object; without: no arguments
 *     output_schema  an object; checks json_output
 *     timeout        "30s", or milliseconds
 *     json_flag      words that make the command print JSON: a list, or a
 *                    text that is split as a shell would (also found as
 *                    metadata.json_flag)
 *     output         {as: text|json|image|audio|resource, mime_type, uri}
 *     success        exit codes that are no failure, default [0]
 *     input          {as: arguments|json}: json sends the whole input to the
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

/* Hints for callers; from `annotations`. */
struct w_annotations {
	bool is_readonly;
	bool is_destructive;
	bool is_idempotent;
	bool requires_approval; /* true if there are no annotations at all */
	bool is_approval_said;  /* set to true, not by default */
	bool is_open_world;     /* likewise */
};

struct w_module {
	/* Borrowed from the element. */
	const char *id;
	const char *description;   /* "" for none */
	const char *documentation; /* NULL: none, like the next */
	const char *version;
	yyjson_val *tags;         /* an array of strings, or NULL */
	yyjson_val *input_schema; /* an empty schema if there is none */
	yyjson_val *output_schema;
	yyjson_val *examples;
	yyjson_val *metadata;
	yyjson_val *env;      /* object of templates, or NULL */
	yyjson_val *env_pass; /* array of globs, or NULL */
	const char *env_mode; /* NULL: the caller's */
	const char *cwd;      /* a template, like the next; or NULL */
	const char *stdin_text;
	const char *sandbox;
	const char *network;
	const char *mime_type;
	const char *uri;

	/* Owned. */
	yyjson_doc *no_arguments; /* the input_schema if there is none */
	struct w_words words; /* program and fixed words; of a template those
				 before the first argument */
	struct w_words json_flag;
	struct w_binding_template *command; /* NULL: rendered by a grammar */
	struct w_grammar *grammar;
	const struct w_grammar
	    *by; /* renders by this instead: the grammar of a described command,
		    with the same parameters. Borrowed; NULL: grammar */
	struct w_annotations annotations;
	enum w_output_as output_as;
	bool wants_json_input; /* on its standard input */
	uint64_t timeout_ms;   /* 0: the caller's */
	uint8_t success[32];   /* a bit for each exit code that means success */
};

/* Makes a module from its element, which is borrowed. On failure *out_at
 * (unless NULL) is the key or value at fault. Schemas are only checked to be
 * objects; they are compiled when the module is called. */
writ_status w_module_new(yyjson_val *element, struct w_module **out_module,
    yyjson_val **out_at, writ_error *err);
void w_module_free(struct w_module *module);

bool w_module_is_success(const struct w_module *module, int exit_code);

/*
 * Reads a binding file. A wrong element does not affect the others: problem is
 * called for each, with its place, and reading goes on. The status is for a
 * file that cannot be read at all.
 */
#define W_BINDING_BYTES_MAX W_SOURCE_DOCUMENT_BYTES_MAX

struct w_binding_sink {
	void *ctx;
	/* Gets an element, with line and column; valid during the call. Reading
	 * stops if it fails. */
	writ_status (*element)(void *ctx, yyjson_val *element, unsigned line,
	    unsigned column, writ_error *err);
	void (*problem)(void *ctx, const writ_error *problem);
	const char *only; /* read only the module with this id; NULL: all */
};

/* Reads the text of a file, YAML or JSON. The sink gets only elements that
 * w_module_new() accepts, and, if is_thorough, whose schemas compile; then an
 * example that its schema rejects is a problem, too. */
writ_status w_binding_read_text(const char *text, size_t len, bool is_thorough,
    const struct w_binding_sink *sink, writ_error *err);

/* Reads a file in a directory, without following a final symbolic link. It must
 * be a regular file that only root or this user can write, in such a directory,
 * of at most W_BINDING_BYTES_MAX. */
writ_status w_binding_read_file(int dir_fd, const char *name, bool is_thorough,
    const struct w_binding_sink *sink, writ_error *err);

/* Reads, thoroughly, a file that has already passed those checks: its
 * stat data must be the same as then. The owner is not checked: not every
 * process can tell it. */
writ_status w_binding_read_proven(const char *path,
    const struct w_stat_data *proven, const struct w_binding_sink *sink,
    writ_error *err);

/* Appends a binding file of these elements, in the layout that other tools
 * use. */
void w_binding_add_yaml(
    struct w_buf *buf, yyjson_val *const *elements, size_t count);

/*
 * Writes text to a file of that name in the directory, so that readers see the
 * old or the new file and a crash leaves one of them. Fails for a symbolic
 * link, and for an existing file unless may_replace.
 */
writ_status w_binding_write(int dir_fd, const char *name, const char *text,
    size_t len, bool may_replace, writ_error *err);

#endif /* W_MODULE_BINDING_H */
