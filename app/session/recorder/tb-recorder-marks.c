/* tb-recorder-marks.c: rows of the marks of programs; the end of a spin gets the thread that last
 * released its lock
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A spinning thread does not know which thread makes its condition true. If both name the lock (the
 * other one in a mark “release” with the lock as its value), it is the thread of the same process
 * that last released the lock since the spin began.
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

#include <string.h>

#define RELEASE "release"
#define MAX_LOCKS (1u << 20)

/* The last release of a lock. */
typedef struct
{
  gint64 time;
  guint32 process;
  guint32 lock; /* string */
  guint32 thread;
} Release;

void
tb_recorder_init_marks (TbRecorder *self)
{
  self->locks.releases = g_array_new (FALSE, FALSE, sizeof (Release));
  self->locks.spins = g_array_new (FALSE, FALSE, sizeof (gint64));
}

void
tb_recorder_clear_marks (TbRecorder *self)
{
  g_clear_pointer (&self->locks.releases, g_array_unref);
  g_clear_pointer (&self->locks.spins, g_array_unref);
  tb_slots_clear (&self->locks.releases_by_lock);
}

static Release *
find_release (TbRecorder *self, guint32 process, guint32 lock)
{
  TbSlotCursor cursor = tb_slots_find (&self->locks.releases_by_lock, tb_hash_pair (process, lock));
  guint32 id;

  while (tb_slot_cursor_next (&cursor, &id))
    {
      Release *release = &g_array_index (self->locks.releases, Release, id);

      if (release->process == process && release->lock == lock)
        return release;
    }
  return NULL;
}

static guint32
get_process (TbRecorder *self, guint32 thread)
{
  return thread != TB_ID_NONE ? tb_recorder_peek_thread (self, thread)->process : TB_ID_NONE;
}

static void
note_release (TbRecorder *self, guint32 thread, guint32 lock, gint64 time)
{
  guint32 process = get_process (self, thread);
  Release *release;

  if (process == TB_ID_NONE || lock == TB_STRING_NONE)
    return;
  release = find_release (self, process, lock);
  if (release == NULL && self->locks.releases->len < MAX_LOCKS)
    {
      Release first = { time, process, lock, thread };

      tb_slots_insert (&self->locks.releases_by_lock, tb_hash_pair (process, lock),
                       self->locks.releases->len);
      g_array_append_val (self->locks.releases, first);
    }
  else if (release != NULL)
    {
      release->time = time;
      release->thread = thread;
    }
}

/* If a spin has several beginnings, the first counts; if it has several ends, also the first. */
static void
begin_spin (TbRecorder *self, guint32 thread, gint64 time)
{
  const gint64 none = TB_TIME_NONE;

  if (thread == TB_ID_NONE)
    return;
  while (self->locks.spins->len <= thread)
    g_array_append_val (self->locks.spins, none);
  if (g_array_index (self->locks.spins, gint64, thread) == TB_TIME_NONE)
    g_array_index (self->locks.spins, gint64, thread) = time;
}

/* Returns the thread that released the lock of the spin, TB_ID_NONE if it is unknown. */
static guint32
end_spin (TbRecorder *self, guint32 thread, guint32 lock)
{
  guint32 process = get_process (self, thread);
  const Release *release;
  gint64 since;

  if (thread >= self->locks.spins->len)
    return TB_ID_NONE;
  since = g_array_index (self->locks.spins, gint64, thread);
  g_array_index (self->locks.spins, gint64, thread) = TB_TIME_NONE;
  if (since == TB_TIME_NONE || process == TB_ID_NONE || lock == TB_STRING_NONE)
    return TB_ID_NONE;
  release = find_release (self, process, lock);
  return release != NULL && release->time >= since && release->thread != thread ? release->thread
                                                                                : TB_ID_NONE;
}

void
tb_recorder_record_mark (TbRecorder *self,
                         const TbEvent *event,
                         guint16 cpu,
                         guint32 thread,
                         guint32 stack)
{
  guint8 kind = event->kind == TB_EVENT_SPIN_BEGIN     ? TB_MARK_SPIN_BEGIN
                : event->kind == TB_EVENT_SPIN_END     ? TB_MARK_SPIN_END
                : event->kind == TB_EVENT_FALSE_WAKEUP ? TB_MARK_FALSE_WAKEUP
                                                       : TB_MARK_NOTE;
  guint32 name = tb_recorder_check_string (self, event->text);
  guint32 value = tb_recorder_check_string (self, event->text2);
  guint32 releaser = TB_ID_NONE;
  TbRows *rows;
  guint i;

  if (kind == TB_MARK_SPIN_BEGIN)
    begin_spin (self, thread, event->time);
  else if (kind == TB_MARK_SPIN_END)
    releaser = end_spin (self, thread, value);
  else if (kind == TB_MARK_NOTE && strcmp (tb_recorder_peek_string (self, name), RELEASE) == 0)
    note_release (self, thread, value, event->time);
  if (kind == TB_MARK_SPIN_END && event->a <= G_MAXINT32)
    releaser = tb_recorder_get_thread (self, event->host, (gint32) event->a, -1);
  i = tb_recorder_add_row (self, TB_TABLE_MARK, &rows);
  tb_recorder_add_order (self, TB_ORDER_MARK, event->time, 0);
  TB_ROWS_COLUMN (rows, TB_MARK_TIME, gint64)[i] = event->time;
  TB_ROWS_COLUMN (rows, TB_MARK_CPU, guint16)[i] = cpu;
  TB_ROWS_COLUMN (rows, TB_MARK_KIND, guint8)[i] = kind;
  TB_ROWS_COLUMN (rows, TB_MARK_THREAD, guint32)[i] = thread;
  TB_ROWS_COLUMN (rows, TB_MARK_RELEASER, guint32)[i] = releaser;
  TB_ROWS_COLUMN (rows, TB_MARK_NAME, guint32)[i] = name;
  TB_ROWS_COLUMN (rows, TB_MARK_VALUE, guint32)[i] = value;
  TB_ROWS_COLUMN (rows, TB_MARK_STACK, guint32)[i] = stack;
}
