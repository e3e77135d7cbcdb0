/* SPDX-License-Identifier: Apache-2.0 */

/* The system calls that a filter knows, with their classes. */

#include "sandbox/seccomp/syscall_table.h"

#define CALL(word, x86_64, aarch64, kind)               \
	{                                               \
		.name = #word, .nr = {x86_64, aarch64}, \
		.class = W_SECCOMP_##kind               \
	}
#define NONE W_SECCOMP_NO_CALL

const struct w_seccomp_call w_seccomp_calls[] = {
    /* Other processes and their memory. */
    CALL(ptrace, 101, 117, DENY),
    CALL(process_vm_readv, 310, 270, DENY),
    CALL(process_vm_writev, 311, 271, DENY),
    CALL(process_madvise, 440, 440, DENY),
    CALL(pidfd_getfd, 438, 438, DENY),
    CALL(kcmp, 312, 272, DENY),

    /* Large attack surfaces of the kernel. */
    CALL(bpf, 321, 280, DENY),
    CALL(perf_event_open, 298, 241, DENY),
    CALL(userfaultfd, 323, 282, DENY),
    CALL(fanotify_init, 300, 262, DENY),
    CALL(lookup_dcookie, 212, 18, DENY),
    CALL(modify_ldt, 154, NONE, DENY),
    CALL(uselib, 134, NONE, DENY),
    CALL(_sysctl, 156, NONE, DENY),

    /* Keyrings cross every namespace. */
    CALL(add_key, 248, 217, DENY),
    CALL(request_key, 249, 218, DENY),
    CALL(keyctl, 250, 219, DENY),

    /* The view, and namespaces that would give new capabilities over it. */
    CALL(mount, 165, 40, DENY),
    CALL(umount2, 166, 39, DENY),
    CALL(pivot_root, 155, 41, DENY),
    CALL(chroot, 161, 51, DENY),
    CALL(open_tree, 428, 428, DENY),
    CALL(open_tree_attr, 467, 467, DENY),
    CALL(move_mount, 429, 429, DENY),
    CALL(fsopen, 430, 430, DENY),
    CALL(fsconfig, 431, 431, DENY),
    CALL(fsmount, 432, 432, DENY),
    CALL(fspick, 433, 433, DENY),
    CALL(mount_setattr, 442, 442, DENY),
    CALL(setns, 308, 268, DENY),
    CALL(unshare, 272, 97, DENY),

    /* Files without their path. */
    CALL(name_to_handle_at, 303, 264, DENY),
    CALL(open_by_handle_at, 304, 265, DENY),

    /* The machine as a whole. */
    CALL(acct, 163, 89, DENY),
    CALL(adjtimex, 159, 171, DENY),
    CALL(clock_adjtime, 305, 266, DENY),
    CALL(clock_settime, 227, 112, DENY),
    CALL(create_module, 174, NONE, DENY),
    CALL(delete_module, 176, 106, DENY),
    CALL(finit_module, 313, 273, DENY),
    CALL(get_kernel_syms, 177, NONE, DENY),
    CALL(init_module, 175, 105, DENY),
    CALL(ioperm, 173, NONE, DENY),
    CALL(iopl, 172, NONE, DENY),
    CALL(kexec_file_load, 320, 294, DENY),
    CALL(kexec_load, 246, 104, DENY),
    CALL(nfsservctl, 180, 42, DENY),
    CALL(query_module, 178, NONE, DENY),
    CALL(quotactl, 179, 60, DENY),
    CALL(quotactl_fd, 443, 443, DENY),
    CALL(reboot, 169, 142, DENY),
    CALL(setdomainname, 171, 162, DENY),
    CALL(sethostname, 170, 161, DENY),
    CALL(settimeofday, 164, 170, DENY),
    CALL(swapoff, 168, 225, DENY),
    CALL(swapon, 167, 224, DENY),
    CALL(syslog, 103, 116, DENY),
    CALL(vhangup, 153, 58, DENY),

    /* Flags behind a pointer cannot be filtered; io_uring bypasses the
     * filter. */
    CALL(clone3, 435, 435, ABSENT),
    CALL(openat2, 437, 437, ABSENT),
    CALL(io_uring_setup, 425, 425, ABSENT),
    CALL(io_uring_enter, 426, 426, ABSENT),
    CALL(io_uring_register, 427, 427, ABSENT),

    CALL(chown, 92, NONE, MODES),
    CALL(lchown, 94, NONE, MODES),
    CALL(fchown, 93, 55, MODES),
    CALL(fchownat, 260, 54, MODES),
    CALL(utime, 132, NONE, MODES),
    CALL(utimes, 235, NONE, MODES),
    CALL(futimesat, 261, NONE, MODES),
    CALL(utimensat, 280, 88, MODES),
    CALL(setxattr, 188, 5, METADATA),
    CALL(lsetxattr, 189, 6, METADATA),
    CALL(fsetxattr, 190, 7, METADATA),
    CALL(setxattrat, 463, 463, METADATA),
    CALL(removexattr, 197, 14, METADATA),
    CALL(lremovexattr, 198, 15, METADATA),
    CALL(fremovexattr, 199, 16, METADATA),
    CALL(removexattrat, 466, 466, METADATA),
    CALL(file_setattr, 469, 469, METADATA),

    CALL(memfd_create, 319, 279, MEMORY),
    CALL(memfd_secret, 447, 447, MEMORY),

    CALL(shmget, 29, 194, IPC),
    CALL(shmat, 30, 196, IPC),
    CALL(shmctl, 31, 195, IPC),
    CALL(shmdt, 67, 197, IPC),
    CALL(semget, 64, 190, IPC),
    CALL(semop, 65, 193, IPC),
    CALL(semctl, 66, 191, IPC),
    CALL(semtimedop, 220, 192, IPC),
    CALL(msgget, 68, 186, IPC),
    CALL(msgsnd, 69, 189, IPC),
    CALL(msgrcv, 70, 188, IPC),
    CALL(msgctl, 71, 187, IPC),
    CALL(mq_open, 240, 180, IPC),
    CALL(mq_unlink, 241, 181, IPC),

    CALL(truncate, 76, 45, WATCH),
    CALL(unlink, 87, NONE, WATCH),
    CALL(unlinkat, 263, 35, WATCH),
    CALL(rmdir, 84, NONE, WATCH),
    CALL(rename, 82, NONE, WATCH),
    CALL(renameat, 264, 38, WATCH),
    CALL(renameat2, 316, 276, WATCH),
    CALL(mkdir, 83, NONE, WATCH),
    CALL(mkdirat, 258, 34, WATCH),
    CALL(link, 86, NONE, WATCH),
    CALL(linkat, 265, 37, WATCH),
    CALL(symlink, 88, NONE, WATCH),
    CALL(symlinkat, 266, 36, WATCH),
    CALL(execve, 59, 221, EXECVE),
    CALL(connect, 42, 203, WATCH),
    CALL(bind, 49, 200, WATCH),

    CALL(clone, 56, 220, CLONE),
    CALL(execveat, 322, 281, EXECVEAT),
    CALL(chmod, 90, NONE, CHMOD),
    CALL(fchmod, 91, 52, CHMOD),
    CALL(fchmodat, 268, 53, CHMODAT),
    CALL(fchmodat2, 452, 452, CHMODAT),
    CALL(creat, 85, NONE, CREATE),
    CALL(mknod, 133, NONE, CREATE),
    CALL(mknodat, 259, 33, CREATEAT),
    CALL(open, 2, NONE, OPEN),
    CALL(openat, 257, 56, OPENAT),
    CALL(ioctl, 16, 29, IOCTL),
    CALL(personality, 135, 92, PERSONALITY),
    CALL(prlimit64, 302, 261, PRLIMIT),
    CALL(seccomp, 317, 277, SECCOMP),
    CALL(socket, 41, 198, SOCKET),
    CALL(socketpair, 53, 199, SOCKETPAIR),
};

const size_t w_seccomp_call_count =
    sizeof(w_seccomp_calls) / sizeof(*w_seccomp_calls);
