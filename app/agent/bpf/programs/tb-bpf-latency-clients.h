/* tb-bpf-latency-clients.h: clients of the measured function (f0): threads followed along a given
 * call path until they sleep at its end; test which calls of f0, running or just ended, wake one:
 * only these are measured then
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A client is on the path while it sleeps in nested calls of these functions and in the system call
 * at the end of the path. The thread that wakes it has served it: with the call of f0 in which it
 * does so, or with those that ended since the client went to sleep, if the thread has woken no
 * other thread from their beginning on. A wake-up from an interrupt cannot be attributed to a
 * thread.
 */

#pragma once

#include "tb-bpf-latency-frames.h"

typedef struct
{
  u64 begin;                      /* of the outermost call on the path */
  u64 off;                        /* since when it sleeps at the end of the path; 0: it does not */
  u64 sp[TB_BPF_LATENCY_CLIENTS]; /* at the entry of each function of the path */
  u32 n;
  u32 unused;
} Client;

struct
{
  __uint (type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint (map_flags, BPF_F_NO_PREALLOC);
  __type (key, int);
  __type (value, Client);
} tb_clients SEC (".maps");

#if defined __TARGET_ARCH_x86
#  pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct pt_regs___client
{
  unsigned long orig_ax;
};
#  pragma clang attribute pop
#endif

/* The system call that a thread is in */
static __always_inline u32
read_call (const void *regs)
{
#if defined __TARGET_ARCH_x86
  return (u32) BPF_CORE_READ ((const struct pt_regs___client *) regs, orig_ax);
#elif defined __TARGET_ARCH_arm64
  return (u32) BPF_CORE_READ ((const struct pt_regs___user *) regs, regs[8]);
#else
  return TB_BPF_LATENCY_NO_CALL;
#endif
}

/* A function of the path is entered. Functions whose frames are no longer above it have ended. The
 * entry counts if all earlier functions of the path are open. */
static __always_inline int
reach_path (const TbBpfLatencySite *site, struct task_struct *task, u64 sp)
{
  Client *client = bpf_task_storage_get (&tb_clients, task, NULL,
                                         site->index == 0 ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
  u32 n;

  if (client == NULL)
    return 0;
  n = client->n;
  for (u32 i = 0; i < TB_BPF_LATENCY_CLIENTS; i++)
    {
      if (n == 0 || client->sp[bound (n - 1, TB_BPF_LATENCY_CLIENTS - 1)] > sp)
        break;
      n--;
    }
  if (site->index == n && n < TB_BPF_LATENCY_CLIENTS)
    {
      if (n == 0)
        client->begin = bpf_ktime_get_ns ();
      client->sp[bound (n, TB_BPF_LATENCY_CLIENTS - 1)] = sp;
      n++;
    }
  client->n = n;
  client->off = 0;
  return 0;
}

/* A path that consists of a system call alone begins with that call. */
static __always_inline void
note_client_call (const TbBpfLatencyShared *shared, struct task_struct *task, long number)
{
  Client *client;

  if (!shared->has_clients || shared->n_clients != 0 || shared->clients_call != (u32) number)
    return;
  client = bpf_task_storage_get (&tb_clients, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (client == NULL)
    return;
  client->n = 0;
  client->off = 0;
  client->begin = bpf_ktime_get_ns ();
}

/* A thread goes to sleep. */
static __always_inline void
note_client_sleep (const TbBpfLatencyShared *shared, struct task_struct *task, u32 state, u64 now)
{
  Client *client = bpf_task_storage_get (&tb_clients, task, NULL, 0);
  const void *regs;
  u32 n;

  if (client == NULL)
    return;
  n = client->n;
  client->off = 0;
  if (n != shared->n_clients || (state & 0xff) != shared->clients_state)
    return;
  regs = (const void *) bpf_task_pt_regs (task);
  if (n > 0 && read_sp ((void *) regs) >= client->sp[bound (n - 1, TB_BPF_LATENCY_CLIENTS - 1)])
    return;
  if (shared->clients_call != TB_BPF_LATENCY_NO_CALL && read_call (regs) != shared->clients_call)
    return;
  client->off = now;
}

/* Whether the client's call had taken long enough when it was answered to belong to the peak or
 * beyond. */
static __always_inline bool
is_in_clients_peak (const TbBpfLatencyShared *shared, const Client *client, u64 now)
{
  u64 length = now - client->begin;

  return client->off != 0 && length >= shared->clients_from && length < shared->clients_to;
}

/* Counts the calls of f0 that have ended and are held until a thread is woken. */
static __always_inline void
count_held (Thread *thread, TbBpfLatencyShared *shared, u64 since)
{
  for (u32 i = 0; i < HELD; i++)
    {
      if (i >= thread->n_held)
        break;
      if (thread->held[i].end > since)
        count_served (shared, thread->held[i].latency);
      else
        __sync_fetch_and_add (&shared->n_other_clients, 1);
    }
  if (thread->is_held && thread->n_entries == 0 && thread->held_end > since)
    evaluate_call (thread, shared, thread->held_latency, thread->held_begin);
}

static __always_inline void
drop_held (Thread *thread)
{
  thread->n_held = 0;
  thread->is_held = 0;
}

static __always_inline void
serve_clients (Thread *thread, TbBpfLatencyShared *shared, const Client *client, u64 now)
{
  bool is_served = client != NULL && is_in_clients_peak (shared, client, now);
  u32 whom = is_served ? SERVED_PATH : SERVED_OTHER;

  if (is_served)
    count_held (thread, shared, client->off);
  else if (thread->n_held > 0)
    __sync_fetch_and_add (&shared->n_other_clients, thread->n_held);
  drop_held (thread);
  for (u32 i = 0; i < TB_BPF_LATENCY_ENTRIES; i++)
    {
      if (i >= thread->n_entries)
        break;
      if (thread->entries[i].served < whom)
        thread->entries[i].served = whom;
    }
}

/* Kernel threads are woken for many reasons other than answers. */
static __always_inline void
note_waking (TbBpfLatencyShared *shared, struct task_struct *task)
{
  struct task_struct *waker = bpf_get_current_task_btf ();
  Client *client = bpf_task_storage_get (&tb_clients, task, NULL, 0);
  u64 now = bpf_ktime_get_ns ();
  Thread *thread;
  TbProgramContext place;

  if (waker != task && tb_read_program_context (&place)
      && (tb_get_context (&place) & (TB_BPF_IN_HARDIRQ | TB_BPF_IN_SOFTIRQ)) == 0)
    {
      thread = bpf_task_storage_get (&tb_threads, waker, NULL, 0);
      if (thread != NULL && (thread->n_entries > 0 || thread->n_held > 0)
          && (client != NULL || (task->flags & PF_KTHREAD) == 0))
        serve_clients (thread, shared, client, now);
    }
  if (client != NULL)
    client->off = 0;
}
