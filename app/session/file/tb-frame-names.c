/* tb-frame-names.c: function names of the frames of a session: read on first access; those that a
 * symbolization elsewhere has found are added, announced and saved in the file
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/file/tb-session-private.h"
#include "session/file/tb-symbol-ids-private.h"

#define BLOCK_SIZE (64 * 1024)

/* The names of one frame, innermost first. They never change once published, except that a frame
 * without a name may get names later. */
typedef struct
{
  guint n;
  TbFrameName names[];
} Names;

typedef struct
{
  const char *function;
  const char *file;
} Symbol;

struct _TbFrameNames
{
  TbSession *session; /* owns this object */
  guint64 n_frames;
  Names **frames;   /* each NULL until published; atomic */
  gint generation;  /* atomic */
  gboolean damaged; /* in the file; set before loaded */
  guint n_missing;  /* requests that found no name, if damaged; atomic */

  /* protected by lock */
  GMutex lock;
  gint loaded; /* atomic, set with lock held */
  GPtrArray *blocks;
  gsize block_used;
  GStringChunk *text;
  GArray *symbols;
  GHashTable *symbol_ids; /* Symbol → id + 1; created when first needed */
  guint nameless_id;      /* of the symbol of frames without a name, + 1; 0 until needed */
  TbSymbolIds *file_ids;  /* in the session's file; NULL until loaded */
  TbFrameName recent;     /* the last name of the current call; function is NULL if there is none */
  guint recent_id;        /* its symbol */
  GArray *unsaved_frames;
  gboolean is_announced;
};

TbFrameNames *
tb_frame_names_new (TbSession *session, guint64 n_frames)
{
  TbFrameNames *self = g_new0 (TbFrameNames, 1);

  self->session = session;
  self->n_frames = n_frames;
  g_mutex_init (&self->lock);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->block_used = BLOCK_SIZE;
  self->text = g_string_chunk_new (BLOCK_SIZE);
  self->symbols = g_array_new (FALSE, FALSE, sizeof (Symbol));
  self->unsaved_frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
tb_frame_names_free (TbFrameNames *self)
{
  if (self == NULL)
    return;
  g_free (self->frames);
  g_ptr_array_unref (self->blocks);
  g_string_chunk_free (self->text);
  g_array_unref (self->symbols);
  g_clear_pointer (&self->symbol_ids, g_hash_table_unref);
  g_array_unref (self->unsaved_frames);
  g_clear_pointer (&self->file_ids, tb_symbol_ids_free);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static Names *
allocate_names (TbFrameNames *self, guint n)
{
  gsize size = sizeof (Names) + n * sizeof (TbFrameName);
  Names *names;

  if (size > BLOCK_SIZE / 4)
    {
      names = g_malloc (size);
      g_ptr_array_insert (self->blocks, 0, names);
    }
  else
    {
      if (self->block_used + size > BLOCK_SIZE)
        {
          g_ptr_array_add (self->blocks, g_malloc (BLOCK_SIZE));
          self->block_used = 0;
        }
      names = (Names *) ((char *) g_ptr_array_index (self->blocks, self->blocks->len - 1)
                         + self->block_used);
      self->block_used += size;
    }
  names->n = n;
  return names;
}

/* ---- reading ---- */

static gboolean
read_symbols (TbFrameNames *self, sqlite3_stmt *statement)
{
  guint64 size = 0;

  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      Symbol symbol;
      const char *function = (const char *) sqlite3_column_text (statement, 1);
      const char *file = (const char *) sqlite3_column_text (statement, 2);

      if (sqlite3_column_int64 (statement, 0) != self->symbols->len || function == NULL
          || file == NULL)
        return FALSE;
      size += strlen (function) + strlen (file);
      if (size > self->session->store->file_size + BLOCK_SIZE
          || !g_utf8_validate (function, -1, NULL) || !g_utf8_validate (file, -1, NULL))
        return FALSE;
      symbol.function = g_string_chunk_insert (self->text, function);
      symbol.file = *file != '\0' ? g_string_chunk_insert_const (self->text, file) : "";
      g_array_append_val (self->symbols, symbol);
    }
  return sqlite3_errcode (sqlite3_db_handle (statement)) == SQLITE_DONE;
}

static gboolean
publish_read (TbFrameNames *self, gint64 frame, const GArray *names)
{
  Names *published;

  if (names->len == 0)
    return TRUE;
  if (self->frames[frame] != NULL)
    return FALSE;
  published = allocate_names (self, names->len);
  memcpy (published->names, names->data, names->len * sizeof (TbFrameName));
  published->names[names->len - 1].is_inline = FALSE;
  g_atomic_pointer_set (&self->frames[frame], published);
  return TRUE;
}

static gboolean
read_frames (TbFrameNames *self, sqlite3_stmt *statement)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  gint64 frame = -1;

  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      gint64 row_frame = sqlite3_column_int64 (statement, 0),
             depth = sqlite3_column_int64 (statement, 1);
      gint64 symbol = sqlite3_column_int64 (statement, 2),
             line = sqlite3_column_int64 (statement, 3);
      TbFrameName name;

      if (row_frame < 0 || (guint64) row_frame >= self->n_frames)
        return FALSE;
      if (row_frame != frame)
        {
          if (row_frame < frame || !publish_read (self, frame, names))
            return FALSE;
          g_array_set_size (names, 0);
          frame = row_frame;
        }
      if (depth != names->len || symbol < 0 || symbol >= self->symbols->len || line < 0
          || line > G_MAXINT32)
        return FALSE;
      name.function = g_array_index (self->symbols, Symbol, symbol).function;
      name.file = g_array_index (self->symbols, Symbol, symbol).file;
      name.line = (guint) line;
      name.is_inline = sqlite3_column_int (statement, 4) != 0;
      g_array_append_val (names, name);
    }
  return sqlite3_errcode (sqlite3_db_handle (statement)) == SQLITE_DONE
         && publish_read (self, frame, names);
}

static gboolean
read_query (TbFrameNames *self, const char *sql, gboolean (*read) (TbFrameNames *, sqlite3_stmt *))
{
  sqlite3_stmt *statement = NULL;
  gboolean ok
      = sqlite3_prepare_v2 (self->session->store->file->db, sql, -1, &statement, NULL) == SQLITE_OK
        && read (self, statement);

  sqlite3_finalize (statement);
  return ok;
}

/* In one transaction: another process may add symbols, and frames that refer to them, between the
 * two queries. */
static gboolean
read_all (TbFrameNames *self)
{
  sqlite3 *db = self->session->store->file->db;
  gboolean is_ours = sqlite3_get_autocommit (db) != 0;
  gboolean ok;

  if (is_ours && sqlite3_exec (db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
    return FALSE;
  ok = read_query (self, "SELECT id, function, file FROM symbol ORDER BY id", read_symbols)
       && read_query (
           self, "SELECT frame, depth, symbol, line, inlined FROM frame_name ORDER BY frame, depth",
           read_frames);
  if (is_ours)
    sqlite3_exec (db, "COMMIT", NULL, NULL, NULL);
  return ok;
}

/* The lock must be held. Names are not needed to show a session at first, so they are read at the
 * first access. */
static void
load (TbFrameNames *self)
{
  TbStore *store = self->session->store;
  gboolean ok;

  if (g_atomic_int_get (&self->loaded))
    return;
  self->frames = g_new0 (Names *, MAX (self->n_frames, 1));
  g_mutex_lock (&store->lock);
  ok = read_all (self);
  g_mutex_unlock (&store->lock);
  if (!ok)
    {
      g_message (_ ("“%s”: the function names are damaged; some are missing"),
                 self->session->display_name);
      self->damaged = TRUE;
      /* the ids in the file are unreliable: later additions are kept in memory */
      g_atomic_int_set (&self->session->writable, FALSE);
    }
  self->file_ids = tb_symbol_ids_new ();
  for (guint i = 0; i < self->symbols->len; i++)
    tb_symbol_ids_set (self->file_ids, i, self->file_ids->n++);
  g_atomic_int_set (&self->loaded, TRUE);
}

static void
ensure_loaded (TbFrameNames *self)
{
  if (g_atomic_int_get (&self->loaded))
    return;
  g_mutex_lock (&self->lock);
  load (self);
  g_mutex_unlock (&self->lock);
}

static gboolean
is_nameless (const TbFrameName *names, guint n)
{
  return n == 1 && (names->function == NULL || names->function[0] == '\0');
}

gboolean
tb_frame_names_check (TbFrameNames *self, GError **error)
{
  ensure_loaded (self);
  if (self->damaged)
    tb_session_set_damaged_error (self->session, _ ("function names cannot be read"), error);
  return !self->damaged;
}

/**
 * tb_session_get_missing_names:
 * @self: a session
 * @error: return location for an error that describes the damage
 *
 * Counts the requests by [method@Tailback.Session.get_frame_names] so far that found no name, in a
 * session whose function names are damaged: the file may have had these names. Work during which
 * the number grows may lack names. From any thread.
 *
 * Returns: their number; if it is 0, there is no error
 */
guint
tb_session_get_missing_names (TbSession *self, GError **error)
{
  guint n;

  g_return_val_if_fail (TB_IS_SESSION (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  n = (guint) g_atomic_int_get (&self->names->n_missing);
  if (n > 0)
    tb_frame_names_check (self->names, error);
  return n;
}

/**
 * tb_session_get_frame_names:
 * @self: a session
 * @frame: a frame
 * @n_names: (out): number of names
 *
 * Gets the functions at a frame, innermost first: the inlined ones, then the one they are inlined
 * into. No names means that the frame has not been symbolized yet; one name with the function ""
 * means that no name was found. Names are valid as long as the session. They never change, except
 * that a later symbolization may find a name that was not found before. May be called from any
 * thread; the first call reads all names in the file.
 *
 * Returns: (array length=n_names) (transfer none) (nullable): the names
 */
const TbFrameName *
tb_session_get_frame_names (TbSession *self, guint32 frame, guint *n_names)
{
  const Names *names;

  g_return_val_if_fail (TB_IS_SESSION (self), NULL);
  g_return_val_if_fail (n_names != NULL, NULL);

  *n_names = 0;
  if (frame >= self->names->n_frames)
    return NULL;
  ensure_loaded (self->names);
  names = g_atomic_pointer_get (&self->names->frames[frame]);
  if (self->names->damaged && (names == NULL || is_nameless (names->names, names->n)))
    g_atomic_int_inc (&self->names->n_missing);
  if (names == NULL)
    return NULL;
  *n_names = names->n;
  return names->names;
}

/**
 * tb_session_get_symbols_generation:
 * @self: a session
 *
 * Gets how often names were published since the session was opened, so that a report can record
 * which names it was made with.
 *
 * Returns: the count
 */
guint
tb_session_get_symbols_generation (TbSession *self)
{
  g_return_val_if_fail (TB_IS_SESSION (self), 0);

  return (guint) g_atomic_int_get (&self->names->generation);
}

/* ---- writing ---- */

static guint
hash_symbol (gconstpointer data)
{
  const Symbol *symbol = data;

  return g_str_hash (symbol->function) * 31 + g_str_hash (symbol->file);
}

static gboolean
symbols_are_equal (gconstpointer a, gconstpointer b)
{
  const Symbol *x = a, *y = b;

  return g_str_equal (x->function, y->function) && g_str_equal (x->file, y->file);
}

static void
index_symbol (TbFrameNames *self, guint id)
{
  g_hash_table_insert (self->symbol_ids,
                       g_memdup2 (&g_array_index (self->symbols, Symbol, id), sizeof (Symbol)),
                       GUINT_TO_POINTER (id + 1));
}

/* Returns NULL if the text is valid. */
static char *
make_valid (const char *text)
{
  if (text == NULL)
    return g_strdup ("");
  return g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);
}

static guint
look_up_symbol (TbFrameNames *self, const Symbol *symbol)
{
  if (self->symbol_ids == NULL)
    {
      self->symbol_ids = g_hash_table_new_full (hash_symbol, symbols_are_equal, g_free, NULL);
      for (guint i = 0; i < self->symbols->len; i++)
        index_symbol (self, i);
    }
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->symbol_ids, symbol));
}

static guint
find_symbol_id (TbFrameNames *self, const TbFrameName *name)
{
  g_autofree char *function = make_valid (name->function);
  g_autofree char *file = make_valid (name->file);
  Symbol symbol
      = { function != NULL ? function : name->function, file != NULL ? file : name->file };
  guint id = look_up_symbol (self, &symbol);

  if (id > 0)
    return id - 1;

  symbol.function = g_string_chunk_insert (self->text, symbol.function);
  symbol.file = *symbol.file != '\0' ? g_string_chunk_insert_const (self->text, symbol.file) : "";
  id = self->symbols->len;
  g_array_append_val (self->symbols, symbol);
  index_symbol (self, id);
  return id;
}

/* Many frames have no name. */
static guint
intern_symbol (TbFrameNames *self, const TbFrameName *name)
{
  if (name->function == NULL || *name->function != '\0' || name->file == NULL
      || *name->file != '\0')
    return find_symbol_id (self, name);
  if (self->nameless_id == 0)
    self->nameless_id = find_symbol_id (self, name) + 1;
  return self->nameless_id - 1;
}

/* Likewise. Neighbours have the same strings, which exist during a call only. */
static guint
intern_recent_symbol (TbFrameNames *self, const TbFrameName *name)
{
  if (name->function == NULL || name->function != self->recent.function
      || name->file != self->recent.file)
    {
      self->recent_id = intern_symbol (self, name);
      self->recent = *name;
    }
  return self->recent_id;
}

static Names *
copy_names (TbFrameNames *self, const TbFrameName *names, guint n)
{
  Names *copy = allocate_names (self, n);

  for (guint i = 0; i < n; i++)
    {
      guint id = intern_recent_symbol (self, &names[i]);
      const Symbol *symbol = &g_array_index (self->symbols, Symbol, id);

      copy->names[i]
          = (TbFrameName) { symbol->function, symbol->file, MIN (names[i].line, G_MAXINT32),
                            names[i].is_inline && i + 1 < n };
    }
  return copy;
}

typedef struct
{
  guint32 frame;
  Names *names;
} Publication;

/* Frames that get names. */
typedef struct
{
  TbFrameNames *self;
  GArray *publications; /* in any order */
  guint8 *frames;       /* a bit for each */
  TbSymbolIds *ids;     /* NULL until they are written */
} Publishing;

static void
publishing_clear (Publishing *self)
{
  g_clear_pointer (&self->publications, g_array_unref);
  g_clear_pointer (&self->frames, g_free);
  g_clear_pointer (&self->ids, tb_symbol_ids_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Publishing, publishing_clear)

/* Takes over the IDs of symbols that another process has added to the file. */
static gboolean
read_added_symbols (TbFrameNames *self, TbSessionFile *file, TbSymbolIds *ids, GError **error)
{
  sqlite3_stmt *statement = tb_session_file_prepare (file, TB_STATEMENT_GET_ADDED_SYMBOLS, error);
  gboolean ok;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, ids->n);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      const Symbol symbol = { (const char *) sqlite3_column_text (statement, 1),
                              (const char *) sqlite3_column_text (statement, 2) };
      gint64 id = sqlite3_column_int64 (statement, 0);
      guint known
          = symbol.function != NULL && symbol.file != NULL ? look_up_symbol (self, &symbol) : 0;

      if (id >= TB_SYMBOL_ID_NONE - 1)
        break;
      if (known > 0 && tb_symbol_ids_get (ids, known - 1) == TB_SYMBOL_ID_NONE)
        tb_symbol_ids_set (ids, known - 1, (guint32) id);
      ids->n = (guint) id + 1;
      ids->mixed = TRUE;
    }
  ok = sqlite3_errcode (file->db) == SQLITE_DONE;
  if (!ok)
    tb_session_file_set_error (file, error);
  sqlite3_reset (statement);
  return ok;
}

static gboolean
write_symbols (TbFrameNames *self, TbSessionFile *file, TbSymbolIds *ids, GError **error)
{
  if (!read_added_symbols (self, file, ids, error))
    return FALSE;
  for (guint i = 0; i < self->symbols->len; i++)
    {
      const Symbol *symbol = &g_array_index (self->symbols, Symbol, i);
      sqlite3_stmt *statement;

      if (tb_symbol_ids_get (ids, i) != TB_SYMBOL_ID_NONE)
        continue;
      statement = tb_session_file_prepare (file, TB_STATEMENT_PUT_SYMBOL, error);
      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int64 (statement, 1, ids->n);
      sqlite3_bind_text (statement, 2, symbol->function, -1, SQLITE_STATIC);
      sqlite3_bind_text (statement, 3, symbol->file, -1, SQLITE_STATIC);
      if (!tb_session_file_run (file, statement, error))
        return FALSE;
      tb_symbol_ids_set (ids, i, ids->n++);
    }
  return TRUE;
}

/* Another process may have found more inlined functions in a frame. */
static gboolean
remove_names (TbSessionFile *file, guint32 frame, GError **error)
{
  sqlite3_stmt *statement = tb_session_file_prepare (file, TB_STATEMENT_REMOVE_FRAME_NAMES, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, frame);
  return tb_session_file_run (file, statement, error);
}

static gboolean
write_names (TbFrameNames *self,
             TbSessionFile *file,
             const TbSymbolIds *ids,
             guint32 frame,
             const Names *names,
             GError **error)
{
  if (ids->mixed && !remove_names (file, frame, error))
    return FALSE;
  for (guint i = 0; i < names->n; i++)
    {
      const TbFrameName *name = &names->names[i];
      sqlite3_stmt *statement = tb_session_file_prepare (file, TB_STATEMENT_PUT_FRAME_NAME, error);

      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int64 (statement, 1, frame);
      sqlite3_bind_int64 (statement, 2, i);
      sqlite3_bind_int64 (statement, 3, tb_symbol_ids_get (ids, intern_symbol (self, name)));
      sqlite3_bind_int64 (statement, 4, name->line);
      sqlite3_bind_int (statement, 5, name->is_inline);
      if (!tb_session_file_run (file, statement, error))
        return FALSE;
    }
  return TRUE;
}

/* Writes the names in the order of their frames, in which the table is stored. */
static gboolean
write_publications (TbSessionFile *file, gpointer data, GError **error)
{
  const Publishing *publishing = data;
  TbFrameNames *self = publishing->self;

  if (!write_symbols (self, file, publishing->ids, error))
    return FALSE;
  for (guint64 byte = 0; byte <= self->n_frames / 8; byte++)
    for (guint bits = publishing->frames[byte]; bits != 0; bits &= bits - 1)
      {
        guint32 frame = (guint32) (byte * 8 + (guint) __builtin_ctz (bits));

        if (!write_names (self, file, publishing->ids, frame, self->frames[frame], error))
          return FALSE;
      }
  return TRUE;
}

gboolean
tb_frame_names_save (TbFrameNames *self, TbSessionFile *file, GError **error)
{
  g_autoptr (TbSymbolIds) ids = NULL;
  gboolean ok;

  g_mutex_lock (&self->lock);
  load (self);
  ids = tb_symbol_ids_copy (self->file_ids);
  ok = write_symbols (self, file, ids, error);
  for (guint i = 0; ok && i < self->unsaved_frames->len; i++)
    {
      guint32 frame = g_array_index (self->unsaved_frames, guint32, i);

      ok = write_names (self, file, ids, frame, self->frames[frame], error);
    }
  g_mutex_unlock (&self->lock);
  return ok;
}

static gboolean
announce (gpointer data)
{
  g_autoptr (TbSession) session = g_weak_ref_get (data);

  if (session != NULL)
    {
      g_mutex_lock (&session->names->lock);
      session->names->is_announced = FALSE;
      g_mutex_unlock (&session->names->lock);
      g_signal_emit_by_name (session, "symbols-changed");
    }
  return G_SOURCE_REMOVE;
}

static void
free_weak_ref (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* The lock must be held. One emission covers everything that is published until the main context
 * runs. */
static void
schedule_announcement (TbFrameNames *self)
{
  GWeakRef *ref;

  if (self->is_announced)
    return;
  self->is_announced = TRUE;
  ref = g_new (GWeakRef, 1);
  g_weak_ref_init (ref, self->session);
  g_idle_add_full (G_PRIORITY_DEFAULT, announce, ref, free_weak_ref);
}

/* Whether the names add to those that the frame has. */
static gboolean
add_information (TbFrameNames *self, guint32 frame, const TbFrameName *names, guint n)
{
  const Names *known = self->frames[frame];

  return known == NULL || (is_nameless (known->names, known->n) && !is_nameless (names, n));
}

/* Finds the frames that have no names yet, and copies their new names. */
static void
collect_publications (Publishing *publishing,
                      const guint32 *frames,
                      const guint *n_names,
                      guint n_frames,
                      const TbFrameName *names)
{
  TbFrameNames *self = publishing->self;

  publishing->publications = g_array_new (FALSE, FALSE, sizeof (Publication));
  publishing->frames = g_malloc0 (self->n_frames / 8 + 1);
  self->recent.function = NULL;
  for (guint i = 0; i < n_frames; names += n_names[i], i++)
    {
      Publication publication = { .frame = frames[i] };
      guint8 bit = (guint8) (1 << frames[i] % 8);

      if (n_names[i] == 0 || frames[i] >= self->n_frames
          || !add_information (self, frames[i], names, n_names[i])
          || (publishing->frames[frames[i] / 8] & bit) != 0)
        continue;
      publishing->frames[frames[i] / 8] |= bit;
      publication.names = copy_names (self, names, n_names[i]);
      g_array_append_val (publishing->publications, publication);
    }
}

static void
publish (const Publishing *publishing)
{
  TbFrameNames *self = publishing->self;

  for (guint i = 0; i < publishing->publications->len; i++)
    {
      const Publication *publication = &g_array_index (publishing->publications, Publication, i);

      g_atomic_pointer_set (&self->frames[publication->frame], publication->names);
    }
  if (publishing->publications->len == 0)
    return;
  g_atomic_int_inc (&self->generation);
  schedule_announcement (self);
}

static void
keep_unsaved (const Publishing *publishing)
{
  for (guint i = 0; i < publishing->publications->len; i++)
    g_array_append_val (publishing->self->unsaved_frames,
                        g_array_index (publishing->publications, Publication, i).frame);
}

/**
 * tb_session_add_frame_names:
 * @self: a session
 * @frames: (array length=n_frames): frames
 * @n_names: (array length=n_frames): number of names of each frame, at least one
 * @n_frames: number of frames
 * @names: the names of the first frame, innermost first, then those of the second, …
 * @error: return location for an error
 *
 * Publishes the names of frames, all at once, and saves them in one transaction. A frame that has
 * names keeps them. A name with the function "" means that no name was found; it can be replaced
 * later. Its line, if not 0, is the offset in the module's file at which the function begins.
 * [signal@Tailback.Session::symbols-changed] is emitted in the main context. May be called from any
 * thread.
 *
 * If the file is read-only, the names are kept in memory; this is also the case if writing fails,
 * with the error %TB_SESSION_ERROR_READ_ONLY.
 *
 * Returns: whether nothing failed
 */
gboolean
tb_session_add_frame_names (TbSession *self,
                            const guint32 *frames,
                            const guint *n_names,
                            guint n_frames,
                            const TbFrameName *names,
                            GError **error)
{
  TbFrameNames *all;
  g_auto (Publishing) publishing = { NULL };
  gboolean ok = TRUE, saved = FALSE;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);
  g_return_val_if_fail (n_frames == 0 || (frames != NULL && n_names != NULL && names != NULL),
                        FALSE);

  publishing.self = all = self->names;
  g_mutex_lock (&all->lock);
  load (all);
  collect_publications (&publishing, frames, n_names, n_frames, names);
  publish (&publishing);
  if (publishing.publications->len > 0 && tb_session_is_writable (self))
    {
      publishing.ids = tb_symbol_ids_copy (all->file_ids);
      ok = saved = tb_session_write (self, write_publications, &publishing, error);
    }
  if (saved)
    {
      tb_symbol_ids_free (all->file_ids);
      all->file_ids = g_steal_pointer (&publishing.ids);
    }
  else
    keep_unsaved (&publishing);
  g_mutex_unlock (&all->lock);
  return ok;
}
