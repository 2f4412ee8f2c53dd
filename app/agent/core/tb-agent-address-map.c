/* tb-agent-address-map.c: address map of processes, read from /proc/PID/maps: the module and offset
 * at an address, such as that of a lock
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/core/tb-agent-address-map.h"

#define MAX_PROCESSES 1024
#define MAX_REGIONS (1u << 18)
#define MAX_TEXT (32u << 20)
/* A lookup of an unknown address reads the maps again, but not more often than this. */
#define READ_INTERVAL_NS 100000000u

typedef struct
{
  uint64_t start;
  uint64_t end;
  uint64_t offset;
  uint64_t device;
  uint64_t inode;
  /* address at which the file's first page is or would be mapped; 0 if the region is no file
   * data */
  uint64_t base;
  /* start and end of the mapping that base was computed from, which identify the file */
  uint64_t text;
  uint64_t text_end;
  char *path;      /* "": none */
  uint32_t module; /* 0: not known yet */
  uint8_t is_shared;
  uint8_t is_code;
  uint8_t is_data; /* private mapping of a file, or the zeroed memory behind it */
} Region;

struct TbAgentProcessMap
{
  int32_t pid;
  Region *regions; /* sorted */
  size_t n_regions;
  uint64_t read_time;
};

static void
clear_process (TbAgentAddressMap *self, struct TbAgentProcessMap *process)
{
  for (size_t i = 0; i < process->n_regions; i++)
    free (process->regions[i].path);
  self->n_regions -= process->n_regions;
  free (process->regions);
  process->regions = NULL;
  process->n_regions = 0;
}

static int
parse_line (const char *line, size_t length, Region *region)
{
  unsigned long long start, end, offset, inode;
  unsigned major, minor;
  char permissions[8], copy[128];
  int at = 0;

  /* The numbers are in the first part; the path may be cut off. */
  snprintf (copy, sizeof copy, "%.*s", (int) (length < sizeof copy ? length : sizeof copy - 1),
            line);
  if (sscanf (copy, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end, permissions, &offset, &major,
              &minor, &inode, &at)
          < 7
      || at == 0 || end <= start || strlen (permissions) < 4)
    return 0;
  *region = (Region) { .start = start, .end = end, .offset = offset, .inode = inode };
  region->device = (uint64_t) major << 32 | minor;
  region->is_shared = permissions[3] == 's';
  region->is_code = permissions[2] == 'x';
  region->path = tb_agent_allocate (NULL, length - (size_t) at + 1);
  memcpy (region->path, line + at, length - (size_t) at);
  region->path[length - (size_t) at] = '\0';
  return 1;
}

/* Whether the region was mapped together with the region before, from the same file. Code can begin
 * in the file's first page: some linkers (mold) place one segment directly behind the other. */
static int
continues_file (const Region *region, const Region *before)
{
  if (before == NULL || !before->is_data || before->inode != region->inode
      || before->device != region->device)
    return 0;
  return region->offset != 0
         || (region->is_code && before->end == region->start && before->base == before->start);
}

/* The mappings of a file are adjacent in the list, each at least as far from the first page as in
 * the file. Memory that is zeroed at the start has no name and adjoins the last mapping. */
static void
find_base (Region *regions, size_t i)
{
  Region *region = &regions[i], *before = i > 0 ? &regions[i - 1] : NULL;
  int adjoins = before != NULL && before->is_data && before->end == region->start;

  if (region->inode != 0 && !region->is_shared && region->path[0] == '/'
      && !tb_agent_modules_is_anonymous (region->path, strlen (region->path)))
    {
      int goes_on = continues_file (region, before);

      region->is_data = 1;
      region->base = goes_on ? before->base : region->start - region->offset;
      region->text = goes_on ? before->text : region->start;
      region->text_end = goes_on ? before->text_end : region->end;
    }
  else if (adjoins && before->inode != 0 && region->inode == 0 && region->path[0] == '\0')
    {
      region->is_data = 1;
      region->base = before->base;
      region->text = before->text;
      region->text_end = before->text_end;
      region->inode = before->inode;
      region->device = before->device;
      free (region->path);
      region->path = tb_agent_allocate (NULL, strlen (before->path) + 1);
      memcpy (region->path, before->path, strlen (before->path) + 1);
    }
}

static void
parse (TbAgentAddressMap *self, struct TbAgentProcessMap *process, const char *maps)
{
  for (const char *line = maps; *line != '\0' && self->n_regions < MAX_REGIONS;)
    {
      size_t length = strcspn (line, "\n"), n = process->n_regions;
      Region region;

      /* The kernel lists regions in order. A region that overlaps the one before is left out. */
      if (parse_line (line, length, &region))
        {
          if (n > 0 && region.start < process->regions[n - 1].end)
            free (region.path);
          else
            {
              if ((n & (n + 1)) == 0)
                process->regions
                    = tb_agent_allocate (process->regions, (n + 1) * 2 * sizeof *process->regions);
              process->regions[process->n_regions++] = region;
              self->n_regions++;
              find_base (process->regions, n);
            }
        }
      line += length + (line[length] != '\0');
    }
}

static char *
read_maps (int32_t pid)
{
  size_t length = 0, size = 0;
  char path[48], *text = NULL;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/maps", pid);
  file = fopen (path, "re");
  if (file == NULL)
    return NULL;
  while (size < MAX_TEXT)
    {
      size_t got;

      size = size == 0 ? 65536 : size * 2;
      text = tb_agent_allocate (text, size);
      got = fread (text + length, 1, size - length - 1, file);
      length += got;
      if (length < size - 1)
        break;
    }
  fclose (file);
  text[length] = '\0';
  return text;
}

static Region *
find_region (const struct TbAgentProcessMap *process, uint64_t address)
{
  size_t low = 0, high = process->n_regions;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if (process->regions[middle].start <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && address < process->regions[low - 1].end ? &process->regions[low - 1] : NULL;
}

static void
describe (Region *region,
          TbAgentModules *modules,
          TbAgentOutput *output,
          int32_t pid,
          uint64_t address,
          TbAgentLocation *place)
{
  if (region->is_data)
    {
      if (region->module == 0)
        region->module
            = tb_agent_modules_intern_file (modules, pid, region->device, region->inode,
                                            region->text, region->text_end, region->path);
      place->module = region->module;
      place->offset = address - region->base;
      return;
    }
  place->object = tb_agent_output_intern_string (output, region->path, strlen (region->path));
  place->offset = address - region->start + (region->inode != 0 ? region->offset : 0);
}

static struct TbAgentProcessMap *
get_process (TbAgentAddressMap *self, int32_t pid)
{
  const uint64_t *index = tb_agent_map_get (&self->indexes, (uint64_t) pid);
  struct TbAgentProcessMap *process;

  if (index != NULL)
    return &self->processes[*index - 1];
  if (self->n_processes == MAX_PROCESSES || self->n_regions >= MAX_REGIONS)
    tb_agent_address_map_clear (self);
  if (self->processes == NULL)
    self->processes = tb_agent_allocate (NULL, MAX_PROCESSES * sizeof *self->processes);
  process = &self->processes[self->n_processes++];
  *process = (struct TbAgentProcessMap) { .pid = pid };
  tb_agent_map_put (&self->indexes, (uint64_t) pid, self->n_processes);
  return process;
}

int
tb_agent_address_map_find (TbAgentAddressMap *self,
                           TbAgentModules *modules,
                           TbAgentOutput *output,
                           int32_t pid,
                           uint64_t address,
                           TbAgentLocation *place)
{
  struct TbAgentProcessMap *process;
  Region *region;
  uint64_t now;
  char *maps;

  memset (place, 0, sizeof *place);
  if (pid <= 0 || address == 0)
    return 0;
  process = get_process (self, pid);
  region = find_region (process, address);
  if (region == NULL)
    {
      now = tb_agent_now ();
      if (process->read_time != 0 && now - process->read_time < READ_INTERVAL_NS)
        return 0;
      process->read_time = now;
      clear_process (self, process);
      maps = read_maps (pid);
      if (maps == NULL)
        return 0;
      parse (self, process, maps);
      free (maps);
      region = find_region (process, address);
      if (region == NULL)
        return 0;
    }
  describe (region, modules, output, pid, address, place);
  return 1;
}

int
tb_agent_address_map_find_in_text (const char *maps,
                                   TbAgentModules *modules,
                                   TbAgentOutput *output,
                                   int32_t pid,
                                   uint64_t address,
                                   TbAgentLocation *place)
{
  struct TbAgentProcessMap process = { .pid = pid };
  TbAgentAddressMap self = { 0 };
  Region *region;

  memset (place, 0, sizeof *place);
  parse (&self, &process, maps);
  region = find_region (&process, address);
  if (region != NULL)
    describe (region, modules, output, pid, address, place);
  clear_process (&self, &process);
  return region != NULL;
}

void
tb_agent_address_map_forget (TbAgentAddressMap *self, int32_t pid)
{
  const uint64_t *index = pid > 0 ? tb_agent_map_get (&self->indexes, (uint64_t) pid) : NULL;

  if (index == NULL)
    return;
  clear_process (self, &self->processes[*index - 1]);
  self->processes[*index - 1].read_time = 0;
}

void
tb_agent_address_map_clear (TbAgentAddressMap *self)
{
  for (size_t i = 0; i < self->n_processes; i++)
    clear_process (self, &self->processes[i]);
  free (self->processes);
  tb_agent_map_clear (&self->indexes);
  memset (self, 0, sizeof *self);
}
