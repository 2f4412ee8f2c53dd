/* tb-table.c: table of a session: typed columns, or ranges of their rows, read from the file at
 * first access or held in memory; rows of a time range; check of all chunks
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-table-private.h"

#include <string.h>

#include "session/file/tb-table-decode-private.h"

/* The content of a table, in the file (index) or in memory. It is only replaced as a whole. */
typedef struct
{
  gatomicrefcount refs;
  TbStore *store;
  TbTableIndex *index;
  GBytes *memory[TB_MAX_COLUMNS + 1]; /* NULL-terminated */
  guint64 n_rows;
  gpointer cached[TB_MAX_COLUMNS];  /* protected by the store's cache lock */
  gboolean loading[TB_MAX_COLUMNS]; /* protected by the table's lock */
} Content;

/**
 * TbTable:
 *
 * A table of typed columns that are read on first access.
 *
 * The columns are described by [method@Tailback.Table.get_info] and have the same length. A table
 * can be used from any thread. Opening a session reads none of the values: they are read, checked
 * and decoded at the first access to a column. Decoded columns are cached until the session's
 * memory budget is exceeded and they are not in use.
 *
 * Files are not trusted. A column that decodes without an error has been checked: ids of threads,
 * stacks, strings, frames, devices and modules are in range (or %TB_ID_NONE where the column allows
 * it), times are %TB_TIME_NONE or between 0 and 2⁶², rows are sorted as documented for the table,
 * enumerations have known values, and every stack comes after its caller's.
 */
struct _TbTable
{
  GObject parent_instance;

  TbStore *store;
  TbTableKind kind;
  GMutex lock;
  GCond loaded;
  Content *content;
};

G_DEFINE_FINAL_TYPE (TbTable, tb_table, G_TYPE_OBJECT)

static Content *
content_new (TbStore *store)
{
  Content *content = g_new0 (Content, 1);

  g_atomic_ref_count_init (&content->refs);
  content->store = tb_store_ref (store);
  return content;
}

static void
content_unref (Content *content)
{
  if (!g_atomic_ref_count_dec (&content->refs))
    return;
  for (guint i = 0; i < TB_MAX_COLUMNS; i++)
    {
      tb_store_clear_slot (content->store, &content->cached[i]);
      g_clear_pointer (&content->memory[i], g_bytes_unref);
    }
  g_clear_pointer (&content->index, tb_table_index_unref);
  tb_store_unref (content->store);
  g_free (content);
}

static Content *
ref_content (TbTable *self)
{
  Content *content;

  g_mutex_lock (&self->lock);
  content = self->content;
  g_atomic_ref_count_inc (&content->refs);
  g_mutex_unlock (&self->lock);
  return content;
}

static void
replace_content (TbTable *self, Content *content)
{
  Content *old;

  g_mutex_lock (&self->lock);
  old = self->content;
  self->content = content;
  g_mutex_unlock (&self->lock);
  if (old != NULL)
    content_unref (old);
}

static void
tb_table_finalize (GObject *object)
{
  TbTable *self = TB_TABLE (object);

  g_clear_pointer (&self->content, content_unref);
  g_clear_pointer (&self->store, tb_store_unref);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->loaded);
  G_OBJECT_CLASS (tb_table_parent_class)->finalize (object);
}

static void
tb_table_class_init (TbTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_table_finalize;
}

static void
tb_table_init (TbTable *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->loaded);
}

TbTable *
tb_table_new (TbStore *store, TbTableIndex *index)
{
  TbTable *self = g_object_new (TB_TYPE_TABLE, NULL);

  self->store = tb_store_ref (store);
  self->kind = index->kind;
  tb_table_set_index (self, index);
  return self;
}

void
tb_table_set_index (TbTable *self, TbTableIndex *index)
{
  Content *content = content_new (self->store);

  content->index = tb_table_index_ref (index);
  content->n_rows = index->n_rows;
  replace_content (self, content);
}

void
tb_table_set_memory (TbTable *self, GBytes **columns, guint64 n_rows)
{
  Content *content = content_new (self->store);

  for (guint i = 0; i < tb_table_kind_get_info (self->kind)->n_columns; i++)
    content->memory[i] = g_bytes_ref (columns[i]);
  content->n_rows = n_rows;
  replace_content (self, content);
}

GBytes **
tb_table_get_memory (TbTable *self)
{
  return self->content->memory[0] != NULL ? self->content->memory : NULL;
}

/**
 * tb_table_get_kind:
 * @self: a table
 *
 * Gets the kind of the table.
 *
 * Returns: its kind
 */
TbTableKind
tb_table_get_kind (TbTable *self)
{
  g_return_val_if_fail (TB_IS_TABLE (self), 0);

  return self->kind;
}

/**
 * tb_table_get_info:
 * @self: a table
 *
 * Gets its name and its columns.
 *
 * Returns: (transfer none): the description of tables of its kind
 */
const TbTableInfo *
tb_table_get_info (TbTable *self)
{
  g_return_val_if_fail (TB_IS_TABLE (self), NULL);

  return tb_table_kind_get_info (self->kind);
}

/**
 * tb_table_get_n_rows:
 * @self: a table
 *
 * Gets the number of rows. A derived table has none if it has not been built, or was built by the
 * rules of another version.
 *
 * Returns: the number of rows
 */
guint64
tb_table_get_n_rows (TbTable *self)
{
  guint64 n_rows;

  g_return_val_if_fail (TB_IS_TABLE (self), 0);

  g_mutex_lock (&self->lock);
  n_rows = self->content->n_rows;
  g_mutex_unlock (&self->lock);
  return n_rows;
}

static gsize
get_value_size (TbTable *self, guint column)
{
  return tb_column_type_get_size (tb_table_kind_get_info (self->kind)->columns[column].type);
}

/* Returns the decoded column if it is cached. Otherwise returns NULL, and the caller must load the
 * column and call end_loading(). */
static GBytes *
find_or_begin_loading (TbTable *self, Content *content, guint column)
{
  GBytes *bytes;

  g_mutex_lock (&self->lock);
  while ((bytes = tb_store_use_cached (self->store, &content->cached[column])) == NULL
         && content->loading[column])
    g_cond_wait (&self->loaded, &self->lock);
  if (bytes == NULL)
    content->loading[column] = TRUE;
  g_mutex_unlock (&self->lock);
  return bytes;
}

static void
end_loading (TbTable *self, Content *content, guint column)
{
  g_mutex_lock (&self->lock);
  content->loading[column] = FALSE;
  g_cond_broadcast (&self->loaded);
  g_mutex_unlock (&self->lock);
}

static GBytes *
load_column (TbTable *self, Content *content, guint column, GError **error)
{
  TbCachedColumn *loaded
      = tb_cached_column_new (self->store, content->n_rows * get_value_size (self, column), error);

  if (loaded == NULL)
    return NULL;
  if (!tb_table_decode_column (self->store, content->index, column, loaded->memory, error))
    {
      tb_cached_column_unref (loaded);
      return NULL;
    }
  return tb_store_cache (self->store, loaded, &content->cached[column]);
}

static GBytes *
get_whole (TbTable *self, Content *content, guint column, GError **error)
{
  GBytes *bytes;

  if (content->n_rows == 0)
    return g_bytes_new_static ("", 0);
  if (content->memory[column] != NULL)
    return g_bytes_ref (content->memory[column]);

  bytes = find_or_begin_loading (self, content, column);
  if (bytes == NULL)
    {
      bytes = load_column (self, content, column, error);
      end_loading (self, content, column);
    }
  return bytes;
}

/* A caller that ignores the error must not pass for one that has read everything. */
static GBytes *
finish_read (TbTable *self, GBytes *bytes, GError *failure, GError **error)
{
  if (failure != NULL)
    {
      tb_store_note_failure (self->store, failure);
      g_propagate_error (error, failure);
    }
  return bytes;
}

/**
 * tb_table_get_column:
 * @self: a table
 * @column: number of a column, such as %TB_SWITCH_TIME
 * @error: return location for an error
 *
 * Gets the values of a column as one array of [method@Tailback.Table.get_n_rows] values of the
 * column's type, in the machine's byte order.
 *
 * The first call reads and decodes them (about 50 million values a second and core), on two threads
 * if the column is long; later calls cost nothing while the array is cached. The array is valid as
 * long as the caller holds the reference, even after the session is freed. In Python,
 * `numpy.frombuffer (bytes.get_data (), dtype)` makes an array of it.
 *
 * Fails with %TB_SESSION_ERROR_DAMAGED, with the table, column and chunk in the message, if the
 * file is damaged; with %TB_SESSION_ERROR_IO if it cannot be read or there is not enough memory;
 * and with %G_IO_ERROR_CANCELLED if the thread's current cancellable (see
 * [func@Gio.Cancellable.get_current]) is cancelled during the call.
 *
 * Returns: (transfer full): the values
 */
GBytes *
tb_table_get_column (TbTable *self, guint column, GError **error)
{
  Content *content;
  GError *failure = NULL;
  GBytes *bytes;

  g_return_val_if_fail (TB_IS_TABLE (self), NULL);
  g_return_val_if_fail (column < tb_table_kind_get_info (self->kind)->n_columns, NULL);

  content = ref_content (self);
  bytes = get_whole (self, content, column, &failure);
  content_unref (content);
  return finish_read (self, bytes, failure, error);
}

/* Decodes only the chunks that contain [first, first + n). */
static GBytes *
decode_range (TbTable *self, Content *content, guint column, guint64 first, gsize n, GError **error)
{
  gsize size = get_value_size (self, column);
  guint8 *values = g_try_malloc_n (n, size);
  g_autofree guint8 *chunk_values = NULL;
  gsize done = 0;

  if (values == NULL)
    return get_whole (self, content, column, error); /* either fails with a message or succeeds */

  while (done < n)
    {
      guint chunk = (guint) ((first + done) / TB_CHUNK_ROWS);
      guint offset = (guint) ((first + done) % TB_CHUNK_ROWS);
      guint n_rows = tb_table_index_get_chunk_rows (content->index, chunk);
      gsize m = MIN (n - done, n_rows - offset);
      guint8 *target = values + done * size;

      if (m < n_rows)
        {
          if (chunk_values == NULL)
            chunk_values = g_malloc (TB_CHUNK_ROWS * size);
          target = chunk_values;
        }
      if (!tb_table_decode_chunk (self->store, content->index, column, chunk, target, error))
        {
          g_free (values);
          return NULL;
        }
      if (m < n_rows)
        memcpy (values + done * size, chunk_values + offset * size, m * size);
      done += m;
    }
  return g_bytes_new_take (values, n * size);
}

/**
 * tb_table_get_column_range:
 * @self: a table
 * @column: number of a column
 * @first: the first row
 * @n: number of rows
 * @error: return location for an error
 *
 * Gets the values of the rows [@first, @first + @n) like [method@Tailback.Table.get_column], but
 * decodes only the chunks of 65536 rows that contain them. Rows beyond the end are omitted.
 *
 * Returns: (transfer full): the values
 */
GBytes *
tb_table_get_column_range (TbTable *self, guint column, guint64 first, guint64 n, GError **error)
{
  Content *content;
  g_autoptr (GBytes) whole = NULL;
  GBytes *bytes = NULL;
  GError *failure = NULL;
  gsize size;

  g_return_val_if_fail (TB_IS_TABLE (self), NULL);
  g_return_val_if_fail (column < tb_table_kind_get_info (self->kind)->n_columns, NULL);

  content = ref_content (self);
  size = get_value_size (self, column);
  first = MIN (first, content->n_rows);
  n = MIN (n, content->n_rows - first);

  if (n == 0)
    bytes = g_bytes_new_static ("", 0);
  else if (content->memory[column] != NULL || n > content->n_rows / 2)
    whole = get_whole (self, content, column, &failure);
  else
    {
      whole = tb_store_use_cached (self->store, &content->cached[column]);
      if (whole == NULL)
        bytes = decode_range (self, content, column, first, n, &failure);
    }
  if (whole != NULL)
    bytes = g_bytes_new_from_bytes (whole, first * size, n * size);
  content_unref (content);
  return finish_read (self, bytes, failure, error);
}

static gboolean
overlaps (Content *content, guint chunk, gint64 from, gint64 to)
{
  TbTimeRange span = tb_table_index_get_span (content->index, chunk);

  if (span.minimum > span.maximum)
    return TRUE; /* the chunk has no times: it may overlap */
  return span.minimum < to
         && (span.maximum >= from || tb_table_index_may_be_open (content->index, chunk));
}

/**
 * tb_table_find_rows:
 * @self: a table
 * @from: start of a time range, ns
 * @to: its end, exclusive
 * @first: (out): the first row
 * @n_rows: (out): number of rows
 *
 * Finds a range of rows that contains every row with a time in [@from, @to) and every operation
 * that spans it. Only the index of the file is used: nothing is decoded. The range may contain
 * other rows, too. For tables without times it is all rows.
 */
void
tb_table_find_rows (TbTable *self, gint64 from, gint64 to, guint64 *first, guint64 *n_rows)
{
  Content *content;
  guint64 last = 0;

  g_return_if_fail (TB_IS_TABLE (self));
  g_return_if_fail (first != NULL && n_rows != NULL);

  content = ref_content (self);
  *first = 0;
  *n_rows = content->n_rows;
  if (content->index != NULL)
    {
      *first = content->n_rows;
      for (guint chunk = 0; chunk < tb_table_index_get_n_chunks (content->index); chunk++)
        if (overlaps (content, chunk, from, to))
          {
            guint64 start = (guint64) chunk * TB_CHUNK_ROWS;

            *first = MIN (*first, start);
            last = start + tb_table_index_get_chunk_rows (content->index, chunk);
          }
      *n_rows = last > *first ? last - *first : 0;
      if (*n_rows == 0)
        *first = 0;
    }
  content_unref (content);
}

/**
 * tb_table_get_time_range:
 * @self: a table
 * @from: (out): the earliest time, ns
 * @to: (out): the latest
 *
 * Gets the smallest and the largest time in all columns that hold times, from the index of the
 * file.
 *
 * Returns: %FALSE if the table has no times (@from and @to are then 0)
 */
gboolean
tb_table_get_time_range (TbTable *self, gint64 *from, gint64 *to)
{
  Content *content;
  TbTimeRange range = { G_MAXINT64, G_MININT64 };
  gboolean found_any;

  g_return_val_if_fail (TB_IS_TABLE (self), FALSE);
  g_return_val_if_fail (from != NULL && to != NULL, FALSE);

  content = ref_content (self);
  if (content->index != NULL)
    for (guint chunk = 0; chunk < tb_table_index_get_n_chunks (content->index); chunk++)
      {
        TbTimeRange span = tb_table_index_get_span (content->index, chunk);

        range.minimum = MIN (range.minimum, span.minimum);
        range.maximum = MAX (range.maximum, span.maximum);
      }
  else
    for (guint i = 0; content->memory[i] != NULL; i++)
      if (tb_column_role_is_time (tb_table_kind_get_role (self->kind, i)))
        {
          TbTimeRange found;

          tb_times_get_range (g_bytes_get_data (content->memory[i], NULL), content->n_rows,
                              &found.minimum, &found.maximum);
          range.minimum = MIN (range.minimum, found.minimum);
          range.maximum = MAX (range.maximum, found.maximum);
        }
  content_unref (content);

  found_any = range.minimum <= range.maximum;
  *from = found_any ? range.minimum : 0;
  *to = found_any ? range.maximum : 0;
  return found_any;
}

gboolean
tb_table_check (TbTable *self, GCancellable *cancellable, GError **error)
{
  Content *content = ref_content (self);
  g_autofree guint8 *values = NULL;
  gboolean ok = TRUE;

  if (content->index != NULL && content->n_rows > 0)
    {
      values = g_malloc (TB_CHUNK_ROWS * 8);
      for (guint i = 0; ok && i < tb_table_kind_get_info (self->kind)->n_columns; i++)
        for (guint chunk = 0; ok && chunk < tb_table_index_get_n_chunks (content->index); chunk++)
          ok = !g_cancellable_set_error_if_cancelled (cancellable, error)
               && tb_table_decode_chunk (self->store, content->index, i, chunk, values, error);
    }
  content_unref (content);
  return ok;
}
