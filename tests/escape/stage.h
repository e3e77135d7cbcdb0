/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ESCAPE_STAGE_H
#define ESCAPE_STAGE_H

/* Adds NAME=VALUE words to what the command is told. */
__attribute__((format(printf, 1, 2))) void add_fact(const char *format, ...);

/* Writes a file anew, or ends the program. */
void put_file(const char *path, const char *text);

/* Objects of the kernel, and the facts about them. */
void make_objects(void);
void remove_objects(void);

#endif /* ESCAPE_STAGE_H */
