/* tb-agent-probes.c: user probes and marks in programs, given by file and offset: check of the
 * file, attaching one by one or as a group, detaching, answer with the cost or the reason of a
 * failure
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

#include "agent/base/tb-agent-map.h"
#include "agent/core/tb-agent-modules.h"
#include "agent/probes/tb-agent-attach-helper.h"
#include "agent/probes/tb-agent-instructions.h"
#include "agent/probes/tb-agent-multi-probe.h"
#include "agent/probes/tb-agent-probes.h"

#define MAX_LINE 4400

struct TbAgentProbe
{
  uint32_t id;
  int map; /* BPF map with the probe's settings under its id */
  TbAgentLinks links;
};

/* Target file */

typedef struct
{
  int fd;
  uint64_t size;
} Target;

/* Location of a probe */
typedef struct
{
  uint64_t device;
  uint64_t inode;
  uint64_t offset;
  uint64_t semaphore;
  int32_t pid;    /* a process that has the file mapped */
  int32_t traced; /* the process that gets the probe, -1: all */
} Place;

/* Opens the file through the process, so that no text from the client is used as a path. */
static int
open_mapped (int32_t pid,
             uint64_t start,
             uint64_t end,
             const char *path,
             const Place *wanted,
             Target *target)
{
  char names[2][MAX_LINE];
  struct stat status;

  snprintf (names[0], sizeof names[0], "/proc/%d/map_files/%llx-%llx", pid,
            (unsigned long long) start, (unsigned long long) end);
  snprintf (names[1], sizeof names[1], "/proc/%d/root/%.4000s", pid, path);
  for (int i = 0; i < 2; i++)
    {
      target->fd = open (names[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      if (target->fd < 0)
        continue;
      if (fstat (target->fd, &status) == 0 && S_ISREG (status.st_mode)
          && status.st_dev == wanted->device && status.st_ino == wanted->inode)
        {
          target->size = (uint64_t) status.st_size;
          return 0;
        }
      close (target->fd);
    }
  target->fd = -1;
  return -1;
}

/* Opens the file that the process has mapped executable at the offset. */
static int
open_target (const Place *wanted, Target *target, TbCaptureMessage *why)
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
      if (sscanf (line, "%llx-%llx %7s %llx %*s %llu %n", &start, &end, mode, &offset, &inode,
                  &path)
              != 5
          || path == 0 || inode != wanted->inode)
        continue;
      is_mapped = 1;
      if (mode[2] == 'x' && wanted->offset >= offset && wanted->offset - offset < end - start)
        open_mapped (wanted->pid, start, end, line + path, wanted, target);
    }
  if (target->fd < 0)
    TB_CAPTURE_SET_MESSAGE (why,
                            maps == NULL ? TB_CAPTURE_CODE_PROBED_PROCESS_MISSING
                            : is_mapped  ? TB_CAPTURE_CODE_NO_CODE_AT_OFFSET
                                         : TB_CAPTURE_CODE_FILE_NOT_MAPPED,
                            0);
  if (maps != NULL)
    fclose (maps);
  free (line);
  return target->fd >= 0 ? 0 : -1;
}

static int
check_build_id (const Target *target, const uint8_t *wanted, size_t length, TbCaptureMessage *why)
{
  uint8_t build_id[TB_AGENT_MAX_BUILD_ID];
  size_t got;

  if (length == 0)
    return 0;
  got = tb_agent_read_build_id (target->fd, build_id);
  if (got == length && memcmp (build_id, wanted, length) == 0)
    return 0;
  TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_FILE_REPLACED, 0);
  return -1;
}

/* Attaching */

long
tb_agent_probes_read_number (const char *path, const char *before)
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

/* The file offset of a USDT semaphore goes into the upper half of the configuration. */
static int
open_event (const Target *target, uint64_t offset, const Place *place, int returns)
{
  struct perf_event_attr attr = { .size = sizeof attr };
  int cpu = place->traced < 0 ? 0 : -1; /* for a probe in all processes one event covers all CPUs */
  long type = tb_agent_probes_read_number ("/sys/bus/event_source/devices/uprobe/type", "");
  long bit = tb_agent_probes_read_number ("/sys/bus/event_source/devices/uprobe/format/retprobe",
                                          "config:");
  char path[32];

  if (type < 0 || (returns && (bit < 0 || bit > 63)))
    {
      errno = ENOENT;
      return -1;
    }
  if (place->semaphore > UINT32_MAX)
    {
      errno = EINVAL;
      return -1;
    }
  snprintf (path, sizeof path, "/proc/self/fd/%d", target->fd);
  attr.type = (uint32_t) type;
  attr.config = (returns ? (uint64_t) 1 << bit : 0) | place->semaphore << 32;
  attr.config1 = (uint64_t) (uintptr_t) path;
  attr.config2 = offset;
  return (int) syscall (SYS_perf_event_open, &attr, place->traced, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

int
tb_agent_probes_link (int event, int program, uint32_t id)
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

/* A probe, and optionally another at the function's return */
typedef struct
{
  const Target *target;
  uint64_t offset;
  const Place *place;
  uint32_t id;
  int program;
  int returns;
  int return_program; /* 0: none */
} Wanted;

/* Links are closed in reverse order: a link before the event that it is attached to. */
static int
attach_one (const Wanted *wanted, int program, int returns, TbAgentLinks *links)
{
  int event = open_event (wanted->target, wanted->offset, wanted->place, returns), link;

  if (event < 0)
    return -1;
  tb_agent_links_add (links, event);
  link = tb_agent_probes_link (event, program, wanted->id);
  if (link < 0)
    return -1;
  tb_agent_links_add (links, link);
  return 0;
}

static int
attach_wanted (void *data, TbAgentLinks *links)
{
  const Wanted *wanted = data;

  if (!tb_agent_instructions_are_safe (wanted->target->fd, wanted->offset))
    {
      errno = ENOTSUP;
      return -1;
    }
  if (attach_one (wanted, wanted->program, wanted->returns, links) != 0)
    return -1;
  return wanted->return_program != 0 ? attach_one (wanted, wanted->return_program, 1, links) : 0;
}

static int
attach (TbAgentProbe *probe, Wanted *wanted)
{
  wanted->id = probe->id;
  return tb_agent_attach_helper_attach (attach_wanted, wanted, &probe->links, NULL, 0);
}

/* value NULL: deletes the entry */
static int
change_map (int map, uint32_t id, const void *value)
{
  union bpf_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.map_fd = (uint32_t) map;
  attr.key = (uint64_t) (uintptr_t) &id;
  attr.value = (uint64_t) (uintptr_t) value;
  return (int) syscall (SYS_bpf, value != NULL ? BPF_MAP_UPDATE_ELEM : BPF_MAP_DELETE_ELEM, &attr,
                        sizeof attr);
}

void
tb_agent_probes_explain (int error, TbCaptureMessage *why)
{
  TbCaptureStatusCode code = TB_CAPTURE_CODE_ERROR;

  switch (error)
    {
    case EPERM:
    case EACCES:
      code = TB_CAPTURE_CODE_PROBE_NOT_PERMITTED;
      break;
    case ENOENT:
      code = TB_CAPTURE_CODE_NO_UPROBES;
      break;
    case ENOTSUP:
    case EINVAL:
      code = TB_CAPTURE_CODE_NO_PROBABLE_INSTRUCTION;
      break;
    case EMFILE:
      code = TB_CAPTURE_CODE_TOO_MANY_FILES;
      break;
    case ESRCH:
      code = TB_CAPTURE_CODE_PROBED_PROCESS_ENDED;
      break;
    default:
      break;
    }
  TB_CAPTURE_SET_MESSAGE (why, code, error);
}

void
tb_agent_probes_answer_cost (int file, uint64_t offset, TbCaptureMessage *answer)
{
  TB_CAPTURE_SET_MESSAGE (answer,
                          tb_agent_instructions_are_cheap (file, offset)
                              ? TB_CAPTURE_CODE_PROBE_EMULATED
                              : TB_CAPTURE_CODE_PROBE_SINGLE_STEPPED,
                          0);
}

static TbAgentProbe *
find (const TbAgentProbes *self, uint32_t id)
{
  for (size_t i = 0; i < self->n_probes; i++)
    if (self->probes[i].id == id)
      return &self->probes[i];
  return NULL;
}

static void
detach (TbAgentProbe *probe)
{
  tb_agent_attach_helper_detach (&probe->links, 1);
  change_map (probe->map, probe->id, NULL);
}

static int
attach_function (TbAgentProbe *probe,
                 const TbAgentProbePrograms *programs,
                 const TbCaptureProbeAdd *wanted,
                 const Place *place,
                 const Target *target,
                 TbCaptureMessage *answer)
{
  Wanted attached = {
    .target = target, .offset = wanted->offset, .place = place, .program = programs->on_entry
  };
  unsigned kind = wanted->kind & ~TB_CAPTURE_PROBE_ALL;
  int result;

  if (kind == TB_CAPTURE_PROBE_INSTRUCTION)
    attached.program = programs->on_instruction;
  else
    attached.offset = tb_agent_instructions_find_entry (target->fd, wanted->offset);
  if (kind == TB_CAPTURE_PROBE_RETURN)
    attached.return_program = programs->on_return;
  change_map (probe->map, probe->id, &wanted->filter);
  result = attach (probe, &attached);
  if (result == 0)
    tb_agent_probes_answer_cost (target->fd, attached.offset, answer);
  else
    tb_agent_probes_explain (errno, answer);
  return result;
}

/* Marks */

/* Register numbers of DWARF */
#if defined __aarch64__
#  define STACK_POINTER 31
#else
#  define STACK_POINTER 7
#endif

static uint16_t
choose_stack (uint16_t flags)
{
  if ((flags & TB_CAPTURE_MARK_WITH_STACK) == 0)
    return 0;
  return TB_BPF_MARK_STACK | ((flags & TB_CAPTURE_MARK_AT_ENTRY) != 0 ? TB_BPF_MARK_ENTERED : 0);
}

static uint64_t
find_place (const Target *target, const TbCaptureMarkAdd *wanted)
{
  return (wanted->stack & (TB_CAPTURE_MARK_AT_ENTRY | TB_CAPTURE_MARK_AT_RETURN)) != 0
             ? tb_agent_instructions_find_entry (target->fd, wanted->offset)
             : tb_agent_instructions_find_mark (target->fd, wanted->offset);
}

/* Prepares what the program reads at the location; returns 0 if that is possible. */
static int
describe_mark (const TbAgentProbe *probe,
               const TbCaptureMarkAdd *wanted,
               uint64_t place,
               TbCaptureMessage *answer)
{
  TbBpfMarkPlace mark = { .text = wanted->text,
                          .stack = choose_stack (wanted->stack),
                          .stack_pointer = tb_agent_probes_find_register (STACK_POINTER),
                          .returns = (wanted->stack & TB_CAPTURE_MARK_AT_RETURN) != 0 };

  for (unsigned i = 0; i < TB_CAPTURE_MARK_ARGS; i++)
    if (!tb_agent_probes_translate_operand (wanted->operands[i], wanted->values[i],
                                            place - wanted->offset, &mark.operands[i]))
      {
        TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_UNKNOWN_REGISTER, 0);
        return -1;
      }
  if ((wanted->stack & TB_CAPTURE_MARK_PAIRED) != 0)
    mark.pair = (uint32_t) wanted->values[TB_CAPTURE_MARK_PAIR];
  if (change_map (probe->map, probe->id, &mark) == 0)
    return 0;
  tb_agent_probes_explain (errno, answer);
  return -1;
}

static int
attach_mark (TbAgentProbe *probe,
             const TbAgentMarkPrograms *programs,
             const TbCaptureMarkAdd *wanted,
             const Place *place,
             const Target *target,
             TbCaptureMessage *answer)
{
  Wanted attached = { .target = target,
                      .offset = find_place (target, wanted),
                      .place = place,
                      .program = programs->on_mark,
                      .returns = (wanted->stack & TB_CAPTURE_MARK_AT_RETURN) != 0 };

  if (describe_mark (probe, wanted, attached.offset, answer) != 0)
    return -1;
  if (attach (probe, &attached) != 0)
    {
      tb_agent_probes_explain (errno, answer);
      return -1;
    }
  tb_agent_probes_answer_cost (target->fd, attached.offset, answer);
  return 0;
}

/* Adds the mark to the group if it is eligible. */
static int
join_group (TbAgentMarkGroup *group,
            const TbAgentProbe *probe,
            const TbCaptureMarkAdd *wanted,
            const Target *target,
            TbCaptureMessage *answer)
{
  uint64_t offset = find_place (target, wanted);

  if (group->n == TB_AGENT_MAX_GROUP
      || (group->n > 0 && (group->device != wanted->device || group->inode != wanted->inode))
      || wanted->semaphore != 0 || (wanted->stack & TB_CAPTURE_MARK_AT_RETURN) != 0)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_GROUP_NOT_JOINED, 0);
      return -1;
    }
  if (!tb_agent_instructions_are_safe (target->fd, offset))
    {
      tb_agent_probes_explain (ENOTSUP, answer);
      return -1;
    }
  if (describe_mark (probe, wanted, offset, answer) != 0)
    return -1;
  group->device = wanted->device;
  group->inode = wanted->inode;
  group->offsets[group->n] = offset;
  group->ids[group->n++] = wanted->id;
  tb_agent_probes_answer_cost (target->fd, offset, answer);
  return 0;
}

int
tb_agent_probes_open_file (uint64_t device,
                           uint64_t inode,
                           uint64_t offset,
                           int32_t pid,
                           const uint8_t *build_id,
                           size_t build_id_length,
                           TbCaptureMessage *why)
{
  Place place = { device, inode, offset, 0, pid, -1 };
  Target target;

  if (open_target (&place, &target, why) != 0)
    return -1;
  if (check_build_id (&target, build_id, build_id_length, why) == 0)
    {
      if (tb_agent_instructions_are_safe (target.fd, offset))
        return target.fd;
      tb_agent_probes_explain (ENOTSUP, why);
    }
  close (target.fd);
  return -1;
}

int
tb_agent_probes_attach (int file,
                        uint64_t offset,
                        int32_t traced,
                        int returns,
                        int program,
                        uint32_t id,
                        TbAgentLinks *links)
{
  Target target = { .fd = file };
  Place place = { .traced = traced };
  Wanted wanted = { &target, offset, &place, id, program, returns, 0 };

  return attach_wanted (&wanted, links);
}

/* Own program file */

uint64_t
tb_agent_probes_find_own (const void *code)
{
  uint64_t address = (uint64_t) (uintptr_t) code, found = 0;
  FILE *maps = fopen ("/proc/self/maps", "re");
  char *line = tb_agent_allocate (NULL, MAX_LINE);

  while (maps != NULL && fgets (line, MAX_LINE, maps) != NULL)
    {
      unsigned long long start, end, offset;

      if (sscanf (line, "%llx-%llx %*s %llx", &start, &end, &offset) == 3 && address >= start
          && address < end)
        found = address - start + offset;
    }
  if (maps != NULL)
    fclose (maps);
  free (line);
  return found;
}

/* Adding */

/* Opens the file at which a probe with that id can be added. -1 with the reason: none can. */
static int
open_for_new_probe (const TbAgentProbes *self,
                    uint32_t id,
                    const Place *place,
                    const uint8_t *build_id,
                    size_t build_id_length,
                    Target *target,
                    TbCaptureMessage *answer)
{
  if (find (self, id) != NULL)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_PROBE_EXISTS, 0);
  else if (self->n_probes >= TB_BPF_MAX_PROBES)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_TOO_MANY_PROBES, 0,
                            TB_CAPTURE_NUMBER (TB_BPF_MAX_PROBES));
  else if (open_target (place, target, answer) == 0)
    {
      if (check_build_id (target, build_id, build_id_length, answer) == 0)
        return 0;
      close (target->fd);
    }
  return -1;
}

/* Closes the file. Adds the probe if it is attached, as the result states. */
static int
add_if_attached (TbAgentProbes *self, TbAgentProbe *probe, const Target *target, int result)
{
  close (target->fd);
  if (result != 0)
    {
      detach (probe);
      return -1;
    }
  if ((self->n_probes & (self->n_probes + 1)) == 0)
    self->probes
        = tb_agent_allocate (self->probes, (self->n_probes + 1) * 2 * sizeof *self->probes);
  self->probes[self->n_probes++] = *probe;
  return 0;
}

int
tb_agent_probes_add (TbAgentProbes *self,
                     const TbAgentProbePrograms *programs,
                     const TbCaptureProbeAdd *wanted,
                     int32_t traced,
                     const uint8_t *build_id,
                     size_t build_id_length,
                     TbCaptureMessage *answer)
{
  TbAgentProbe probe = { wanted->id, programs->filters, { 0 } };
  Place place = { wanted->device, wanted->inode, wanted->offset, 0, wanted->pid, traced };
  Target target;

  if ((wanted->kind & ~TB_CAPTURE_PROBE_ALL) > TB_CAPTURE_PROBE_INSTRUCTION || wanted->pid <= 0)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_PROBE_WITHOUT_LOCATION, 0);
      return -1;
    }
  if (open_for_new_probe (self, wanted->id, &place, build_id, build_id_length, &target, answer)
      != 0)
    return -1;
  return add_if_attached (self, &probe, &target,
                          attach_function (&probe, programs, wanted, &place, &target, answer));
}

typedef struct
{
  int file;
  const TbAgentMarkGroup *group;
  int program;
} WantedGroup;

static int
attach_group (void *data, TbAgentLinks *links)
{
  const WantedGroup *wanted = data;
  const TbAgentMultiProbe probe = { .program = wanted->program,
                                    .file = wanted->file,
                                    .offsets = wanted->group->offsets,
                                    .cookies = wanted->group->ids,
                                    .n = wanted->group->n };

  return tb_agent_multi_probe_attach (&probe, links);
}

/* The group's probes are already in the list; the first one owns the links of all. */
static int
finish_group (TbAgentProbes *self, const WantedGroup *wanted, TbCaptureMessage *answer)
{
  TbAgentProbe *first = find (self, (uint32_t) wanted->group->ids[0]);
  int error;

  if (first == NULL)
    return -1;
  if (tb_agent_attach_helper_attach (attach_group, (void *) wanted, &first->links, NULL, 0) == 0)
    return 0;
  error = errno;
  for (size_t i = 0; i < wanted->group->n; i++)
    tb_agent_probes_remove (self, (uint32_t) wanted->group->ids[i]);
  if (error == EINVAL || error == EOPNOTSUPP)
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_GROUP_NOT_TAKEN, error);
  else
    tb_agent_probes_explain (error, answer);
  return -1;
}

static int
add_to_group (TbAgentProbes *self,
              TbAgentProbe *probe,
              const TbAgentMarkPrograms *programs,
              const TbCaptureMarkAdd *wanted,
              const Place *place,
              Target *target,
              TbCaptureMessage *answer)
{
  WantedGroup group = { dup (target->fd), &self->group, programs->on_marks };
  int joined = -1, attached = 0;

  if (place->traced < 0)
    joined = join_group (&self->group, probe, wanted, target, answer);
  else
    TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_GROUP_NEEDS_SYSTEM, 0);
  joined = add_if_attached (self, probe, target, joined);
  if ((wanted->stack & TB_CAPTURE_MARK_WITH_NEXT) == 0)
    {
      if (self->group.n > 0)
        attached = finish_group (self, &group, answer);
      self->group = (TbAgentMarkGroup) { 0 };
    }
  if (group.file >= 0)
    close (group.file);
  return joined == 0 && attached == 0 ? 0 : -1;
}

int
tb_agent_probes_add_mark (TbAgentProbes *self,
                          const TbAgentMarkPrograms *programs,
                          const TbCaptureMarkAdd *wanted,
                          const uint8_t *build_id,
                          size_t build_id_length,
                          int everywhere,
                          TbCaptureMessage *answer)
{
  TbAgentProbe probe = { wanted->id, programs->places, { 0 } };
  Place place = { wanted->device,    wanted->inode, wanted->offset,
                  wanted->semaphore, wanted->pid,   everywhere ? -1 : wanted->pid };
  Target target;

  if (wanted->pid <= 0 || wanted->text > TB_CAPTURE_MARK_ARGS)
    {
      TB_CAPTURE_SET_MESSAGE (answer, TB_CAPTURE_CODE_MARK_WITHOUT_LOCATION, 0);
      return -1;
    }
  if (open_for_new_probe (self, wanted->id, &place, build_id, build_id_length, &target, answer)
      != 0)
    return -1;
  if ((wanted->stack & TB_CAPTURE_MARK_WITH_NEXT) != 0 || self->group.n > 0)
    return add_to_group (self, &probe, programs, wanted, &place, &target, answer);
  return add_if_attached (self, &probe, &target,
                          attach_mark (&probe, programs, wanted, &place, &target, answer));
}

int
tb_agent_probes_remove (TbAgentProbes *self, uint32_t id)
{
  TbAgentProbe *probe = find (self, id);

  if (probe == NULL)
    return -1;
  detach (probe);
  *probe = self->probes[--self->n_probes];
  return 0;
}

void
tb_agent_probes_clear (TbAgentProbes *self)
{
  TbAgentLinks all = { 0 };

  for (size_t i = 0; i < self->n_probes; i++)
    tb_agent_links_move (&all, &self->probes[i].links);
  tb_agent_attach_helper_detach (&all, 1);
  free (self->probes);
  *self = (TbAgentProbes) { 0 };
}
