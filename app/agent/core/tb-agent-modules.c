/* tb-agent-modules.c: files that processes have mapped as code, with their build IDs, which are
 * read from the ELF files, and the mappings, sent to the capture stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/core/tb-agent-modules.h"

#define MAX_PROGRAM_HEADERS 64
#define MAX_NOTES 4096
#define MAX_MODULES (1u << 20)

struct TbAgentModule
{
  int32_t pid; /* anonymous memory belongs to one process; 0 for files */
  uint16_t path_length;
  uint8_t build_id_length;
  uint8_t build_id[TB_AGENT_MAX_BUILD_ID];
  char *path;
};

void
tb_agent_modules_init (TbAgentModules *self, TbAgentOutput *output)
{
  memset (self, 0, sizeof *self);
  self->output = output;
}

void
tb_agent_modules_clear (TbAgentModules *self)
{
  for (size_t i = 0; i < self->n_modules; i++)
    free (self->modules[i].path);
  free (self->modules);
  free (self->known);
  tb_agent_map_clear (&self->ids);
  tb_agent_map_clear (&self->build_ids);
}

static size_t
find_build_id_note (const uint8_t *notes, size_t size, uint8_t build_id[TB_AGENT_MAX_BUILD_ID])
{
  size_t at = 0;

  while (size - at >= sizeof (Elf32_Nhdr))
    {
      Elf32_Nhdr note;
      size_t name, contents;

      memcpy (&note, notes + at, sizeof note);
      name = at + sizeof note;
      if (note.n_namesz > size - name)
        return 0;
      contents = name + ((note.n_namesz + 3u) & ~(size_t) 3);
      if (contents > size || note.n_descsz > size - contents)
        return 0;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4
          && memcmp (notes + name, "GNU", 4) == 0)
        {
          size_t length
              = note.n_descsz < TB_AGENT_MAX_BUILD_ID ? note.n_descsz : TB_AGENT_MAX_BUILD_ID;

          memcpy (build_id, notes + contents, length);
          return length;
        }
      at = contents + ((note.n_descsz + 3u) & ~(size_t) 3);
      if (at > size)
        return 0;
    }
  return 0;
}

static size_t
read_notes (int file, uint64_t offset, uint64_t size, uint8_t build_id[TB_AGENT_MAX_BUILD_ID])
{
  uint8_t notes[MAX_NOTES];
  ssize_t got = pread (file, notes, size < sizeof notes ? size : sizeof notes, (off_t) offset);

  return got > 0 ? find_build_id_note (notes, got, build_id) : 0;
}

size_t
tb_agent_read_build_id (int file, uint8_t build_id[TB_AGENT_MAX_BUILD_ID])
{
  union
  {
    unsigned char ident[EI_NIDENT];
    Elf32_Ehdr header32;
    Elf64_Ehdr header64;
  } head;
  int is64;
  uint64_t table;
  unsigned count, entry;

  if (pread (file, &head, sizeof head, 0) != sizeof head
      || memcmp (head.ident, ELFMAG, SELFMAG) != 0)
    return 0;
  /* A file of the other byte order does not run here. */
  if (head.ident[EI_DATA]
      != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB))
    return 0;
  is64 = head.ident[EI_CLASS] == ELFCLASS64;
  table = is64 ? head.header64.e_phoff : head.header32.e_phoff;
  count = is64 ? head.header64.e_phnum : head.header32.e_phnum;
  entry = is64 ? sizeof (Elf64_Phdr) : sizeof (Elf32_Phdr);

  for (unsigned i = 0; i < count && i < MAX_PROGRAM_HEADERS; i++)
    {
      union
      {
        Elf32_Phdr header32;
        Elf64_Phdr header64;
      } program;
      size_t found;

      if (pread (file, &program, entry, (off_t) (table + (uint64_t) i * entry)) != (ssize_t) entry)
        return 0;
      if ((is64 ? program.header64.p_type : program.header32.p_type) != PT_NOTE)
        continue;
      found = read_notes (file, is64 ? program.header64.p_offset : program.header32.p_offset,
                          is64 ? program.header64.p_filesz : program.header32.p_filesz, build_id);
      if (found > 0)
        return found;
    }
  return 0;
}

/* The names that the recorder also treats as memory without a file. If the agent treated one as a
 * file, a variable in it would belong to a module that does not exist. */
int
tb_agent_modules_is_anonymous (const char *path, size_t length)
{
  static const char *const prefixes[]
      = { "//anon", "/anon_hugepage", "/dev/zero", "/memfd:",    "/SYSV",
          "[anon",  "[heap]",         "[stack",    "anon_inode:" };

  if (length == 0)
    return 1;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    {
      size_t prefix = strlen (prefixes[i]);

      if (length >= prefix && memcmp (path, prefixes[i], prefix) == 0)
        return 1;
    }
  return 0;
}

static uint32_t
intern_module (TbAgentModules *self,
               int32_t pid,
               const char *path,
               size_t path_length,
               const uint8_t *build_id,
               size_t build_id_length)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_MODULE, .cpu = TB_CAPTURE_CPU_NONE };
  int anonymous = tb_agent_modules_is_anonymous (path, path_length);
  uint64_t hash = anonymous ? (uint64_t) pid + 1 : 0, key;
  struct TbAgentModule *module;
  uint64_t *found;

  if (build_id == NULL || build_id_length > TB_AGENT_MAX_BUILD_ID)
    build_id_length = 0;
  for (size_t i = 0; i < path_length; i++)
    hash = (hash ^ (unsigned char) path[i]) * 0x100000001b3u;
  for (size_t i = 0; i < build_id_length; i++)
    hash = (hash ^ build_id[i]) * 0x100000001b3u;
  for (key = tb_agent_hash (hash) | 1; (found = tb_agent_map_get (&self->ids, key)) != NULL;
       key += 2)
    {
      module = &self->modules[*found];
      if (module->pid == (anonymous ? pid : 0) && module->path_length == path_length
          && module->build_id_length == build_id_length
          && memcmp (module->path, path, path_length) == 0
          && (build_id_length == 0 || memcmp (module->build_id, build_id, build_id_length) == 0))
        return (uint32_t) *found + 1;
    }
  if (self->n_modules >= MAX_MODULES)
    return 0;

  if ((self->n_modules & (self->n_modules + 1)) == 0)
    self->modules
        = tb_agent_allocate (self->modules, (self->n_modules + 1) * 2 * sizeof *self->modules);
  module = &self->modules[self->n_modules];
  memset (module, 0, sizeof *module);
  module->pid = anonymous ? pid : 0;
  module->path = tb_agent_allocate (NULL, path_length + 1);
  memcpy (module->path, path, path_length);
  module->path_length = (uint16_t) path_length;
  module->build_id_length = (uint8_t) build_id_length;
  if (build_id_length > 0)
    memcpy (module->build_id, build_id, build_id_length);
  tb_agent_map_put (&self->ids, key, self->n_modules);

  record.module.id = (uint32_t) ++self->n_modules;
  record.module.path = tb_agent_output_intern_string (self->output, path, path_length);
  record.module.pid = pid;
  record.module.kind = anonymous ? TB_CAPTURE_MODULE_ANONYMOUS : TB_CAPTURE_MODULE_FILE;
  record.tail = build_id;
  record.tail_length = (uint32_t) build_id_length;
  tb_agent_output_put (self->output, &record);
  return record.module.id;
}

void
tb_agent_modules_put_mapping (TbAgentModules *self,
                              uint64_t time,
                              int32_t pid,
                              uint64_t start,
                              uint64_t size,
                              uint64_t offset,
                              const char *path,
                              size_t path_length,
                              const uint8_t *build_id,
                              size_t build_id_length)
{
  TbCaptureRecord record = { .time = time, .type = TB_CAPTURE_MAPPING, .cpu = TB_CAPTURE_CPU_NONE };

  if (path_length > 4095)
    path_length = 4095;
  record.mapping.module = intern_module (self, pid, path, path_length, build_id, build_id_length);
  if (record.mapping.module == 0 || size > UINT64_MAX - start)
    return;
  record.mapping.pid = pid;
  record.mapping.start = start;
  record.mapping.size = size;
  record.mapping.offset = offset;
  tb_agent_output_put (self->output, &record);
}

/* The build ID of a mapped file, read once per device and inode */
static const TbAgentBuildId *
look_up_build_id (TbAgentModules *self,
                  int32_t pid,
                  uint64_t device,
                  uint64_t inode,
                  uint64_t start,
                  uint64_t end,
                  const char *path)
{
  uint64_t key = tb_agent_hash (device * 0x9e3779b97f4a7c15u + inode) | 1;
  uint64_t *index = tb_agent_map_get (&self->build_ids, key);
  TbAgentBuildId *known;
  char name[4200];
  int file;

  if (index != NULL)
    return &self->known[*index];
  if ((self->n_known & (self->n_known + 1)) == 0)
    self->known = tb_agent_allocate (self->known, (self->n_known + 1) * 2 * sizeof *self->known);
  known = &self->known[self->n_known];
  *known = (TbAgentBuildId) { .key = key };
  /* map_files gives the mapped file itself, even if its path now names another. It needs more
   * privileges than the path below the process's root. */
  snprintf (name, sizeof name, "/proc/%d/map_files/%llx-%llx", pid, (unsigned long long) start,
            (unsigned long long) end);
  file = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    {
      snprintf (name, sizeof name, "/proc/%d/root%s", pid, path);
      file = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    }
  if (file >= 0)
    {
      known->length = (uint8_t) tb_agent_read_build_id (file, known->bytes);
      close (file);
    }
  tb_agent_map_put (&self->build_ids, key, self->n_known++);
  return known;
}

uint32_t
tb_agent_modules_intern_file (TbAgentModules *self,
                              int32_t pid,
                              uint64_t device,
                              uint64_t inode,
                              uint64_t start,
                              uint64_t end,
                              const char *path)
{
  const TbAgentBuildId *build_id = look_up_build_id (self, pid, device, inode, start, end, path);
  size_t length = strnlen (path, 4095);

  return intern_module (self, pid, path, length, build_id->bytes, build_id->length);
}

int
tb_agent_modules_put_process (TbAgentModules *self, uint64_t time, int32_t pid)
{
  char path[64], line[4400];
  FILE *maps;

  snprintf (path, sizeof path, "/proc/%d/maps", pid);
  maps = fopen (path, "re");
  if (maps == NULL)
    return -1;
  while (fgets (line, sizeof line, maps) != NULL)
    {
      unsigned long long start, end, offset, inode;
      unsigned major, minor;
      char permissions[8];
      int at = 0;
      const TbAgentBuildId *build_id = NULL;
      const char *name;

      line[strcspn (line, "\n")] = '\0';
      if (sscanf (line, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end, permissions, &offset,
                  &major, &minor, &inode, &at)
              < 7
          || at == 0 || end <= start || permissions[2] != 'x'
          || strstr (line + at, "[vsyscall]") != NULL)
        continue;
      name = line + at;
      if (inode != 0)
        build_id
            = look_up_build_id (self, pid, (uint64_t) major << 32 | minor, inode, start, end, name);
      tb_agent_modules_put_mapping (self, time, pid, start, end - start, offset, name,
                                    strlen (name), build_id != NULL ? build_id->bytes : NULL,
                                    build_id != NULL ? build_id->length : 0);
    }
  fclose (maps);
  return 0;
}
