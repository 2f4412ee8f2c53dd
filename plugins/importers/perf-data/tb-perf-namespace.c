/* tb-perf-namespace.c: the two IDs (in the container and on the host) of each thread in a perf.data
 * file that was recorded inside a container: detection, matching, look-up, facts and warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-namespace.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "tb-perf-import-private.h"
#include "tb-perf-tracepoint.h"

/* The kernel translates the IDs in records into those of the PID namespace in which perf ran: 0 is
 * a thread outside of it, or the idle task, and -1 a thread that has ended. The fields of
 * tracepoints are not translated. "common_pid", which every tracepoint has, is the ID on the host
 * of the thread whose translated ID is in the same sample: this joins the two.
 *
 * Joined threads get the ID of the namespace: it is what perf, ps inside the container, files
 * perf-PID.map and the records without a tracepoint have. Threads outside of it have the host's. */

/* A real ID is below this limit. Added to an ID of the host that a thread of the namespace has
 * too. */
#define OUTSIDE_OFFSET TB_PERF_MAX_TID
/* After so many samples of tracepoints, or records of a file without these, without any sign of a
 * container there is none. */
#define ENOUGH_SAMPLES 256
#define ENOUGH_RECORDS 65536
#define MAX_LISTED 4096 /* threads in the fact */

#define OWN_UNKNOWN (-1)
#define RUNNING_UNKNOWN (-1)
#define NO_TASK G_MAXUINT

/* A thread, from its first event until its ID of the host is reused. */
typedef struct
{
  gint32 host;
  gint32 own;      /* 0: outside of the namespace */
  guint next;      /* the next task with the same ID of the host */
  gboolean ran;    /* has samples */
  gboolean left;   /* it left its CPU for good */
  gboolean exited; /* by a record */
  gint64 last;     /* time of its last sample */
} Task;

/* The thread on a CPU, by its ID of the host; unknown if the epoch is not the current one. */
typedef struct
{
  gint32 host;
  guint epoch;
} Running;

struct _TbPerfNamespace
{
  TbPerfImport *import;
  gboolean zero_is_ended; /* in Linux before 4.20 */
  gboolean decided;
  guint64 n_records;
  guint64 n_same; /* samples with the same ID in both places */
  guint64 n_outside;
  gboolean began; /* records were passed on */
  gboolean has_conflict;
  GArray *tasks;
  GHashTable *latest;  /* ID of the host → index + 1 of the last task that had it */
  GHashTable *current; /* likewise, of the task that has it at the time of the latest event */
  GHashTable *owners;  /* ID of the namespace → index + 1 of the last task that had it */
  guint8 *own_ids;     /* bit set: all IDs of the namespace */
  Running *running;    /* by CPU */
  guint epoch;
  GHashTable *moved; /* IDs of the host of threads outside that have another ID */
  guint64 n_left_out;
};

TbPerfNamespace *
tb_perf_namespace_new (TbPerfImport *import)
{
  TbPerfNamespace *self = g_new0 (TbPerfNamespace, 1);
  int major, minor;

  self->import = import;
  self->zero_is_ended = import->file->os_release != NULL
                        && sscanf (import->file->os_release, "%d.%d", &major, &minor) == 2
                        && (major < 4 || (major == 4 && minor < 20));
  self->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  self->latest = g_hash_table_new (NULL, NULL);
  self->current = g_hash_table_new (NULL, NULL);
  self->owners = g_hash_table_new (NULL, NULL);
  self->moved = g_hash_table_new (NULL, NULL);
  return self;
}

void
tb_perf_namespace_free (TbPerfNamespace *self)
{
  g_array_unref (self->tasks);
  g_hash_table_unref (self->latest);
  g_hash_table_unref (self->current);
  g_hash_table_unref (self->owners);
  g_hash_table_unref (self->moved);
  g_free (self->own_ids);
  g_free (self->running);
  g_free (self);
}

/* --- the IDs in records and samples --- */

/* Finds the ID in the record of a sample and, if it is of a tracepoint, in its fields. */
static gboolean
read_ids (TbPerfNamespace *self,
          const guint8 *record,
          const TbPerfAttr **attr,
          TbPerfSample *sample,
          gint32 *host,
          gint32 *own)
{
  gboolean swap = self->import->swap;
  gsize size = tb_perf_u16 (record + 6, swap);
  const TbPerfTracepoint *tracepoint;

  *attr = tb_perf_import_find_attr (self->import, record, size);
  *host = OWN_UNKNOWN;
  if (*attr == NULL || (*attr)->layout.task == TB_PERF_ABSENT || size < (*attr)->layout.smallest)
    return FALSE;
  *own = tb_perf_u32 (record + (*attr)->layout.task + 4, swap);
  tracepoint = (*attr)->tracepoint;
  if (tracepoint != NULL && tracepoint->task != NULL
      && tb_perf_attr_read_sample (*attr, record, size, swap, sample) && sample->raw != NULL)
    *host = tb_perf_field_get_number (tracepoint->task, sample->raw, sample->raw_size, swap);
  return TRUE;
}

/* The ID of the thread that a record is about, which is in the same place in COMM and mapping
 * records, and in another in FORK and EXIT records; -1 for other records. */
static gint32
read_record_id (TbPerfNamespace *self, const guint8 *record)
{
  gboolean swap = self->import->swap;
  guint32 type = tb_perf_u32 (record, swap);
  gsize at = type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ? 16 : 12;

  if ((type != PERF_RECORD_COMM && type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2
       && type != PERF_RECORD_FORK && type != PERF_RECORD_EXIT)
      || tb_perf_u16 (record + 6, swap) < at + 4 || tb_perf_u32 (record + 8, swap) > G_MAXINT32)
    return OWN_UNKNOWN;
  return tb_perf_u32 (record + at, swap);
}

/* --- finding whether there is a namespace --- */

/* Returns whether one sample suffices to know it. Linux before 4.20 wrote 0 for threads that have
 * ended, too: one such sample proves nothing. */
static gboolean
detect_in_sample (TbPerfNamespace *self, const guint8 *record)
{
  const TbPerfAttr *attr;
  TbPerfSample sample;
  gint32 host, own;

  if (!read_ids (self, record, &attr, &sample, &host, &own) || host <= 0 || own < 0)
    return FALSE;
  self->n_same += own == host;
  self->n_outside += own == 0;
  return own > 0 && own != host;
}

/* The idle task neither forks nor exits, and executes and maps nothing. */
static gboolean
detect_in_record (TbPerfNamespace *self, const TbPerfPending *pending)
{
  return pending->time > 0 && read_record_id (self, pending->record) == 0;
}

void
tb_perf_namespace_detect (TbPerfNamespace *self)
{
  TbPerfImport *import = self->import;
  guint64 enough = import->tracepoints->len > 0 ? G_MAXUINT64 : ENOUGH_RECORDS;
  gboolean found = FALSE;

  for (gsize i = 0; i < import->n_pending && !self->decided && !found; i++)
    {
      const TbPerfPending *pending = &import->pending[i];

      if (tb_perf_u32 (pending->record, import->swap) == PERF_RECORD_SAMPLE)
        found = import->tracepoints->len > 0 && detect_in_sample (self, pending->record);
      else
        found = detect_in_record (self, pending);
      self->decided
          = ++self->n_records >= enough || self->n_same + self->n_outside >= ENOUGH_SAMPLES;
    }
  if (!found && self->n_outside <= self->n_same)
    return;
  self->decided = TRUE;
  import->is_container = TRUE;
  self->own_ids = g_malloc0 (TB_PERF_MAX_TID / 8);
  self->running = g_new0 (Running, TB_CPU_ALL);
  tb_perf_namespace_forget_running (self);
}

/* --- the threads on the CPUs --- */

static gint32
get_running (const TbPerfNamespace *self, guint cpu)
{
  return cpu < TB_CPU_ALL && self->running[cpu].epoch == self->epoch ? self->running[cpu].host
                                                                     : RUNNING_UNKNOWN;
}

void
tb_perf_namespace_set_running (TbPerfNamespace *self, guint16 cpu, gint32 host)
{
  if (cpu < TB_CPU_ALL)
    self->running[cpu] = (Running) { host, self->epoch };
}

void
tb_perf_namespace_forget_running (TbPerfNamespace *self)
{
  self->epoch++;
}

/* --- joining --- */

static inline Task *
get_task (TbPerfNamespace *self, guint index)
{
  return &g_array_index (self->tasks, Task, index);
}

static guint
look_up (GHashTable *table, gint32 id)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, GINT_TO_POINTER (id))) - 1;
}

static void
store (GHashTable *table, gint32 id, guint index)
{
  g_hash_table_insert (table, GINT_TO_POINTER (id), GUINT_TO_POINTER (index + 1));
}

static guint
add_task (TbPerfNamespace *self, gint32 host)
{
  guint previous = look_up (self->latest, host);
  guint index = self->tasks->len;
  Task task = { .host = host, .own = OWN_UNKNOWN, .next = NO_TASK };

  g_array_append_val (self->tasks, task);
  if (previous != NO_TASK)
    get_task (self, previous)->next = index;
  else
    store (self->current, host, index);
  store (self->latest, host, index);
  return index;
}

static gboolean
has_ended (const Task *task)
{
  return task->left || task->exited;
}

/* Whether the ID of the host can be that of another thread from now on. The end of a thread outside
 * of the namespace is known from its last switch only. */
static gboolean
can_be_reused (TbPerfNamespace *self, const Task *task)
{
  return has_ended (task) || (task->own == 0 && !self->import->has_switch);
}

static void
mark_own_id (TbPerfNamespace *self, gint32 own)
{
  if (own > 0 && own < TB_PERF_MAX_TID)
    self->own_ids[own / 8] |= 1 << own % 8;
}

/* Two threads cannot have the same ID at the same time. */
static void
take_own_id (TbPerfNamespace *self, guint index, gint32 own)
{
  guint owner = look_up (self->owners, own);

  if (owner != NO_TASK && owner != index && !has_ended (get_task (self, owner)))
    self->has_conflict = TRUE;
  store (self->owners, own, index);
  get_task (self, index)->own = own;
}

/* A sample has both IDs. */
static void
join (TbPerfNamespace *self, gint32 host, gint32 own, gint64 time)
{
  guint index = look_up (self->latest, host);

  if (index == NO_TASK)
    index = add_task (self, host);
  if (own < 0
      || (own == 0 && self->zero_is_ended && get_task (self, index)->own > 0
          && !get_task (self, index)->left))
    own = get_task (self, index)->own;
  if (own != get_task (self, index)->own && get_task (self, index)->own != OWN_UNKNOWN)
    {
      if (can_be_reused (self, get_task (self, index)))
        index = add_task (self, host);
      else
        self->has_conflict = TRUE;
    }
  get_task (self, index)->last = time;
  if (own == 0)
    get_task (self, index)->own = 0;
  else if (own > 0 && look_up (self->owners, own) != index)
    take_own_id (self, index, own);
}

/* A sample without tracepoint has the translated ID only: it is of the thread that the CPU switched
 * to. */
static void
join_running (TbPerfNamespace *self,
              const TbPerfAttr *attr,
              const guint8 *record,
              gint32 own,
              gint64 time)
{
  guint32 cpu = TB_CPU_ALL;
  guint index, owner;
  gint32 host;

  if (attr->layout.cpu != TB_PERF_ABSENT)
    cpu = tb_perf_u32 (record + attr->layout.cpu, self->import->swap);
  host = own > 0 ? get_running (self, cpu) : RUNNING_UNKNOWN;
  if (host <= 0)
    return;
  index = look_up (self->latest, host);
  owner = look_up (self->owners, own);
  if ((owner == NO_TASK || has_ended (get_task (self, owner)))
      && (index == NO_TASK || get_task (self, index)->own == OWN_UNKNOWN))
    join (self, host, own, time);
}

static void
learn_sample (TbPerfNamespace *self, const TbPerfPending *pending)
{
  TbPerfImport *import = self->import;
  const TbPerfAttr *attr;
  TbPerfSample sample;
  gint32 host, own, next;
  gboolean ends;

  if (!read_ids (self, pending->record, &attr, &sample, &host, &own))
    return;
  mark_own_id (self, own);
  if (host < 0)
    join_running (self, attr, pending->record, own, pending->time);
  if (host > 0)
    join (self, host, own, pending->time);
  if (host < 0
      || !tb_perf_tracepoint_read_switch (attr->tracepoint, import, sample.raw, sample.raw_size,
                                          &next, &ends))
    return;
  if (attr->layout.cpu != TB_PERF_ABSENT)
    tb_perf_namespace_set_running (
        self, MIN (tb_perf_u32 (pending->record + attr->layout.cpu, import->swap), TB_CPU_ALL),
        next);
  if (ends && host > 0)
    get_task (self, look_up (self->latest, host))->left = TRUE;
}

static void
learn_record (TbPerfNamespace *self, const guint8 *record)
{
  guint32 type = tb_perf_u32 (record, self->import->swap);
  gint32 own = read_record_id (self, record);
  guint owner;

  if (type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES)
    tb_perf_namespace_forget_running (self);
  mark_own_id (self, own);
  if (own <= 0 || type != PERF_RECORD_EXIT)
    return;
  owner = look_up (self->owners, own);
  if (owner != NO_TASK)
    get_task (self, owner)->exited = TRUE;
}

void
tb_perf_namespace_learn (TbPerfNamespace *self)
{
  TbPerfImport *import = self->import;
  gboolean had_conflict = self->has_conflict;

  tb_perf_namespace_forget_running (self);
  for (gsize i = 0; i < import->n_pending; i++)
    {
      const TbPerfPending *pending = &import->pending[i];

      if (tb_perf_u32 (pending->record, import->swap) == PERF_RECORD_SAMPLE)
        learn_sample (self, pending);
      else
        learn_record (self, pending->record);
    }
  tb_perf_namespace_forget_running (self);
  if (self->has_conflict && !had_conflict && self->began)
    {
      TbEvent event = { .time = import->flushed,
                        .kind = TB_EVENT_LOST,
                        .host = import->host,
                        .cpu = TB_CPU_ALL,
                        .tid = -1,
                        .pid = -1 };

      /* What was joined before is uncertain, too. */
      event.b = MAX (import->first_time, 0);
      tb_perf_import_add (import, &event);
    }
  self->began = TRUE;
}

gboolean
tb_perf_namespace_is_joined (const TbPerfNamespace *self)
{
  return !self->has_conflict;
}

gboolean
tb_perf_namespace_has_outside (const TbPerfNamespace *self)
{
  return !self->has_conflict && self->tasks->len > 0;
}

/* --- translating --- */

static gboolean
is_own_id (const TbPerfNamespace *self, gint32 id)
{
  return id > 0 && id < TB_PERF_MAX_TID && (self->own_ids[id / 8] >> id % 8 & 1) != 0;
}

static gint32
get_outside_id (TbPerfNamespace *self, gint32 host)
{
  if (!is_own_id (self, host))
    return host;
  g_hash_table_add (self->moved, GINT_TO_POINTER (host));
  return host + OUTSIDE_OFFSET;
}

static const Task *
find_task (TbPerfNamespace *self, gint32 host, gint64 time)
{
  guint first = look_up (self->current, host);
  guint index = first;

  while (index != NO_TASK && time > get_task (self, index)->last
         && get_task (self, index)->next != NO_TASK)
    index = get_task (self, index)->next;
  if (index != first)
    store (self->current, host, index);
  return index != NO_TASK ? get_task (self, index) : NULL;
}

gint32
tb_perf_namespace_find (TbPerfNamespace *self, gint32 host, gint64 time)
{
  const Task *task;

  if (host <= 0)
    return host;
  task = find_task (self, host, time);
  return task != NULL && task->own > 0 ? task->own : get_outside_id (self, host);
}

/* Finds a sample's thread by its CPU, if its own ID shows no more than that it is outside. */
static gboolean
set_task_by_cpu (TbPerfNamespace *self, TbEvent *event)
{
  gint32 host = get_running (self, event->cpu);
  const Task *task = host > 0 ? find_task (self, host, event->time) : NULL;

  if (host < 0 || (task != NULL && task->own > 0))
    return FALSE;
  event->tid = host > 0 ? get_outside_id (self, host) : 0;
  event->pid = host > 0 ? -1 : 0;
  return TRUE;
}

gboolean
tb_perf_namespace_set_task (TbPerfNamespace *self,
                            const TbPerfAttr *attr,
                            const TbPerfSample *sample,
                            TbEvent *event)
{
  const TbPerfTracepoint *tracepoint = attr->tracepoint;
  gint32 own = event->tid;
  gint32 host = RUNNING_UNKNOWN;
  gboolean is_known = own > 0;

  if (!self->has_conflict && tracepoint != NULL && tracepoint->task != NULL && sample->raw != NULL)
    host = tb_perf_field_get_number (tracepoint->task, sample->raw, sample->raw_size,
                                     self->import->swap);
  if (host >= 0)
    {
      event->tid = tb_perf_namespace_find (self, host, event->time);
      if (event->tid != own)
        event->pid = -1;
      return TRUE;
    }
  if (!is_known && own == 0 && !self->has_conflict)
    is_known = set_task_by_cpu (self, event);
  self->n_left_out += !is_known;
  return is_known;
}

/* --- facts and warnings --- */

static void
set_facts (TbPerfNamespace *self)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  guint n = 0;

  /* Nothing is known of the states of a thread of which only one of the two IDs was recorded. */
  if (self->import->has_switch && !tb_perf_switches_are_of_threads (self->import->switches))
    tb_recorder_set_fact (self->import->recorder, TB_FACT_SWITCHES, "joined");
  for (guint i = 0; i < self->tasks->len && n < MAX_LISTED; i++)
    {
      const Task *task = get_task (self, i);

      if (task->own <= 0)
        continue;
      g_string_append_printf (ids, "%s%d %d", n++ > 0 ? ", " : "", task->own, task->host);
    }
  tb_recorder_set_fact (self->import->recorder, "host-thread-ids", ids->str);
}

static void
warn_of_outside (TbPerfNamespace *self)
{
  guint n_moved = g_hash_table_size (self->moved);
  guint n = 0;

  for (guint i = 0; i < self->tasks->len; i++)
    n += get_task (self, i)->own <= 0;
  if (n > 0)
    tb_recorder_add_warning (
        self->import->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "Recorded inside a container: of %'u thread outside of it only the host's ID, "
                     "the name and the states are known, not its process and functions. Record "
                     "outside of the container.",
                     "Recorded inside a container: of %'u threads outside of it only the host's "
                     "IDs, the names and the states are known, not their processes and functions. "
                     "Record outside of the container.",
                     n),
        n);
  if (n_moved > 0)
    tb_recorder_add_warning (
        self->import->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'u thread outside of the container has an ID that a thread inside has too: "
                     "it is shown with that ID plus %d.",
                     "%'u threads outside of the container have IDs that threads inside have too: "
                     "they are shown with these IDs plus %d.",
                     n_moved),
        n_moved, OUTSIDE_OFFSET);
}

void
tb_perf_namespace_end (TbPerfNamespace *self)
{
  if (!self->import->is_container)
    return;
  if (self->has_conflict)
    tb_recorder_add_warning (
        self->import->recorder,
        _ ("Recorded inside a container: the thread IDs of records and of tracepoints contradict "
           "each other. Switches and wake-ups are kept as marks, and when threads ran and waited "
           "is unknown. Record outside of the container."));
  else
    {
      set_facts (self);
      warn_of_outside (self);
    }
  if (self->n_left_out > 0)
    tb_recorder_add_warning (
        self->import->recorder,
        g_dngettext (GETTEXT_PACKAGE,
                     "%'" PRIu64 " sample was left out: it is of an idle CPU or of a thread "
                     "outside of the container, which the file does not name. Record outside of "
                     "the container.",
                     "%'" PRIu64 " samples were left out: they are of idle CPUs or of threads "
                     "outside of the container, which the file does not name. Record outside of "
                     "the container.",
                     (gulong) MIN (self->n_left_out, G_MAXINT)),
        self->n_left_out);
}
