/* locks-fixture.h: recordings of waits for locks: of two processes, each wait on a CPU of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "recording.h"

G_BEGIN_DECLS

#define LOCKS_MS G_GINT64_CONSTANT (1000000)
/* 1 + an operation of futex(), as a sleep has it */
#define LOCKS_MUTEX (1 + 128 + 6)           /* FUTEX_LOCK_PI */
#define LOCKS_WAIT (1 + 128)                /* FUTEX_WAIT */
#define LOCKS_CONDITION (1 + 128 + 256 + 9) /* FUTEX_WAIT_BITSET until a real time */
#define LOCKS_TIMED (1 + 128 + 9)           /* FUTEX_WAIT_BITSET until a monotonic time */
#define LOCKS_JOIN (1 + 256 + 9)            /* likewise, as in shared memory */

/* Threads 10 "owner", 11 to 13 "worker" of the process 10, and 20 "other", which is a process. */
typedef struct
{
  TbRecorder *recorder;
  guint32 heap;
  guint32 shared;
  guint32 file;
  guint32 futex;
  guint32 stack;     /* stack of the next sleeps; 0: none */
  guint32 operation; /* of the next sleeps; 0: unknown */
  gint64 timeout;    /* of the next sleeps that a thread ends; 0: none */
} LocksFixture;

LocksFixture locks_begin (void);
/* A stack of main() and a function of libc. */
guint32 locks_make_stack (LocksFixture *self, const char *function);
/* Thread tid of process pid waits for a lock on a CPU of its own. waker 0: a timer ends the wait,
 * which had that timeout. */
void locks_wait (LocksFixture *self,
                 gint32 pid,
                 gint32 tid,
                 gint64 from,
                 gint64 to,
                 guint64 address,
                 TbSleepKind kind,
                 gint32 waker);
/* The recording of 100 ms. */
TbTrace *locks_end (LocksFixture *self);

G_END_DECLS
