/* tb-bpf-sleep.h: description of the wait that the running thread is about to begin: system call,
 * object, timeout
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-fault.h"
#include "tb-bpf-file.h"
#include "tb-bpf-set.h"
#include "tb-bpf-sleep-record.h"
#include "tb-bpf-socket.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct inode___sleep
{
  u32 i_rdev;
};

struct super_block___sleep
{
  unsigned long s_magic;
};

struct path
{
  struct dentry *dentry;
};

struct file___sleep
{
  struct path f_path;
  void *private_data;
};

struct socket
{
  struct sock *sk;
};

#pragma clang attribute pop

#define TB_PIPEFS_MAGIC 0x50495045u
#define TB_ANON_INODE_MAGIC 0x09041934u
#define TB_S_IFIFO 0010000u
#define TB_S_IFSOCK 0140000u

/* By call number; filled in by the agent, which has the table of the architecture. */
const volatile TbBpfCallShape call_shapes[TB_BPF_MAX_CALLS] = { 0 };

static __always_inline u64
tb_pick (const TbCall *call, u32 which)
{
  switch (which)
    {
    case 1:
      return call->args[0];
    case 2:
      return call->args[1];
    case 3:
      return call->args[2];
    case 4:
      return call->args[3];
    case 5:
      return call->args[4];
    default:
      return call->args[5];
    }
}

/* The page was present when the call read it. If it has been evicted since, no value is
 * invented. */
static __always_inline void
tb_read_timeout (TbBpfSleep *sleep, u64 argument, u32 kind)
{
  s64 parts[2];

  if (kind == TB_BPF_TIMEOUT_MILLISECONDS)
    {
      sleep->timeout_state = (int) argument < 0 ? TB_BPF_TIMEOUT_NONE : TB_BPF_TIMEOUT_GIVEN;
      sleep->timeout = (int) argument < 0 ? 0 : (u64) (u32) argument * 1000000;
      return;
    }
  if (argument == 0)
    return;
  if (bpf_probe_read_user (parts, sizeof parts, (const void *) argument) != 0)
    {
      sleep->timeout_state = TB_BPF_TIMEOUT_UNREADABLE;
      return;
    }
  sleep->timeout_state = TB_BPF_TIMEOUT_GIVEN;
  sleep->timeout
      = (u64) parts[0] * 1000000000 + (u64) parts[1] * (kind == TB_BPF_TIMEOUT_TIMEVAL ? 1000 : 1);
}

static __always_inline void
tb_read_socket (TbBpfSleep *sleep, const TbProgramContext *place, struct sock *sock)
{
  sleep->object_kind = TB_BPF_OBJECT_SOCKET;
  sleep->identity = (u64) sock;
  sleep->family = BPF_CORE_READ (sock, __sk_common.skc_family);
  if (sleep->family == TB_AF_UNIX)
    {
      tb_emit_unix_names (place, sock);
      return;
    }
  if (sleep->family != TB_AF_INET && sleep->family != TB_AF_INET6)
    return;
  sleep->local_port = BPF_CORE_READ (sock, __sk_common.skc_num);
  sleep->remote_port = bpf_ntohs (BPF_CORE_READ (sock, __sk_common.skc_dport));
  if (sleep->family == TB_AF_INET6)
    {
      bpf_core_read (sleep->local, 16, &sock->__sk_common.skc_v6_rcv_saddr);
      bpf_core_read (sleep->remote, 16, &sock->__sk_common.skc_v6_daddr);
    }
  else
    {
      bpf_core_read (sleep->local, 4, &sock->__sk_common.skc_rcv_saddr);
      bpf_core_read (sleep->remote, 4, &sock->__sk_common.skc_daddr);
    }
  sleep->known
      = (sleep->local_port != 0 ? TB_BPF_NET_HAS_LOCAL : 0)
        | (sleep->remote_port != 0 ? TB_BPF_NET_HAS_REMOTE : 0)
        | (BPF_CORE_READ (sock, __sk_common.skc_state) == TB_TCP_LISTEN ? TB_BPF_SOCKET_LISTENS
                                                                        : 0);
}

static __always_inline void
tb_read_object (TbBpfSleep *sleep, const TbProgramContext *place, u32 descriptor)
{
  struct task_struct___files *task = (void *) bpf_get_current_task_btf ();
  struct files_struct *files = task->files;
  struct fdtable *table = files != NULL ? files->fdt : NULL;
  struct file **slots, *file = NULL;
  struct super_block *super;
  struct inode *inode;
  u64 magic;

  if (table == NULL || descriptor >= table->max_fds)
    return;
  slots = table->fd;
  bpf_core_read (&file, sizeof file, &slots[descriptor]);
  if (file == NULL)
    return;
  inode = BPF_CORE_READ (file, f_inode);
  if (inode == NULL)
    return;
  sleep->mode = BPF_CORE_READ (inode, i_mode);
  sleep->file.inode = BPF_CORE_READ (inode, i_ino);
  if ((sleep->mode & TB_S_IFMT) == TB_S_IFSOCK)
    {
      struct socket *socket = BPF_CORE_READ ((struct file___sleep *) file, private_data);
      struct sock *sock = BPF_CORE_READ (socket, sk);

      if (sock != NULL)
        tb_read_socket (sleep, place, sock);
      return;
    }
  super = BPF_CORE_READ (inode, i_sb);
  magic = BPF_CORE_READ ((struct super_block___sleep *) super, s_magic);
  if (magic == TB_ANON_INODE_MAGIC)
    {
      sleep->object_kind = TB_BPF_OBJECT_NAMED;
      bpf_probe_read_kernel_str (sleep->local, sizeof sleep->local,
                                 BPF_CORE_READ ((struct file___sleep *) file, f_path.dentry,
                                                d_name.name));
      return;
    }
  sleep->object_kind
      = (sleep->mode & TB_S_IFMT) == TB_S_IFIFO ? TB_BPF_OBJECT_PIPE : TB_BPF_OBJECT_FILE;
  if (magic == TB_PIPEFS_MAGIC)
    return;
  sleep->file.device = BPF_CORE_READ (super, s_dev);
  sleep->file.generation = BPF_CORE_READ (inode, i_generation);
  sleep->identity = BPF_CORE_READ ((struct inode___sleep *) inode, i_rdev);
  tb_emit_file (place, inode, &sleep->file);
}

/* Describes the wait of the running thread, which blocks now. Records emitted before are in the
 * ring by then. */
static __always_inline void
tb_read_sleep (TbBpfSleep *sleep, const TbProgramContext *place)
{
  TbCall call;
  u32 number, descriptor = TB_NO_DESCRIPTOR;

  __builtin_memset (sleep, 0, sizeof *sleep);
  sleep->number = TB_BPF_NO_CALL;
  if (!tb_get_call (&call))
    {
      if (tb_is_in_call ())
        sleep->number = TB_BPF_FOREIGN_CALL;
      else
        tb_read_fault (sleep, place);
      return;
    }
  sleep->number = number = call.number;
  sleep->args[0] = call.args[0];
  sleep->args[1] = call.args[1];
  if (number >= TB_BPF_MAX_CALLS)
    return;
  if (call_shapes[number].timeout != 0)
    tb_read_timeout (sleep, tb_pick (&call, call_shapes[number].timeout),
                     call_shapes[number].timeout_kind);
  if (call_shapes[number].indirect != 0)
    {
      sleep->args[0] = 0;
      bpf_probe_read_user (&sleep->args[0], sizeof (u64),
                           (const void *) (call.args[0] + call_shapes[number].indirect - 1));
    }
  if (call_shapes[number].set != TB_BPF_SET_NONE)
    sleep->args[0] = tb_read_set (&call, call_shapes[number].set, &descriptor);
  else if (call_shapes[number].descriptor != 0)
    descriptor = (u32) tb_pick (&call, call_shapes[number].descriptor);
  if (descriptor != TB_NO_DESCRIPTOR)
    tb_read_object (sleep, place, descriptor);
}
