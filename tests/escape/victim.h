/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ESCAPE_VICTIM_H
#define ESCAPE_VICTIM_H

/* What every secret of the stage starts with. */
#define TOKEN "escape-token-4711"

/* Says what it offers as NAME=VALUE words on its standard output, then listens
 * until it is killed or its parent dies. tmp is a directory in /tmp. */
int play_victim(const char *tmp);

void remove_victim_files(const char *tmp);

#endif /* ESCAPE_VICTIM_H */
