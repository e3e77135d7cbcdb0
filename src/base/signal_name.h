/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_SIGNAL_NAME_H
#define W_BASE_SIGNAL_NAME_H

/* "SIGKILL", "SIGRTMIN+3", and "SIG33" for a signal without a name. */
#define W_SIGNAL_NAME_MAX 24
const char *w_signal_name(int signal, char out[W_SIGNAL_NAME_MAX]);

/* The signal with such a name; 0: none. */
int w_signal_find(const char *name);

#endif /* W_BASE_SIGNAL_NAME_H */
