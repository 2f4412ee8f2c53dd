/* tb-perf-counters.c: role of each event of a perf.data file (clock that measures CPU time,
 * counter, waits), and conversion of samples of clocks and counters into events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "tb-perf-counters.h"

#include <linux/perf_event.h>

#define WAITS_NAME "offcpu-time"

/* What a counter of a group had counted at the last sample of a thread. */
typedef struct
{
  guint64 id;
  guint64 value;
  gint32 tid;
} Count;

static guint
hash_count (gconstpointer data)
{
  const Count *count = data;

  return g_int64_hash (&count->id) * 31 + (guint) count->tid;
}

static gboolean
equal_counts (gconstpointer a, gconstpointer b)
{
  const Count *left = a, *right = b;

  return left->id == right->id && left->tid == right->tid;
}

/* Whether a name is that of cycles on a kind of CPU: "cpu_core/cycles/P", "cycles:u",
 * "armv8_pmuv3/cpu_cycles/". Such an event has a number of the CPU's maker. */
static gboolean
is_name_of_cycles (const char *name)
{
  static const char *const names[] = { "cycles", "cpu-cycles", "cpu_cycles",
                                       "cpu_clk_unhalted.thread", "cpu_clk_unhalted.core" };
  const char *slash = name != NULL ? strchr (name, '/') : NULL;
  const char *event = slash != NULL ? slash + 1 : name;
  gsize length = event != NULL ? strcspn (event, "/:,") : 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == length && g_ascii_strncasecmp (names[i], event, length) == 0)
      return TRUE;
  return FALSE;
}

/* Rates how well an event measures where CPUs spend their time; the event with the highest rate is
 * used. Events that are counted with others have no period of their own. Other events, such as
 * instructions and accesses to memory, do not measure time. */
static int
rate_clock (const TbPerfAttr *attr)
{
  gboolean hardware = attr->type == PERF_TYPE_HARDWARE;

  if (attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT
      || (attr->sample_period == 0 && (attr->sample_type & PERF_SAMPLE_READ) == 0))
    return 0;
  if (hardware && (guint32) attr->config == PERF_COUNT_HW_CPU_CYCLES)
    return 4;
  if (attr->type == PERF_TYPE_SOFTWARE)
    return attr->config == PERF_COUNT_SW_CPU_CLOCK    ? 3
           : attr->config == PERF_COUNT_SW_TASK_CLOCK ? 2
                                                      : 0;
  return !hardware && is_name_of_cycles (attr->name) ? 1 : 0;
}

static gboolean
is_waits (const TbPerfAttr *attr)
{
  return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_BPF_OUTPUT
         && attr->name != NULL && g_str_has_prefix (attr->name, WAITS_NAME);
}

/* Whether two events count the same, so that their samples are those of one clock: on two kinds of
 * CPUs, or one in programs and one in the kernel. Of others the same time would count twice. */
static gboolean
are_parts_of_one_clock (const TbPerfAttr *a, const TbPerfAttr *b)
{
  guint64 user = TB_PERF_FLAG_EXCLUDE_USER, kernel = TB_PERF_FLAG_EXCLUDE_KERNEL;

  if (a->type != b->type || (guint32) a->config != (guint32) b->config)
    return FALSE;
  if (a->type == PERF_TYPE_HARDWARE && a->config != b->config)
    return TRUE;
  return a->config == b->config
         && ((tb_perf_attr_has (a, user) && tb_perf_attr_has (b, kernel))
             || (tb_perf_attr_has (a, kernel) && tb_perf_attr_has (b, user)));
}

static gboolean
is_part_of_clock (const TbPerfImport *self, guint number, int best)
{
  const TbPerfAttr *attr = tb_perf_file_get_attr (self->file, number);

  if (best == 0 || rate_clock (attr) != best)
    return FALSE;
  for (guint i = 0; i < number; i++)
    {
      const TbPerfAttr *before = tb_perf_file_get_attr (self->file, i);

      if (before->role == TB_PERF_ROLE_CLOCK && !are_parts_of_one_clock (before, attr))
        return FALSE;
    }
  return TRUE;
}

static TbPerfRole
get_role (const TbPerfImport *self, guint number, int best)
{
  const TbPerfAttr *attr = tb_perf_file_get_attr (self->file, number);

  if (attr->type == PERF_TYPE_TRACEPOINT)
    return TB_PERF_ROLE_TRACEPOINT;
  if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY)
    return TB_PERF_ROLE_NONE;
  if (is_waits (attr))
    return TB_PERF_ROLE_WAITS;
  return is_part_of_clock (self, number, best) ? TB_PERF_ROLE_CLOCK : TB_PERF_ROLE_COUNTER;
}

/* What follows from samples: with a frequency, each stands for the same time. */
static void
describe_sampling (TbPerfImport *self)
{
  g_autoptr (GString) name = g_string_new (NULL);
  gboolean in_user = FALSE, in_kernel = FALSE;
  guint64 frequency = 0;

  for (guint i = 0; i < self->file->attrs->len; i++)
    {
      const TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);

      if (attr->role != TB_PERF_ROLE_CLOCK)
        continue;
      g_string_append_printf (name, "%s%s", name->len > 0 ? "+" : "", attr->name);
      in_user |= !tb_perf_attr_has (attr, TB_PERF_FLAG_EXCLUDE_USER);
      in_kernel |= !tb_perf_attr_has (attr, TB_PERF_FLAG_EXCLUDE_KERNEL);
      if (tb_perf_attr_has (attr, TB_PERF_FLAG_FREQUENCY) && frequency == 0)
        frequency = attr->sample_period;
    }
  if (name->len == 0)
    return;
  tb_recorder_set_fact (self->recorder, "sampled", name->str);
  self->frequency = frequency;
  if (frequency != 0)
    {
      g_autofree char *text = g_strdup_printf ("%" PRIu64, frequency);

      tb_recorder_set_fact (self->recorder, "sample-frequency", text);
    }
  if (in_user != in_kernel)
    tb_recorder_set_fact (self->recorder, "sample-mode", in_user ? "user" : "kernel");
}

/* Events of one name, for instance one of them in a group, are different counters. */
static guint32
intern_name (TbPerfImport *self, guint number)
{
  const char *name = tb_perf_file_get_attr (self->file, number)->name;
  g_autofree char *numbered = NULL;
  guint n = 1;

  for (guint i = 0; i < number; i++)
    n += g_strcmp0 (tb_perf_file_get_attr (self->file, i)->name, name) == 0;
  if (n > 1)
    numbered = g_strdup_printf ("%s#%u", name, n);
  return tb_recorder_intern_string (self->recorder, n > 1 ? numbered : name, -1);
}

void
tb_perf_counters_prepare (TbPerfImport *self)
{
  GArray *attrs = self->file->attrs;
  int best = 0;

  for (guint i = 0; i < attrs->len; i++)
    best = MAX (best, rate_clock (tb_perf_file_get_attr (self->file, i)));
  for (guint i = 0; i < attrs->len; i++)
    {
      TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);

      attr->role = get_role (self, i, best);
      if (attr->role == TB_PERF_ROLE_COUNTER || attr->role == TB_PERF_ROLE_WAITS)
        attr->text = intern_name (self, i);
      if (attr->role == TB_PERF_ROLE_WAITS && self->processes == NULL)
        self->processes = g_hash_table_new (NULL, NULL);
    }
  describe_sampling (self);
}

static guint8
get_kind (const TbPerfAttr *attr)
{
  gboolean is_time
      = attr->type == PERF_TYPE_SOFTWARE
        && (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);

  return is_time ? TB_COUNTER_CPU_TIME : TB_COUNTER_EVENTS;
}

static void
add_sample (TbPerfImport *self, const TbPerfAttr *attr, guint64 weight, TbEvent *event)
{
  event->kind = attr->role == TB_PERF_ROLE_CLOCK ? TB_EVENT_SAMPLE : TB_EVENT_COUNTER;
  event->code = attr->role == TB_PERF_ROLE_CLOCK ? 0 : get_kind (attr);
  event->text = attr->role == TB_PERF_ROLE_CLOCK ? TB_STRING_NONE : attr->text;
  event->a = weight;
  tb_perf_import_add (self, event);
}

/* A sample of a counter is also a mark: the event happened at that time. */
void
tb_perf_counters_add (TbPerfImport *self, TbPerfAttr *attr, guint64 weight, TbEvent *event)
{
  add_sample (self, attr, weight, event);
  if (attr->role != TB_PERF_ROLE_COUNTER)
    return;
  event->kind = TB_EVENT_MARK;
  event->code = 0;
  event->a = 0;
  tb_perf_import_add (self, event);
}

void
tb_perf_counters_add_mark (TbPerfImport *self, guint64 weight, const TbEvent *mark)
{
  TbEvent event = *mark;

  event.kind = TB_EVENT_COUNTER;
  event.code = TB_COUNTER_EVENTS;
  event.text2 = TB_STRING_NONE;
  event.a = weight;
  tb_perf_import_add (self, &event);
}

/* Returns what a counter has counted since the sample before, and stores what it has counted now.
 * Counters of inherited events count each thread alone. */
static guint64
update_count (TbPerfImport *self, const TbPerfAttr *attr, guint64 id, gint32 tid, guint64 value)
{
  Count key = { .id = id, .tid = tb_perf_attr_has (attr, TB_PERF_FLAG_INHERIT) ? tid : 0 };
  Count *known;
  guint64 before;

  if (self->counts == NULL)
    self->counts = g_hash_table_new_full (hash_count, equal_counts, g_free, NULL);
  known = g_hash_table_lookup (self->counts, &key);
  if (known == NULL)
    g_hash_table_add (self->counts, known = g_memdup2 (&key, sizeof key));
  before = known->value;
  known->value = value;
  return value >= before ? value - before : 0;
}

gboolean
tb_perf_counters_add_group (TbPerfImport *self,
                            const TbPerfAttr *attr,
                            const TbPerfSample *sample,
                            TbEvent *event)
{
  if (sample->counts == NULL || (attr->read_format & PERF_FORMAT_ID) == 0)
    return FALSE;
  for (guint64 i = 0; i < sample->n_counts; i++)
    {
      const guint8 *at = sample->counts + i * sample->count_size;
      guint64 id = tb_perf_u64 (at + sample->count_id, self->swap);
      TbPerfAttr *member = tb_perf_file_find_attr (self->file, id);
      guint64 counted;

      if (member == NULL
          || (member->role != TB_PERF_ROLE_CLOCK && member->role != TB_PERF_ROLE_COUNTER))
        continue;
      counted = update_count (self, member, id, event->tid, tb_perf_u64 (at, self->swap));
      if (counted > 0)
        add_sample (self, member, counted, event);
    }
  return TRUE;
}

/* perf record --off-cpu writes the process before the thread into sums of waits, and the thread
 * before the process into samples of single waits (perf 7.3). */
static void
read_wait_task (TbPerfImport *self, TbPerfCursor *cursor, gboolean is_sum, TbEvent *event)
{
  gint32 first = tb_perf_cursor_read_u32 (cursor);
  gint32 second = tb_perf_cursor_read_u32 (cursor);
  gboolean is_process_first
      = is_sum
        || GPOINTER_TO_INT (g_hash_table_lookup (self->processes, GINT_TO_POINTER (second)))
               == first;

  event->pid = is_process_first ? first : second;
  event->tid = is_process_first ? second : first;
}

gboolean
tb_perf_counters_read_wait (TbPerfImport *self,
                            const TbPerfAttr *attr,
                            TbPerfSample *sample,
                            gboolean is_sum,
                            TbEvent *event,
                            guint64 *waited_ns)
{
  TbPerfCursor cursor
      = { .at = sample->raw, .end = sample->raw + sample->raw_size, .swap = self->swap };

  if ((attr->sample_type & PERF_SAMPLE_RAW) == 0)
    return TRUE;
  if (sample->raw == NULL)
    return FALSE;
  read_wait_task (self, &cursor, is_sum, event);
  event->cpu = TB_CPU_ALL;
  *waited_ns = tb_perf_cursor_read_u64 (&cursor);
  sample->n_chain = tb_perf_cursor_read_count (&cursor);
  sample->chain = tb_perf_cursor_take (&cursor, sample->n_chain * 8);
  return !cursor.failed;
}
