/* tb-perf-jit.c: functions of just-in-time compilers, from dump files (tb-jit-dump) that a
 * perf.data file maps: those that shared addresses become mappings at the times when each was
 * there; their names stored as facts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Addresses are symbolized after the recording, when memory that was used again can have one name
 * only. A dump file has times. If they are of the recording's clock, each function that shares
 * addresses with others is mapped at its time, from a place of its own in a file of that name.
 */

#include "config.h"

#include "tb-perf-jit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "symbols/tb-jit-dump.h"

/* More functions stay without a time: what is at their addresses is then unverified. */
#define MAX_CODE 16384
/* The same for mappings over memory that has such functions. */
#define MAX_REPEATED (1u << 20)
#define MAX_DUMPS 256

typedef struct
{
  gint64 time;
  guint64 address;
  guint64 size;
  guint64 place; /* in the file of the module */
  gint32 pid;
  guint32 module;
} Code;

struct _TbPerfJit
{
  GArray *code;      /* of Code, by time */
  guint next;        /* the first that is not mapped yet */
  guint n_looked_at; /* at code while it was mapped again */
  GHashTable *names; /* path -> GString: lines of a perf map by place in the file */
};

static void
free_lines (gpointer lines)
{
  g_string_free (lines, TRUE);
}

TbPerfJit *
tb_perf_jit_new (void)
{
  TbPerfJit *self = g_new0 (TbPerfJit, 1);

  self->code = g_array_new (FALSE, FALSE, sizeof (Code));
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_lines);
  return self;
}

void
tb_perf_jit_free (TbPerfJit *self)
{
  g_array_unref (self->code);
  g_hash_table_unref (self->names);
  g_free (self);
}

static int
compare_code (gconstpointer a, gconstpointer b)
{
  const Code *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static void
set_next_time (TbPerfImport *import)
{
  const TbPerfJit *self = import->jit;

  import->jit_time = self->next < self->code->len
                         ? g_array_index (self->code, Code, self->next).time
                         : G_MAXINT64;
}

static TbJitDump *
open_dump (const char *path, gint32 pid, const TbModuleFile *mapped)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  TbJitDump *dump = NULL;
  struct stat status;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode)
      && (mapped->inode == 0 || mapped->inode == status.st_ino))
    dump = tb_jit_dump_read (fd, pid);
  close (fd);
  return dump;
}

static gboolean
has_monotonic_clock (TbPerfImport *import)
{
  const TbPerfAttr *attr = tb_perf_file_get_attr (import->file, 0);

  return tb_perf_attr_has (attr, TB_PERF_FLAG_USE_CLOCKID) && attr->clockid == CLOCK_MONOTONIC;
}

/* Adds the functions that share addresses with others. */
static void
add_code (TbPerfImport *import, gint32 pid, const char *path, const TbJitDump *dump)
{
  TbPerfJit *self = import->jit;
  GString *lines = g_string_new (NULL);
  guint64 place = 0;
  guint n;
  const TbJitCode *all = tb_jit_dump_get_code (dump, &n);
  guint32 module = TB_ID_NONE;

  for (guint i = 0; i < n && self->code->len < MAX_CODE; i++)
    {
      Code code = { .address = all[i].address, .size = all[i].size, .place = place, .pid = pid };

      if (!all[i].is_reused || all[i].size > G_MAXINT64 - place)
        continue;
      if (module == TB_ID_NONE)
        module = tb_recorder_intern_module (import->recorder, TB_MODULE_FILE, path, NULL, pid);
      code.time = (gint64) MIN (all[i].time, (guint64) G_MAXINT64);
      code.module = module;
      g_array_append_val (self->code, code);
      g_string_append_printf (lines, "%" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %s\n", place,
                              code.size, tb_jit_dump_get_name (dump, &all[i]));
      place += code.size;
    }
  g_hash_table_insert (self->names, g_strdup (path), lines);
  if (self->code->len > self->next)
    qsort (&g_array_index (self->code, Code, self->next), self->code->len - self->next,
           sizeof (Code), compare_code);
  set_next_time (import);
}

void
tb_perf_jit_add_dump (TbPerfImport *import,
                      gint32 pid,
                      const char *path,
                      const TbModuleFile *mapped)
{
  g_autofree char *name = NULL;
  g_autoptr (TbJitDump) dump = NULL;

  if (!g_str_has_suffix (path, ".dump"))
    return;
  name = g_strdup_printf ("/jit-%d.dump", pid);
  if (!g_str_has_suffix (path, name))
    return;
  if (!import->is_own_host || !has_monotonic_clock (import)
      || g_hash_table_contains (import->jit->names, path)
      || g_hash_table_size (import->jit->names) >= MAX_DUMPS)
    return;
  dump = open_dump (path, pid, mapped);
  if (dump != NULL && tb_jit_dump_has_clock (dump))
    add_code (import, pid, path, dump);
}

static void
map (TbPerfImport *import, const Code *code, gint64 time)
{
  TbEvent event = {
    .time = time,
    .kind = TB_EVENT_MAPPING,
    .host = import->host,
    .cpu = TB_CPU_ALL,
    .pid = code->pid,
    .tid = code->pid,
    .module = code->module,
    .a = code->address,
    .b = code->size,
    .c = code->place,
  };

  tb_perf_import_add (import, &event);
}

void
tb_perf_jit_advance (TbPerfImport *import, gint64 time)
{
  TbPerfJit *self = import->jit;

  for (; self->next < self->code->len; self->next++)
    {
      const Code *code = &g_array_index (self->code, Code, self->next);

      if (code->time > time)
        break;
      /* Code that was there before the recording is mapped at its start. */
      map (import, code, MAX (code->time, MAX (import->flushed, import->first_time)));
    }
  set_next_time (import);
}

void
tb_perf_jit_map_again (TbPerfImport *import, gint32 pid, guint64 start, guint64 length, gint64 time)
{
  TbPerfJit *self = import->jit;

  for (guint i = 0; i < self->next && self->n_looked_at < MAX_REPEATED; i++, self->n_looked_at++)
    {
      const Code *code = &g_array_index (self->code, Code, i);

      if (code->pid == pid
          && (code->address >= start ? code->address - start < length
                                     : start - code->address < code->size))
        map (import, code, time);
    }
}

void
tb_perf_jit_end_program (TbPerfImport *import, gint32 pid)
{
  TbPerfJit *self = import->jit;

  for (guint i = 0; i < self->next; i++)
    if (g_array_index (self->code, Code, i).pid == pid)
      g_array_index (self->code, Code, i).pid = -1;
}

void
tb_perf_jit_set_facts (const TbPerfJit *self, TbRecorder *recorder)
{
  GHashTableIter iter;
  gpointer path, lines;

  g_hash_table_iter_init (&iter, self->names);
  while (g_hash_table_iter_next (&iter, &path, &lines))
    {
      g_autofree char *fact = g_strconcat ("symbols-of:", path, NULL);

      if (((GString *) lines)->len > 0)
        tb_recorder_set_fact (recorder, fact, ((GString *) lines)->str);
    }
}
