/* tb-perf-totals.c: totals of counters, as "perf stat record" writes them: read, summed up by
 * event, reported as facts and a warning
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each record has the count of one event on one CPU or of one thread since the start. With
 * intervals there is one of each for every interval, of which the last is the total.
 */

#include "config.h"

#include "tb-perf-totals.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define STAT_SIZE 48
#define UPDATE_HEADER_SIZE 24
#define UPDATE_UNIT 0
#define UPDATE_SCALE 1
#define MAX_NAMES 8 /* in a warning */
#define DIGITS 400  /* of any number */

/* The count of an event on a CPU or of a thread. */
typedef struct
{
  guint64 id;
  guint32 cpu;
  guint32 thread;
  guint64 value;
  guint64 enabled_ns;
  guint64 running_ns;
} Count;

/* What an event counts. */
typedef struct
{
  char *unit;
  double scale; /* of the value, to the unit; 0 if it is not in the file */
  double total;
  gboolean is_counted;
  gboolean is_estimated; /* the counter ran for a part of the time only */
} Event;

struct _TbPerfTotals
{
  const TbPerfFile *file;
  GHashTable *counts; /* of Count */
  Event *events;      /* by index of the attribute */
};

static guint
count_hash (gconstpointer data)
{
  const Count *count = data;
  guint64 mixed = (count->id * 31 + count->cpu) * 31 + count->thread;

  return (guint) (mixed * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

static gboolean
count_equal (gconstpointer a, gconstpointer b)
{
  const Count *left = a, *right = b;

  return left->id == right->id && left->cpu == right->cpu && left->thread == right->thread;
}

TbPerfTotals *
tb_perf_totals_new (const TbPerfFile *file)
{
  TbPerfTotals *self = g_new0 (TbPerfTotals, 1);

  self->file = file;
  self->counts = g_hash_table_new_full (count_hash, count_equal, g_free, NULL);
  self->events = g_new0 (Event, file->attrs->len);
  return self;
}

void
tb_perf_totals_free (TbPerfTotals *self)
{
  for (guint i = 0; i < self->file->attrs->len; i++)
    g_free (self->events[i].unit);
  g_free (self->events);
  g_hash_table_unref (self->counts);
  g_free (self);
}

static Event *
find_event (TbPerfTotals *self, guint64 id)
{
  const TbPerfAttr *attr = tb_perf_file_find_attr (self->file, id);

  return attr != NULL ? &self->events[attr - tb_perf_file_get_attr (self->file, 0)] : NULL;
}

static void
read_stat (TbPerfTotals *self, const guint8 *record)
{
  gboolean swap = self->file->swap;
  Count count = {
    .id = tb_perf_u64 (record + 8, swap),
    .cpu = tb_perf_u32 (record + 16, swap),
    .thread = tb_perf_u32 (record + 20, swap),
  };
  Count *known = g_hash_table_lookup (self->counts, &count);

  if (known == NULL)
    {
      known = g_memdup2 (&count, sizeof count);
      g_hash_table_add (self->counts, known);
    }
  known->value = tb_perf_u64 (record + 24, swap);
  known->enabled_ns = tb_perf_u64 (record + 32, swap);
  known->running_ns = tb_perf_u64 (record + 40, swap);
}

/* "task-clock" is counted in nanoseconds and shown in milliseconds. */
static void
read_update (TbPerfTotals *self, const guint8 *record, gsize size)
{
  gboolean swap = self->file->swap;
  guint64 kind = tb_perf_u64 (record + 8, swap);
  Event *event = find_event (self, tb_perf_u64 (record + 16, swap));
  const char *text = (const char *) record + UPDATE_HEADER_SIZE;

  if (event == NULL)
    return;
  if (kind == UPDATE_UNIT)
    {
      g_free (event->unit);
      event->unit = g_utf8_make_valid (text, strnlen (text, size - UPDATE_HEADER_SIZE));
    }
  else if (kind == UPDATE_SCALE && size >= UPDATE_HEADER_SIZE + 8)
    {
      guint64 bits = tb_perf_u64 (record + UPDATE_HEADER_SIZE, swap);

      memcpy (&event->scale, &bits, sizeof event->scale);
    }
}

void
tb_perf_totals_read (TbPerfTotals *self, const guint8 *record, gsize size)
{
  guint32 type = tb_perf_u32 (record, self->file->swap);

  if (type == TB_PERF_RECORD_STAT && size >= STAT_SIZE)
    read_stat (self, record);
  else if (type == TB_PERF_RECORD_EVENT_UPDATE && size > UPDATE_HEADER_SIZE)
    read_update (self, record, size);
}

gboolean
tb_perf_totals_is_empty (const TbPerfTotals *self)
{
  return g_hash_table_size (self->counts) == 0;
}

static void
add_up (TbPerfTotals *self)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->counts);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const Count *count = key;
      Event *event = find_event (self, count->id);

      if (event == NULL || count->running_ns == 0)
        continue;
      event->is_counted = TRUE;
      if (count->running_ns < count->enabled_ns)
        {
          event->is_estimated = TRUE;
          event->total += (double) count->value * count->enabled_ns / count->running_ns;
        }
      else
        event->total += count->value;
    }
}

/* perf's own form: without decimals unless the value has a unit. */
static char *
format_total (const Event *event, gboolean localized)
{
  double scale = isnormal (event->scale) ? event->scale : 1;
  const char *unit = event->unit != NULL ? event->unit : "";
  int decimals = *unit != '\0' ? 3 : 0;
  char number[DIGITS];

  if (localized)
    g_snprintf (number, sizeof number, "%'.*f", decimals, event->total * scale);
  else
    g_ascii_formatd (number, sizeof number, decimals ? "%.3f" : "%.0f", event->total * scale);
  return g_strdup_printf ("%s%s%s%s", event->is_estimated ? "~" : "", number,
                          *unit != '\0' ? " " : "", unit);
}

/* Adds a name to a list that ends with an ellipsis if it is too long. */
static void
list_name (GString *list, guint n_before, const char *name, const char *value)
{
  if (n_before < MAX_NAMES)
    g_string_append_printf (list, "%s%s%s%s", n_before > 0 ? ", " : "", name,
                            value != NULL ? " " : "", value != NULL ? value : "");
  else if (n_before == MAX_NAMES)
    g_string_append (list, " …");
}

/* Lists the events that were counted, or those that were not, and sets a fact for each. */
static guint
list_events (TbPerfTotals *self,
             TbRecorder *recorder,
             GHashTable *named,
             gboolean counted,
             GString *list)
{
  guint n = 0;

  for (guint i = 0; i < self->file->attrs->len; i++)
    {
      const Event *event = &self->events[i];
      const char *name = tb_perf_file_get_attr (self->file, i)->name;
      g_autofree char *value = counted ? format_total (event, FALSE) : NULL;
      g_autofree char *shown = counted ? format_total (event, TRUE) : NULL;
      g_autofree char *key = g_strdup_printf ("count:%s", name);

      /* perf opens some events several times, for several metrics. */
      if (event->is_counted != counted || !g_hash_table_add (named, (gpointer) name))
        continue;
      tb_recorder_set_fact (recorder, key, counted ? value : "not counted");
      list_name (list, n++, name, shown);
    }
  return n;
}

void
tb_perf_totals_report (TbPerfTotals *self, TbRecorder *recorder)
{
  g_autoptr (GHashTable) named = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) counted = g_string_new (NULL);
  g_autoptr (GString) others = g_string_new (NULL);
  guint n_counted, n_others;

  add_up (self);
  n_counted = list_events (self, recorder, named, TRUE, counted);
  n_others = list_events (self, recorder, named, FALSE, others);
  if (n_counted > 0)
    tb_recorder_add_warning (
        recorder,
        /* Translators: names of counters with their values */
        _ ("The file has counts by perf stat and no events: %s. What threads did, and when, was "
           "not recorded: record with perf record instead of perf stat record."),
        counted->str);
  if (n_others > 0)
    tb_recorder_add_warning (
        recorder,
        /* Translators: names of counters */
        _ ("These events were not counted, because the processor or the virtual machine does not "
           "have such a counter or another program uses it: %s."),
        others->str);
}
