/* tb-symbol-prefetch.c: files with the names of functions, read in a thread while the recording
 * that needs them is imported, for the symbolizer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "symbols/tb-running-kernel-private.h"
#include "symbols/tb-symbol-prefetch-private.h"

/* Files that are open and not taken: a process may open a thousand, and each of those that were
 * read has its tables in memory. */
#define MAX_READY 16
#define MAX_OPEN 256

typedef enum
{
  WAITING,
  READING,
  READY,
  TAKEN,
} State;

typedef struct
{
  TbModuleKind kind;
  char *path;
  char *build_id;
  State state;
  /* at most one of these */
  TbElfSymbols *elf;
  TbAddressNames *kernel;
  gboolean has_tables; /* of symbols, in memory */
} Item;

/**
 * TbSymbolPrefetch:
 *
 * Reads the files whose functions a recording will need while it is imported: the symbol tables of
 * a file and its decompressed debug information, and the kernel's list of its functions. The
 * import uses one CPU; another one usually has nothing to do.
 *
 * A file is read when the first address in it is recorded. Only files with a build ID are read:
 * which file was mapped otherwise depends on the whole recording. Files with names that are known
 * from earlier are not read.
 */
struct _TbSymbolPrefetch
{
  GObject parent_instance;

  TbSymbolizerFlags flags;
  GThread *thread;

  GMutex lock; /* protects the following */
  GCond changed;
  GPtrArray *items;
  GHashTable *by_key; /* Item */
  guint next;
  guint n_ready; /* with tables */
  guint n_open;
  gboolean is_reading;
  gboolean is_ended;
};

G_DEFINE_FINAL_TYPE (TbSymbolPrefetch, tb_symbol_prefetch, G_TYPE_OBJECT)

static void
item_free (gpointer data)
{
  Item *item = data;

  g_clear_pointer (&item->elf, tb_elf_symbols_free);
  g_clear_pointer (&item->kernel, tb_address_names_free);
  g_free (item->path);
  g_free (item->build_id);
  g_free (item);
}

static void
tb_symbol_prefetch_finalize (GObject *object)
{
  TbSymbolPrefetch *self = TB_SYMBOL_PREFETCH (object);

  g_mutex_lock (&self->lock);
  self->is_ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&self->thread, g_thread_join);
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->items);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);

  G_OBJECT_CLASS (tb_symbol_prefetch_parent_class)->finalize (object);
}

static void
tb_symbol_prefetch_class_init (TbSymbolPrefetchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_symbol_prefetch_finalize;
}

static guint
hash_item (gconstpointer data)
{
  const Item *item = data;

  return g_str_hash (item->path) * 31 + g_str_hash (item->build_id);
}

static gboolean
items_are_equal (gconstpointer a, gconstpointer b)
{
  const Item *x = a, *y = b;

  return x->kind == y->kind && strcmp (x->path, y->path) == 0
         && strcmp (x->build_id, y->build_id) == 0;
}

static void
tb_symbol_prefetch_init (TbSymbolPrefetch *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->items = g_ptr_array_new_with_free_func (item_free);
  self->by_key = g_hash_table_new (hash_item, items_are_equal);
}

static void
read_item (Item *item, gboolean inlines)
{
  if (item->kind == TB_MODULE_KERNEL)
    {
      item->kernel = tb_running_kernel_prefetch (item->build_id);
      item->has_tables = item->kernel != NULL;
      return;
    }
  item->elf = tb_elf_symbols_open (item->path, item->build_id, 0, NULL);
  if (item->elf != NULL)
    item->has_tables = tb_elf_symbols_prepare (item->elf, inlines);
}

static gboolean
can_read (const TbSymbolPrefetch *self)
{
  return self->next < self->items->len && self->n_ready < MAX_READY && self->n_open < MAX_OPEN;
}

/* Returns the next item to be read; NULL at the end. The lock must be held. */
static Item *
wait_for_item (TbSymbolPrefetch *self)
{
  while (!self->is_ended)
    {
      if (can_read (self))
        {
          Item *item = self->items->pdata[self->next++];

          if (item->state == WAITING)
            return item;
          g_cond_broadcast (&self->changed);
          continue;
        }
      g_cond_wait (&self->changed, &self->lock);
    }
  return NULL;
}

static gpointer
read_items (gpointer data)
{
  TbSymbolPrefetch *self = data;
  Item *item;

  g_mutex_lock (&self->lock);
  while ((item = wait_for_item (self)) != NULL)
    {
      item->state = READING;
      self->is_reading = TRUE;
      g_mutex_unlock (&self->lock);
      read_item (item, (self->flags & TB_SYMBOLIZER_INLINES) != 0);
      g_mutex_lock (&self->lock);
      item->state = READY;
      self->is_reading = FALSE;
      self->n_ready += item->has_tables;
      self->n_open += item->elf != NULL;
      g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Called in the thread of the import. */
static void
add_module (TbModuleKind kind, const char *path, const char *build_id, gpointer data)
{
  TbSymbolPrefetch *self = data;
  Item *item;

  if (build_id[0] == '\0'
      || (kind != TB_MODULE_KERNEL && (kind != TB_MODULE_FILE || path[0] == '[')))
    return;
  item = g_new0 (Item, 1);
  *item = (Item) { .kind = kind, .path = g_strdup (path), .build_id = g_strdup (build_id) };
  g_mutex_lock (&self->lock);
  if (g_hash_table_add (self->by_key, item))
    g_ptr_array_add (self->items, item);
  else
    item_free (item);
  g_cond_broadcast (&self->changed);
  if (self->thread == NULL)
    self->thread = g_thread_try_new ("prefetch", read_items, self, NULL);
  g_mutex_unlock (&self->lock);
}

/**
 * tb_symbol_prefetch_new:
 * @recorder: a recorder that is used for an import
 * @flags: the details that the symbolizer will find
 *
 * Reads files in a thread from now on, while @recorder is used. It does nothing on a machine with
 * one CPU.
 *
 * Returns: (transfer full): a new object, for tb_symbolizer_set_prefetch()
 */
TbSymbolPrefetch *
tb_symbol_prefetch_new (TbRecorder *recorder, TbSymbolizerFlags flags)
{
  TbSymbolPrefetch *self;

  g_return_val_if_fail (TB_IS_RECORDER (recorder), NULL);

  self = g_object_new (TB_TYPE_SYMBOL_PREFETCH, NULL);
  self->flags = flags;
  if (g_get_num_processors () > 1)
    tb_recorder_set_module_func (recorder, add_module, g_object_ref (self), g_object_unref);
  return self;
}

void
tb_symbol_prefetch_wait (TbSymbolPrefetch *self)
{
  g_mutex_lock (&self->lock);
  while (self->thread != NULL && (self->is_reading || can_read (self)))
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

/* Takes the item if it is or will be ready; one that waits will not be read any more. The lock must
 * be held. */
static Item *
take_item (TbSymbolPrefetch *self, TbModuleKind kind, const char *path, const char *build_id)
{
  const Item key = { .kind = kind, .path = (char *) path, .build_id = (char *) build_id };
  Item *item;

  /* Keys of the table are its values: the items. */
  item = g_hash_table_lookup (self->by_key, &key);
  while (item != NULL && item->state == READING)
    g_cond_wait (&self->changed, &self->lock);
  if (item == NULL || item->state == TAKEN)
    return NULL;
  self->n_ready -= item->has_tables;
  self->n_open -= item->elf != NULL;
  item->has_tables = FALSE;
  item->state = TAKEN;
  g_cond_broadcast (&self->changed);
  return item;
}

TbElfSymbols *
tb_symbol_prefetch_take_file (TbSymbolPrefetch *self, const char *path, const char *build_id)
{
  TbElfSymbols *elf = NULL;
  Item *item;

  g_mutex_lock (&self->lock);
  item = take_item (self, TB_MODULE_FILE, path, build_id);
  if (item != NULL)
    elf = g_steal_pointer (&item->elf);
  g_mutex_unlock (&self->lock);
  return elf;
}

TbAddressNames *
tb_symbol_prefetch_take_kernel (TbSymbolPrefetch *self, const char *path, const char *build_id)
{
  TbAddressNames *names = NULL;
  Item *item;

  g_mutex_lock (&self->lock);
  item = take_item (self, TB_MODULE_KERNEL, path, build_id);
  if (item != NULL)
    names = g_steal_pointer (&item->kernel);
  g_mutex_unlock (&self->lock);
  return names;
}
