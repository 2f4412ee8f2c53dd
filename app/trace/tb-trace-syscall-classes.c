/* tb-trace-syscall-classes.c: table of system calls by name, with the class of each by what it
 * waits for: file, lock, message, timer, …
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "trace/tb-trace-syscall-classes-private.h"

typedef struct
{
  const char *name;
  TbSyscallClass class;
} SyscallName;

/* Sorted by name. */
static const SyscallName syscall_names[] = {
  { "accept", TB_SYSCALL_RECEIVE },
  { "accept4", TB_SYSCALL_RECEIVE },
  { "clock_nanosleep", TB_SYSCALL_SLEEP },
  { "clock_nanosleep_time64", TB_SYSCALL_SLEEP },
  { "close", TB_SYSCALL_WRITE },
  { "connect", TB_SYSCALL_SEND },
  { "copy_file_range", TB_SYSCALL_FILE },
  { "creat", TB_SYSCALL_FILE },
  { "epoll_pwait", TB_SYSCALL_POLL },
  { "epoll_pwait2", TB_SYSCALL_POLL },
  { "epoll_wait", TB_SYSCALL_POLL },
  { "fallocate", TB_SYSCALL_FILE },
  { "fdatasync", TB_SYSCALL_SYNC },
  { "flock", TB_SYSCALL_LOCK },
  { "fstat", TB_SYSCALL_FILE },
  { "fsync", TB_SYSCALL_SYNC },
  { "ftruncate", TB_SYSCALL_FILE },
  { "futex", TB_SYSCALL_LOCK },
  { "futex_time64", TB_SYSCALL_LOCK },
  { "futex_wait", TB_SYSCALL_LOCK },
  { "futex_waitv", TB_SYSCALL_LOCK },
  { "getdents64", TB_SYSCALL_FILE },
  { "io_getevents", TB_SYSCALL_SYNC },
  { "io_pgetevents", TB_SYSCALL_SYNC },
  { "kill", TB_SYSCALL_KILL },
  { "lstat", TB_SYSCALL_FILE },
  { "mkdir", TB_SYSCALL_FILE },
  { "msync", TB_SYSCALL_SYNC },
  { "nanosleep", TB_SYSCALL_SLEEP },
  { "newfstatat", TB_SYSCALL_FILE },
  { "open", TB_SYSCALL_FILE },
  { "openat", TB_SYSCALL_FILE },
  { "openat2", TB_SYSCALL_FILE },
  { "pause", TB_SYSCALL_SIGNAL_WAIT },
  { "pidfd_send_signal", TB_SYSCALL_KILL },
  { "poll", TB_SYSCALL_POLL },
  { "ppoll", TB_SYSCALL_POLL },
  { "pread64", TB_SYSCALL_FILE },
  { "preadv", TB_SYSCALL_FILE },
  { "preadv2", TB_SYSCALL_FILE },
  { "pselect6", TB_SYSCALL_POLL },
  { "pwrite64", TB_SYSCALL_WRITE },
  { "pwritev", TB_SYSCALL_WRITE },
  { "pwritev2", TB_SYSCALL_WRITE },
  { "read", TB_SYSCALL_FILE },
  { "readv", TB_SYSCALL_FILE },
  { "recvfrom", TB_SYSCALL_RECEIVE },
  { "recvmmsg", TB_SYSCALL_RECEIVE },
  { "recvmsg", TB_SYSCALL_RECEIVE },
  { "rename", TB_SYSCALL_FILE },
  { "renameat2", TB_SYSCALL_FILE },
  { "rt_sigqueueinfo", TB_SYSCALL_KILL },
  { "rt_sigsuspend", TB_SYSCALL_SIGNAL_WAIT },
  { "rt_sigtimedwait", TB_SYSCALL_SIGNAL_WAIT },
  { "rt_tgsigqueueinfo", TB_SYSCALL_KILL },
  { "select", TB_SYSCALL_POLL },
  { "semop", TB_SYSCALL_LOCK },
  { "semtimedop", TB_SYSCALL_LOCK },
  { "sendfile", TB_SYSCALL_WRITE },
  { "sendmmsg", TB_SYSCALL_SEND },
  { "sendmsg", TB_SYSCALL_SEND },
  { "sendto", TB_SYSCALL_SEND },
  { "splice", TB_SYSCALL_WRITE },
  { "stat", TB_SYSCALL_FILE },
  { "statx", TB_SYSCALL_FILE },
  { "sync", TB_SYSCALL_SYNC },
  { "sync_file_range", TB_SYSCALL_SYNC },
  { "syncfs", TB_SYSCALL_SYNC },
  { "tgkill", TB_SYSCALL_KILL },
  { "tkill", TB_SYSCALL_KILL },
  { "truncate", TB_SYSCALL_FILE },
  { "unlink", TB_SYSCALL_FILE },
  { "unlinkat", TB_SYSCALL_FILE },
  { "wait4", TB_SYSCALL_CHILD },
  { "waitid", TB_SYSCALL_CHILD },
  { "waitpid", TB_SYSCALL_CHILD },
  { "write", TB_SYSCALL_WRITE },
  { "writev", TB_SYSCALL_WRITE },
};

static int
compare_syscall (const void *name, const void *entry)
{
  return strcmp (name, ((const SyscallName *) entry)->name);
}

TbSyscallClass
tb_syscall_class_from_name (const char *name)
{
  const SyscallName *found = bsearch (name, syscall_names, G_N_ELEMENTS (syscall_names),
                                      sizeof (SyscallName), compare_syscall);

  return found != NULL ? found->class : TB_SYSCALL_OTHER;
}
