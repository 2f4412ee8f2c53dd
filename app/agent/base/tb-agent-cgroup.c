/* tb-agent-cgroup.c: search for the folder of the control group with a given id, and call of a
 * function for each process in a control group and in the groups below it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/base/tb-agent-cgroup.h"

/* Where version 2 is mounted alone, and where beside version 1 */
static const char *const usual_places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

static int
find_group (const char *top, uint64_t id, char *path, size_t size)
{
  char *const roots[] = { (char *) top, NULL };
  FTS *tree = fts_open (roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
  int level = -1;
  FTSENT *entry;

  while (tree != NULL && level < 0 && (entry = fts_read (tree)) != NULL)
    if (entry->fts_info == FTS_D && entry->fts_statp->st_ino == id)
      {
        level = entry->fts_level;
        snprintf (path, size, "%s", entry->fts_path);
      }
  if (tree != NULL)
    fts_close (tree);
  return level;
}

int
tb_agent_cgroup_find (const char *top, uint64_t id, char *path, size_t size)
{
  int level = -1;

  if (top != NULL)
    return find_group (top, id, path, size);
  for (size_t i = sizeof usual_places / sizeof usual_places[0]; i > 0 && level < 0; i--)
    level = find_group (usual_places[i - 1], id, path, size);
  return level;
}

void
tb_agent_cgroup_for_each_process (const char *path,
                                  void (*visit) (int32_t pid, void *data),
                                  void *data)
{
  char *const roots[] = { (char *) path, NULL };
  FTS *tree = fts_open (roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
  FTSENT *entry;

  while (tree != NULL && (entry = fts_read (tree)) != NULL)
    {
      char line[64];
      FILE *file;

      if (entry->fts_info != FTS_F || strcmp (entry->fts_name, "cgroup.procs") != 0)
        continue;
      file = fopen (entry->fts_path, "re");
      while (file != NULL && fgets (line, sizeof line, file) != NULL)
        {
          long pid = strtol (line, NULL, 10);

          if (pid > 0 && pid <= INT32_MAX)
            visit ((int32_t) pid, data);
        }
      if (file != NULL)
        fclose (file);
    }
  if (tree != NULL)
    fts_close (tree);
}
