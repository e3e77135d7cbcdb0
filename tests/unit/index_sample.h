/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_INDEX_SAMPLE_H
#define W_TEST_INDEX_SAMPLE_H

/* An image of a directory with two files: one with two modules, and one with
 * a problem and a module that another has already. */

#include <stdlib.h>
#include <string.h>

#include "module/registry/module_index_builder.h"

#define SAMPLE_DIR "/srv/modules"

static inline void
sample_add(struct w_module_index_builder *maker, const char *id,
    const char *tags, unsigned line)
{
	char program[] = "/usr/bin/git";
	char word[] = "two words";
	char *words[] = {program, word, NULL};
	yyjson_doc *doc = yyjson_read(tags, strlen(tags), 0);
	const struct w_module module = {
	    .id = id,
	    .description = "Shows the log",
	    .version = strcmp(id, "cli.a") == 0 ? "2.43" : NULL,
	    .tags = yyjson_doc_get_root(doc),
	    .words = {.items = words, .count = 2},
	    .annotations = {.is_readonly = true, .is_open_world = true},
	};
	const struct w_module_index_element element = {
	    .text = "{\"x\":1}", .len = 7, .line = line, .column = 3};

	w_module_index_builder_add(maker, &module, &element);
	yyjson_doc_free(doc);
}

static inline void
sample_fill(struct w_module_index_builder *maker)
{
	struct w_stat_data identity = {.dev = 1, .ino = 2, .size = 3};
	const writ_error problem = {.status = WRIT_E_INVALID,
	    .line = 7,
	    .column = 9,
	    .stage = "module",
	    .message = "no such key",
	    .suggestion = "another"};

	w_module_index_builder_begin(maker, &identity, "a.binding.yaml");
	sample_add(maker, "cli.b", "[\"vcs\",\"log\"]", 2);
	sample_add(maker, "cli.a", "[]", 4);
	w_module_index_builder_end(maker, false);
	identity.ino = 3;
	w_module_index_builder_begin(maker, &identity, "b.binding.yaml");
	w_module_index_builder_add_problem(maker, &problem);
	sample_add(maker, "cli.b", "[\"late\"]", 6);
	w_module_index_builder_end(maker, true);
}

/* To be freed with w_module_index_done(). */
static inline struct w_module_index
sample_image(void)
{
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder maker;
	struct w_module_index module_index = {0};

	w_module_index_builder_init(&maker, SAMPLE_DIR);
	sample_fill(&maker);
	if (w_module_index_builder_make(&maker, &module_index, NULL) != WRIT_OK)
		abort();
	return module_index;
}

/* The bytes of the image once more, with nothing behind them. */
static inline char *
sample_bytes(const struct w_module_index *module_index)
{
	char *bytes = malloc(module_index->size);

	if (bytes == NULL)
		abort();
	memcpy(bytes, module_index->bytes, module_index->size);
	return bytes;
}

#endif /* W_TEST_INDEX_SAMPLE_H */
