/* tb-symbolizer.c: symbolizer: choice of the source of names for each module of a session
 * (kallsyms, ELF file, perf map, JIT dump, names in the recording), naming of its nameless frames
 * in batches, most used modules first; where names are from is stored
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/tb-address-names-private.h"
#include "symbols/tb-address-order-private.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-elf-symbols-private.h"
#include "symbols/tb-jit-dump.h"
#include "symbols/tb-kernel-names-private.h"
#include "symbols/tb-module-symbols-private.h"
#include "symbols/tb-name-batch-private.h"
#include "symbols/tb-recorded-files-private.h"
#include "symbols/tb-recorded-names-private.h"
#include "symbols/tb-running-kernel-private.h"
#include "symbols/tb-symbol-prefetch-private.h"
#include "symbols/tb-symbolizer.h"

#define CHECK_FRAMES 256     /* between two checks for cancellation */
#define PROGRESS_FRAMES 4096 /* a multiple of CHECK_FRAMES */
/* Files are read by several threads; most recordings have only a few with many addresses. */
#define MAX_THREADS 4u

/**
 * TbSymbolizer:
 *
 * Finds the names of the addresses of a session: from ELF symbol tables and DWARF, with inlined
 * functions, through elfutils; for the kernel from kallsyms; for JIT-compiled code from the perf
 * maps that runtimes write (kernel: tools/perf/Documentation/jit-interface.txt).
 *
 * A file is used only if its build ID is that of the recording: a function gets its right name or
 * none. Of files that were recorded without a build ID see tb-mapped-file.c. What was used for each
 * module, and why names are missing, is stored in the session (tb-module-symbols.c).
 */
struct _TbSymbolizer
{
  GObject parent_instance;

  TbSession *session;
  TbSymbolizerFlags flags;
  TbSymbolPrefetch *prefetch; /* NULL: nothing was read before */
  GPtrArray *problems;

  GMutex lock;         /* protects the next two */
  GHashTable *sources; /* TbSymbolSource by module */
  TbRecordedFiles *files;

  const TbModule *modules;
  guint n_modules;
  const guint32 *frame_modules;
  const guint64 *frame_offsets;
  GBytes *module_column;
  GBytes *offset_column;
  gsize n_frames;
};

G_DEFINE_FINAL_TYPE (TbSymbolizer, tb_symbolizer, G_TYPE_OBJECT)

/* The source of names for the frames of one module; at most one of the first two is set. */
typedef struct
{
  TbElfSymbols *elf;
  TbAddressNames *addresses;
  gboolean is_recorded; /* the names came with the recording */
  guint n_reused;       /* addresses that several functions had */
} Source;

static void
source_free (gpointer data)
{
  Source *source = data;

  g_clear_pointer (&source->elf, tb_elf_symbols_free);
  g_clear_pointer (&source->addresses, tb_address_names_free);
  g_free (source);
}

static void
tb_symbolizer_finalize (GObject *object)
{
  TbSymbolizer *self = TB_SYMBOLIZER (object);

  g_clear_object (&self->session);
  g_clear_object (&self->prefetch);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_clear_pointer (&self->sources, g_hash_table_unref);
  g_clear_pointer (&self->files, tb_recorded_files_free);
  g_clear_pointer (&self->module_column, g_bytes_unref);
  g_clear_pointer (&self->offset_column, g_bytes_unref);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (tb_symbolizer_parent_class)->finalize (object);
}

static void
tb_symbolizer_class_init (TbSymbolizerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_symbolizer_finalize;
}

static void
tb_symbolizer_init (TbSymbolizer *self)
{
  self->problems = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  g_mutex_init (&self->lock);
}

/**
 * tb_symbolizer_new:
 * @session: the session with the frames to be named
 * @flags: the details to find
 *
 * Creates a symbolizer for one run.
 *
 * Returns: (transfer full): a new symbolizer, for one run
 */
TbSymbolizer *
tb_symbolizer_new (TbSession *session, TbSymbolizerFlags flags)
{
  TbSymbolizer *self;

  g_return_val_if_fail (TB_IS_SESSION (session), NULL);

  self = g_object_new (TB_TYPE_SYMBOLIZER, NULL);
  self->session = g_object_ref (session);
  self->flags = flags;
  return self;
}

/**
 * tb_symbolizer_set_prefetch:
 * @self: a symbolizer that has not run
 * @prefetch: (nullable): what was read while the recording was imported, with the same flags
 *
 * Lets the symbolizer use files that have been read.
 */
void
tb_symbolizer_set_prefetch (TbSymbolizer *self, TbSymbolPrefetch *prefetch)
{
  g_return_if_fail (TB_IS_SYMBOLIZER (self));

  g_set_object (&self->prefetch, prefetch);
}

/**
 * tb_symbolizer_get_problems:
 * @self: a symbolizer that has run
 *
 * Gets the files with addresses that have no names, and the reasons.
 *
 * Returns: (transfer none) (array zero-terminated=1): one line per file
 */
const char *const *
tb_symbolizer_get_problems (TbSymbolizer *self)
{
  static const char *const none[] = { NULL };

  g_return_val_if_fail (TB_IS_SYMBOLIZER (self), none);

  return self->problems->len > 0 ? (const char *const *) self->problems->pdata : none;
}

/* Stores what the names of the module are from. Unverified names stay: a frame is named once. */
static void
add_source (TbSymbolizer *self, guint32 module, TbSymbolSource source, const GError *error)
{
  gpointer key = GUINT_TO_POINTER (module < self->n_modules ? module : TB_ID_NONE);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const TbSymbolSource *old = g_hash_table_lookup (self->sources, key);

  if (old != NULL && old->is_unverified)
    source.is_unverified = TRUE;
  source.file = g_strdup (source.file != NULL || old == NULL ? source.file : old->file);
  source.supplement = old != NULL ? g_strdup (old->supplement) : NULL;
  source.n_reused = old != NULL ? old->n_reused : 0;
  if (error != NULL
      && (source.reason == TB_SYMBOL_REASON_KERNEL || source.reason == TB_SYMBOL_REASON_PERF_MAP))
    source.detail = g_strdup (error->message);
  g_hash_table_insert (self->sources, key, g_memdup2 (&source, sizeof source));
}

/* Stores what is known when names were sought: whether a debug file is missing that others share,
 * and how many names may be those of other times. */
static void
note_uncertainty (TbSymbolizer *self, guint32 module, const Source *source)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  TbSymbolSource *stored = g_hash_table_lookup (self->sources, GUINT_TO_POINTER (module));
  const char *missing
      = source->elf != NULL ? tb_elf_symbols_get_missing_supplement (source->elf) : NULL;

  if (stored == NULL)
    return;
  stored->n_reused += source->n_reused;
  if (missing == NULL)
    return;
  g_free (stored->supplement);
  stored->supplement = g_strdup (missing);
}

/* Stores the sources in the session, and describes what is missing. */
static gboolean
finish_sources (TbSymbolizer *self, GError **error)
{
  g_autoptr (GPtrArray) list = NULL;

  if (g_hash_table_size (self->sources) == 0)
    return TRUE;
  if (!tb_symbol_sources_save (self->sources, self->session, error))
    return FALSE;
  list = tb_module_symbols_list (self->session, error);
  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      char *text = tb_module_symbols_describe (list->pdata[i]);

      if (text != NULL)
        g_ptr_array_add (self->problems, text);
    }
  return list != NULL;
}

static gboolean
load_frames (TbSymbolizer *self, GError **error)
{
  TbTable *table = tb_session_get_table (self->session, TB_TABLE_FRAME);

  self->modules = tb_session_get_modules (self->session, &self->n_modules);
  self->n_frames = tb_table_get_n_rows (table);
  self->module_column = tb_table_get_column (table, TB_FRAME_MODULE, error);
  if (self->module_column == NULL)
    return FALSE;
  self->offset_column = tb_table_get_column (table, TB_FRAME_OFFSET, error);
  if (self->offset_column == NULL)
    return FALSE;
  self->frame_modules = g_bytes_get_data (self->module_column, NULL);
  self->frame_offsets = g_bytes_get_data (self->offset_column, NULL);
  return TRUE;
}

/* Number of stack nodes of each frame: frames that occur in many stacks are named first. */
static guint32 *
count_uses (TbSymbolizer *self, GError **error)
{
  TbTable *table = tb_session_get_table (self->session, TB_TABLE_STACK);
  g_autoptr (GBytes) column = tb_table_get_column (table, TB_STACK_FRAME, error);
  guint64 n = tb_table_get_n_rows (table);
  const guint32 *frames;
  guint32 *uses;

  if (column == NULL)
    return NULL;
  frames = g_bytes_get_data (column, NULL);
  uses = g_new0 (guint32, self->n_frames + 1);
  for (guint64 i = 0; i < n; i++)
    if (frames[i] < self->n_frames)
      uses[frames[i]]++;
  return uses;
}

/* Unnamed frames by module, the module with the most uses first. */
typedef struct
{
  guint32 module;
  guint64 uses;
  GArray *frames; /* guint32 */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_array_unref (work->frames);
  g_free (work);
}

static int
compare_work (gconstpointer a, gconstpointer b)
{
  const Work *x = *(Work *const *) a, *y = *(Work *const *) b;

  if (x->uses != y->uses)
    return x->uses > y->uses ? -1 : 1;
  return x->module < y->module ? -1 : x->module > y->module;
}

/* Neighbours have the same functions, units and symbols, which are then in the cache of the CPU. */
static void
sort_frames (TbSymbolizer *self, Work *work)
{
  guint n = work->frames->len;
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
  g_autofree guint64 *offsets = g_new (guint64, n);
  g_autofree guint32 *order = NULL;

  for (guint i = 0; i < n; i++)
    offsets[i] = self->frame_offsets[g_array_index (work->frames, guint32, i)];
  order = tb_address_order (offsets, n);
  for (guint i = 0; i < n; i++)
    g_array_append_val (sorted, g_array_index (work->frames, guint32, order[i]));
  g_array_unref (work->frames);
  work->frames = sorted;
}

static GPtrArray *
collect_work (TbSymbolizer *self, const guint32 *uses)
{
  g_autofree Work **by_module = g_new0 (Work *, self->n_modules + 1); /* the last: no module */
  GPtrArray *all = g_ptr_array_new_with_free_func (work_free);

  for (gsize i = 0; i < self->n_frames; i++)
    {
      guint32 module = MIN (self->frame_modules[i], self->n_modules), frame = (guint32) i;
      guint n_names;
      const TbFrameName *names = tb_session_get_frame_names (self->session, frame, &n_names);
      gboolean sought = n_names > 0
                        && !((self->flags & TB_SYMBOLIZER_RETRY) != 0 && n_names == 1
                             && *names->function == '\0');

      if (sought || (module < self->n_modules && self->modules[module].kind == TB_MODULE_NAMED))
        continue;
      if (by_module[module] == NULL)
        {
          by_module[module] = g_new0 (Work, 1);
          by_module[module]->module = module;
          by_module[module]->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
          g_ptr_array_add (all, by_module[module]);
        }
      g_array_append_val (by_module[module]->frames, frame);
      by_module[module]->uses += uses[i];
    }
  for (guint i = 0; i < all->len; i++)
    sort_frames (self, all->pdata[i]);
  g_ptr_array_sort (all, compare_work);
  return all;
}

static gboolean
recorded_since_boot (TbSymbolizer *self)
{
  g_autofree char *boot_id = NULL;
  const char *recorded = tb_session_get_fact (self->session, "boot-id");

  if (recorded == NULL
      || !g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot_id, NULL, NULL))
    return FALSE;
  return strcmp (g_strstrip (boot_id), recorded) == 0;
}

static gboolean
is_running_kernel (TbSymbolizer *self, const TbModule *module)
{
  if (recorded_since_boot (self))
    return TRUE;
  /* The addresses of a relocated kernel differ from boot to boot: an equal build ID does not mean
   * equal addresses. */
  return tb_session_get_fact (self->session, "boot-id") == NULL
         && tb_running_kernel_has_build_id (module->build_id);
}

/* Loads the names of the kernel that runs here: those of all recorded addresses at least, as names
 * are checked by recorded stacks. */
static TbAddressNames *
load_running_kernel (TbSymbolizer *self, const TbModule *module, GError **error)
{
  g_autoptr (GArray) addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autofree guint64 *sorted = NULL;
  g_autofree guint32 *order = NULL;
  TbAddressNames *all = NULL;

  if (self->prefetch != NULL)
    all = tb_symbol_prefetch_take_kernel (self->prefetch, module->path, module->build_id);
  for (gsize i = 0; i < self->n_frames; i++)
    if (self->frame_modules[i] == module->id)
      g_array_append_val (addresses, self->frame_offsets[i]);
  order = tb_address_order ((const guint64 *) (gconstpointer) addresses->data, addresses->len);
  sorted = g_new (guint64, MAX (addresses->len, 1));
  for (guint i = 0; i < addresses->len; i++)
    sorted[i] = g_array_index (addresses, guint64, order[i]);
  return tb_running_kernel_load_names (sorted, addresses->len,
                                       tb_session_get_fact (self->session,
                                                            TB_KERNEL_NAMES_START_FACT),
                                       all, error);
}

static void
open_kernel (TbSymbolizer *self, const TbModule *module, Source *source, GError **error)
{
  g_autofree char *cached = tb_elf_finder_find_kallsyms (module->build_id);
  const char *recorded = tb_session_get_fact (self->session, "kernel-symbols");
  g_autoptr (GError) contradiction = NULL;
  const char *path = cached;

  /* Recorded by a privileged collector, for users without access to kallsyms. */
  if (recorded != NULL)
    source->addresses = tb_address_names_load_text (recorded, TRUE);
  else
    {
      source->addresses = tb_recorded_names_load_kernel (self->session, &contradiction);
      source->is_recorded = source->addresses != NULL;
    }
  if (source->addresses != NULL)
    return;
  if (is_running_kernel (self, module))
    {
      path = TB_RUNNING_KERNEL_PATH;
      source->addresses = load_running_kernel (self, module, error);
    }
  else if (path != NULL)
    source->addresses = tb_address_names_load_kallsyms (path, error);
  if (source->addresses != NULL
      && !tb_kernel_names_fit (source->addresses, self->session, path, error))
    g_clear_pointer (&source->addresses, tb_address_names_free);
  if (path == NULL && contradiction != NULL)
    g_propagate_error (error, g_steal_pointer (&contradiction));
  else if (path == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 "the recorded kernel (build ID %s) is not the one running here: kernel functions "
                 "have no names; open the recording once on the machine that recorded it",
                 module->build_id[0] != '\0' ? module->build_id : "unknown");
}

/* Whether the file belongs to a process of the recording that has ended: it was written during the
 * recording. */
static gboolean
was_written_during_recording (TbSymbolizer *self, const char *path)
{
  gint64 end = tb_recorded_files_get_end (self->session), from, to, written;
  struct stat status;

  if (end == 0 || !tb_recorded_files_is_own_host (self->session) || stat (path, &status) < 0)
    return FALSE;
  tb_session_get_range (self->session, &from, &to);
  written = status.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + status.st_mtim.tv_nsec;
  return written <= end && written >= end - (to - from);
}

/* Loads the dump file of a just-in-time compiler. A process marks it by mapping it as
 * executable. */
static TbAddressNames *
load_jit_dump (TbSymbolizer *self, gint32 pid)
{
  g_autofree char *name = g_strdup_printf ("/jit-%d.dump", pid);
  TbAddressNames *names = NULL;

  for (guint i = 0; i < self->n_modules && names == NULL; i++)
    {
      const TbModuleFile *file = tb_session_get_module_file (self->session, i);
      g_autoptr (TbJitDump) dump = NULL;
      g_autofree char *lines = NULL;
      struct stat status;
      int fd;

      if (self->modules[i].kind != TB_MODULE_FILE
          || !g_str_has_suffix (self->modules[i].path, name))
        continue;
      fd = open (self->modules[i].path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      if (fd < 0)
        continue;
      if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode)
          && (file == NULL || file->inode == 0 || file->inode == status.st_ino))
        dump = tb_jit_dump_read (fd, pid);
      if (dump != NULL)
        lines = tb_jit_dump_to_perf_map (dump);
      if (lines != NULL)
        names = tb_address_names_load_text (lines, FALSE);
      close (fd);
    }
  return names;
}

/* Opens the perf map of a process: in its own /tmp while it lives, else in that of this machine. */
static TbSymbolReason
open_perf_map (TbSymbolizer *self, const TbModule *module, Source *source, GError **error)
{
  guint n_processes;
  const TbProcess *processes = tb_session_get_processes (self->session, &n_processes);
  gboolean since_boot = recorded_since_boot (self);
  g_autofree char *inside = NULL;
  g_autofree char *outside = NULL;
  g_autofree char *process_folder = NULL;
  guint owner = G_MAXUINT;
  struct stat status;
  gint32 pid;

  if (module->process >= n_processes)
    return TB_SYMBOL_REASON_OTHER_BOOT;
  pid = processes[module->process].pid;
  process_folder = g_strdup_printf ("/proc/%d", pid);
  inside = g_strdup_printf ("/proc/%d/root/tmp/perf-%d.map", pid, pid);
  outside = g_strdup_printf ("/tmp/perf-%d.map", pid);
  if (since_boot || tb_recorded_files_is_own_host (self->session))
    source->addresses = load_jit_dump (self, pid);
  if (source->addresses != NULL)
    return TB_SYMBOL_REASON_NONE;
  if (!since_boot && !was_written_during_recording (self, outside))
    return TB_SYMBOL_REASON_OTHER_BOOT;
  if (since_boot && stat (process_folder, &status) == 0)
    owner = status.st_uid;
  if (owner != G_MAXUINT && g_file_test (inside, G_FILE_TEST_EXISTS))
    source->addresses = tb_address_names_load_perf_map (inside, owner, error);
  else if (g_file_test (outside, G_FILE_TEST_EXISTS))
    source->addresses = tb_address_names_load_perf_map (outside, owner, error);
  else
    return TB_SYMBOL_REASON_NO_PERF_MAP;
  return source->addresses != NULL ? TB_SYMBOL_REASON_NONE : TB_SYMBOL_REASON_PERF_MAP;
}

static TbSymbolReason
explain_match (TbFileMatch match)
{
  switch (match)
    {
    case TB_FILE_MATCH_INVALID:
      return TB_SYMBOL_REASON_INVALID_FILE;
    case TB_FILE_MATCH_OTHER_BUILD:
      return TB_SYMBOL_REASON_OTHER_BUILD;
    case TB_FILE_MATCH_OTHER_CODE:
      return TB_SYMBOL_REASON_OTHER_CODE;
    case TB_FILE_MATCH_UNKNOWN:
      return TB_SYMBOL_REASON_UNKNOWN_FILE;
    case TB_FILE_MATCH_UNVERIFIED:
    case TB_FILE_MATCH_VERIFIED: /* found, and not readable */
      return TB_SYMBOL_REASON_INVALID_FILE;
    case TB_FILE_MATCH_NONE:
    default:
      return TB_SYMBOL_REASON_NO_FILE;
    }
}

/* Opens a file that was recorded without a build ID. */
static TbSymbolReason
open_mapped_file (TbSymbolizer *self,
                  const TbModule *module,
                  gint32 pid,
                  Source *source,
                  gboolean *is_unverified)
{
  TbMappedFile mapped;
  TbFileMatch match;

  g_mutex_lock (&self->lock);
  if (self->files == NULL)
    self->files = tb_recorded_files_new (self->session);
  g_mutex_unlock (&self->lock);
  mapped = tb_recorded_files_get (self->files, module->id);
  source->elf = tb_elf_symbols_open_mapped (module->path, &mapped, pid, &match, NULL);
  *is_unverified = source->elf != NULL && match != TB_FILE_MATCH_VERIFIED;
  return source->elf != NULL ? TB_SYMBOL_REASON_NONE : explain_match (match);
}

/* Uses the names that came with the recording, unless the recorded file itself was found. */
static TbSymbolReason
prefer_recorded_names (TbSymbolizer *self,
                       const TbModule *module,
                       Source *source,
                       TbSymbolReason reason,
                       gboolean *is_unverified)
{
  if (source->elf != NULL && !*is_unverified)
    return reason;
  source->addresses = tb_recorded_names_load (self->session, module->path);
  if (source->addresses == NULL)
    return reason;
  g_clear_pointer (&source->elf, tb_elf_symbols_free);
  source->is_recorded = TRUE;
  *is_unverified = FALSE;
  return TB_SYMBOL_REASON_NONE;
}

/* Whether a look-up in the file system of the process may find something else than one in ours. Not
 * if it ended, cannot be looked into, or has the same file system. */
static gboolean
has_own_files (gint32 pid)
{
  static const char *const names[] = { "root", "ns/mnt" };

  for (guint i = 0; pid > 0 && i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *theirs = g_strdup_printf ("/proc/%d/%s", pid, names[i]);
      g_autofree char *ours = g_strdup_printf ("/proc/self/%s", names[i]);
      struct stat their_status, our_status;

      if (stat (theirs, &their_status) != 0)
        return FALSE;
      if (stat (ours, &our_status) != 0 || their_status.st_dev != our_status.st_dev
          || their_status.st_ino != our_status.st_ino)
        return TRUE;
    }
  return FALSE;
}

static TbSymbolReason
open_file (TbSymbolizer *self, const TbModule *module, Source *source, gboolean *is_unverified)
{
  guint n_processes;
  const TbProcess *processes = tb_session_get_processes (self->session, &n_processes);
  gboolean since_boot = recorded_since_boot (self);
  gint32 pid = since_boot && module->process < n_processes ? processes[module->process].pid : 0;

  if (strcmp (module->path, "[vdso]") == 0)
    {
      source->elf = tb_elf_symbols_open_vdso (module->build_id, since_boot, NULL);
      return source->elf != NULL ? TB_SYMBOL_REASON_NONE : TB_SYMBOL_REASON_OTHER_KERNEL;
    }
  if (module->build_id[0] == '\0')
    return open_mapped_file (self, module, pid, source, is_unverified);
  if (self->prefetch != NULL && !has_own_files (pid))
    source->elf = tb_symbol_prefetch_take_file (self->prefetch, module->path, module->build_id);
  if (source->elf == NULL)
    source->elf = tb_elf_symbols_open (module->path, module->build_id, pid, NULL);
  return source->elf != NULL
             ? TB_SYMBOL_REASON_NONE
             : explain_match (tb_elf_finder_compare_build (module->path, module->build_id));
}

static void
open_source (TbSymbolizer *self, guint32 module_id, Source *source)
{
  g_autoptr (GError) error = NULL;
  TbSymbolSource found = { .reason = TB_SYMBOL_REASON_NO_MODULE };
  const TbModule *module = module_id < self->n_modules ? &self->modules[module_id] : NULL;

  if (module != NULL)
    switch (module->kind)
      {
      case TB_MODULE_FILE:
        found.reason = open_file (self, module, source, &found.is_unverified);
        found.reason
            = prefer_recorded_names (self, module, source, found.reason, &found.is_unverified);
        break;
      case TB_MODULE_KERNEL:
        open_kernel (self, module, source, &error);
        found.reason = source->addresses != NULL ? TB_SYMBOL_REASON_NONE : TB_SYMBOL_REASON_KERNEL;
        break;
      case TB_MODULE_JIT:
        found.reason = open_perf_map (self, module, source, &error);
        break;
      case TB_MODULE_NAMED:
        return;
      }
  if (source->elf != NULL)
    found.file = (char *) tb_elf_symbols_get_path (source->elf);
  if (source->is_recorded)
    found.file = (char *) TB_RECORDED_NAMES_SOURCE;
  add_source (self, module_id, found, error);
}

/* Appends the names of one frame to the batch; a single empty name if none is known. */
static void
name_frame (TbSymbolizer *self, Source *source, guint32 frame, TbNameBatch *batch)
{
  guint64 offset = self->frame_offsets[frame];
  guint first = batch->names->len;
  gboolean found = FALSE;

  if (source->elf != NULL && (offset & TB_FRAME_DATA) != 0
      && self->frame_modules[frame] < self->n_modules)
    found = tb_elf_symbols_find_variable (source->elf, offset & ~TB_FRAME_DATA, batch->names);
  else if (source->elf != NULL)
    found = tb_elf_symbols_find (source->elf, offset, (self->flags & TB_SYMBOLIZER_INLINES) != 0,
                                 batch->names);
  else if (source->addresses != NULL)
    {
      TbFrameName name = { tb_address_names_find (source->addresses, offset), "", 0, FALSE };

      found = name.function != NULL;
      if (found)
        g_array_append_val (batch->names, name);
      source->n_reused += found && tb_address_names_is_reused (source->addresses, offset);
    }
  if (!found)
    {
      TbFrameName nothing = { "", "", 0, FALSE };

      g_array_append_val (batch->names, nothing);
    }
  tb_name_batch_end_frame (batch, frame, first);
}

/* A run of the symbolizer. Each of its threads takes the next module when it has finished one, and
 * has its own batch. */
typedef struct
{
  TbSymbolizer *symbolizer;
  const GPtrArray *work;
  GCancellable *cancellable;
  TbSymbolizerProgress func;
  gpointer data;
  GThread *caller; /* which reports the progress */
  guint total;
  guint next;  /* atomic */
  guint named; /* atomic */
  GMutex lock;
  GError *error; /* the first one; protected by lock */
} Run;

static gboolean
has_failed (Run *self)
{
  gboolean failed;

  g_mutex_lock (&self->lock);
  failed = self->error != NULL;
  g_mutex_unlock (&self->lock);
  return failed;
}

static void
fail (Run *self, GError *error)
{
  g_mutex_lock (&self->lock);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_mutex_unlock (&self->lock);
  g_clear_error (&error);
}

/* Publishes the batch if it is due, and checks for cancellation. */
static gboolean
pause_naming (Run *self, TbNameBatch *batch, guint n_new, GError **error)
{
  guint named = g_atomic_int_add (&self->named, n_new) + n_new;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (tb_name_batch_is_due (batch) && !tb_name_batch_publish (batch, error))
    return FALSE;
  if (self->func != NULL && g_thread_self () == self->caller
      && named / PROGRESS_FRAMES != (named - n_new) / PROGRESS_FRAMES)
    self->func (named, self->total, self->data);
  return TRUE;
}

static gboolean
name_module (Run *self, const Work *work, TbNameBatch *batch, GError **error)
{
  Source *source = g_new0 (Source, 1);
  guint n_new = 0;

  g_ptr_array_add (batch->kept, source);
  open_source (self->symbolizer, work->module, source);
  for (guint i = 0; i < work->frames->len; i++)
    {
      name_frame (self->symbolizer, source, g_array_index (work->frames, guint32, i), batch);
      if (++n_new < CHECK_FRAMES)
        continue;
      if (!pause_naming (self, batch, n_new, error))
        return FALSE;
      n_new = 0;
    }
  note_uncertainty (self->symbolizer, work->module, source);
  if (!pause_naming (self, batch, n_new, error))
    return FALSE;
  /* The names of the batch are owned by the sources. */
  if (batch->frames->len == 0)
    g_ptr_array_set_size (batch->kept, 0);
  return TRUE;
}

static gpointer
name_modules (gpointer data)
{
  Run *self = data;
  g_auto (TbNameBatch) batch = { 0 };
  GError *error = NULL;
  guint i;

  tb_name_batch_init (&batch, self->symbolizer->session, source_free);
  while (!has_failed (self) && (i = g_atomic_int_add (&self->next, 1)) < self->work->len)
    if (!name_module (self, self->work->pdata[i], &batch, &error))
      {
        fail (self, error);
        return NULL;
      }
  if (!tb_name_batch_publish (&batch, &error))
    fail (self, error);
  return NULL;
}

static gboolean
name_all (Run *self, GError **error)
{
  guint n_threads = MIN (MIN (MAX_THREADS, g_get_num_processors ()), MAX (self->work->len, 1));
  GThread *threads[MAX_THREADS] = { NULL };

  self->caller = g_thread_self ();
  g_mutex_init (&self->lock);
  /* Without a thread, the others do its work. */
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_try_new ("symbols", name_modules, self, NULL);
  name_modules (self);
  for (guint i = 1; i < n_threads; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  g_mutex_clear (&self->lock);
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else
    return TRUE;
  return FALSE;
}

/**
 * tb_symbolizer_run:
 * @self: a symbolizer
 * @progress: (nullable) (scope call): called now and then, in this thread
 * @data: for @progress
 * @cancellable: (nullable): a cancellable; published names stay
 * @error: return location for an error of the session's file, or cancellation
 *
 * Names every frame of the session that has no names yet, the files with the most used frames
 * first, in the calling thread and a few more. With %TB_SYMBOLIZER_RETRY this includes frames for
 * which no name was found earlier. When it returns %TRUE, each distinct address is named or marked
 * unresolvable; tb_symbolizer_get_problems() returns the reasons for the latter.
 *
 * Returns: %FALSE on error
 */
gboolean
tb_symbolizer_run (TbSymbolizer *self,
                   TbSymbolizerProgress progress,
                   gpointer data,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GPtrArray) work = NULL;
  g_autofree guint32 *uses = NULL;
  Run run = { .symbolizer = self, .cancellable = cancellable, .func = progress, .data = data };

  g_return_val_if_fail (TB_IS_SYMBOLIZER (self), FALSE);
  g_return_val_if_fail (self->module_column == NULL, FALSE);

  if (!load_frames (self, error))
    return FALSE;
  uses = count_uses (self, error);
  if (uses == NULL)
    return FALSE;

  self->sources = tb_symbol_sources_load (self->session);
  run.work = work = collect_work (self, uses);
  for (guint i = 0; i < work->len; i++)
    run.total += ((Work *) work->pdata[i])->frames->len;
  if (g_cancellable_set_error_if_cancelled (cancellable, error) || !name_all (&run, error)
      || !finish_sources (self, error))
    return FALSE;
  if (progress != NULL)
    progress (run.named, run.total, data);
  return TRUE;
}
