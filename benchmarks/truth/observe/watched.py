"""Which system calls are watched, and what each amounts to: everything by which a process leaves a mark."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What was done, or tried: an attempt that the system refused counts as well."""

    WRITE = "write"
    CREATE = "create"
    REMOVE = "remove"
    RENAME = "rename"
    LINK = "link"
    ATTRIBUTES = "attributes"
    START = "start"
    CONNECT = "connect"
    SIGNAL = "signal"
    SYSTEM = "system"
    """The machine rather than a file: mounts, clocks, modules, kernel logs, other processes' memory."""
    CONTROL = "control"
    """A device or file is told to do something (ioctl) that isn't known to be a question only."""
    UNSEEN = "unseen"
    """Something that this harness can't look into, or can't read: never taken as harmless."""


OPENING = frozenset({"open", "openat", "openat2", "creat"})
STARTING = frozenset({"execve", "execveat"})
FORKING = frozenset({"clone", "clone3", "fork", "vfork"})
OUTPUT = frozenset({"write", "writev"})
SENDING = frozenset({"connect", "bind", "sendto", "sendmsg", "sendmmsg"})
OTHERS = frozenset(
    {
        "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpriority", "prlimit64", "ioprio_set",
        "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler", "migrate_pages", "move_pages",
    },
)  # fmt: skip
"""Calls that name a process: nothing while it is one of the command's own."""

ALWAYS = {
    Kind.WRITE: ("truncate", "ftruncate", "fallocate"),
    Kind.CREATE: ("mkdir", "mkdirat", "mknod", "mknodat", "mq_open"),
    Kind.REMOVE: ("unlink", "unlinkat", "rmdir", "mq_unlink"),
    Kind.RENAME: ("rename", "renameat", "renameat2"),
    Kind.LINK: ("link", "linkat", "symlink", "symlinkat"),
    Kind.ATTRIBUTES: (
        "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
        "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
    ),
    Kind.SIGNAL: ("pidfd_send_signal",),
    Kind.SYSTEM: (
        "mount", "umount", "umount2", "move_mount", "open_tree", "fsopen", "fsmount", "fspick", "mount_setattr",
        "chroot", "pivot_root", "unshare", "setns", "swapon", "swapoff", "reboot", "sethostname", "setdomainname",
        "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "init_module", "finit_module", "delete_module",
        "kexec_load", "kexec_file_load", "bpf", "acct", "quotactl", "quotactl_fd", "ptrace", "process_vm_writev",
        "process_madvise", "pidfd_getfd", "add_key", "request_key", "keyctl", "iopl", "ioperm", "fanotify_init",
        "perf_event_open", "userfaultfd", "vhangup", "lookup_dcookie", "shmget", "msgget", "semget",
    ),
    Kind.UNSEEN: ("io_uring_setup", "io_uring_enter", "open_by_handle_at"),
}  # fmt: skip
"""Calls that are an event whatever their arguments are."""

KINDS = {call: kind for kind, calls in ALWAYS.items() for call in calls}

QUESTIONS = frozenset(
    {
        "TCGETS", "TCGETS2", "TIOCGWINSZ", "TIOCGPGRP", "TIOCGSID", "FIONREAD", "FIOCLEX", "FIONCLEX", "FIONBIO",
        "FS_IOC_GETFLAGS", "FS_IOC_GETVERSION", "FS_IOC_FIEMAP", "FIEMAP", "FS_IOC_FSGETXATTR", "BLKGETSIZE64",
        "BLKSSZGET", "NS_GET_NSTYPE", "NS_GET_USERNS", "NS_GET_PARENT",
    },
)  # fmt: skip
"""Requests of ioctl that only ask."""

INTERFACE_QUESTIONS = "SIOCGIF"
"""How the requests begin that ask for a network interface's settings."""

KERNEL_LOG_READS = frozenset({"SYSLOG_ACTION_READ_ALL", "SYSLOG_ACTION_SIZE_BUFFER", "SYSLOG_ACTION_SIZE_UNREAD"})

LOCAL_FAMILIES = frozenset({"AF_UNIX", "AF_LOCAL", "AF_NETLINK"})
"""Address families that never leave the machine; all others count as a connection, even without an address."""

WATCHED = ",".join(
    f"?{call}"
    for call in sorted(
        OPENING | STARTING | FORKING | OUTPUT | SENDING | OTHERS | KINDS.keys() | {"socket", "ioctl", "syslog"},
    )
)
"""For strace's ``-e trace=``; the question marks let an older one pass over what it doesn't know."""
