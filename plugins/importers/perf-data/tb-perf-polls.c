/* tb-perf-polls.c: sets of descriptors that threads wait for with epoll, as the system calls in a
 * perf.data file make them; each wait for a known set becomes a sleep record with its members
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only a set of which the recording has the beginning is known. What poll() and select() wait for
 * lies in the memory of the program, which perf does not record.
 */

#include "config.h"

#include "tb-perf-polls.h"

#include <string.h>

#define MAX_PROCESSES 4096
#define MAX_DESCRIPTORS 65536 /* of a process */
#define MAX_THREADS 65536
#define MAX_LISTED 8
#define MS 1000000

#define OPERATION_ADD 1
#define OPERATION_REMOVE 2
#define COMMAND_DUPLICATE 0
#define COMMAND_DUPLICATE_CLOSE_ON_EXEC 1030

typedef enum
{
  CREATE_SET, /* of epoll, empty */
  CHANGE_SET,
  WAIT,          /* for a set, with a timeout in ms */
  WAIT_TIMESPEC, /* likewise, with a timeout in memory */
  OPEN,          /* any other descriptor */
  DUPLICATE,     /* has another descriptor of the same file as its result */
  CONTROL,       /* likewise, if its command asks for it */
  CLOSE,
  CLOSE_RANGE
} Effect;

/* object: what the new file is, NULL if the call does not show it */
static const struct
{
  const char *name;
  const char *object;
  Effect effect;
} calls[] = {
  { "accept", "socket", OPEN },
  { "accept4", "socket", OPEN },
  { "close", NULL, CLOSE },
  { "close_range", NULL, CLOSE_RANGE },
  { "dup", NULL, DUPLICATE },
  { "dup2", NULL, DUPLICATE },
  { "dup3", NULL, DUPLICATE },
  { "epoll_create", "epoll", CREATE_SET },
  { "epoll_create1", "epoll", CREATE_SET },
  { "epoll_ctl", NULL, CHANGE_SET },
  { "epoll_pwait", NULL, WAIT },
  { "epoll_pwait2", NULL, WAIT_TIMESPEC },
  { "epoll_wait", NULL, WAIT },
  { "eventfd", "eventfd", OPEN },
  { "eventfd2", "eventfd", OPEN },
  { "fanotify_init", "fanotify", OPEN },
  { "fcntl", NULL, CONTROL },
  { "inotify_init", "inotify", OPEN },
  { "inotify_init1", "inotify", OPEN },
  { "io_uring_setup", "io_uring", OPEN },
  { "open", NULL, OPEN },
  { "openat", NULL, OPEN },
  { "openat2", NULL, OPEN },
  { "perf_event_open", "perf_event", OPEN },
  { "pidfd_open", "pidfd", OPEN },
  { "signalfd", "signalfd", OPEN },
  { "signalfd4", "signalfd", OPEN },
  { "socket", "socket", OPEN },
  { "timerfd_create", "timerfd", OPEN },
};

typedef struct
{
  const char *object; /* NULL: not known */
  GArray *members;    /* gint32 in ascending order, of a set; else NULL */
  guint32 text;       /* of the set, TB_STRING_NONE until it is needed */
} Descriptor;

/* The call that a thread is in. */
typedef struct
{
  guint8 call; /* 0: none that matters */
  gint32 pid;
  guint32 text;
  guint64 args[4];
} Pending;

struct _TbPerfPolls
{
  TbRecorder *recorder;
  GHashTable *processes; /* PID → GHashTable: number → Descriptor */
  GHashTable *threads;   /* TID → Pending */
  GString *buffer;
  gboolean has_sleeps;
  gboolean has_leave[G_N_ELEMENTS (calls) + 1]; /* by call: its ends are recorded */
};

guint8
tb_perf_polls_find_call (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (g_str_equal (calls[i].name, name))
      return (guint8) (i + 1);
  return 0;
}

static void
descriptor_free (gpointer data)
{
  Descriptor *self = data;

  g_clear_pointer (&self->members, g_array_unref);
  g_free (self);
}

TbPerfPolls *
tb_perf_polls_new (TbRecorder *recorder)
{
  TbPerfPolls *self = g_new0 (TbPerfPolls, 1);

  self->recorder = recorder;
  self->processes = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  self->threads = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->buffer = g_string_new (NULL);
  return self;
}

void
tb_perf_polls_free (TbPerfPolls *self)
{
  g_hash_table_unref (self->processes);
  g_hash_table_unref (self->threads);
  g_string_free (self->buffer, TRUE);
  g_free (self);
}

void
tb_perf_polls_set_has_leave (TbPerfPolls *self, guint8 call)
{
  self->has_leave[call] = TRUE;
}

void
tb_perf_polls_set_has_all_leaves (TbPerfPolls *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->has_leave); i++)
    self->has_leave[i] = TRUE;
}

void
tb_perf_polls_forget_process (TbPerfPolls *self, gint32 pid)
{
  g_hash_table_remove (self->processes, GINT_TO_POINTER (pid));
}

void
tb_perf_polls_forget (TbPerfPolls *self)
{
  g_hash_table_remove_all (self->processes);
  g_hash_table_remove_all (self->threads);
}

static GHashTable *
get_descriptors (TbPerfPolls *self, gint32 pid)
{
  GHashTable *descriptors = g_hash_table_lookup (self->processes, GINT_TO_POINTER (pid));

  if (descriptors != NULL)
    return descriptors;
  if (g_hash_table_size (self->processes) >= MAX_PROCESSES)
    g_hash_table_remove_all (self->processes);
  descriptors = g_hash_table_new_full (NULL, NULL, NULL, descriptor_free);
  g_hash_table_insert (self->processes, GINT_TO_POINTER (pid), descriptors);
  return descriptors;
}

/* Returns where a descriptor is among the members of a set, or belongs. */
static gboolean
find_member (const GArray *members, gint32 number, guint *at)
{
  for (*at = 0; *at < members->len; (*at)++)
    if (g_array_index (members, gint32, *at) >= number)
      return g_array_index (members, gint32, *at) == number;
  return FALSE;
}

static void
remove_member (Descriptor *set, gint32 number)
{
  guint at;

  if (set->members == NULL || !find_member (set->members, number, &at))
    return;
  g_array_remove_index (set->members, at);
  set->text = TB_STRING_NONE;
}

static void
add_member (Descriptor *set, gint32 number)
{
  guint at;

  if (set->members->len >= MAX_DESCRIPTORS || find_member (set->members, number, &at))
    return;
  g_array_insert_val (set->members, at, number);
  set->text = TB_STRING_NONE;
}

/* The kernel takes a closed file out of every set. */
static void
close_descriptor (GHashTable *descriptors, gint32 number)
{
  GHashTableIter iter;
  gpointer set;

  g_hash_table_remove (descriptors, GINT_TO_POINTER (number));
  g_hash_table_iter_init (&iter, descriptors);
  while (g_hash_table_iter_next (&iter, NULL, &set))
    remove_member (set, number);
}

static void
open_descriptor (GHashTable *descriptors, gint32 number, const char *object, gboolean is_set)
{
  Descriptor *self;

  /* It may have been closed in a way that is not followed. */
  if (g_hash_table_contains (descriptors, GINT_TO_POINTER (number)))
    close_descriptor (descriptors, number);
  if (object == NULL || g_hash_table_size (descriptors) >= MAX_DESCRIPTORS)
    return;
  self = g_new0 (Descriptor, 1);
  self->object = object;
  self->members = is_set ? g_array_new (FALSE, FALSE, sizeof (gint32)) : NULL;
  g_hash_table_insert (descriptors, GINT_TO_POINTER (number), self);
}

/* A set with two numbers is not followed under the second one. */
static void
duplicate (GHashTable *descriptors, gint32 number, gint32 other)
{
  const Descriptor *self = g_hash_table_lookup (descriptors, GINT_TO_POINTER (number));

  if (number != other)
    open_descriptor (descriptors, other,
                     self != NULL && self->members == NULL ? self->object : NULL, FALSE);
}

static Pending *
get_pending (TbPerfPolls *self, gint32 tid)
{
  Pending *pending = g_hash_table_lookup (self->threads, GINT_TO_POINTER (tid));

  if (pending != NULL)
    return pending;
  if (g_hash_table_size (self->threads) >= MAX_THREADS)
    g_hash_table_remove_all (self->threads);
  pending = g_new0 (Pending, 1);
  g_hash_table_insert (self->threads, GINT_TO_POINTER (tid), pending);
  return pending;
}

void
tb_perf_polls_enter (TbPerfPolls *self, guint8 call, const TbEvent *event)
{
  Pending *pending;
  GHashTable *descriptors;

  if (call == 0 || !self->has_leave[call] || event->pid < 0)
    {
      pending = g_hash_table_lookup (self->threads, GINT_TO_POINTER (event->tid));
      if (pending != NULL)
        pending->call = 0;
      return;
    }
  pending = get_pending (self, event->tid);
  pending->call = call;
  pending->pid = event->pid;
  pending->text = event->text;
  memcpy (pending->args, event->args, sizeof pending->args);
  /* Another thread may get the number before this call returns. */
  descriptors = g_hash_table_lookup (self->processes, GINT_TO_POINTER (event->pid));
  if (descriptors != NULL && calls[call - 1].effect == CLOSE)
    close_descriptor (descriptors, (gint32) event->args[0]);
}

static void
change_set (GHashTable *descriptors, const Pending *pending)
{
  Descriptor *set = g_hash_table_lookup (descriptors, GINT_TO_POINTER ((gint32) pending->args[0]));

  if (set == NULL || set->members == NULL)
    return;
  if ((gint32) pending->args[1] == OPERATION_ADD)
    add_member (set, (gint32) pending->args[2]);
  else if ((gint32) pending->args[1] == OPERATION_REMOVE)
    remove_member (set, (gint32) pending->args[2]);
}

/* Applies a call that succeeded. */
static void
apply (TbPerfPolls *self, const Pending *pending, gint32 result)
{
  GHashTable *descriptors = get_descriptors (self, pending->pid);
  gint32 command = (gint32) pending->args[1];

  switch (calls[pending->call - 1].effect)
    {
    case CREATE_SET:
    case OPEN:
      open_descriptor (descriptors, result, calls[pending->call - 1].object,
                       calls[pending->call - 1].effect == CREATE_SET);
      break;
    case CHANGE_SET:
      change_set (descriptors, pending);
      break;
    case CONTROL:
      if (command != COMMAND_DUPLICATE && command != COMMAND_DUPLICATE_CLOSE_ON_EXEC)
        break;
      G_GNUC_FALLTHROUGH;
    case DUPLICATE:
      duplicate (descriptors, (gint32) pending->args[0], result);
      break;
    case CLOSE_RANGE:
      tb_perf_polls_forget_process (self, pending->pid);
      break;
    case CLOSE:
    case WAIT:
    case WAIT_TIMESPEC:
    default:
      break;
    }
}

void
tb_perf_polls_leave (TbPerfPolls *self, guint8 call, const TbEvent *event)
{
  Pending *pending = g_hash_table_lookup (self->threads, GINT_TO_POINTER (event->tid));

  if (pending == NULL || pending->call == 0)
    return;
  if (pending->call == call && (gint64) event->a >= 0)
    apply (self, pending, (gint32) event->a);
  pending->call = 0;
}

/* "epoll:[eventfd 5, socket 7, 8]" */
static void
set_text (TbPerfPolls *self, GHashTable *descriptors, Descriptor *set)
{
  g_string_assign (self->buffer, "epoll:[");
  for (guint i = 0; i < MIN (set->members->len, MAX_LISTED); i++)
    {
      gint32 number = g_array_index (set->members, gint32, i);
      const Descriptor *member = g_hash_table_lookup (descriptors, GINT_TO_POINTER (number));

      if (member != NULL)
        g_string_append_printf (self->buffer, "%s ", member->object);
      g_string_append_printf (self->buffer, "%d%s", number, i + 1 < set->members->len ? ", " : "");
    }
  g_string_append (self->buffer, set->members->len > MAX_LISTED ? "…]" : "]");
  set->text = tb_recorder_intern_string (self->recorder, self->buffer->str, self->buffer->len);
}

static gint64
get_timeout (const Pending *pending)
{
  gint32 ms = (gint32) pending->args[3];

  if (calls[pending->call - 1].effect == WAIT_TIMESPEC)
    return pending->args[3] == 0 ? TB_TIMEOUT_NONE : TB_TIMEOUT_UNKNOWN;
  return ms < 0 ? TB_TIMEOUT_NONE : (gint64) ms * MS;
}

void
tb_perf_polls_add_sleep (TbPerfPolls *self, const TbEvent *leave)
{
  const Pending *pending = g_hash_table_lookup (self->threads, GINT_TO_POINTER (leave->tid));
  TbEvent event = { .time = leave->time,
                    .kind = TB_EVENT_SLEEP,
                    .code = TB_SLEEP_POLL,
                    .host = leave->host,
                    .cpu = leave->cpu,
                    .tid = leave->tid,
                    .module = TB_ID_NONE };
  GHashTable *descriptors;
  Descriptor *set;
  gint64 timeout;

  if (pending == NULL || pending->call == 0
      || (calls[pending->call - 1].effect != WAIT
          && calls[pending->call - 1].effect != WAIT_TIMESPEC))
    return;
  descriptors = g_hash_table_lookup (self->processes, GINT_TO_POINTER (pending->pid));
  set = descriptors != NULL
            ? g_hash_table_lookup (descriptors, GINT_TO_POINTER ((gint32) pending->args[0]))
            : NULL;
  /* With a sleep record, a timeout that is not in the record is none. */
  timeout = get_timeout (pending);
  if (set == NULL || set->members == NULL || set->members->len == 0
      || timeout == TB_TIMEOUT_UNKNOWN)
    return;
  if (set->text == TB_STRING_NONE)
    set_text (self, descriptors, set);
  if (!self->has_sleeps)
    tb_recorder_set_fact (self->recorder, TB_FACT_SLEEPS, "epoll");
  self->has_sleeps = TRUE;
  event.pid = pending->pid;
  event.text = pending->text;
  event.text2 = set->text;
  event.a = pending->args[0] + 1; /* 0 is an unknown set */
  event.b = (guint64) timeout;
  tb_recorder_add (self->recorder, &event);
}
