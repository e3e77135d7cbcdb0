/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_IMAGE_SAMPLE_H
#define W_TEST_IMAGE_SAMPLE_H

/* An image of a directory with two files: one with two modules, and one with
 * a problem and a module that another has already. */

#include <stdlib.h>
#include <string.h>

#include "module/registry_maker.h"

#define SAMPLE_DIR "/srv/modules"

static inline void
sample_add(struct w_image_maker *maker, const char *id, const char *tags,
    unsigned line)
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
	const struct w_image_element element = {
	    .text = "{\"x\":1}", .len = 7, .line = line, .column = 3};

	w_image_maker_add(maker, &module, &element);
	yyjson_doc_free(doc);
}

static inline void
sample_fill(struct w_image_maker *maker)
{
	struct w_identity identity = {.dev = 1, .ino = 2, .size = 3};
	const writ_error problem = {.status = WRIT_E_INVALID,
	    .line = 7,
	    .column = 9,
	    .stage = "module",
	    .message = "no such key",
	    .suggestion = "another"};

	w_image_maker_begin(maker, &identity, "a.binding.yaml");
	sample_add(maker, "cli.b", "[\"vcs\",\"log\"]", 2);
	sample_add(maker, "cli.a", "[]", 4);
	w_image_maker_end(maker, false);
	identity.ino = 3;
	w_image_maker_begin(maker, &identity, "b.binding.yaml");
	w_image_maker_complain(maker, &problem);
	sample_add(maker, "cli.b", "[\"late\"]", 6);
	w_image_maker_end(maker, true);
}

/* To be freed with w_image_done(). */
static inline struct w_image
sample_image(void)
{
	W_AUTO_IMAGE_MAKER struct w_image_maker maker;
	struct w_image image = {0};

	w_image_maker_init(&maker, SAMPLE_DIR);
	sample_fill(&maker);
	if (w_image_maker_make(&maker, &image, NULL) != WRIT_OK)
		abort();
	return image;
}

/* The bytes of the image once more, with nothing behind them. */
static inline char *
sample_bytes(const struct w_image *image)
{
	char *bytes = malloc(image->size);

	if (bytes == NULL)
		abort();
	memcpy(bytes, image->bytes, image->size);
	return bytes;
}

#endif /* W_TEST_IMAGE_SAMPLE_H */
