/* tb-trace-syscall-classes-private.h: classes of system calls by what they wait for (file, lock,
 * message, timer, …), and look-up by name
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Class of a system call, by what it waits for. */
typedef enum
{
  TB_SYSCALL_OTHER,
  TB_SYSCALL_FILE, /* reads, opens: the wait depends on the file */
  /* as FILE, for calls that send if the file is a socket; closing a socket sends its end */
  TB_SYSCALL_WRITE,
  TB_SYSCALL_SYNC,
  TB_SYSCALL_LOCK,
  TB_SYSCALL_RECEIVE,
  TB_SYSCALL_SEND,
  TB_SYSCALL_POLL,
  TB_SYSCALL_SLEEP,
  TB_SYSCALL_CHILD,
  TB_SYSCALL_SIGNAL_WAIT,
  TB_SYSCALL_KILL,
} TbSyscallClass;

TbSyscallClass tb_syscall_class_from_name (const char *name);

G_END_DECLS
