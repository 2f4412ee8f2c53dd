/* tb-trace-stacks.c: stacks as functions, and the kinds of wait that functions indicate
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-private.h"

/* Maximum depth to which a stack is read. The parents come from a file, which is untrusted. */
#define MAX_DEPTH 4096

typedef struct
{
  const char *function;
  TbWaitKind kind;
} FunctionKind;

/* Kernel functions in which a thread sleeps. Sorted by name; compiler suffixes (.isra.0) are
 * removed before the look-up. */
static const FunctionKind kernel_functions[] = {
  { "__futex_wait", TB_WAIT_LOCK },
  { "__inet_stream_connect", TB_WAIT_SOCKET },
  { "__mutex_lock", TB_WAIT_LOCK },
  { "__rt_mutex_slowlock", TB_WAIT_LOCK },
  { "__skb_wait_for_more_packets", TB_WAIT_SOCKET },
  { "__wait_on_buffer", TB_WAIT_BLOCK_IO },
  { "anon_pipe_read", TB_WAIT_PIPE },
  { "anon_pipe_write", TB_WAIT_PIPE },
  { "asm_exc_page_fault", TB_WAIT_PAGE_FAULT },
  { "balance_dirty_pages", TB_WAIT_BLOCK_IO },
  { "bit_wait_io", TB_WAIT_BLOCK_IO },
  { "blk_mq_get_tag", TB_WAIT_BLOCK_IO },
  { "blkdev_issue_flush", TB_WAIT_BLOCK_IO },
  { "common_nsleep", TB_WAIT_SLEEP },
  { "core_sys_select", TB_WAIT_POLL },
  { "do_epoll_wait", TB_WAIT_POLL },
  { "do_futex", TB_WAIT_LOCK },
  { "do_nanosleep", TB_WAIT_SLEEP },
  { "do_page_fault", TB_WAIT_PAGE_FAULT },
  { "do_poll", TB_WAIT_POLL },
  { "do_select", TB_WAIT_POLL },
  { "do_signal_stop", TB_WAIT_SIGNAL },
  { "do_sigtimedwait", TB_WAIT_SIGNAL },
  { "do_sys_poll", TB_WAIT_POLL },
  { "do_user_addr_fault", TB_WAIT_PAGE_FAULT },
  { "do_wait", TB_WAIT_CHILD },
  { "down_read", TB_WAIT_LOCK },
  { "down_write", TB_WAIT_LOCK },
  { "ep_poll", TB_WAIT_POLL },
  { "exc_page_fault", TB_WAIT_PAGE_FAULT },
  { "fifo_open", TB_WAIT_PIPE },
  { "filemap_fdatawait_range", TB_WAIT_BLOCK_IO },
  { "flock_lock_inode_wait", TB_WAIT_LOCK },
  { "folio_wait_bit_common", TB_WAIT_BLOCK_IO },
  { "folio_wait_writeback", TB_WAIT_BLOCK_IO },
  { "futex_do_wait", TB_WAIT_LOCK },
  { "futex_lock_pi", TB_WAIT_LOCK },
  { "futex_wait", TB_WAIT_LOCK },
  { "futex_wait_queue", TB_WAIT_LOCK },
  { "futex_wait_queue_me", TB_WAIT_LOCK },
  { "handle_mm_fault", TB_WAIT_PAGE_FAULT },
  { "hrtimer_nanosleep", TB_WAIT_SLEEP },
  { "inet_csk_accept", TB_WAIT_SOCKET },
  { "inet_stream_connect", TB_WAIT_SOCKET },
  { "io_schedule", TB_WAIT_BLOCK_IO },
  { "io_schedule_timeout", TB_WAIT_BLOCK_IO },
  { "jbd2_journal_commit_transaction", TB_WAIT_BLOCK_IO },
  { "jbd2_log_wait_commit", TB_WAIT_BLOCK_IO },
  { "kcompactd", TB_WAIT_WORK },
  { "kernel_wait4", TB_WAIT_CHILD },
  { "kjournald2", TB_WAIT_WORK },
  { "kswapd", TB_WAIT_WORK },
  { "kthread_worker_fn", TB_WAIT_WORK },
  { "kthreadd", TB_WAIT_WORK },
  { "mutex_lock", TB_WAIT_LOCK },
  { "netlink_recvmsg", TB_WAIT_SOCKET },
  { "percpu_rwsem_wait", TB_WAIT_LOCK },
  { "pipe_read", TB_WAIT_PIPE },
  { "pipe_wait_readable", TB_WAIT_PIPE },
  { "pipe_wait_writable", TB_WAIT_PIPE },
  { "pipe_write", TB_WAIT_PIPE },
  { "poll_schedule_timeout", TB_WAIT_POLL },
  { "rcu_gp_kthread", TB_WAIT_WORK },
  { "rq_qos_wait", TB_WAIT_BLOCK_IO },
  { "rwsem_down_read_slowpath", TB_WAIT_LOCK },
  { "rwsem_down_write_slowpath", TB_WAIT_LOCK },
  { "sigsuspend", TB_WAIT_SIGNAL },
  { "sk_stream_wait_connect", TB_WAIT_SOCKET },
  { "sk_stream_wait_memory", TB_WAIT_SOCKET },
  { "sk_wait_data", TB_WAIT_SOCKET },
  { "skb_recv_datagram", TB_WAIT_SOCKET },
  { "smpboot_thread_fn", TB_WAIT_WORK },
  { "sock_alloc_send_pskb", TB_WAIT_SOCKET },
  { "submit_bio_wait", TB_WAIT_BLOCK_IO },
  { "sync_inodes_sb", TB_WAIT_BLOCK_IO },
  { "tcp_recvmsg", TB_WAIT_SOCKET },
  { "udp_recvmsg", TB_WAIT_SOCKET },
  { "unix_accept", TB_WAIT_SOCKET },
  { "unix_stream_data_wait", TB_WAIT_SOCKET },
  { "unix_stream_read_generic", TB_WAIT_SOCKET },
  { "unix_wait_for_peer", TB_WAIT_SOCKET },
  { "wait_on_page_bit", TB_WAIT_BLOCK_IO },
  { "worker_thread", TB_WAIT_WORK },
};

/* C library functions in which their callers sleep, for recordings without kernel frames. Sorted by
 * name. */
static const FunctionKind user_functions[] = {
  { "__lll_lock_wait", TB_WAIT_LOCK },
  { "__lll_lock_wait_private", TB_WAIT_LOCK },
  { "__poll", TB_WAIT_POLL },
  { "__select", TB_WAIT_POLL },
  { "accept", TB_WAIT_SOCKET },
  { "accept4", TB_WAIT_SOCKET },
  { "clock_nanosleep", TB_WAIT_SLEEP },
  { "cnd_wait", TB_WAIT_LOCK },
  { "connect", TB_WAIT_SOCKET },
  { "epoll_pwait", TB_WAIT_POLL },
  { "epoll_wait", TB_WAIT_POLL },
  { "fdatasync", TB_WAIT_BLOCK_IO },
  { "fsync", TB_WAIT_BLOCK_IO },
  { "g_cond_wait", TB_WAIT_LOCK },
  { "g_mutex_lock", TB_WAIT_LOCK },
  { "g_poll", TB_WAIT_POLL },
  { "mtx_lock", TB_WAIT_LOCK },
  { "nanosleep", TB_WAIT_SLEEP },
  { "poll", TB_WAIT_POLL },
  { "ppoll", TB_WAIT_POLL },
  { "pselect", TB_WAIT_POLL },
  { "pthread_barrier_wait", TB_WAIT_LOCK },
  { "pthread_cond_timedwait", TB_WAIT_LOCK },
  { "pthread_cond_wait", TB_WAIT_LOCK },
  { "pthread_mutex_lock", TB_WAIT_LOCK },
  { "pthread_rwlock_rdlock", TB_WAIT_LOCK },
  { "pthread_rwlock_wrlock", TB_WAIT_LOCK },
  { "recv", TB_WAIT_SOCKET },
  { "recvfrom", TB_WAIT_SOCKET },
  { "recvmmsg", TB_WAIT_SOCKET },
  { "recvmsg", TB_WAIT_SOCKET },
  { "select", TB_WAIT_POLL },
  { "sem_timedwait", TB_WAIT_LOCK },
  { "sem_wait", TB_WAIT_LOCK },
  { "send", TB_WAIT_SOCKET },
  { "sendmsg", TB_WAIT_SOCKET },
  { "sendto", TB_WAIT_SOCKET },
  { "sigsuspend", TB_WAIT_SIGNAL },
  { "sigtimedwait", TB_WAIT_SIGNAL },
  { "sigwait", TB_WAIT_SIGNAL },
  { "sigwaitinfo", TB_WAIT_SIGNAL },
  { "sleep", TB_WAIT_SLEEP },
  { "sync", TB_WAIT_BLOCK_IO },
  { "syncfs", TB_WAIT_BLOCK_IO },
  { "thrd_sleep", TB_WAIT_SLEEP },
  { "usleep", TB_WAIT_SLEEP },
  { "wait", TB_WAIT_CHILD },
  { "wait4", TB_WAIT_CHILD },
  { "waitid", TB_WAIT_CHILD },
  { "waitpid", TB_WAIT_CHILD },
};

static int
compare_function (const void *name, const void *entry)
{
  return strcmp (name, ((const FunctionKind *) entry)->function);
}

/* The kind of wait that a function name indicates. */
TbWaitKind
tb_wait_kind_from_function (const char *function, gboolean kernel)
{
  const FunctionKind *found;
  char name[64];
  gsize length = strcspn (function, ".@(");

  if (length >= sizeof name)
    return TB_WAIT_UNKNOWN;
  memcpy (name, function, length);
  name[length] = '\0';
  if (kernel)
    found = bsearch (name, kernel_functions, G_N_ELEMENTS (kernel_functions), sizeof (FunctionKind),
                     compare_function);
  else
    found = bsearch (name, user_functions, G_N_ELEMENTS (user_functions), sizeof (FunctionKind),
                     compare_function);
  return found != NULL ? found->kind : TB_WAIT_UNKNOWN;
}

/* --- stack tree --- */

void
tb_stack_columns_clear (TbStackColumns *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}

static gboolean
load_stacks (TbTrace *self)
{
  static const struct
  {
    TbTableKind table;
    guint column;
  } wanted[] = {
    { TB_TABLE_STACK, TB_STACK_PARENT }, { TB_TABLE_STACK, TB_STACK_FRAME },
    { TB_TABLE_STACK, TB_STACK_FLAGS },  { TB_TABLE_FRAME, TB_FRAME_MODULE },
    { TB_TABLE_FRAME, TB_FRAME_OFFSET },
  };
  TbStackColumns *columns = &self->stacks;

  for (guint i = 0; i < G_N_ELEMENTS (columns->columns); i++)
    {
      columns->columns[i] = tb_trace_read_column (self, wanted[i].table, wanted[i].column);
      if (columns->columns[i] == NULL)
        {
          tb_stack_columns_clear (columns);
          return FALSE;
        }
    }
  columns->n_stacks
      = MIN (tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_STACK)),
             G_MAXUINT32);
  columns->n_frames
      = MIN (tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_FRAME)),
             G_MAXUINT32);
  columns->parent = g_bytes_get_data (columns->columns[0], NULL);
  columns->frame = g_bytes_get_data (columns->columns[1], NULL);
  columns->flags = g_bytes_get_data (columns->columns[2], NULL);
  columns->module = g_bytes_get_data (columns->columns[3], NULL);
  columns->offset = g_bytes_get_data (columns->columns[4], NULL);
  return TRUE;
}

/* Never NULL. It has no stacks if there are none, or if they cannot be read (tb_trace_check()
 * reports it). A cancelled load is repeated by the next call. */
const TbStackColumns *
tb_trace_peek_stacks (TbTrace *self)
{
  static const TbStackColumns none = { 0 };
  const TbStackColumns *stacks;

  g_mutex_lock (&self->mutex);
  if (!self->has_stacks)
    self->has_stacks = load_stacks (self) || !tb_trace_is_cancelled ();
  stacks = self->has_stacks ? &self->stacks : &none;
  g_mutex_unlock (&self->mutex);
  return stacks;
}

/* --- names --- */

/* The start of an unnamed frame's function, if it is known, else the address of the frame. */
static guint64
get_place (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  guint n_names;
  const TbFrameName *names = tb_session_get_frame_names (self->session, frame, &n_names);

  return n_names == 1 && names[0].function[0] == '\0' && names[0].line != 0 ? names[0].line
                                                                            : stacks->offset[frame];
}

/* "libc.so.6+0x1f" */
static char *
name_by_place (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  guint64 place = get_place (self, stacks, frame);
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);
  guint32 module = stacks->module[frame];
  const char *path, *slash;

  if (module >= n_modules)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", place);
  path = modules[module].path;
  if (path[0] == '[')
    return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", path, place);
  slash = strrchr (path, '/');
  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", slash != NULL ? slash + 1 : path, place);
}

/* The recorded name of a frame, or NULL. */
static const char *
get_own_name (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);

  if (stacks->module[frame] < n_modules && modules[stacks->module[frame]].kind == TB_MODULE_NAMED
      && stacks->offset[frame] < G_MAXUINT32)
    return tb_session_get_string (self->session, stacks->offset[frame]);
  return NULL;
}

/* The functions at a frame, innermost first; NULL and 0 if no name is known (yet). */
static const TbFrameName *
get_names (TbTrace *self, guint32 frame, guint *n_names)
{
  const TbFrameName *names = tb_session_get_frame_names (self->session, frame, n_names);

  if (*n_names == 1 && names[0].function[0] == '\0')
    *n_names = 0;
  return *n_names > 0 ? names : NULL;
}

/* The function of a frame, or its place in the module: (transfer full). */
static char *
name_frame (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  const char *own = get_own_name (self, stacks, frame);
  const TbFrameName *names;
  guint n_names;

  if (own != NULL)
    return g_strdup (own);
  names = get_names (self, frame, &n_names);
  return names != NULL ? g_strdup (names[0].function) : name_by_place (self, stacks, frame);
}

/* The functions at a frame, outermost first, including inlined functions; its place in the module
 * if no name is known. Never empty. Free with g_strfreev(). */
char **
tb_trace_name_frame (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  const char *own = get_own_name (self, stacks, frame);
  guint n_names = 0;
  const TbFrameName *names = own == NULL ? get_names (self, frame, &n_names) : NULL;
  char **functions = g_new0 (char *, MAX (n_names, 1) + 1);

  if (names == NULL)
    functions[0] = name_frame (self, stacks, frame);
  for (guint i = 0; i < n_names; i++)
    functions[i] = g_strdup (names[n_names - 1 - i].function);
  return functions;
}

/* The file name of a frame's module, "[kernel]", or "". Free with g_free(). */
char *
tb_trace_name_module (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);
  const char *path, *slash;

  if (stacks->module[frame] >= n_modules)
    return g_strdup ("");
  path = modules[stacks->module[frame]].path;
  slash = path[0] != '[' ? strrchr (path, '/') : NULL;
  return g_strdup (slash != NULL ? slash + 1 : path);
}

/**
 * tb_trace_get_stack_functions:
 * @self: a trace
 * @stack: a stack
 *
 * Gets a stack as functions, outermost first, including inlined functions. A function without a
 * known name (yet) is given by its place in the module: "libc.so.6+0x1f".
 *
 * Returns: (transfer full) (array zero-terminated=1): the functions
 */
char **
tb_trace_get_stack_functions (TbTrace *self, guint32 stack)
{
  g_autoptr (GPtrArray) functions = NULL;
  const TbStackColumns *stacks;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  stacks = tb_trace_peek_stacks (self);
  functions = g_ptr_array_new_with_free_func (g_free);
  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++)
    {
      guint32 frame = stacks->frame[stack];

      if (frame < stacks->n_frames)
        {
          const char *own = get_own_name (self, stacks, frame);
          guint n_names = 0;
          const TbFrameName *names = own == NULL ? get_names (self, frame, &n_names) : NULL;

          if (names == NULL)
            g_ptr_array_add (functions, name_frame (self, stacks, frame));
          for (guint i = 0; i < n_names; i++)
            g_ptr_array_add (functions, g_strdup (names[i].function));
        }
      stack = stacks->parent[stack];
    }
  for (guint i = 0; i < functions->len / 2; i++)
    {
      gpointer swap = functions->pdata[i];

      functions->pdata[i] = functions->pdata[functions->len - 1 - i];
      functions->pdata[functions->len - 1 - i] = swap;
    }
  g_ptr_array_add (functions, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&functions), FALSE);
}

/* Functions by which the C library enters the kernel: they add nothing to the name of the system
 * call. Sorted. */
static const char *const syscall_wrappers[] = {
  "__internal_syscall_cancel",
  "__libc_start_call_main",
  "__libc_start_main_impl",
  "__syscall_cancel",
  "__syscall_cancel_arch",
  "__syscall_cancel_arch_end",
  "_start",
  "clone3",
  "start_thread",
  "syscall",
};

static int
compare_name (const void *name, const void *entry)
{
  return strcmp (name, *(const char *const *) entry);
}

static gboolean
is_syscall_wrapper (const char *function)
{
  return bsearch (function, syscall_wrappers, G_N_ELEMENTS (syscall_wrappers),
                  sizeof *syscall_wrappers, compare_name)
         != NULL;
}

/* "read" of "__x64_sys_read", or NULL. */
static char *
get_syscall_name (const char *function)
{
  static const char *const prefixes[] = { "__x64_sys_",  "__arm64_sys_", "__se_sys_", "__do_sys_",
                                          "__ia32_sys_", "__riscv_sys_", "ksys_" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (function, prefixes[i]))
      return g_strdup (function + strlen (prefixes[i]));
  return NULL;
}

/* The name of a frame if it is known, else NULL. */
static const char *
peek_name (TbTrace *self, const TbStackColumns *stacks, guint32 frame)
{
  const char *own = get_own_name (self, stacks, frame);
  const TbFrameName *names;
  guint n_names;

  if (own != NULL)
    return own;
  names = get_names (self, frame, &n_names);
  return names != NULL ? names[0].function : NULL;
}

/**
 * tb_trace_get_stack_label:
 * @self: a trace
 * @stack: a stack
 *
 * Gets the most informative function of a stack: the innermost function of the program and its
 * libraries. If that only serves the C library to enter the kernel, it is the name of the system
 * call. Without any frame of the program, it is the innermost kernel function.
 *
 * Returns: (transfer full) (nullable): a function, %NULL for the empty stack
 */
char *
tb_trace_get_stack_label (TbTrace *self, guint32 stack)
{
  const TbStackColumns *stacks;
  guint32 innermost = TB_ID_NONE, innermost_user = TB_ID_NONE;
  g_autofree char *syscall = NULL;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  stacks = tb_trace_peek_stacks (self);
  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++)
    {
      guint32 frame = stacks->frame[stack];

      if (frame < stacks->n_frames)
        {
          const char *name = peek_name (self, stacks, frame);
          gboolean kernel = (stacks->flags[stack] & TB_STACK_KERNEL) != 0;

          if (innermost == TB_ID_NONE)
            innermost = frame;
          if (kernel && name != NULL && syscall == NULL)
            syscall = get_syscall_name (name);
          if (!kernel && innermost_user == TB_ID_NONE)
            {
              innermost_user = frame;
              /* A function without a name yet is also replaced by the system call. */
              if (syscall != NULL && (name == NULL || is_syscall_wrapper (name)))
                return g_steal_pointer (&syscall);
            }
          if (!kernel && name != NULL && !is_syscall_wrapper (name))
            return g_strdup (name);
        }
      stack = stacks->parent[stack];
    }
  if (innermost_user != TB_ID_NONE)
    return name_frame (self, stacks, innermost_user);
  return innermost != TB_ID_NONE ? name_frame (self, stacks, innermost) : NULL;
}

/* --- kinds of wait --- */

static TbWaitKind
get_frame_kind (TbTrace *self, const TbStackColumns *stacks, guint32 frame, gboolean kernel)
{
  const char *own = get_own_name (self, stacks, frame);
  const TbFrameName *names;
  guint n_names;

  if (own != NULL)
    return tb_wait_kind_from_function (own, kernel);
  names = get_names (self, frame, &n_names);
  for (guint i = 0; i < n_names; i++)
    {
      TbWaitKind kind = tb_wait_kind_from_function (names[i].function, kernel);

      if (kind != TB_WAIT_UNKNOWN)
        return kind;
    }
  return TB_WAIT_UNKNOWN;
}

/* The kind of every stack: that of its innermost frame with a kind, else its parent's. A disk read
 * for a page fault is a page fault. A parent precedes its children, so one pass is enough. */
static guint8 *
find_wait_kinds (TbTrace *self, const TbStackColumns *stacks)
{
  enum
  {
    NOT_SOUGHT = 0xff
  };
  guint8 *kinds = g_new0 (guint8, MAX (stacks->n_stacks, 1));
  g_autofree guint8 *frame_kinds = g_malloc (MAX (stacks->n_frames, 1));

  memset (frame_kinds, NOT_SOUGHT, stacks->n_frames);
  for (guint32 stack = 1; stack < stacks->n_stacks; stack++)
    {
      guint32 frame = stacks->frame[stack];
      TbWaitKind parent
          = stacks->parent[stack] < stack ? kinds[stacks->parent[stack]] : TB_WAIT_UNKNOWN;
      TbWaitKind kind = TB_WAIT_UNKNOWN;

      if (frame < stacks->n_frames)
        {
          if (frame_kinds[frame] == NOT_SOUGHT)
            frame_kinds[frame] = get_frame_kind (self, stacks, frame,
                                                 (stacks->flags[stack] & TB_STACK_KERNEL) != 0);
          kind = frame_kinds[frame];
        }
      if (kind == TB_WAIT_UNKNOWN || (kind == TB_WAIT_BLOCK_IO && parent == TB_WAIT_PAGE_FAULT))
        kind = parent;
      kinds[stack] = kind;
    }
  return kinds;
}

/**
 * tb_trace_get_wait_kind:
 * @self: a trace
 * @interval: row of a sleep
 *
 * Gets the kind of wait of a sleep: from its system call or requests if they were recorded, else
 * from the functions of its stack, as far as their names are known at present.
 *
 * Returns: the kind of wait, %TB_WAIT_UNKNOWN for intervals that are not sleeps
 */
TbWaitKind
tb_trace_get_wait_kind (TbTrace *self, gsize interval)
{
  const TbStackColumns *stacks;
  TbWaitKind kind;
  guint generation;
  guint32 stack;

  g_return_val_if_fail (TB_IS_TRACE (self), TB_WAIT_UNKNOWN);
  g_return_val_if_fail (interval < self->intervals.n, TB_WAIT_UNKNOWN);

  kind = self->intervals.kind[interval];
  stack = self->intervals.stack[interval];
  if (self->intervals.state[interval] < TB_STATE_INTERRUPTIBLE || stack == TB_STACK_NONE
      || (kind != TB_WAIT_UNKNOWN && kind != TB_WAIT_WORK))
    return kind;

  stacks = tb_trace_peek_stacks (self);
  if (stack >= stacks->n_stacks)
    return kind;
  generation = tb_session_get_symbols_generation (self->session);
  g_mutex_lock (&self->mutex);
  if (self->wait_kinds == NULL || self->wait_kinds_generation != generation)
    {
      g_free (self->wait_kinds);
      self->wait_kinds = find_wait_kinds (self, stacks);
      self->wait_kinds_generation = generation;
    }
  if (self->wait_kinds[stack] != TB_WAIT_UNKNOWN)
    kind = self->wait_kinds[stack];
  g_mutex_unlock (&self->mutex);
  return kind;
}
