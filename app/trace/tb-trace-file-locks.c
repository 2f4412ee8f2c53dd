/* tb-trace-file-locks.c: locks of files (flock, fcntl): which owner has which part of a file at
 * which time, and so the thread that had a lock when a request for it was refused
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The holder is the thread that releases the lock: a lock of an open file may be taken by one
 * process for another one, as flock(1) does. Only if no release was recorded, it is the thread that
 * took the lock.
 */

#include "config.h"

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-file-locks.h"

/* Limit for the locks of one file that are followed at a time, and for refused requests without a
 * known holder. */
#define MAX_HELD 128

/* A lock that an owner has, or had. */
typedef struct
{
  guint64 owner;
  guint64 from;
  guint64 to;
  guint32 thread; /* that took it */
  guint32 releaser;
  gboolean exclusive;
} Hold;

struct _TbFileLocks
{
  GBytes *columns[TB_FILE_LOCK_N_COLUMNS];
  TbFileLockRows rows;
  guint32 *holder; /* by row: a thread, or TB_ID_NONE */
};

typedef struct
{
  TbFileLocks *self;
  GArray *holds;       /* Hold: all that there were */
  GHashTable *files;   /* call and file → GArray of guint32, the current holds of the file */
  guint32 *blocked_by; /* by row: the hold in its way, or TB_ID_NONE */
  GArray *unexplained; /* guint32: refused rows of which the holder is not known yet */
} Finder;

static void
finder_clear (Finder *finder)
{
  g_clear_pointer (&finder->holds, g_array_unref);
  g_clear_pointer (&finder->files, g_hash_table_unref);
  g_clear_pointer (&finder->blocked_by, g_free);
  g_clear_pointer (&finder->unexplained, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

static GArray *
get_current (Finder *finder, gsize row)
{
  const TbFileLockRows *rows = &finder->self->rows;
  gint64 key = (gint64) rows->call[row] << 32 | rows->file[row];
  GArray *current = g_hash_table_lookup (finder->files, &key);

  if (current != NULL)
    return current;
  current = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_hash_table_insert (finder->files, g_memdup2 (&key, sizeof key), current);
  return current;
}

static Hold *
get_hold (Finder *finder, guint32 hold)
{
  return &g_array_index (finder->holds, Hold, hold);
}

static void
add_hold (Finder *finder, GArray *current, const Hold *hold)
{
  guint32 number = finder->holds->len;

  if (hold->from > hold->to || current->len >= MAX_HELD)
    return;
  g_array_append_vals (finder->holds, hold, 1);
  g_array_append_val (current, number);
}

/* Takes a part of the file from what an owner has. What remains are new holds. */
static void
take_from_owner (Finder *finder, GArray *current, gsize row)
{
  const TbFileLockRows *rows = &finder->self->rows;
  guint64 from = rows->from[row], to = rows->to[row];

  for (guint i = current->len; i-- > 0;)
    {
      guint32 number = g_array_index (current, guint32, i);
      Hold before = *get_hold (finder, number), rest = before;

      if (before.owner != rows->owner[row] || before.to < from || before.from > to)
        continue;
      if (rows->mode[row] == TB_FILE_LOCK_RELEASE)
        get_hold (finder, number)->releaser = rows->thread[row];
      g_array_remove_index_fast (current, i);
      rest.to = from - 1;
      if (before.from < from)
        add_hold (finder, current, &rest);
      rest = before;
      rest.from = to + 1;
      if (before.to > to)
        add_hold (finder, current, &rest);
    }
}

/* The current hold of another owner that is in the way of a request. */
static guint32
find_conflict (Finder *finder, const GArray *current, gsize row)
{
  const TbFileLockRows *rows = &finder->self->rows;

  for (guint i = 0; i < current->len; i++)
    {
      guint32 number = g_array_index (current, guint32, i);
      const Hold *hold = get_hold (finder, number);

      if (hold->owner != rows->owner[row] && hold->to >= rows->from[row]
          && hold->from <= rows->to[row]
          && (hold->exclusive || rows->mode[row] == TB_FILE_LOCK_EXCLUSIVE))
        return number;
    }
  return TB_ID_NONE;
}

/* A lock that was taken before the recording is known by its release. */
static void
explain_by_release (Finder *finder, gsize release)
{
  const TbFileLockRows *rows = &finder->self->rows;

  for (guint i = finder->unexplained->len; i-- > 0;)
    {
      guint32 row = g_array_index (finder->unexplained, guint32, i);

      if (rows->file[row] != rows->file[release] || rows->call[row] != rows->call[release]
          || rows->owner[row] == rows->owner[release] || rows->to[release] < rows->from[row]
          || rows->from[release] > rows->to[row])
        continue;
      finder->self->holder[row] = rows->thread[release];
      g_array_remove_index_fast (finder->unexplained, i);
    }
}

static void
handle_row (Finder *finder, gsize row)
{
  const TbFileLockRows *rows = &finder->self->rows;
  GArray *current = get_current (finder, row);
  Hold hold = { .owner = rows->owner[row],
                .from = rows->from[row],
                .to = rows->to[row],
                .thread = rows->thread[row],
                .releaser = TB_ID_NONE,
                .exclusive = rows->mode[row] == TB_FILE_LOCK_EXCLUSIVE };
  guint32 number = (guint32) row;

  if (rows->result[row] == TB_FILE_LOCK_REFUSED || rows->result[row] == TB_FILE_LOCK_WAITS)
    {
      finder->blocked_by[row] = find_conflict (finder, current, row);
      if (finder->blocked_by[row] == TB_ID_NONE && finder->unexplained->len < MAX_HELD)
        g_array_append_val (finder->unexplained, number);
      return;
    }
  if (rows->result[row] != TB_FILE_LOCK_DONE || rows->mode[row] == TB_FILE_LOCK_OTHER)
    return;
  take_from_owner (finder, current, row);
  if (rows->mode[row] == TB_FILE_LOCK_RELEASE)
    explain_by_release (finder, row);
  else
    add_hold (finder, current, &hold);
}

static void
find_holders (TbFileLocks *self)
{
  g_auto (Finder) finder = { .self = self };
  gsize n = self->rows.n;

  finder.holds = g_array_new (FALSE, FALSE, sizeof (Hold));
  finder.files
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  finder.unexplained = g_array_new (FALSE, FALSE, sizeof (guint32));
  finder.blocked_by = g_new (guint32, MAX (n, 1));
  for (gsize row = 0; row < n; row++)
    finder.blocked_by[row] = self->holder[row] = TB_ID_NONE;
  for (gsize row = 0; row < n && !tb_trace_is_cancelled_at (row); row++)
    handle_row (&finder, row);
  for (gsize row = 0; row < n; row++)
    if (finder.blocked_by[row] != TB_ID_NONE)
      {
        const Hold *hold = get_hold (&finder, finder.blocked_by[row]);

        self->holder[row] = hold->releaser != TB_ID_NONE ? hold->releaser : hold->thread;
      }
}

/* A damaged column means that there are no locks; tb_trace_check() reports it. */
static void
load (TbFileLocks *self, TbTrace *trace)
{
  gsize n = tb_table_get_n_rows (
      tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_FILE_LOCK));

  for (guint i = 0; i < TB_FILE_LOCK_N_COLUMNS && n > 0; i++)
    {
      self->columns[i] = tb_trace_read_column (trace, TB_TABLE_FILE_LOCK, i);
      if (self->columns[i] == NULL)
        n = 0;
    }
  /* Rows are numbered with 32 bits, also twice. */
  if (n == 0 || n >= G_MAXUINT32 / 2)
    return;
#define COLUMN(column) g_bytes_get_data (self->columns[TB_FILE_LOCK_##column], NULL)
  self->rows = (TbFileLockRows) { .n = n,
                                  .time = COLUMN (TIME),
                                  .thread = COLUMN (THREAD),
                                  .call = COLUMN (CALL),
                                  .mode = COLUMN (MODE),
                                  .result = COLUMN (RESULT),
                                  .file = COLUMN (FILE),
                                  .owner = COLUMN (OWNER),
                                  .from = COLUMN (FROM),
                                  .to = COLUMN (TO) };
#undef COLUMN
}

/**
 * tb_file_locks_new: (skip)
 * @trace: a trace
 *
 * Reads the requests for locks of files, and finds the holder of each lock that was refused.
 *
 * Returns: (transfer full): the locks; without rows if none were recorded
 */
TbFileLocks *
tb_file_locks_new (TbTrace *trace)
{
  TbFileLocks *self;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  self = g_new0 (TbFileLocks, 1);
  load (self, trace);
  self->holder = g_new (guint32, MAX (self->rows.n, 1));
  find_holders (self);
  return self;
}

/**
 * tb_file_locks_free:
 * @self: locks of files
 *
 * Frees the locks of files.
 */
void
tb_file_locks_free (TbFileLocks *self)
{
  for (guint i = 0; i < TB_FILE_LOCK_N_COLUMNS; i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_free (self->holder);
  g_free (self);
}

/**
 * tb_file_locks_get_rows: (skip)
 * @self: locks of files
 *
 * Gets the requests and releases as arrays.
 *
 * Returns: (transfer none): the requests and releases
 */
const TbFileLockRows *
tb_file_locks_get_rows (const TbFileLocks *self)
{
  return &self->rows;
}

/**
 * tb_file_locks_get_holder:
 * @self: locks of files
 * @row: row of a request that was refused or had to wait
 *
 * Gets which thread had the lock that another one requested.
 *
 * Returns: the thread that had the lock, %TB_ID_NONE if it is not known
 */
guint32
tb_file_locks_get_holder (const TbFileLocks *self, gsize row)
{
  g_return_val_if_fail (row < self->rows.n, TB_ID_NONE);

  return self->holder[row];
}
