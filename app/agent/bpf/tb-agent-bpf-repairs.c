/* tb-agent-bpf-repairs.c: entry probes in the C libraries that processes have mapped when the
 * recording starts; repairs.bpf.c stores the call stack at each entry, by which broken stacks are
 * completed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/tb-agent-libc.h"
#include "agent/bpf/tb-agent-bpf-private.h"
#include "agent/probes/tb-agent-multi-probe.h"

#define MAX_LINE 4400

static int
link_library (void *data, TbAgentLinks *links)
{
  return tb_agent_multi_probe_attach (data, links);
}

/* Probes a library that was not examined before. Returns 0 if there is nothing to do. */
static int
take_library (TbAgent *self, const char *place, int program, int *error)
{
  TbAgentRepairs *repairs = &self->bpf->repairs;
  uint64_t offsets[TB_AGENT_MAX_LIBC_FUNCTIONS];
  struct stat status;
  TbAgentMultiProbe library = { .program = program, .offsets = offsets };
  int file = open (place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  if (file < 0)
    return 0;
  if (fstat (file, &status) != 0 || !S_ISREG (status.st_mode))
    goto done;
  for (size_t i = 0; i < repairs->n_libraries; i++)
    if (repairs->libraries[i].device == status.st_dev
        && repairs->libraries[i].inode == status.st_ino)
      goto done;
  library.file = file;
  library.n = tb_agent_libc_find_functions (file, offsets);
  if (library.n > 0
      && tb_agent_attach_helper_attach (link_library, &library, &repairs->links, NULL, 0) != 0)
    *error = errno;
  repairs->libraries[repairs->n_libraries++] = (TbAgentLibrary) { status.st_dev, status.st_ino };
done:
  close (file);
  return 0;
}

/* Probes the C libraries that the process has mapped now. */
static void
search_process (TbAgent *self, int32_t pid, int program, int *error)
{
  char name[64], *line = tb_agent_allocate (NULL, MAX_LINE);
  FILE *maps;

  snprintf (name, sizeof name, "/proc/%d/maps", pid);
  maps = fopen (name, "re");
  while (maps != NULL && self->bpf->repairs.n_libraries < TB_AGENT_MAX_LIBRARIES
         && fgets (line, MAX_LINE, maps) != NULL)
    {
      unsigned long long start, end;
      char mode[8];
      int path = 0;

      line[strcspn (line, "\n")] = '\0';
      if (sscanf (line, "%llx-%llx %7s %*s %*s %*s %n", &start, &end, mode, &path) != 3 || path == 0
          || mode[2] != 'x' || !tb_agent_libc_matches_path (line + path))
        continue;
      snprintf (name, sizeof name, "/proc/%d/map_files/%llx-%llx", pid, start, end);
      take_library (self, name, program, error);
    }
  if (maps != NULL)
    fclose (maps);
  free (line);
}

static void
report_none_probed (TbAgent *self, int error)
{
  TbCaptureMessage message;

  TB_CAPTURE_SET_MESSAGE (&message, TB_CAPTURE_CODE_NO_LIBRARY_PROBED, error);
  tb_capture_message_add_cause (&message,
                                TB_CAPTURE_MESSAGE (error != 0 ? TB_CAPTURE_CODE_ERROR
                                                               : TB_CAPTURE_CODE_NO_LIBRARY_MAPPED,
                                                    error));
  tb_agent_output_put_status (self->output, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_PROBES,
                              &message);
}

void
tb_agent_bpf_repairs_start (TbAgent *self, int program)
{
  TbAgentRepairs *repairs = &self->bpf->repairs;
  DIR *folder = opendir ("/proc");
  struct dirent *entry;
  int error = 0;

  while (folder != NULL && (entry = readdir (folder)) != NULL)
    {
      long pid = strtol (entry->d_name, NULL, 10);

      if (pid > 0)
        search_process (self, (int32_t) pid, program, &error);
    }
  if (folder != NULL)
    closedir (folder);
  if (repairs->links.n == 0)
    report_none_probed (self, error);
}

void
tb_agent_bpf_repairs_stop (TbAgent *self)
{
  TbAgentRepairs *repairs = &self->bpf->repairs;

  tb_agent_attach_helper_detach (&repairs->links, 1);
  repairs->n_libraries = 0;
}
