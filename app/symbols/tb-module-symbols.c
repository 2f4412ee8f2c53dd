/* tb-module-symbols.c: where the names of each module come from, and why some are missing: storage
 * in the session; list of modules with the numbers of their addresses and of those without names,
 * counted for the list; sentences with remedies for the user
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "symbols/tb-module-symbols-private.h"

/* The fact has a line for each module that a symbolizer looked at: id of the module (4294967295:
 * none), reason, "unverified" or "", path of the file, detail, build ID of a missing supplementary
 * file, number of addresses that several functions had; separated by tabs. */
#define SOURCES_FACT "symbols-modules"
/* Ids of the modules whose names are unverified, each between spaces, for the rooms that do not
 * know this one. */
#define UNVERIFIED_FACT "symbols-unverified"
#define N_FIELDS 7
/* Earlier sessions have no supplementary files. */
#define MIN_FIELDS 5

static const char *const reason_names[TB_N_SYMBOL_REASONS] = {
  [TB_SYMBOL_REASON_NONE] = "none",
  [TB_SYMBOL_REASON_NO_FILE] = "no-file",
  [TB_SYMBOL_REASON_INVALID_FILE] = "invalid-file",
  [TB_SYMBOL_REASON_OTHER_BUILD] = "other-build",
  [TB_SYMBOL_REASON_OTHER_CODE] = "other-code",
  [TB_SYMBOL_REASON_UNKNOWN_FILE] = "unknown-file",
  [TB_SYMBOL_REASON_NO_SYMBOL] = "no-symbol",
  [TB_SYMBOL_REASON_KERNEL] = "kernel",
  [TB_SYMBOL_REASON_OTHER_KERNEL] = "other-kernel",
  [TB_SYMBOL_REASON_OTHER_BOOT] = "other-boot",
  [TB_SYMBOL_REASON_NO_PERF_MAP] = "no-perf-map",
  [TB_SYMBOL_REASON_PERF_MAP] = "perf-map",
  [TB_SYMBOL_REASON_NO_MODULE] = "no-module",
};

/**
 * tb_symbol_reason_get_name:
 * @reason: a reason
 *
 * Gets the name of a reason in files and in JSON, such as "other-build".
 *
 * Returns: (transfer none): the name
 */
const char *
tb_symbol_reason_get_name (TbSymbolReason reason)
{
  g_return_val_if_fail ((guint) reason < TB_N_SYMBOL_REASONS, NULL);
  return reason_names[reason];
}

void
tb_symbol_source_free (TbSymbolSource *self)
{
  g_free (self->file);
  g_free (self->detail);
  g_free (self->supplement);
  g_free (self);
}

static char *
unescape (const char *text)
{
  return *text != '\0' ? g_strcompress (text) : NULL;
}

static void
read_line (GHashTable *sources, const char *line)
{
  g_auto (GStrv) fields = g_strsplit (line, "\t", N_FIELDS);
  TbSymbolSource *source;
  guint64 module, n_reused = 0;
  guint reason = 0, n_fields = g_strv_length (fields);

  if (n_fields < MIN_FIELDS
      || !g_ascii_string_to_unsigned (fields[0], 10, 0, G_MAXUINT32, &module, NULL))
    return;
  while (reason < TB_N_SYMBOL_REASONS && strcmp (fields[1], reason_names[reason]) != 0)
    reason++;
  if (reason == TB_N_SYMBOL_REASONS)
    return;
  source = g_new0 (TbSymbolSource, 1);
  source->reason = (TbSymbolReason) reason;
  source->is_unverified = *fields[2] != '\0';
  source->file = unescape (fields[3]);
  source->detail = unescape (fields[4]);
  source->supplement = n_fields > 5 ? unescape (fields[5]) : NULL;
  if (n_fields > 6 && g_ascii_string_to_unsigned (fields[6], 10, 0, G_MAXUINT, &n_reused, NULL))
    source->n_reused = (guint) n_reused;
  g_hash_table_insert (sources, GUINT_TO_POINTER ((guint32) module), source);
}

GHashTable *
tb_symbol_sources_load (TbSession *session)
{
  GHashTable *sources
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) tb_symbol_source_free);
  const char *text = tb_session_get_fact (session, SOURCES_FACT);
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    read_line (sources, lines[i]);
  return sources;
}

static void
append_escaped (GString *text, const char *value)
{
  g_autofree char *escaped = g_strescape (value != NULL ? value : "", NULL);

  g_string_append (text, escaped);
}

gboolean
tb_symbol_sources_save (GHashTable *sources, TbSession *session, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) unverified = g_string_new (" ");
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, sources);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const TbSymbolSource *source = value;

      g_string_append_printf (text, "%u\t%s\t%s\t", GPOINTER_TO_UINT (key),
                              reason_names[source->reason],
                              source->is_unverified ? "unverified" : "");
      append_escaped (text, source->file);
      g_string_append_c (text, '\t');
      append_escaped (text, source->detail);
      g_string_append_c (text, '\t');
      append_escaped (text, source->supplement);
      g_string_append_printf (text, "\t%u", source->n_reused);
      g_string_append_c (text, '\n');
      if (source->is_unverified || source->n_reused > 0)
        g_string_append_printf (unverified, "%u ", GPOINTER_TO_UINT (key));
    }
  return tb_session_set_fact (session, SOURCES_FACT, text->str, error)
         && (unverified->len == 1
             || tb_session_set_fact (session, UNVERIFIED_FACT, unverified->str, error));
}

static void
module_symbols_free (gpointer data)
{
  TbModuleSymbols *self = data;

  g_free (self->file);
  g_free (self->detail);
  g_free (self->supplement);
  g_free (self);
}

static int
compare_modules (gconstpointer a, gconstpointer b)
{
  const TbModuleSymbols *x = *(TbModuleSymbols *const *) a, *y = *(TbModuleSymbols *const *) b;

  if (x->n_unnamed != y->n_unnamed)
    return x->n_unnamed > y->n_unnamed ? -1 : 1;
  if (x->n_addresses != y->n_addresses)
    return x->n_addresses > y->n_addresses ? -1 : 1;
  return x->module < y->module ? -1 : x->module > y->module;
}

/* Adds what was stored of the module, or a reason that is always right. */
static void
add_source (TbModuleSymbols *self, GHashTable *sources)
{
  const TbSymbolSource *source = g_hash_table_lookup (sources, GUINT_TO_POINTER (self->module));

  if (source != NULL)
    {
      self->n_reused = source->n_reused;
      self->is_unverified
          = (source->is_unverified || self->n_reused > 0) && self->n_unnamed < self->n_addresses;
      self->file = g_strdup (source->file);
      self->supplement = g_strdup (source->supplement);
    }
  if (self->n_unnamed == 0)
    return;
  self->reason = self->module == TB_ID_NONE ? TB_SYMBOL_REASON_NO_MODULE
                 : source == NULL           ? TB_SYMBOL_REASON_NONE
                                            : source->reason;
  if (source != NULL && source->reason == TB_SYMBOL_REASON_NONE)
    self->reason = TB_SYMBOL_REASON_NO_SYMBOL;
  if (source != NULL && source->reason != TB_SYMBOL_REASON_NONE)
    self->detail = g_strdup (source->detail);
}

static void
count_frames (TbSession *session,
              const guint32 *modules,
              gsize n_frames,
              guint n_modules,
              guint64 *n_addresses,
              guint64 *n_unnamed)
{
  for (gsize i = 0; i < n_frames; i++)
    {
      guint32 module = MIN (modules[i], n_modules);
      guint n_names;
      const TbFrameName *names = tb_session_get_frame_names (session, (guint32) i, &n_names);

      n_addresses[module]++;
      n_unnamed[module] += n_names == 0 || names[n_names - 1].function[0] == '\0';
    }
}

/**
 * tb_module_symbols_list:
 * @session: a session
 * @error: return location
 *
 * Counts the addresses of each module that have no names. Modules with recorded names are left out.
 *
 * Returns: (transfer container) (element-type TbModuleSymbols): the modules that contain addresses,
 * those with the most addresses without names first
 */
GPtrArray *
tb_module_symbols_list (TbSession *session, GError **error)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_FRAME);
  g_autoptr (GBytes) column = tb_table_get_column (table, TB_FRAME_MODULE, error);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (module_symbols_free);
  g_autoptr (GHashTable) sources = tb_symbol_sources_load (session);
  g_autofree guint64 *n_addresses = NULL, *n_unnamed = NULL;
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (session, &n_modules);

  if (column == NULL)
    return NULL;
  n_addresses = g_new0 (guint64, n_modules + 1); /* the last: no module */
  n_unnamed = g_new0 (guint64, n_modules + 1);
  count_frames (session, g_bytes_get_data (column, NULL), tb_table_get_n_rows (table), n_modules,
                n_addresses, n_unnamed);
  for (guint i = 0; i <= n_modules; i++)
    {
      TbModuleSymbols *entry;

      if (n_addresses[i] == 0 || (i < n_modules && modules[i].kind == TB_MODULE_NAMED))
        continue;
      entry = g_new0 (TbModuleSymbols, 1);
      entry->module = i < n_modules ? i : TB_ID_NONE;
      entry->path = i < n_modules ? modules[i].path : "";
      entry->build_id = i < n_modules ? modules[i].build_id : "";
      entry->n_addresses = n_addresses[i];
      entry->n_unnamed = n_unnamed[i];
      add_source (entry, sources);
      g_ptr_array_add (list, entry);
    }
  g_ptr_array_sort (list, compare_modules);
  return g_steal_pointer (&list);
}

/* What happened, as a part of a sentence. */
static char *
describe_reason (const TbModuleSymbols *self)
{
  switch (self->reason)
    {
    case TB_SYMBOL_REASON_NO_FILE:
      return self->build_id[0] != '\0'
                 ? g_strdup_printf (_ ("no file with the recorded build ID %s found"),
                                    self->build_id)
                 : g_strdup_printf (_ ("not found at %s"), self->path);
    case TB_SYMBOL_REASON_INVALID_FILE:
      return g_strdup_printf (_ ("%s is not a valid ELF file"),
                              self->file != NULL ? self->file : self->path);
    case TB_SYMBOL_REASON_OTHER_BUILD:
      return g_strdup_printf (_ ("%s is another build; the recorded one has the build ID %s"),
                              self->path, self->build_id);
    case TB_SYMBOL_REASON_OTHER_CODE:
      return g_strdup_printf (_ ("%s is not the recorded file, its code is in other places"),
                              self->path);
    case TB_SYMBOL_REASON_UNKNOWN_FILE:
      return g_strdup_printf (_ ("recorded without a build ID, and nothing shows that %s is the "
                                 "recorded file"),
                              self->path);
    case TB_SYMBOL_REASON_NO_SYMBOL:
      return g_strdup_printf (_ ("%s has no symbols for some addresses"),
                              self->file != NULL ? self->file : self->path);
    case TB_SYMBOL_REASON_OTHER_KERNEL:
      return g_strdup (_ ("recorded with another kernel"));
    case TB_SYMBOL_REASON_OTHER_BOOT:
      return g_strdup (_ ("generated code of a process that ran on another machine or before the "
                          "last boot"));
    case TB_SYMBOL_REASON_NO_PERF_MAP:
      return g_strdup (_ ("generated code, and its process wrote no list of functions to "
                          "/tmp/perf-PID.map"));
    case TB_SYMBOL_REASON_NO_MODULE:
      return g_strdup (_ ("no mapping was recorded at these addresses"));
    case TB_SYMBOL_REASON_KERNEL:
    case TB_SYMBOL_REASON_PERF_MAP:
    case TB_SYMBOL_REASON_NONE:
    default:
      return g_strdup (_ ("no names were found"));
    }
}

static gint debuginfod_remedy = TB_DEBUGINFOD_REMEDY_NONE;

/**
 * tb_module_symbols_set_debuginfod_remedy:
 * @remedy: how debug files can be received
 *
 * Sets what descriptions of modules with a build ID name as a remedy besides symbol folders. It is
 * what the program offers, and the same for all recordings.
 */
void
tb_module_symbols_set_debuginfod_remedy (TbDebuginfodRemedy remedy)
{
  g_atomic_int_set (&debuginfod_remedy, (gint) remedy);
}

/* Where the recorded file is not at hand. Servers find files by their build IDs. */
static const char *
get_remedy_for_file (void)
{
  switch ((TbDebuginfodRemedy) g_atomic_int_get (&debuginfod_remedy))
    {
    case TB_DEBUGINFOD_REMEDY_OPTION:
      return _ (
          "Add a symbol folder with the recorded file or its debug file, or receive the debug "
          "file with --debuginfod.");
    case TB_DEBUGINFOD_REMEDY_PREFERENCE:
      return _ ("Add a symbol folder with the recorded file or its debug file, or switch on "
                "debuginfod in the preferences.");
    case TB_DEBUGINFOD_REMEDY_NONE:
    default:
      return _ ("Add a symbol folder with the recorded file or its debug file.");
    }
}

/* Where the file is the recorded one and has too few symbols. */
static const char *
get_remedy_for_symbols (void)
{
  switch ((TbDebuginfodRemedy) g_atomic_int_get (&debuginfod_remedy))
    {
    case TB_DEBUGINFOD_REMEDY_OPTION:
      return _ (
          "Install its debug symbols, add a symbol folder with its debug file, or receive the "
          "debug file with --debuginfod.");
    case TB_DEBUGINFOD_REMEDY_PREFERENCE:
      return _ ("Install its debug symbols, add a symbol folder with its debug file, or switch on "
                "debuginfod in the preferences.");
    case TB_DEBUGINFOD_REMEDY_NONE:
    default:
      return _ ("Install its debug symbols, or add a symbol folder with its debug file.");
    }
}

/* What can be done, as a sentence; NULL if there is nothing. */
static const char *
get_remedy (const TbModuleSymbols *self)
{
  switch (self->reason)
    {
    case TB_SYMBOL_REASON_NO_FILE:
    case TB_SYMBOL_REASON_OTHER_BUILD:
      return self->build_id[0] != '\0' ? get_remedy_for_file ()
                                       : _ ("Add a symbol folder with the recorded file.");
    case TB_SYMBOL_REASON_INVALID_FILE:
    case TB_SYMBOL_REASON_OTHER_CODE:
    case TB_SYMBOL_REASON_UNKNOWN_FILE:
      if (self->build_id[0] != '\0')
        return get_remedy_for_file ();
      return _ ("Add a symbol folder with the recorded file, or record with build IDs (perf record "
                "--buildid-all).");
    case TB_SYMBOL_REASON_NO_SYMBOL:
      return self->build_id[0] != '\0'
                 ? get_remedy_for_symbols ()
                 : _ ("Install its debug symbols, or add a symbol folder with its debug file.");
    case TB_SYMBOL_REASON_OTHER_KERNEL:
    case TB_SYMBOL_REASON_OTHER_BOOT:
      return _ ("Open the recording on the machine that recorded it, before it is restarted.");
    case TB_SYMBOL_REASON_NO_PERF_MAP:
      return _ ("Start the program so that it writes this file (node --perf-basic-prof, python -X "
                "perf, java -XX:+DumpPerfMapAtExit).");
    default:
      return NULL;
    }
}

static char *
describe_unnamed (const TbModuleSymbols *self, const char *name)
{
  g_autofree char *reason = describe_reason (self);
  g_autofree char *count = g_strdup_printf (ngettext ("%'" PRIu64 " address without a name",
                                                      "%'" PRIu64 " addresses without names",
                                                      MIN (self->n_unnamed, G_MAXUINT32)),
                                            self->n_unnamed);
  const char *remedy = get_remedy (self);

  if (self->detail != NULL)
    /* Translators: a file or the kernel, “312 addresses without names”, a sentence */
    return g_strdup_printf (_ ("%s: %s: %s"), name, count, self->detail);
  /* Translators: file, reason such as “not found at /usr/lib/libfoo.so”, “312 addresses without
   * names” */
  return remedy != NULL ? g_strdup_printf (_ ("%s: %s; %s. %s"), name, reason, count, remedy)
                        : g_strdup_printf (_ ("%s: %s; %s."), name, reason, count);
}

static char *
describe_unverified (const TbModuleSymbols *self, const char *name)
{
  return g_strdup_printf (
      _ ("%s: names unverified: recorded without a build ID, and they are from %s, whose code is "
         "in the same places. Record with build IDs (perf record --buildid-all)."),
      name, self->file != NULL ? self->file : self->path);
}

static char *
describe_reused (const TbModuleSymbols *self, const char *name)
{
  return g_strdup_printf (
      ngettext ("%s: the name of %u address is unverified: several functions had it, one after "
                "another, and it is not known when; the last one is shown. Record the times of "
                "generated functions (jitdump, perf record -k mono).",
                "%s: the names of %u addresses are unverified: several functions had them, one "
                "after another, and it is not known when; the last ones are shown. Record the "
                "times of generated functions (jitdump, perf record -k mono).",
                self->n_reused),
      name, self->n_reused);
}

static char *
describe_supplement (const TbModuleSymbols *self, const char *name)
{
  return g_strdup_printf (
      _ ("%s: names of inlined functions are missing: the supplementary debug file with the build "
         "ID %s, to which its debug file refers, was not found. Install the debug symbols of its "
         "package again, or add a symbol folder with this file."),
      name, self->supplement);
}

/**
 * tb_module_symbols_describe:
 * @self: the names of a module
 *
 * Describes for the user, in one line, what is missing, why, and what can be done, and whether
 * names are unverified.
 *
 * Returns: (transfer full) (nullable): sentences, %NULL if all names are certain
 */
char *
tb_module_symbols_describe (const TbModuleSymbols *self)
{
  g_autofree char *base = g_path_get_basename (self->path);
  const char *name = self->module == TB_ID_NONE ? _ ("Unknown code") : base;
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_null_terminated (4, g_free, TRUE);

  if (self->n_reused > 0)
    g_ptr_array_add (sentences, describe_reused (self, name));
  else if (self->is_unverified)
    g_ptr_array_add (sentences, describe_unverified (self, name));
  /* Without a reason, names were not searched yet. */
  if (self->reason != TB_SYMBOL_REASON_NONE)
    g_ptr_array_add (sentences, describe_unnamed (self, name));
  if (self->supplement != NULL)
    g_ptr_array_add (sentences, describe_supplement (self, name));
  return sentences->len > 0 ? g_strjoinv (" ", (char **) sentences->pdata) : NULL;
}
