/* tb-agent-probes.c: probes in programs, by file and offset only
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/bpf/tb-bpf-record.h"
#include "agent/tb-agent-map.h"
#include "agent/tb-agent-modules.h"
#include "agent/tb-agent-probes.h"

#define MAX_LINE 4400
/* What marks where indirect calls may go, at the beginning of a function: single-stepping it is slow, and behind it nothing
 * has changed yet. */
#define MARKER_LENGTH 4
#define CODE_LENGTH 16

struct TbAgentProbe
{
  uint32_t id;
  int fds[4]; /* events and links, -1 none */
};

/* The file */

typedef struct
{
  int fd;
  uint64_t size;
} Target;

/* By way of the process, so that nothing that the client says is taken for a path. */
static int
open_mapped (int32_t pid,
             uint64_t start,
             uint64_t end,
             const char *path,
             const TbCaptureProbeAdd *wanted,
             Target *target)
{
  char names[2][MAX_LINE];
  struct stat status;

  snprintf (names[0], sizeof names[0], "/proc/%d/map_files/%llx-%llx", pid, (unsigned long long) start,
            (unsigned long long) end);
  snprintf (names[1], sizeof names[1], "/proc/%d/root/%.4000s", pid, path);
  for (int i = 0; i < 2; i++)
    {
      target->fd = open (names[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      if (target->fd < 0)
        continue;
      if (fstat (target->fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_dev == wanted->device
          && status.st_ino == wanted->inode)
        {
          target->size = (uint64_t) status.st_size;
          return 0;
        }
      close (target->fd);
    }
  target->fd = -1;
  return -1;
}

/* Opens the file that the process has mapped executable there. */
static int
open_target (const TbCaptureProbeAdd *wanted, Target *target, char *reason, size_t size)
{
  char name[48], *line = tb_agent_allocate (NULL, MAX_LINE);
  int is_mapped = 0;
  FILE *maps;

  target->fd = -1;
  snprintf (name, sizeof name, "/proc/%d/maps", wanted->pid);
  maps = fopen (name, "re");
  while (maps != NULL && target->fd < 0 && fgets (line, MAX_LINE, maps) != NULL)
    {
      unsigned long long start, end, offset, inode;
      int path = 0;
      char mode[8];

      line[strcspn (line, "\n")] = '\0';
      if (sscanf (line, "%llx-%llx %7s %llx %*s %llu %n", &start, &end, mode, &offset, &inode, &path) != 5
          || path == 0 || inode != wanted->inode)
        continue;
      is_mapped = 1;
      if (mode[2] == 'x' && wanted->offset >= offset && wanted->offset - offset < end - start)
        open_mapped (wanted->pid, start, end, line + path, wanted, target);
    }
  if (target->fd < 0)
    snprintf (reason, size, "%s",
              maps == NULL ? "there is no such process"
              : is_mapped  ? "the process has no code of that file at this offset"
                           : "the process has not mapped that file");
  if (maps != NULL)
    fclose (maps);
  free (line);
  return target->fd >= 0 ? 0 : -1;
}

static int
check_build_id (const Target *target, const uint8_t *wanted, size_t length, char *reason, size_t size)
{
  uint8_t build_id[TB_AGENT_MAX_BUILD_ID];
  size_t got;

  if (length == 0)
    return 0;
  got = tb_agent_read_build_id (target->fd, build_id);
  if (got == length && memcmp (build_id, wanted, length) == 0)
    return 0;
  snprintf (reason, size, "the file has another build-id: it was replaced, find the function anew");
  return -1;
}

/* The code */

#if defined __x86_64__
static int
is_marker (const uint8_t *code, size_t length)
{
  static const uint8_t marker[MARKER_LENGTH] = { 0xf3, 0x0f, 0x1e, 0xfa };

  return length >= MARKER_LENGTH && memcmp (code, marker, MARKER_LENGTH) == 0;
}
#else
static int
is_marker (const uint8_t *code, size_t length)
{
  return 0;
}
#endif

int
tb_agent_probes_is_cheap (const uint8_t *code, size_t length)
{
  if (length < 6)
    return 0;
  /* push, also of the upper registers; nop; call; jumps */
  if ((code[0] & 0xf8) == 0x50 || (code[0] == 0x41 && (code[1] & 0xf8) == 0x50))
    return 1;
  if (code[0] == 0x90 || code[0] == 0xe8 || code[0] == 0xe9 || code[0] == 0xeb || (code[0] & 0xf0) == 0x70)
    return 1;
  return code[0] == 0x0f && (code[1] == 0x1f || (code[1] & 0xf0) == 0x80);
}

/* Attaching */

static long
read_number (const char *path, const char *before)
{
  char line[64] = "";
  FILE *file = fopen (path, "re");
  size_t length = strlen (before);

  if (file == NULL)
    return -1;
  if (fgets (line, sizeof line, file) == NULL)
    line[0] = '\0';
  fclose (file);
  return strncmp (line, before, length) == 0 ? strtol (line + length, NULL, 10) : -1;
}

static int
open_event (const Target *target, uint64_t offset, int32_t pid, int returns)
{
  struct perf_event_attr attr = { .size = sizeof attr };
  long type = read_number ("/sys/bus/event_source/devices/uprobe/type", "");
  long bit = read_number ("/sys/bus/event_source/devices/uprobe/format/retprobe", "config:");
  char path[32];

  if (type < 0 || (returns && (bit < 0 || bit > 63)))
    {
      errno = ENOENT;
      return -1;
    }
  snprintf (path, sizeof path, "/proc/self/fd/%d", target->fd);
  attr.type = (uint32_t) type;
  attr.config = returns ? (uint64_t) 1 << bit : 0;
  attr.config1 = (uint64_t) (uintptr_t) path;
  attr.config2 = offset;
  return (int) syscall (SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int
link_program (int event, int program, uint32_t id)
{
  union bpf_attr attr;
  int link;

  memset (&attr, 0, sizeof attr);
  attr.link_create.prog_fd = (uint32_t) program;
  attr.link_create.target_fd = (uint32_t) event;
  attr.link_create.attach_type = BPF_PERF_EVENT;
  attr.link_create.perf_event.bpf_cookie = id;
  link = (int) syscall (SYS_bpf, BPF_LINK_CREATE, &attr, sizeof attr);
  if (link >= 0 && ioctl (event, PERF_EVENT_IOC_ENABLE, 0) != 0)
    {
      close (link);
      return -1;
    }
  return link;
}

static void
detach (TbAgentProbe *probe)
{
  for (int i = 3; i >= 0; i--)
    if (probe->fds[i] >= 0)
      close (probe->fds[i]);
}

static int
attach (TbAgentProbe *probe,
        int which,
        const Target *target,
        uint64_t offset,
        int32_t pid,
        int program,
        int returns)
{
  probe->fds[which] = open_event (target, offset, pid, returns);
  if (probe->fds[which] < 0)
    return -1;
  probe->fds[which + 1] = link_program (probe->fds[which], program, probe->id);
  return probe->fds[which + 1] >= 0 ? 0 : -1;
}

static int
change_filter (int map, unsigned command, uint32_t id, uint64_t filter)
{
  union bpf_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.map_fd = (uint32_t) map;
  attr.key = (uint64_t) (uintptr_t) &id;
  if (command == BPF_MAP_UPDATE_ELEM)
    attr.value = (uint64_t) (uintptr_t) &filter;
  return (int) syscall (SYS_bpf, command, &attr, sizeof attr);
}

static const char *
explain (int error)
{
  switch (error)
    {
    case EPERM:
    case EACCES:
      return "not permitted: authorize the agent";
    case ENOENT:
      return "this kernel has no probes in programs";
    case ENOTSUP:
    case EINVAL:
      return "there is no instruction that can be probed";
    case EMFILE:
      return "too many open files: raise the limit (ulimit -n)";
    case ESRCH:
      return "the process has ended";
    default:
      return strerror (error);
    }
}

static TbAgentProbe *
find (const TbAgentProbes *self, uint32_t id)
{
  for (size_t i = 0; i < self->n_probes; i++)
    if (self->probes[i].id == id)
      return &self->probes[i];
  return NULL;
}

static int
place (TbAgentProbe *probe,
       const TbAgentProbePrograms *programs,
       const TbCaptureProbeAdd *wanted,
       const Target *target,
       char *text,
       size_t size)
{
  uint64_t offset = wanted->offset;
  uint8_t code[CODE_LENGTH];
  ssize_t length = pread (target->fd, code, sizeof code, (off_t) offset);
  size_t known = length > 0 ? (size_t) length : 0, skipped = 0;
  int result;

  if (wanted->kind != TB_CAPTURE_PROBE_INSTRUCTION && is_marker (code, known))
    skipped = MARKER_LENGTH;
  offset += skipped;
  change_filter (programs->filters, BPF_MAP_UPDATE_ELEM, probe->id, wanted->filter);
  result
      = attach (probe, 0, target, offset, wanted->pid,
                wanted->kind == TB_CAPTURE_PROBE_INSTRUCTION ? programs->on_instruction : programs->on_entry,
                0);
  if (result == 0 && wanted->kind == TB_CAPTURE_PROBE_RETURN)
    result = attach (probe, 2, target, offset, wanted->pid, programs->on_return, 1);
  if (result != 0)
    {
      snprintf (text, size, "%s", explain (errno));
      detach (probe);
      change_filter (programs->filters, BPF_MAP_DELETE_ELEM, probe->id, 0);
      return -1;
    }
  snprintf (text, size, "%s",
            tb_agent_probes_is_cheap (code + skipped, known - skipped)
                ? "its instruction is emulated: below 1 µs each time"
                : "its instruction is single-stepped: about 10 µs each time");
  return 0;
}

int
tb_agent_probes_add (TbAgentProbes *self,
                     const TbAgentProbePrograms *programs,
                     const TbCaptureProbeAdd *wanted,
                     const uint8_t *build_id,
                     size_t build_id_length,
                     char *text,
                     size_t size)
{
  TbAgentProbe probe = { wanted->id, { -1, -1, -1, -1 } };
  Target target;
  int result;

  if (find (self, wanted->id) != NULL)
    snprintf (text, size, "there is one of that number already");
  else if (self->n_probes >= TB_BPF_MAX_PROBES)
    snprintf (text, size, "there are %u already, which is the limit", TB_BPF_MAX_PROBES);
  else if (wanted->kind > TB_CAPTURE_PROBE_INSTRUCTION || wanted->pid <= 0)
    snprintf (text, size, "it says neither what nor in which process");
  else if (open_target (wanted, &target, text, size) == 0)
    {
      result = check_build_id (&target, build_id, build_id_length, text, size) == 0
                   ? place (&probe, programs, wanted, &target, text, size)
                   : -1;
      close (target.fd);
      if (result != 0)
        return -1;
      if ((self->n_probes & (self->n_probes + 1)) == 0)
        self->probes = tb_agent_allocate (self->probes, (self->n_probes + 1) * 2 * sizeof *self->probes);
      self->probes[self->n_probes++] = probe;
      return 0;
    }
  return -1;
}

int
tb_agent_probes_remove (TbAgentProbes *self, const TbAgentProbePrograms *programs, uint32_t id)
{
  TbAgentProbe *probe = find (self, id);

  if (probe == NULL)
    return -1;
  detach (probe);
  change_filter (programs->filters, BPF_MAP_DELETE_ELEM, id, 0);
  *probe = self->probes[--self->n_probes];
  return 0;
}

void
tb_agent_probes_clear (TbAgentProbes *self)
{
  for (size_t i = 0; i < self->n_probes; i++)
    detach (&self->probes[i]);
  free (self->probes);
  *self = (TbAgentProbes) { 0 };
}
