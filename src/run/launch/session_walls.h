/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_SESSION_WALLS_H
#define W_RUN_SESSION_WALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "run/helper/protocol.h"
#include "sandbox/child/shared_walls.h"

struct w_disk_tmp;
struct w_home_store;
struct w_launcher;
struct w_mountinfo;

/* What programs can write to in HOME. */
enum w_home_kind {
	W_HOME_NONE,
	W_HOME_OVERLAY, /* its directories with a dot, in the session's layer */
	W_HOME_CACHES,  /* only caches, which are empty at first */
};

enum {
	W_SESSION_LINES = 2
};

/* The network of a session with hosts: its sockets, and the relay that has
 * them (relay/relay_main.c). */
struct w_session_relay {
	int control; /* to the relay, which ends when it is closed; -1: none */
	int sockets[W_HOST_SOCKETS]; /* to start it again; -1: none */
	size_t count;
	bool is_redirected;
	uint32_t starts; /* of relays, so far */
};

/*
 * The walls of a session, as descriptors: see helper/session_maker.c. The
 * kernel keeps them as long as one of these is open or a process is inside.
 *
 * The session and each cached sandbox of it hold a reference.
 */
struct w_session_walls {
	unsigned refs;
	uint64_t id; /* unique in this process */
	int user_ns; /* -1: the engine's; it runs as root */
	int mount_ns;
	int net_ns;                   /* -1: each run has its own network */
	int lines[W_SESSION_LINES];   /* to its forwarders, which end when they
					 are closed; -1: none */
	struct w_session_relay relay; /* control -1: it has no hosts */
	int tmp_fd; /* O_PATH, of the tmpfs or the directory on disk */
	struct w_disk_tmp *disk; /* NULL: a tmpfs */
	uint64_t tmp_size;
	enum w_home_kind home_kind;
	int home_fd;                /* O_PATH, the merged HOME; -1: none */
	char *home_path;            /* HOME, canonical; NULL: none */
	struct w_mountinfo *mounts; /* of the machine */
	struct w_home_store *home;  /* its layer; NULL: none, or another
				       process keeps it */
	int home_error; /* why it is no overlay; 0: it is, or it has none */
	struct w_shared_walls shared;
};

struct w_session_walls_options {
	uint64_t tmp_size; /* bytes; 0: w_mount_tmp_default() */
	uint64_t inodes;   /* files in the tmpfs; 0: by its size */
	bool has_network;
	const struct w_host_ports *ports; /* its network is one for hosts;
					     NULL: it is not */
	const char *disk_in; /* the state directory, to lie on disk; NULL: a
				tmpfs */
	struct w_home_store *home; /* is taken; NULL: no layer */
};

/* Makes them. Fails with WRIT_E_SANDBOX where this machine cannot, naming the
 * layer. *out_walls is a reference. */
writ_status w_session_walls_make(struct w_launcher *launcher,
    const struct w_session_walls_options *options,
    struct w_session_walls **out_walls, writ_error *err);

/* Makes the network of walls one for hosts; runs that start from now on reach
 * them. Fails as w_session_walls_make(). */
writ_status w_session_walls_open_hosts(struct w_launcher *launcher,
    struct w_session_walls *walls, const struct w_host_ports *ports,
    writ_error *err);

/* The parts of walls that another process made, by W_SESSION_FD_; -1: it has
 * none of that. */
struct w_session_parts {
	int fds[W_SESSION_FDS];
	int disk_fd;           /* the directory on disk, locked; -1: a tmpfs */
	const char *disk_path; /* NULL: a tmpfs */
	uint64_t tmp_size;
	int home_fd;           /* the directory of its layer over HOME, locked;
				  -1: it has none */
	const char *home_path; /* HOME */
	const char *home_dir;
	enum w_home_kind home_kind;
	int control; /* to the relay; -1: it has no hosts */
	/* Of the local sockets that are let in; "": a port, or none. */
	const char (*connects)[W_SHARED_CONNECT_PATH];
};

/* Makes walls of them. Takes the descriptors, also on failure: WRIT_E_SYSTEM if
 * they are not what they should be. What lies on disk stays the other's. */
writ_status w_session_walls_adopt(struct w_session_parts *parts,
    struct w_session_walls **out_walls, writ_error *err);
void w_session_parts_close(struct w_session_parts *parts);

/* The descriptors of walls, by W_SESSION_FD_: borrowed. */
void w_session_walls_places(
    const struct w_session_walls *walls, int places[W_SESSION_FDS]);

/* The same walls for one run, with a layer of its own: what other runs wrote to
 * HOME is not there. Takes home. */
writ_status w_session_walls_make_fresh(struct w_launcher *launcher,
    const struct w_session_walls *of, struct w_home_store *home,
    struct w_session_walls **out_walls, writ_error *err);

/* Looks up what its views are made of. false: something is missing. */
bool w_session_walls_find_shared(struct w_session_walls *walls);

/* NULL is allowed. */
struct w_session_walls *w_session_walls_hold(struct w_session_walls *walls);
void w_session_walls_release(struct w_session_walls *walls);

/* How full it is, in bytes and files; on disk, when it was last looked at.
 * false: it cannot be read. */
struct w_session_usage {
	uint64_t bytes;
	uint64_t bytes_max;
	uint64_t files;
	uint64_t files_max; /* 0: no limit */
};
bool w_session_walls_usage(
    const struct w_session_walls *walls, struct w_session_usage *out_usage);

#endif /* W_RUN_SESSION_WALLS_H */
