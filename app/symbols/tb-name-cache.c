/* tb-name-cache.c: cache of the function names at addresses of a file, kept in the user's cache
 * folder: checked, and read or mapped, when it is opened, look-up, writing of a new file with added
 * names, removal of old files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Debug information has to be decompressed and parsed for a single address. The names of addresses
 * that were looked up once are found here by a binary search in a mapped file.
 *
 * A file is a header, the entries in ascending order of their addresses, the names of all entries,
 * the key, and the text of the names. It is of this machine only, but is not trusted: everything is
 * checked once, when it is opened.
 */

#include "config.h"

#include "symbols/tb-name-cache-private.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "TbNames1"
#define MAX_FILE_SIZE (64u << 20)
#define MAX_FOLDER_SIZE (256u << 20)
/* Smaller files are read: there may be a hundred, and each unmapping interrupts other threads. */
#define MIN_MAPPED_SIZE (1 << 20)

typedef struct
{
  char magic[8];
  guint32 n_entries;
  guint32 n_names;
  guint32 key_length;
  guint32 text_length;
} Header;

typedef struct
{
  guint64 address;
  guint32 first; /* the first of its names */
  guint32 n_names;
} Entry;

typedef struct
{
  guint32 function; /* offset into the text */
  guint32 file;
  guint32 line;
  guint32 is_inline;
} Name;

G_STATIC_ASSERT (sizeof (Header) == 24 && sizeof (Entry) == 16 && sizeof (Name) == 16);

struct _TbNameCache
{
  char *path;
  char *key;
  GBytes *content; /* of the file; NULL: it is not used */
  const Entry *entries;
  guint32 n_entries;
  guint32 next; /* the entry after the last one that was found */
  const Name *names;
  guint32 n_names;
  const char *text;
  guint32 text_length;

  GArray *added;       /* of Entry: first is into added_names */
  GArray *added_names; /* of TbFrameName */
  gboolean is_discarded;
};

static char *
make_folder_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "tailback", "names", NULL);
}

static gboolean
check_names (const TbNameCache *self)
{
  for (guint32 i = 0; i < self->n_names; i++)
    if (self->names[i].function >= self->text_length || self->names[i].file >= self->text_length)
      return FALSE;
  return self->n_names == 0 || self->text[self->text_length - 1] == '\0';
}

static gboolean
check_entries (const TbNameCache *self)
{
  for (guint32 i = 0; i < self->n_entries; i++)
    {
      const Entry *entry = &self->entries[i];

      if ((i > 0 && entry->address <= entry[-1].address) || entry->first > self->n_names
          || entry->n_names > self->n_names - entry->first)
        return FALSE;
    }
  return TRUE;
}

/* Sets the arrays to what the file has; FALSE if it is of another key or damaged. */
static gboolean
parse (TbNameCache *self)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (self->content, &size);
  Header header;

  if (data == NULL || size < sizeof header || size > MAX_FILE_SIZE)
    return FALSE;
  memcpy (&header, data, sizeof header);
  if (memcmp (header.magic, MAGIC, sizeof header.magic) != 0
      || header.key_length != strlen (self->key)
      || size
             != sizeof header + (guint64) header.n_entries * sizeof (Entry)
                    + (guint64) header.n_names * sizeof (Name) + header.key_length
                    + header.text_length)
    return FALSE;
  self->entries = (const Entry *) (gconstpointer) (data + sizeof header);
  self->names = (const Name *) (gconstpointer) (self->entries + header.n_entries);
  self->text = (const char *) (self->names + header.n_names) + header.key_length;
  self->n_entries = header.n_entries;
  self->n_names = header.n_names;
  self->text_length = header.text_length;
  return memcmp (self->text - header.key_length, self->key, header.key_length) == 0
         && check_names (self) && check_entries (self);
}

static GBytes *
read_content (int fd, gsize size)
{
  g_autofree guint8 *content = g_malloc (MAX (size, 1));

  return read (fd, content, size) == (gssize) size
             ? g_bytes_new_take (g_steal_pointer (&content), size)
             : NULL;
}

static GBytes *
map_content (int fd)
{
  g_autoptr (GMappedFile) mapped = g_mapped_file_new_from_fd (fd, FALSE, NULL);

  return mapped != NULL ? g_mapped_file_get_bytes (mapped) : NULL;
}

static GBytes *
get_content (const char *path)
{
  GBytes *content = NULL;
  struct stat status;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0)
    return NULL;
  /* Only this user's own files, which nothing but their replacement changes. */
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_uid == geteuid ()
      && status.st_size <= MAX_FILE_SIZE)
    content = status.st_size < MIN_MAPPED_SIZE ? read_content (fd, (gsize) status.st_size)
                                               : map_content (fd);
  close (fd);
  return content;
}

void
tb_name_cache_add_file_to_key (GString *key, const char *path, const struct stat *status)
{
  g_string_append_printf (key, "%s\n%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIi64 " %ld\n", path,
                          (guint64) status->st_dev, (guint64) status->st_ino,
                          (guint64) status->st_size, (gint64) status->st_mtim.tv_sec,
                          status->st_mtim.tv_nsec);
}

/* Another build of this code may find other names. */
static char *
complete_key (const char *key)
{
  GString *complete = g_string_new (NULL);
  struct stat status;
  Dl_info info;

  if (dladdr ((gconstpointer) complete_key, &info) != 0 && info.dli_fname != NULL
      && stat (info.dli_fname, &status) == 0)
    tb_name_cache_add_file_to_key (complete, info.dli_fname, &status);
  g_string_append (complete, key);
  return g_string_free_and_steal (complete);
}

TbNameCache *
tb_name_cache_open (const char *id, const char *key)
{
  TbNameCache *self = g_new0 (TbNameCache, 1);
  g_autofree char *folder = make_folder_path ();

  self->path = g_build_filename (folder, id, NULL);
  self->key = complete_key (key);
  self->added = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->added_names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  self->content = get_content (self->path);
  if (self->content != NULL && !parse (self))
    {
      g_clear_pointer (&self->content, g_bytes_unref);
      self->n_entries = self->n_names = self->text_length = 0;
    }
  return self;
}

gboolean
tb_name_cache_is_empty (const TbNameCache *self)
{
  return self->n_entries == 0;
}

void
tb_name_cache_discard (TbNameCache *self)
{
  self->is_discarded = TRUE;
}

/* Addresses are mostly looked up in ascending order. */
gboolean
tb_name_cache_find (TbNameCache *self, guint64 address, GArray *names)
{
  guint32 low = 0, high = self->n_entries;
  const Entry *entry;

  if (self->next < self->n_entries && self->entries[self->next].address == address)
    low = high = self->next;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->entries[middle].address < address)
        low = middle + 1;
      else
        high = middle;
    }
  entry = &self->entries[low];
  if (low == self->n_entries || entry->address != address)
    return FALSE;
  self->next = low + 1;
  for (guint32 i = 0; i < entry->n_names; i++)
    {
      const Name *name = &self->names[entry->first + i];
      TbFrameName found = { self->text + name->function, self->text + name->file, name->line,
                            name->is_inline != 0 };

      g_array_append_val (names, found);
    }
  return TRUE;
}

void
tb_name_cache_add (TbNameCache *self, guint64 address, const TbFrameName *names, guint n)
{
  Entry entry = { address, self->added_names->len, n };

  if (self->is_discarded)
    return;
  g_array_append_vals (self->added_names, names, n);
  g_array_append_val (self->added, entry);
}

/* --- saving --- */

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;

  return x->address < y->address ? -1 : x->address > y->address;
}

/* The text of a new file: that of the old one, and what is added. */
typedef struct
{
  GByteArray *bytes;
  GHashTable *offsets; /* of added text */
} Text;

/* The last text: neighbours have the same function and file. */
typedef struct
{
  const char *text;
  guint32 offset;
} Recent;

static guint32
intern (Text *self, Recent *recent, const char *text)
{
  gpointer found;

  if (text == recent->text)
    return recent->offset;
  recent->text = text;
  if (g_hash_table_lookup_extended (self->offsets, text, NULL, &found))
    return recent->offset = GPOINTER_TO_UINT (found);
  recent->offset = self->bytes->len;
  g_hash_table_insert (self->offsets, (gpointer) text, GUINT_TO_POINTER (recent->offset));
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) strlen (text) + 1);
  return recent->offset;
}

/* The names of the old file, then those added. */
static GArray *
join_names (const TbNameCache *self, Text *text)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Name));
  Recent function = { NULL }, file = { NULL };

  g_byte_array_append (text->bytes, (const guint8 *) self->text, self->text_length);
  g_array_append_vals (all, self->names, self->n_names);
  for (guint i = 0; i < self->added_names->len; i++)
    {
      const TbFrameName *name = &g_array_index (self->added_names, TbFrameName, i);
      Name added = { intern (text, &function, name->function), intern (text, &file, name->file),
                     name->line, name->is_inline };

      g_array_append_val (all, added);
    }
  return all;
}

static void
sort_entries (GArray *entries)
{
  const Entry *all = (const Entry *) (gconstpointer) entries->data;

  for (guint i = 1; i < entries->len; i++)
    if (all[i - 1].address > all[i].address)
      {
        g_array_sort (entries, compare_entries);
        return;
      }
}

/* Entries of both, in order; an address that was added twice has one. Those of a first look-up
 * mostly are in order. */
static GArray *
join_entries (const TbNameCache *self)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint kept = 0;

  g_array_append_vals (all, self->entries, self->n_entries);
  for (guint i = 0; i < self->added->len; i++)
    {
      Entry entry = g_array_index (self->added, Entry, i);

      entry.first += self->n_names;
      g_array_append_val (all, entry);
    }
  sort_entries (all);
  for (guint i = 0; i < all->len; i++)
    {
      Entry entry = g_array_index (all, Entry, i);

      if (kept == 0 || g_array_index (all, Entry, kept - 1).address != entry.address)
        g_array_index (all, Entry, kept++) = entry;
    }
  g_array_set_size (all, kept);
  return all;
}

static GByteArray *
make_image (const TbNameCache *self)
{
  Text text = { g_byte_array_new (), g_hash_table_new (g_str_hash, g_str_equal) };
  g_autoptr (GArray) names = join_names (self, &text);
  g_autoptr (GArray) entries = join_entries (self);
  GByteArray *image = g_byte_array_new ();
  Header header
      = { MAGIC, entries->len, names->len, (guint32) strlen (self->key), text.bytes->len };

  g_byte_array_append (image, (const guint8 *) &header, sizeof header);
  g_byte_array_append (image, (const guint8 *) entries->data, entries->len * sizeof (Entry));
  g_byte_array_append (image, (const guint8 *) names->data, names->len * sizeof (Name));
  g_byte_array_append (image, (const guint8 *) self->key, header.key_length);
  g_byte_array_append (image, text.bytes->data, text.bytes->len);
  g_byte_array_unref (text.bytes);
  g_hash_table_unref (text.offsets);
  return image;
}

typedef struct
{
  char *path;
  gint64 size;
  gint64 used;
} CachedFile;

static void
free_cached_file (gpointer data)
{
  CachedFile *file = data;

  g_free (file->path);
  g_free (file);
}

static int
compare_use (gconstpointer a, gconstpointer b)
{
  const CachedFile *x = *(CachedFile *const *) a, *y = *(CachedFile *const *) b;

  return x->used < y->used ? -1 : x->used > y->used;
}

/* Removes the files that were written longest ago while all are too large together. */
static void
limit_folder (const char *folder)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (free_cached_file);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  gint64 total = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      CachedFile file = { NULL };
      struct stat status;

      if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode))
        continue;
      file = (CachedFile) { g_steal_pointer (&path), status.st_size, status.st_mtime };
      total += file.size;
      g_ptr_array_add (files, g_memdup2 (&file, sizeof file));
    }
  g_ptr_array_sort (files, compare_use);
  for (guint i = 0; i < files->len && total > MAX_FOLDER_SIZE; i++)
    {
      const CachedFile *file = files->pdata[i];

      total -= file->size;
      g_unlink (file->path);
    }
}

/* Not synchronized with the disk: a file that a crash left incomplete is recognized. */
static gboolean
replace_file (const char *path, const GByteArray *image)
{
  g_autofree char *temporary = g_strconcat (path, ".XXXXXX", NULL);
  int fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0600);
  gboolean done = fd >= 0 && write (fd, image->data, image->len) == (gssize) image->len;

  if (fd >= 0)
    close (fd);
  done = done && g_rename (temporary, path) == 0;
  if (fd >= 0 && !done)
    g_unlink (temporary);
  return done;
}

static void
save (TbNameCache *self)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autoptr (GByteArray) image = make_image (self);

  /* What does not fit is dropped with all that was there. */
  if (image->len > MAX_FILE_SIZE)
    {
      g_unlink (self->path);
      return;
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return;
  if (replace_file (self->path, image))
    limit_folder (folder);
}

void
tb_name_cache_close (TbNameCache *self)
{
  if (self->added->len > 0 && !self->is_discarded)
    save (self);
  g_clear_pointer (&self->content, g_bytes_unref);
  g_array_unref (self->added);
  g_array_unref (self->added_names);
  g_free (self->path);
  g_free (self->key);
  g_free (self);
}
