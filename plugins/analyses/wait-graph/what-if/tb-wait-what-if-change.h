/* tb-wait-what-if-change.h: one change of a what-if question, parsed from its text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_CHANGE_EDGE, /* waits of one node for another take a multiple of their time */
  /* what a thread waits for is prepared while the thread does something else */
  TB_WAIT_CHANGE_AHEAD,
  TB_WAIT_CHANGE_SHARED,  /* the waiter does its part of the other's work while it waits */
  TB_WAIT_CHANGE_CALL,    /* running and waiting in a system call take a multiple of their time */
  TB_WAIT_CHANGE_EVERY,   /* of so many calls only the last is made */
  TB_WAIT_CHANGE_THREADS, /* so many threads do the work of one */
  TB_WAIT_CHANGE_DEVICE,  /* the device is so many times as fast */
  TB_WAIT_CHANGE_LOCK,    /* no thread waits for the lock */
  TB_WAIT_CHANGE_CPUS,
} TbWaitChangeKind;

typedef struct
{
  TbWaitChangeKind kind;
  char *what;    /* the waiter, the device, the lock, and so on */
  char *awaited; /* the node that is waited for */
  double factor;
  guint32 n_cpus;
} TbWaitChange;

/*
 * One change: "edge:A>B*0.5", "edge:A>B=ahead", "edge:A>B=shared", "call:fdatasync*0",
 * "call:fdatasync/8", "threads:NAME*2", "device:vda*2", "lock:NAME=free", "cpus=4"; several that
 * apply together are separated by ';'. Returns TbWaitChange elements.
 */
GArray *tb_wait_parse_changes (const char *text, GError **error);

G_END_DECLS
