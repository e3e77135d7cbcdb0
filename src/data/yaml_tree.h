/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_YAML_TREE_H
#define W_DATA_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

/*
 * A tree of values as yyjson reads it from JSON: one array, in the order of the
 * text, where a list or map says how many bytes it and all in it have. It is
 * built in place: a tree that can be changed would be three times as large, and
 * copied in the end.
 *
 * Zero-initialised is empty.
 */
#define W_YAML_TREE_KEYS 64 /* a power of two */

struct w_yaml_tree {
	yyjson_val *vals;
	size_t count;
	size_t cap;
	struct w_yaml_tree_texts *texts; /* chunks of NUL-terminated texts */
	char *at;
	size_t left;
	/* Keys come again and again: the last one of each kind. */
	struct w_yaml_tree_key {
		const char *text;
		size_t len;
	} keys[W_YAML_TREE_KEYS];
};

/* One more value at the end, null; until the next one. NULL: no memory. */
yyjson_val *w_yaml_tree_add(struct w_yaml_tree *tree);

/* A copy that lives as long as the tree; NULL: no memory. */
const char *w_yaml_tree_text(
    struct w_yaml_tree *tree, const char *text, size_t len, bool is_key);

/* The value at this index is a list or map with all that follow in it. len: how
 * many items or members. */
void w_yaml_tree_close(
    struct w_yaml_tree *tree, size_t index, bool is_map, size_t len);

/* Frees what was taken in advance. false: no memory. */
bool w_yaml_tree_trim(struct w_yaml_tree *tree);

/* Frees the values, but not the texts. */
void w_yaml_tree_forget(struct w_yaml_tree *tree);
void w_yaml_tree_done(struct w_yaml_tree *tree);

#endif /* W_DATA_YAML_TREE_H */
