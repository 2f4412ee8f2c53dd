/* tb-agent-syscalls.c: table of the system calls that may wait: kind of wait in each (where it
 * waits for any file descriptor, by what is open there), which arguments are the awaited object and
 * the timeout, and the clock of the timeout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "agent/core/tb-agent-syscalls.h"
#include "capture/tb-capture-format.h"

/* Newer than some systems' headers; the numbers are the same on all architectures. */
#ifndef SYS_futex_waitv
#  define SYS_futex_waitv 449
#endif
#ifndef SYS_futex_wait
#  define SYS_futex_wait 455
#endif
#ifndef FUTEX_LOCK_PI2
#  define FUTEX_LOCK_PI2 13
#endif

#ifndef F_OFD_SETLKW
#  define F_OFD_SETLKW 38
#endif

/* In place of a kind: the file behind the descriptor decides. */
#define KIND_OF_OBJECT 0xff

#define TIMESPEC TB_BPF_TIMEOUT_TIMESPEC
#define TIMEVAL TB_BPF_TIMEOUT_TIMEVAL
#define MILLISECONDS TB_BPF_TIMEOUT_MILLISECONDS

typedef struct
{
  uint8_t kind; /* 0: call not in the table */
  TbBpfCallShape shape;
} Call;

#define HAS_DESCRIPTOR(name) [SYS_##name] = { KIND_OF_OBJECT, { .descriptor = 1 } }

static const Call calls[TB_BPF_MAX_CALLS] = {
  HAS_DESCRIPTOR (accept),
  HAS_DESCRIPTOR (accept4),
  HAS_DESCRIPTOR (connect),
  HAS_DESCRIPTOR (copy_file_range),
  HAS_DESCRIPTOR (fallocate),
  HAS_DESCRIPTOR (fdatasync),
  HAS_DESCRIPTOR (fstat),
  HAS_DESCRIPTOR (fsync),
  HAS_DESCRIPTOR (ftruncate),
  HAS_DESCRIPTOR (getdents64),
  HAS_DESCRIPTOR (ioctl),
  HAS_DESCRIPTOR (pread64),
  HAS_DESCRIPTOR (preadv),
  HAS_DESCRIPTOR (preadv2),
  HAS_DESCRIPTOR (pwrite64),
  HAS_DESCRIPTOR (pwritev),
  HAS_DESCRIPTOR (pwritev2),
  HAS_DESCRIPTOR (read),
  HAS_DESCRIPTOR (readahead),
  HAS_DESCRIPTOR (readv),
  HAS_DESCRIPTOR (recvfrom),
  HAS_DESCRIPTOR (recvmsg),
  HAS_DESCRIPTOR (sendfile),
  HAS_DESCRIPTOR (sendmmsg),
  HAS_DESCRIPTOR (sendmsg),
  HAS_DESCRIPTOR (sendto),
  HAS_DESCRIPTOR (splice),
  HAS_DESCRIPTOR (sync_file_range),
  HAS_DESCRIPTOR (syncfs),
  HAS_DESCRIPTOR (tee),
  HAS_DESCRIPTOR (vmsplice),
  HAS_DESCRIPTOR (write),
  HAS_DESCRIPTOR (writev),
  [SYS_recvmmsg] = { KIND_OF_OBJECT, { 1, 5, TIMESPEC, 0 } },
  [SYS_flock] = { TB_CAPTURE_SLEEP_FILE_LOCK, { .descriptor = 1 } },
  [SYS_fcntl] = { TB_CAPTURE_SLEEP_FILE_LOCK, { .descriptor = 1 } },
  [SYS_ppoll] = { TB_CAPTURE_SLEEP_POLL, { 0, 3, TIMESPEC, 0, TB_BPF_SET_ARRAY } },
  [SYS_pselect6] = { TB_CAPTURE_SLEEP_POLL, { 0, 5, TIMESPEC, 0, TB_BPF_SET_BITS } },
  [SYS_epoll_pwait] = { TB_CAPTURE_SLEEP_POLL, { 0, 4, MILLISECONDS, 0, TB_BPF_SET_OBJECT } },
#ifdef SYS_epoll_pwait2
  [SYS_epoll_pwait2] = { TB_CAPTURE_SLEEP_POLL, { 0, 4, TIMESPEC, 0, TB_BPF_SET_OBJECT } },
#endif
#ifdef SYS_poll
  [SYS_poll] = { TB_CAPTURE_SLEEP_POLL, { 0, 3, MILLISECONDS, 0, TB_BPF_SET_ARRAY } },
#endif
#ifdef SYS_select
  [SYS_select] = { TB_CAPTURE_SLEEP_POLL, { 0, 5, TIMEVAL, 0, TB_BPF_SET_BITS } },
#endif
#ifdef SYS_epoll_wait
  [SYS_epoll_wait] = { TB_CAPTURE_SLEEP_POLL, { 0, 4, MILLISECONDS, 0, TB_BPF_SET_OBJECT } },
#endif
  [SYS_futex] = { TB_CAPTURE_SLEEP_LOCK, { 0, 4, TIMESPEC, 0 } },
  [SYS_futex_waitv] = { TB_CAPTURE_SLEEP_LOCK, { 0, 4, TIMESPEC, 1 + 8 } },
  [SYS_futex_wait] = { TB_CAPTURE_SLEEP_LOCK, { 0, 5, TIMESPEC, 0 } },
#ifdef SYS_semop
  [SYS_semop] = { TB_CAPTURE_SLEEP_SEMAPHORE, { 0, 0, 0, 0 } },
#endif
  [SYS_semtimedop] = { TB_CAPTURE_SLEEP_SEMAPHORE, { 0, 4, TIMESPEC, 0 } },
  [SYS_msgrcv] = { TB_CAPTURE_SLEEP_QUEUE, { 0, 0, 0, 0 } },
  [SYS_msgsnd] = { TB_CAPTURE_SLEEP_QUEUE, { 0, 0, 0, 0 } },
  [SYS_mq_timedreceive] = { TB_CAPTURE_SLEEP_QUEUE, { 1, 5, TIMESPEC, 0 } },
  [SYS_mq_timedsend] = { TB_CAPTURE_SLEEP_QUEUE, { 1, 5, TIMESPEC, 0 } },
  [SYS_wait4] = { TB_CAPTURE_SLEEP_CHILD, { 0, 0, 0, 0 } },
  [SYS_waitid] = { TB_CAPTURE_SLEEP_CHILD, { 0, 0, 0, 0 } },
  [SYS_clone] = { TB_CAPTURE_SLEEP_CHILD, { 0, 0, 0, 0 } },
  [SYS_clone3] = { TB_CAPTURE_SLEEP_CHILD, { 0, 0, 0, 1 } },
#ifdef SYS_vfork
  [SYS_vfork] = { TB_CAPTURE_SLEEP_CHILD, { 0, 0, 0, 0 } },
#endif
#ifdef SYS_pause
  [SYS_pause] = { TB_CAPTURE_SLEEP_SIGNAL, { 0, 0, 0, 0 } },
#endif
  [SYS_rt_sigsuspend] = { TB_CAPTURE_SLEEP_SIGNAL, { 0, 0, 0, 0 } },
  [SYS_rt_sigtimedwait] = { TB_CAPTURE_SLEEP_SIGNAL, { 0, 3, TIMESPEC, 0 } },
  [SYS_nanosleep] = { TB_CAPTURE_SLEEP_TIME, { 0, 1, TIMESPEC, 0 } },
  [SYS_clock_nanosleep] = { TB_CAPTURE_SLEEP_TIME, { 0, 3, TIMESPEC, 0 } },
#ifdef SYS_io_uring_enter
  [SYS_io_uring_enter] = { TB_CAPTURE_SLEEP_RING, { .descriptor = 1 } },
#endif
};

TbBpfCallShape
tb_agent_syscalls_get_shape (uint32_t number)
{
  return number < TB_BPF_MAX_CALLS ? calls[number].shape : (TbBpfCallShape) { 0 };
}

static unsigned
get_kind_of_name (const char *name, size_t size)
{
  static const struct
  {
    const char *name;
    unsigned kind;
  } known[] = {
    { "[eventfd]", TB_CAPTURE_SLEEP_EVENT },     { "[timerfd]", TB_CAPTURE_SLEEP_TIMER },
    { "[signalfd]", TB_CAPTURE_SLEEP_SIGNAL },   { "[io_uring]", TB_CAPTURE_SLEEP_RING },
    { "[eventpoll]", TB_CAPTURE_SLEEP_POLL },    { "inotify", TB_CAPTURE_SLEEP_EVENT },
    { "[fanotify]", TB_CAPTURE_SLEEP_EVENT },    { "[pidfd]", TB_CAPTURE_SLEEP_CHILD },
    { "[userfaultfd]", TB_CAPTURE_SLEEP_EVENT },
  };

  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strncmp (name, known[i].name, size) == 0)
      return known[i].kind;
  return TB_CAPTURE_SLEEP_OTHER;
}

/* Major numbers are the same on all systems: Documentation/admin-guide/devices.txt of the
 * kernel. */
static int
is_terminal (uint64_t device)
{
  uint64_t major = device >> 20;

  return major == 4 || major == 5 || (major >= 136 && major <= 143);
}

static unsigned
get_kind_of_object (const TbBpfSleep *sleep)
{
  switch (sleep->object_kind)
    {
    case TB_BPF_OBJECT_FILE:
      if (!S_ISCHR (sleep->mode))
        return TB_CAPTURE_SLEEP_FILE;
      return is_terminal (sleep->identity) ? TB_CAPTURE_SLEEP_TERMINAL : TB_CAPTURE_SLEEP_DEVICE;
    case TB_BPF_OBJECT_PIPE:
      return TB_CAPTURE_SLEEP_PIPE;
    case TB_BPF_OBJECT_SOCKET:
      return TB_CAPTURE_SLEEP_SOCKET;
    case TB_BPF_OBJECT_NAMED:
      return get_kind_of_name ((const char *) sleep->local, sizeof sleep->local);
    default:
      return TB_CAPTURE_SLEEP_OTHER;
    }
}

/* Without descriptors, poll() and select() are a sleep. Without a timeout, only a signal ends
 * it. */
static int
waits_for_nothing (const TbBpfSleep *sleep)
{
  return tb_agent_syscalls_get_shape (sleep->number).set != TB_BPF_SET_NONE
         && sleep->args[0] == TB_BPF_EMPTY_SET;
}

unsigned
tb_agent_syscalls_get_kind (const TbBpfSleep *sleep)
{
  unsigned kind = sleep->number < TB_BPF_MAX_CALLS ? calls[sleep->number].kind : 0;

  if (sleep->number == TB_BPF_NO_CALL)
    return TB_CAPTURE_SLEEP_FAULT;
  if (kind == 0)
    return TB_CAPTURE_SLEEP_OTHER;
  /* Of the commands of fcntl(), only these wait for a lock. */
  if (sleep->number == SYS_fcntl && (int) sleep->args[1] != F_SETLKW
      && (int) sleep->args[1] != F_OFD_SETLKW)
    return get_kind_of_object (sleep);
  if (kind == KIND_OF_OBJECT)
    return get_kind_of_object (sleep);
  if (waits_for_nothing (sleep))
    return sleep->timeout_state == TB_BPF_TIMEOUT_NONE ? TB_CAPTURE_SLEEP_SIGNAL
                                                       : TB_CAPTURE_SLEEP_TIME;
  if (sleep->number == SYS_futex && (sleep->args[1] & FUTEX_PRIVATE_FLAG) == 0)
    return TB_CAPTURE_SLEEP_SHARED_LOCK;
  /* A parent waits for its child only if it lends the child its memory. */
  if ((sleep->number == SYS_clone || sleep->number == SYS_clone3)
      && (sleep->args[0] & CLONE_VFORK) == 0)
    return TB_CAPTURE_SLEEP_OTHER;
  return kind;
}

TbAgentTimeoutClock
tb_agent_syscalls_get_timeout_clock (const TbBpfSleep *sleep)
{
  uint64_t operation = sleep->args[1];

  switch (sleep->number)
    {
    case SYS_futex:
      if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return TB_AGENT_TIMEOUT_RELATIVE;
      if ((operation & FUTEX_CMD_MASK) == FUTEX_LOCK_PI || (operation & FUTEX_CLOCK_REALTIME) != 0)
        return TB_AGENT_TIMEOUT_REALTIME;
      return TB_AGENT_TIMEOUT_MONOTONIC;
    case SYS_clock_nanosleep:
      if ((operation & TIMER_ABSTIME) == 0)
        return TB_AGENT_TIMEOUT_RELATIVE;
      return (clockid_t) sleep->args[0] == CLOCK_MONOTONIC ? TB_AGENT_TIMEOUT_MONOTONIC
                                                           : TB_AGENT_TIMEOUT_REALTIME;
    case SYS_futex_waitv:
    case SYS_futex_wait:
      return TB_AGENT_TIMEOUT_UNKNOWN;
    case SYS_mq_timedreceive:
    case SYS_mq_timedsend:
      return TB_AGENT_TIMEOUT_REALTIME;
    default:
      return TB_AGENT_TIMEOUT_RELATIVE;
    }
}

uint32_t
tb_agent_syscalls_get_operation (const TbBpfSleep *sleep)
{
  return sleep->number == SYS_futex || sleep->number == SYS_fcntl || sleep->number == SYS_flock
             ? (uint32_t) sleep->args[1] + 1
             : 0;
}

int
tb_agent_syscalls_is_futex (uint32_t number)
{
  return number == SYS_futex || number == SYS_futex_waitv || number == SYS_futex_wait;
}
