/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_SIGNAL_NAME_H
#define W_BASE_SIGNAL_NAME_H

/* "SIGKILL", "SIGRTMIN+3", and "SIG33" for one that has no name. */
#define W_SIGNAL_NAME_MAX 24
const char *w_signal_name(int signal, char out[W_SIGNAL_NAME_MAX]);

/* The number that such a name stands for; 0: none. */
int w_signal_find(const char *name);

#endif /* W_BASE_SIGNAL_NAME_H */
