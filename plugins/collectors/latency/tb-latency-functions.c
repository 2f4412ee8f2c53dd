/* tb-latency-functions.c: functions of a drill-down: found by an address of a process, their code
 * analysed once (by tb-latency-code.c) and kept; names of call sites and system calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/tb-sandbox.h"
#include "tb-latency-drill-private.h"
#include "symbols/tb-syscall-names.h"

TbLatencyFunction *
tb_latency_drill_get_function (TbLatencyDrill *self,
                               TbLatencyImage *image,
                               const TbLatencySymbol *symbol)
{
  TbLatencyFunction *function;

  for (guint i = 0; i < self->functions->len; i++)
    {
      function = g_ptr_array_index (self->functions, i);
      if (function->image == image && function->symbol->address == symbol->address)
        return function;
    }
  function = g_new0 (TbLatencyFunction, 1);
  function->id = self->functions->len + 1;
  function->image = tb_latency_image_ref (image);
  function->symbol = symbol;
  g_ptr_array_add (self->functions, function);
  return function;
}

const TbLatencyCode *
tb_latency_function_get_code (TbLatencyFunction *function)
{
  if (function->code == NULL)
    function->code = tb_latency_code_new (function->image, function->symbol);
  return function->code;
}

static TbLatencyImage *
get_image (TbLatencyDrill *self, const char *path, guint64 device, guint64 inode)
{
  TbLatencyImage *image;

  for (guint i = 0; i < self->images->len; i++)
    {
      image = g_ptr_array_index (self->images, i);
      if (image->inode == inode && image->device == device)
        return image;
    }
  image = tb_latency_image_open (path, NULL);
  if (image != NULL)
    g_ptr_array_add (self->images, image);
  return image;
}

TbLatencyFunction *
tb_latency_drill_find_function (TbLatencyDrill *self, gint32 pid, guint64 address)
{
  guint64 place;

  return tb_latency_drill_find_place (self, pid, address, &place);
}

/* Finds the function at an address of a process. */
TbLatencyFunction *
tb_latency_drill_find_place (TbLatencyDrill *self, gint32 pid, guint64 address, guint64 *place)
{
  g_autofree char *maps_path = g_strdup_printf ("/proc/%d/maps", pid);
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;

  *place = address;
  if (self->kernel.image != NULL && tb_latency_image_find_at (self->kernel.image, address) != NULL)
    return tb_latency_drill_get_function (self, self->kernel.image,
                                          tb_latency_image_find_at (self->kernel.image, address));
  /* In a sandbox, numbers in /proc are those of other processes. */
  if (tb_sandbox_is_active () || !g_file_get_contents (maps_path, &maps, NULL, NULL))
    return NULL;
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      unsigned long long start, end, offset;
      const char *path = strchr (lines[i], '/');
      g_autofree char *there = NULL;
      const TbLatencySymbol *symbol;
      TbLatencyImage *image;
      struct stat status;
      guint64 in_file;

      if (path == NULL || sscanf (lines[i], "%llx-%llx %*s %llx", &start, &end, &offset) != 3
          || address < start || address >= end)
        continue;
      there = g_strdup_printf ("/proc/%d/root%s", pid, path);
      if (stat (there, &status) != 0 || !S_ISREG (status.st_mode)
          || (image = get_image (self, there, status.st_dev, status.st_ino)) == NULL
          || !tb_latency_image_get_address (image, address - start + offset, &in_file)
          || (symbol = tb_latency_image_find_at (image, in_file)) == NULL)
        return NULL;
      *place = in_file;
      return tb_latency_drill_get_function (self, image, symbol);
    }
  return NULL;
}

const char *
tb_latency_get_call_name (guint64 number)
{
  struct utsname here;
  const char *const *names;
  guint n = 0;

  names = uname (&here) == 0 ? tb_syscall_names_get (here.machine, &n) : NULL;
  return number < n ? names[number] : NULL;
}

char *
tb_latency_name_site (const TbLatencyFunction *function, const TbLatencySite *site)
{
  const TbLatencySymbol *symbol
      = site->target != 0 ? tb_latency_image_find_at (function->image, site->target) : NULL;

  if (symbol != NULL)
    return g_strdup (symbol->name);
  if (site->target != 0)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", site->target);
  return g_strdup (_ ("a function called by pointer"));
}
