/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMANDS_TABLE_H
#define COMMANDS_TABLE_H

#include <stdbool.h>

#include "module/meaning.h"

/* The descriptions of a directory, which find each other by name. */
struct shelf;

struct shelf *shelf_open(const char *dir);
void shelf_close(struct shelf *shelf);
struct w_command_source shelf_source(struct shelf *shelf);

/* One line of TAP for each thing that a table says. */
struct tap {
	unsigned count;
	unsigned failed;
};

void tap_ok(struct tap *tap, const char *what);
void tap_skip(struct tap *tap, const char *what, const char *why);
void tap_fail(struct tap *tap, const char *what, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Judges one entry of a table: what the argv means, compared with what it
 * should. */
void judge(struct tap *tap, const struct w_command_source *source,
    const char *line, const char *const *argv, yyjson_val *entry,
    bool is_refused);

/* Runs an argv for real in a directory made for it, and compares how it ends.
 */
void execute(struct tap *tap, const char *line, const char *const *argv,
    const char *setup, int expected);

#endif /* COMMANDS_TABLE_H */
