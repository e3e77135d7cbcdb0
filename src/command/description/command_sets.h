/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_COMMAND_SETS_H
#define W_COMMAND_COMMAND_SETS_H

#include "command/description/command_builder.h"

/*
 * The key "sets" of a description names lists and maps, and the text "$NAME"
 * stands for one of them wherever a value can stand. They are replaced before
 * anything else is read, so no other file knows of them.
 */

/* Makes the description that root means. If root has no sets, and no text that
 * would be one, sets stays empty and root is the description. On failure
 * builder has the place of the error. */
writ_status w_command_sets_init(struct w_command_sets *sets, yyjson_val *root,
    struct w_command_builder *builder);
void w_command_sets_done(struct w_command_sets *sets);

/* Where a value of that description was written. Others are returned as they
 * are. */
yyjson_val *w_command_sets_origin(
    const struct w_command_sets *sets, yyjson_val *val);

#endif /* W_COMMAND_COMMAND_SETS_H */
