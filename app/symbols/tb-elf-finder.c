/* tb-elf-finder.c: search on this machine for an ELF file, its debug file, supplementary file or
 * kallsyms, by build ID, or without one by comparison (tb-mapped-file): at its path, in containers,
 * symbol folders and caches; reading of build IDs
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tb-host-agent.h"
#include "base/tb-sandbox.h"
#include "symbols/debuginfod/tb-debuginfod-cache-private.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-symbol-folders.h"

/* Path of the host's files in a container (Flatpak, toolbox). */
#define HOST_ROOT "/run/host"
#define MIN_BUILD_ID_DIGITS 8
#define MAX_BUILD_ID_BYTES 64

static gboolean
build_id_is_plausible (const char *build_id)
{
  gsize length = build_id != NULL ? strlen (build_id) : 0;

  return length >= MIN_BUILD_ID_DIGITS && length <= 2 * MAX_BUILD_ID_BYTES
         && strspn (build_id, "0123456789abcdef") == length;
}

static char *
format_build_id (const guint8 *bytes, gsize length)
{
  GString *digits = g_string_sized_new (2 * length);

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (digits, "%02x", bytes[i]);
  return g_string_free_and_steal (digits);
}

char *
tb_elf_parse_build_id_notes (const guint8 *notes, gsize length)
{
  gsize at = 0;

  while (length - at >= sizeof (Elf64_Nhdr))
    {
      Elf64_Nhdr header;
      guint64 name, description, next;

      memcpy (&header, notes + at, sizeof header);
      name = at + sizeof header;
      description = name + (((guint64) header.n_namesz + 3) & ~(guint64) 3);
      next = description + (((guint64) header.n_descsz + 3) & ~(guint64) 3);
      if (description + header.n_descsz > length)
        return NULL;
      if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4
          && memcmp (notes + name, "GNU", 4) == 0)
        return header.n_descsz > 0 && header.n_descsz <= MAX_BUILD_ID_BYTES
                   ? format_build_id (notes + description, header.n_descsz)
                   : NULL;
      if (next > length)
        return NULL;
      at = next;
    }
  return NULL;
}

/* Reads the build ID of a file without sections. mold puts notes with an alignment of 4 bytes into
 * a segment with an alignment of 8, of which libelf (0.192) misses the last note. */
static char *
read_note_segments (int fd)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  size_t size = 0, n = 0;
  const guint8 *image = elf != NULL ? (const guint8 *) elf_rawfile (elf, &size) : NULL;
  char *found = NULL;

  if (image == NULL || elf_getphdrnum (elf, &n) != 0)
    n = 0;
  for (size_t i = 0; i < n && found == NULL; i++)
    {
      GElf_Phdr header;

      if (gelf_getphdr (elf, (int) i, &header) != NULL && header.p_type == PT_NOTE
          && header.p_offset <= size && header.p_filesz <= size - header.p_offset)
        found = tb_elf_parse_build_id_notes (image + header.p_offset, header.p_filesz);
    }
  elf_end (elf);
  return found;
}

char *
tb_elf_read_build_id (int fd)
{
  const void *bytes = NULL;
  char *digits = NULL;
  ssize_t length;
  Elf *elf;

  elf_version (EV_CURRENT);
  /* Read, not mapped: that would take several times as long for the few bytes. */
  elf = elf_begin (fd, ELF_C_READ, NULL);
  if (elf == NULL)
    return NULL;
  length = elf_kind (elf) == ELF_K_ELF ? dwelf_elf_gnu_build_id (elf, &bytes) : -1;
  if (length > 0 && length <= MAX_BUILD_ID_BYTES)
    digits = format_build_id (bytes, length);
  else if (elf_kind (elf) == ELF_K_ELF)
    digits = read_note_segments (fd);
  elf_end (elf);
  return digits;
}

/* Opens a regular file, never a FIFO or device, which a hostile path could name. */
static int
open_regular (const char *path)
{
  struct stat status;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  if (fd >= 0 && (fstat (fd, &status) < 0 || !S_ISREG (status.st_mode)))
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

/* Takes ownership of path. Opens the file if it has the build ID. */
static int
try_open (char *path, const char *build_id, char **found)
{
  g_autofree char *own = path;
  g_autofree char *actual = NULL;
  int fd = open_regular (path);

  if (fd < 0)
    return -1;
  actual = tb_elf_read_build_id (fd);
  if (g_strcmp0 (actual, build_id) != 0)
    {
      close (fd);
      return -1;
    }
  if (found != NULL)
    *found = g_steal_pointer (&own);
  return fd;
}

/* In a sandbox, numbers in /proc are those of other processes. */
static gboolean
is_visible (gint32 pid)
{
  return pid > 0 && !tb_sandbox_is_active ();
}

/* In a sandbox: opens the file that a process of the host has mapped, if it has the build ID. */
static int
try_open_of_host (gint32 pid, const char *path, const char *build_id, char **found)
{
  g_autofree char *actual = NULL;
  int fd;

  if (pid <= 0 || !tb_sandbox_is_active ())
    return -1;
  fd = tb_host_agent_open_file (pid, path, NULL);
  if (fd < 0)
    return -1;
  actual = tb_elf_read_build_id (fd);
  if (g_strcmp0 (actual, build_id) != 0)
    {
      close (fd);
      return -1;
    }
  if (found != NULL)
    *found = g_strdup (path);
  return fd;
}

/* Opens what debuginfod's cache has. Nothing is requested from servers here. */
static int
open_received (const char *build_id, TbDebuginfodKind kind, char **found)
{
  char *path = tb_debuginfod_cache_find (build_id, kind);

  return path != NULL ? try_open (path, build_id, found) : -1;
}

static char *
make_cache_path (const char *build_id, const char *leaf)
{
  return g_strdup_printf ("%s/.debug/.build-id/%.2s/%s/%s", g_get_home_dir (), build_id,
                          build_id + 2, leaf);
}

/* Searches the user's symbol folders. Their layout may be that of /usr/lib/debug, that of the
 * system of the recorded file, or flat. suffix is ".debug" for debug files and "" for files with
 * the code. */
static int
open_in_folders (const char *build_id,
                 const char *code_path,
                 const char *leaf,
                 const char *suffix,
                 char **found)
{
  g_auto (GStrv) folders = tb_symbol_folders_list ();
  g_autofree char *by_id = g_strdup_printf (".build-id/%.2s/%s%s", build_id, build_id + 2, suffix);
  g_autofree char *parent = code_path != NULL ? g_path_get_dirname (code_path) : NULL;
  int fd = -1;

  for (guint i = 0; folders[i] != NULL && fd < 0; i++)
    {
      fd = try_open (g_build_filename (folders[i], by_id, NULL), build_id, found);
      if (fd < 0 && leaf != NULL && parent != NULL && parent[0] == '/')
        fd = try_open (g_build_filename (folders[i], parent, leaf, NULL), build_id, found);
      if (fd < 0 && leaf != NULL)
        fd = try_open (g_build_filename (folders[i], leaf, NULL), build_id, found);
    }
  return fd;
}

/* Whether it is a plain file name, not a path. */
static gboolean
is_leaf (const char *name)
{
  return name != NULL && name[0] != '\0' && strchr (name, '/') == NULL && strcmp (name, ".") != 0
         && strcmp (name, "..") != 0;
}

/* The kernel appends this to the name of an unlinked file. A file of the same build may have taken
 * its place. */
static char *
remove_deleted (const char *path)
{
  return g_str_has_suffix (path, " (deleted)")
             ? g_strndup (path, strlen (path) - strlen (" (deleted)"))
             : g_strdup (path);
}

int
tb_elf_finder_open (const char *path, const char *build_id, gint32 pid, char **found)
{
  g_autofree char *plain = NULL;
  int fd = -1;

  if (!build_id_is_plausible (build_id) || path == NULL)
    return -1;

  plain = remove_deleted (path);
  if (plain[0] == '/')
    {
      fd = try_open (g_strdup (plain), build_id, found);
      if (fd < 0 && is_visible (pid))
        fd = try_open (g_strdup_printf ("/proc/%d/root%s", pid, plain), build_id, found);
      if (fd < 0)
        fd = try_open (g_strconcat (HOST_ROOT, plain, NULL), build_id, found);
      if (fd < 0)
        fd = try_open_of_host (pid, plain, build_id, found);
    }
  if (fd < 0 && is_visible (pid))
    fd = try_open (g_strdup_printf ("/proc/%d/exe", pid), build_id, found);
  if (fd < 0)
    {
      g_autofree char *leaf = g_path_get_basename (plain);

      fd = open_in_folders (build_id, plain, is_leaf (leaf) ? leaf : NULL, "", found);
    }
  if (fd < 0)
    fd = try_open (make_cache_path (build_id, "elf"), build_id, found);
  if (fd < 0)
    fd = try_open (make_cache_path (build_id, "vdso"), build_id, found);
  if (fd < 0)
    fd = open_received (build_id, TB_DEBUGINFOD_EXECUTABLE, found);
  return fd;
}

TbFileMatch
tb_elf_finder_compare_build (const char *path, const char *build_id)
{
  g_autofree char *plain = remove_deleted (path);
  g_autofree char *actual = NULL;
  int fd = plain[0] == '/' ? open_regular (plain) : -1;

  if (fd < 0)
    return TB_FILE_MATCH_NONE;
  actual = tb_elf_read_build_id (fd);
  close (fd);
  return g_strcmp0 (actual, build_id) == 0 ? TB_FILE_MATCH_VERIFIED : TB_FILE_MATCH_OTHER_BUILD;
}

/* The best file so far of those that were compared with the mapped one. */
typedef struct
{
  const TbMappedFile *mapped;
  TbFileMatch match;
  int fd;
  char *path;
} Best;

/* Takes ownership of path. */
static void
try_mapped (Best *best, char *path, gboolean is_recorded_path)
{
  int fd = best->match < TB_FILE_MATCH_VERIFIED ? open_regular (path) : -1;
  TbFileMatch match
      = fd >= 0 ? tb_mapped_file_compare (best->mapped, fd, is_recorded_path) : TB_FILE_MATCH_NONE;

  if (match >= TB_FILE_MATCH_UNVERIFIED && match > best->match)
    {
      if (best->fd >= 0)
        close (best->fd);
      best->fd = fd;
      fd = -1;
      g_free (best->path);
      best->path = g_steal_pointer (&path);
    }
  best->match = MAX (best->match, match);
  if (fd >= 0)
    close (fd);
  g_free (path);
}

int
tb_elf_finder_open_mapped (const char *path,
                           const TbMappedFile *mapped,
                           gint32 pid,
                           TbFileMatch *match,
                           char **found)
{
  Best best = { mapped, TB_FILE_MATCH_NONE, -1, NULL };
  g_autofree char *plain = remove_deleted (path);
  g_autofree char *leaf = g_path_get_basename (plain);
  g_auto (GStrv) folders = tb_symbol_folders_list ();

  if (plain[0] == '/')
    {
      try_mapped (&best, g_strdup (plain), TRUE);
      if (is_visible (pid))
        try_mapped (&best, g_strdup_printf ("/proc/%d/root%s", pid, plain), TRUE);
      try_mapped (&best, g_strconcat (HOST_ROOT, plain, NULL), TRUE);
      if (is_visible (pid))
        try_mapped (&best, g_strdup_printf ("/proc/%d/exe", pid), FALSE);
    }
  for (guint i = 0; folders[i] != NULL && is_leaf (leaf); i++)
    {
      if (plain[0] == '/')
        try_mapped (&best, g_build_filename (folders[i], plain, NULL), FALSE);
      try_mapped (&best, g_build_filename (folders[i], leaf, NULL), FALSE);
    }
  *match = best.match;
  if (best.fd >= 0 && found != NULL)
    *found = best.path;
  else
    g_free (best.path);
  return best.fd;
}

/* Uses the name in the debug link of the file with the code, or else the usual names. */
static int
open_debug_in_folders (const char *build_id,
                       const char *code_path,
                       const char *debuglink,
                       char **found)
{
  g_autofree char *base = code_path != NULL ? g_path_get_basename (code_path) : NULL;
  g_autofree char *usual = is_leaf (base) ? g_strconcat (base, ".debug", NULL) : NULL;
  int fd = open_in_folders (build_id, code_path, is_leaf (debuglink) ? debuglink : usual, ".debug",
                            found);

  if (fd < 0 && is_leaf (debuglink) && usual != NULL)
    fd = open_in_folders (build_id, code_path, usual, ".debug", found);
  if (fd < 0 && usual != NULL) /* an unstripped copy of the file */
    fd = open_in_folders (build_id, code_path, base, "", found);
  return fd;
}

int
tb_elf_finder_open_debug (const char *build_id,
                          const char *code_path,
                          const char *debuglink,
                          gint32 pid,
                          char **found)
{
  g_autofree char *by_id = NULL;
  g_autofree char *folder = code_path != NULL ? g_path_get_dirname (code_path) : NULL;
  int fd;

  if (!build_id_is_plausible (build_id))
    return -1;

  fd = open_debug_in_folders (build_id, code_path, debuglink, found);
  if (fd >= 0)
    return fd;
  by_id = g_strdup_printf ("/usr/lib/debug/.build-id/%.2s/%s.debug", build_id, build_id + 2);
  fd = try_open (g_strdup (by_id), build_id, found);
  if (fd < 0 && is_visible (pid))
    fd = try_open (g_strdup_printf ("/proc/%d/root%s", pid, by_id), build_id, found);
  if (fd < 0)
    fd = try_open (g_strconcat (HOST_ROOT, by_id, NULL), build_id, found);
  if (fd < 0)
    fd = try_open (make_cache_path (build_id, "debug"), build_id, found);
  if (fd < 0 && folder != NULL && is_leaf (debuglink))
    {
      fd = try_open (g_build_filename (folder, debuglink, NULL), build_id, found);
      if (fd < 0)
        fd = try_open (g_build_filename (folder, ".debug", debuglink, NULL), build_id, found);
      if (fd < 0)
        fd = try_open (g_build_filename ("/usr/lib/debug", folder, debuglink, NULL), build_id,
                       found);
    }
  if (fd < 0)
    fd = open_received (build_id, TB_DEBUGINFOD_DEBUGINFO, found);
  return fd;
}

/* Opens a file whose name is relative to the folder of another file, whose path may be that of a
 * link. */
static int
open_relative (const char *path, const char *name, const char *build_id, char **found)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int fd = try_open (g_build_filename (folder, name, NULL), build_id, found);
  char *real = fd < 0 ? realpath (path, NULL) : NULL;

  if (real != NULL)
    {
      g_autofree char *real_folder = g_path_get_dirname (real);

      fd = try_open (g_build_filename (real_folder, name, NULL), build_id, found);
      free (real);
    }
  return fd;
}

static int
open_supplement_in_folders (const char *build_id, const char *const *names, char **found)
{
  g_auto (GStrv) folders = tb_symbol_folders_list ();
  int fd = -1;

  for (guint i = 0; folders[i] != NULL; i++)
    for (guint k = 0; names[k] != NULL && fd < 0; k++)
      fd = try_open (g_build_filename (folders[i], names[k], NULL), build_id, found);
  return fd;
}

int
tb_elf_finder_open_supplement (const char *build_id,
                               const char *name,
                               const char *debug_path,
                               gint32 pid,
                               char **found)
{
  /* Distributions have these files in /usr/lib/debug/.dwz, or in folders in it. */
  const char *below = strstr (name, ".dwz/");
  g_autofree char *leaf = g_path_get_basename (name);
  g_autofree char *place = below != NULL ? g_strdup (below) : g_strconcat (".dwz/", leaf, NULL);
  g_autofree char *full
      = name[0] == '/' ? g_strdup (name) : g_strconcat ("/usr/lib/debug/", place, NULL);
  g_autofree char *by_id = NULL;
  int fd;

  if (!build_id_is_plausible (build_id))
    return -1;
  by_id = g_strdup_printf (".build-id/%.2s/%s.debug", build_id, build_id + 2);
  fd = open_supplement_in_folders (build_id,
                                   (const char *const[]) { by_id, name, place, leaf, NULL }, found);
  if (fd < 0 && name[0] != '/' && debug_path != NULL)
    fd = open_relative (debug_path, name, build_id, found);
  if (fd < 0)
    fd = try_open (g_strdup (full), build_id, found);
  if (fd < 0)
    fd = try_open (g_build_filename ("/usr/lib/debug", by_id, NULL), build_id, found);
  if (fd < 0 && is_visible (pid))
    fd = try_open (g_strdup_printf ("/proc/%d/root%s", pid, full), build_id, found);
  if (fd < 0)
    fd = try_open (g_strconcat (HOST_ROOT, full, NULL), build_id, found);
  if (fd < 0)
    fd = open_received (build_id, TB_DEBUGINFOD_DEBUGINFO, found);
  return fd;
}

char *
tb_elf_finder_find_kallsyms (const char *build_id)
{
  g_autofree char *path = NULL;

  if (!build_id_is_plausible (build_id))
    return NULL;
  path = make_cache_path (build_id, "kallsyms");
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}
