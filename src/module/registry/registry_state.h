/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_STATE_H
#define W_MODULE_REGISTRY_STATE_H

#include "module/registry/module_dir.h"

/* A module of a module directory. */
struct w_pick {
	uint32_t module_dir;
	uint32_t module;
};

/* What was made from it. */
struct w_made {
	yyjson_doc *doc;
	struct w_module *module;
};

struct w_registry {
	struct w_module_dir *module_dirs; /* highest precedence first */
	size_t module_dir_count;
	bool has_described; /* a directory describes commands */
	char *lost_dir;     /* an unusable directory that might; NULL: none */
	size_t lost_before; /* module directories from this index on come after
			       it */
	struct w_pick *picks; /* by id, each id once */
	struct w_module_summary *summaries;
	struct w_made *made;
	const char **tags; /* of all summaries */
	size_t count;
	struct w_registry_problem *problems;
	size_t problem_count;
	size_t problem_cap;
	size_t problems_left_out;
	size_t foreign_problems; /* the first ones: not from directories that
				    may only add */
};

#endif /* W_MODULE_REGISTRY_STATE_H */
