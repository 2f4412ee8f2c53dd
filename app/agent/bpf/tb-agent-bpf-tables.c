/* tb-agent-bpf-tables.c: unwind tables of mapped files for the BPF programs: those of the
 * C library before the start, those of files that the programs meet
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/tb-agent-libc.h"
#include "agent/base/tb-agent-unwind-table.h"
#include "agent/bpf/tb-agent-bpf-private.h"

#define MAX_LINE 4400

typedef struct
{
  unsigned long long start;
  unsigned long long end;
  uint64_t device; /* as the kernel numbers it */
  uint64_t inode;
  const char *path;
} Mapping;

void
tb_agent_bpf_tables_close (TbAgent *self)
{
  TbAgentTables *tables = &self->bpf->tables;

  if (tables->words == NULL)
    return;
  for (size_t i = 0; i < tables->n_waiting; i++)
    close (tables->waiting[i].file);
  munmap (tables->words, TB_AGENT_TABLES_SIZE);
  close (self->bpf->shared.tables);
  memset (tables, 0, sizeof *tables);
}

/* Writes the table of a file, after which the programs use it. A file without a table is one of
 * which nothing is known, and is not read again. */
static void
add_table (TbAgentTables *self, int file, uint32_t slot)
{
  size_t room = TB_BPF_UNWIND_WORDS - self->n_used;
  TbAgentUnwindTable table;
  uint64_t rows;

  if (tb_agent_unwind_table_read (&table, file, room) == 0)
    {
      memcpy (self->words + self->n_used, table.rows, table.n * sizeof *table.rows);
      rows = (uint64_t) self->n_used << 32 | table.n;
      __atomic_store_n (&self->words[TB_BPF_UNWIND_FILES + 2 * slot + 1], rows, __ATOMIC_RELEASE);
      __atomic_add_fetch (&self->words[0], 1, __ATOMIC_RELEASE);
      self->n_used += table.n;
      self->n_tables++;
    }
  else
    self->n_refused++;
  tb_agent_unwind_table_clear (&table);
}

/* Takes a slot for a file; -1 if it has one, or none is free. */
static int64_t
take_slot (TbAgentTables *self, uint64_t id)
{
  for (uint32_t i = 0; i < TB_BPF_UNWIND_MAX_TRIES; i++)
    {
      uint32_t slot = ((uint32_t) (id >> 32) + i) & (TB_BPF_UNWIND_MAX_FILES - 1);
      uint64_t none = 0, *word = &self->words[TB_BPF_UNWIND_FILES + 2 * slot];

      if (__atomic_load_n (word, __ATOMIC_ACQUIRE) == id)
        return -1;
      if (__atomic_compare_exchange_n (word, &none, id, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return slot;
    }
  return -1;
}

/* Opens a mapped file, never one that blocks. map_files gives the mapped file itself, but needs
 * more privileges than the path below the process's root. */
static int
open_mapped (int32_t pid, const Mapping *mapping)
{
  char name[MAX_LINE + 64];
  struct stat status;
  int file;

  snprintf (name, sizeof name, "/proc/%d/map_files/%llx-%llx", pid, mapping->start, mapping->end);
  file = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0 && mapping->path != NULL)
    {
      snprintf (name, sizeof name, "/proc/%d/root%s", pid, mapping->path);
      file = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    }
  if (file >= 0 && (fstat (file, &status) != 0 || !S_ISREG (status.st_mode)))
    {
      close (file);
      file = -1;
    }
  return file;
}

static uint64_t
identify (int file, const Mapping *mapping)
{
  struct stat status;

  return fstat (file, &status) == 0
             ? tb_bpf_identify_file (mapping->device, mapping->inode, (uint64_t) status.st_size)
             : 0;
}

/* Reads a line of /proc/PID/maps; 0 if it is no mapping of code. */
static int
parse_mapping (char *line, Mapping *mapping)
{
  unsigned long long inode;
  unsigned major, minor;
  char mode[8];
  int at = 0;

  line[strcspn (line, "\n")] = '\0';
  if (sscanf (line, "%llx-%llx %7s %*s %x:%x %llu %n", &mapping->start, &mapping->end, mode, &major,
              &minor, &inode, &at)
          != 6
      || at == 0 || mode[2] != 'x' || inode == 0)
    return 0;
  mapping->device = (uint64_t) major << 20 | minor;
  mapping->inode = inode;
  mapping->path = line + at;
  return 1;
}

/* Adds the tables of the libraries that nearly all programs use, as far as a process has mapped
 * them, so that stacks are whole from the start. */
static void
take_libraries (TbAgent *self, int32_t pid)
{
  TbAgentTables *tables = &self->bpf->tables;
  char name[64], line[MAX_LINE];
  Mapping mapping;
  FILE *maps;

  snprintf (name, sizeof name, "/proc/%d/maps", pid);
  maps = fopen (name, "re");
  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    {
      int64_t slot = -1;
      int file;

      if (!parse_mapping (line, &mapping) || !tb_agent_libc_matches_path (mapping.path))
        continue;
      file = open_mapped (pid, &mapping);
      if (file < 0)
        continue;
      slot = take_slot (tables, identify (file, &mapping));
      if (slot >= 0)
        add_table (tables, file, (uint32_t) slot);
      close (file);
    }
  if (maps != NULL)
    fclose (maps);
}

void
tb_agent_bpf_tables_fill (TbAgent *self)
{
  if (self->bpf->tables.words == NULL)
    return;
  take_libraries (self, (int32_t) getppid ());
  if (self->start.pid > 0)
    take_libraries (self, self->start.pid);
}

/* Opens the file by its path where the mapping itself cannot be opened, if it is the one that was
 * met. */
static int
open_unknown (const TbBpfUnknownFile *record)
{
  Mapping wanted = { .start = record->start, .end = record->end }, mapping;
  char name[64], line[MAX_LINE];
  int file = open_mapped (record->header.pid, &wanted);
  FILE *maps;

  if (file >= 0)
    return file;
  snprintf (name, sizeof name, "/proc/%d/maps", record->header.pid);
  maps = fopen (name, "re");
  while (file < 0 && maps != NULL && fgets (line, sizeof line, maps) != NULL)
    {
      if (!parse_mapping (line, &mapping) || mapping.start != record->start)
        continue;
      file = open_mapped (record->header.pid, &mapping);
      if (file >= 0 && identify (file, &mapping) != record->id)
        {
          close (file);
          file = -1;
          break;
        }
    }
  if (maps != NULL)
    fclose (maps);
  return file;
}

/* The process may end soon, so the file is opened at once, but reading it must not delay the
 * records behind this one. A file that cannot be opened may be met in another process. */
void
tb_agent_bpf_tables_note_unknown (TbAgent *self, const TbBpfUnknownFile *record)
{
  TbAgentTables *tables = &self->bpf->tables;
  uint64_t id = record->id;
  int file;

  if (tables->words == NULL || record->slot >= TB_BPF_UNWIND_MAX_FILES)
    return;
  file = tables->n_waiting < TB_AGENT_MAX_WAITING_FILES ? open_unknown (record) : -1;
  if (file >= 0)
    tables->waiting[tables->n_waiting++] = (TbAgentWaitingFile) { file, record->slot };
  else
    __atomic_compare_exchange_n (&tables->words[TB_BPF_UNWIND_FILES + 2 * record->slot], &id, 0, 0,
                                 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void
tb_agent_bpf_tables_add_next (TbAgent *self)
{
  TbAgentTables *tables = &self->bpf->tables;
  TbAgentWaitingFile *next;

  if (tables->n_waiting == 0)
    return;
  next = &tables->waiting[--tables->n_waiting];
  add_table (tables, next->file, next->slot);
  close (next->file);
}
