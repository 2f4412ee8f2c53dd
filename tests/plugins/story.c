/* story.c: recordings that tests write event by event, as lines of the plain-text format
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "story.h"

#define HEADER                                                                                     \
  "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket\n"
#define NS_PER_US 1000
#define TIMER_VECTOR 1

Story *
story_new (const char *names)
{
  g_auto (GStrv) list = g_strsplit (names != NULL ? names : "", " ", -1);
  Story *story = g_string_new (NULL);

  for (gint32 i = 0; list[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat ("app/", list[i], NULL);

      story_name (story, 11 + i, name, 10);
    }
  return story;
}

Story *
story_new_from_trace (TbTrace *trace)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbExporter) exporter
      = tb_engine_create_exporter (tb_engine_get_default (), "events-csv", &error);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  const char *text;

  g_assert_no_error (error);
  tb_exporter_export_trace (exporter, trace, stream, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  text = g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream));
  return g_string_new (strchr (text, '\n') + 1);
}

void
story_add_at_valist (Story *story, gint64 ns, const char *format, va_list arguments)
{
  g_string_append_printf (story, "%" G_GINT64_FORMAT ",", ns);
  g_string_append_vprintf (story, format, arguments);
  g_string_append_c (story, '\n');
}

void
story_add (Story *story, gint64 us, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  story_add_at_valist (story, us * NS_PER_US, format, arguments);
  va_end (arguments);
}

void
story_add_at (Story *story, gint64 ns, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  story_add_at_valist (story, ns, format, arguments);
  va_end (arguments);
}

void
story_name (Story *story, gint32 tid, const char *name, gint32 pid)
{
  story_add (story, 0, "0,name,,,,%d,,,%d,,,%s,,,", pid, tid, name);
}

void
story_fork (Story *story, gint64 us, int cpu, gint32 creator, gint32 child)
{
  story_add (story, us, "%d,fork,,,,%d,%d,,,,,,,,", cpu, creator, child);
}

void
story_exec (Story *story, gint64 us, int cpu, gint32 tid, const char *program)
{
  story_add (story, us, "%d,exec,,,,,,,%d,,,%s,,,", cpu, tid, program);
}

void
story_exit (Story *story, gint64 us, int cpu, gint32 tid)
{
  story_add (story, us, "%d,exit,,,,,,,%d,,,,,,", cpu, tid);
}

void
story_end (Story *story, gint64 us, int cpu, gint32 tid)
{
  story_exit (story, us, cpu, tid);
  story_switch (story, us, cpu, tid, "X", 0);
}

void
story_switch (Story *story, gint64 us, int cpu, gint32 prev, const char *state, gint32 next)
{
  story_switch_with_stack (story, us, cpu, prev, state, next, "");
}

void
story_switch_with_stack (Story *story,
                         gint64 us,
                         int cpu,
                         gint32 prev,
                         const char *state,
                         gint32 next,
                         const char *stack)
{
  story_add (story, us, "%d,switch,%d,%s,%d,,,,,,,,%s,,", cpu, prev, state, next, stack);
}

void
story_wake (Story *story, gint64 us, int cpu, gint32 waker, gint32 wakee)
{
  story_add (story, us, "%d,wakeup,,,,%d,%d,,,,,,,,", cpu, waker, wakee);
}

void
story_wake_in_softirq (Story *story, gint64 us, int cpu, gint32 waker, gint32 wakee, int vector)
{
  story_add (story, us, "%d,softirq_entry,,,,,,%d,,,,,,,", cpu, vector);
  story_wake (story, us, cpu, waker, wakee);
  story_add (story, us, "%d,softirq_exit,,,,,,%d,,,,,,,", cpu, vector);
}

void
story_wake_by_timer (Story *story, gint64 us, int cpu, gint32 tid)
{
  story_wake_in_softirq (story, us, cpu, 0, tid, TIMER_VECTOR);
}

void
story_wake_by_device (Story *story, gint64 us, int cpu, const char *device, gint32 tid)
{
  story_add (story, us, "%d,irq_entry,,,,,,,,%s,,,,,", cpu, device);
  story_wake (story, us, cpu, 0, tid);
  story_add (story, us, "%d,irq_exit,,,,,,,,%s,,,,,", cpu, device);
}

void
story_sleep (Story *story, gint64 from, gint64 to, int cpu, gint32 tid, int waker_cpu, gint32 waker)
{
  story_switch (story, from, cpu, tid, "S", 0);
  story_wake (story, to, waker_cpu, waker, tid);
  story_switch (story, to, cpu, 0, "R", tid);
}

void
story_sleep_until (Story *story,
                   gint64 from,
                   gint64 woken,
                   gint64 on,
                   int cpu,
                   gint32 tid,
                   int vector,
                   const char *stack)
{
  story_switch_with_stack (story, from, cpu, tid, "S", 0, stack);
  story_wake_in_softirq (story, woken, cpu, 0, tid, vector);
  story_switch (story, on, cpu, 0, "R", tid);
}

void
story_wait_for_lock (Story *story,
                     gint64 from,
                     gint64 to,
                     gint32 tid,
                     gint32 holder,
                     guint address,
                     const char *stack)
{
  story_add (story, from, "%d,sleep,,lock,,,,,%d,,-1,futex,,%u,0", tid - 11, tid, address);
  story_switch_with_stack (story, from, tid - 11, tid, "S", 0, stack);
  story_wake (story, to, holder - 11, holder, tid);
  story_switch (story, to, tid - 11, 0, "R", tid);
}

void
story_request (Story *story,
               gint64 inserted,
               gint64 issued,
               gint64 completed,
               int cpu,
               gint32 tid,
               int bytes,
               int sector)
{
  story_add (story, inserted, "%d,io_insert,,,,,,,%d,vda,%d,,,%d,", cpu, tid, bytes, sector);
  story_add (story, issued, "%d,io_issue,,,,,,,%d,vda,%d,,,%d,", cpu, tid, bytes, sector);
  story_add (story, completed, "%d,io_complete,,,,,,,%d,vda,%d,,,%d,", cpu, tid, bytes, sector);
}

void
story_write (Story *story, gint64 from, gint64 to, int cpu, gint32 tid, int bytes)
{
  story_add (story, from, "%d,io_issue,,,,,,,%d,vda,%d,,,%" G_GINT64_FORMAT ",", cpu, tid, bytes,
             from);
  story_add (story, to, "3,io_complete,,,,,,,,vda,%d,,,%" G_GINT64_FORMAT ",", bytes, from);
}

void
story_sample (Story *story, gint64 us, int cpu, gint32 tid, const char *stack)
{
  story_add (story, us, "%d,sample,,,,,,,%d,,,,%s,,", cpu, tid, stack);
}

void
story_enter (Story *story, gint64 us, int cpu, gint32 tid, const char *name)
{
  story_add (story, us, "%d,sys_enter,,,,,,,%d,,,%s,,,", cpu, tid, name);
}

void
story_leave (Story *story, gint64 us, int cpu, gint32 tid)
{
  story_add (story, us, "%d,sys_exit,,,,,,,%d,,0,,,,", cpu, tid);
}

void
story_call (Story *story, gint64 us, int cpu, gint32 tid, const char *name)
{
  story_add (story, us, "%d,call,,,,,,,%d,,,%s,,,", cpu, tid, name);
}

void
story_return (Story *story, gint64 us, int cpu, gint32 tid, const char *name)
{
  story_add (story, us, "%d,return,,,,,,,%d,,,%s,,,", cpu, tid, name);
}

void
story_interrupt (Story *story, gint64 from, gint64 to, int cpu, const char *device)
{
  story_add (story, from, "%d,irq_entry,,,,,,,,%s,,,,,", cpu, device);
  story_add (story, to, "%d,irq_exit,,,,,,,,%s,,,,,", cpu, device);
}

TbTrace *
story_open_path (const char *name, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "events-csv", &error);
  TbRecorder *recorder;

  g_assert_no_error (error);
  recorder = recording_new (name);
  tb_importer_import_file (importer, file, recorder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return recording_open (recorder);
}

TbTrace *
story_open_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, name, NULL);

  return story_open_path ("file", path);
}

TbTrace *
story_open_lines (const char *name, const char *lines)
{
  g_autofree char *file_name = g_strconcat (name, ".csv", NULL);
  g_autofree char *path = recording_make_path (file_name);
  g_autofree char *text = g_strconcat (HEADER, lines, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return story_open_path (name, path);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = g_ascii_strtoll (*(const char *const *) a, NULL, 10);
  gint64 right = g_ascii_strtoll (*(const char *const *) b, NULL, 10);

  return left < right ? -1 : left > right;
}

static void
sort_lines (Story *story)
{
  g_auto (GStrv) lines = g_strsplit (story->str, "\n", -1);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_ptr_array_add (sorted, lines[i]);
  g_ptr_array_sort (sorted, compare_times); /* stable */
  g_string_truncate (story, 0);
  for (guint i = 0; i < sorted->len; i++)
    g_string_append_printf (story, "%s\n", (const char *) g_ptr_array_index (sorted, i));
}

TbTrace *
story_open_as (Story *story, const char *name)
{
  TbTrace *trace;

  sort_lines (story);
  trace = story_open_lines (name, story->str);
  g_string_free (story, TRUE);
  return trace;
}

TbTrace *
story_open (Story *story)
{
  return story_open_as (story, "story");
}
