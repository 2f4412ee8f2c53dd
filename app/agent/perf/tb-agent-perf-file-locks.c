/* tb-agent-perf-file-locks.c: translation of the tracepoints of file locks (flock(), fcntl()) into
 * records of the capture stream, with the path of the file where a descriptor shows it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tracepoints have the device and the inode only. The process that requests a lock has the file
 * open, so that one of its descriptors leads to the path, unless it is closed by then.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "agent/base/tb-agent-map.h"
#include "agent/perf/tb-agent-perf-file-locks.h"

#define MINOR_BITS 20
#define MAX_DESCRIPTORS 4096
#define MAX_FILES (1u << 16)
/* Inodes are used again, and a file may be renamed: its path is looked up again after this time. */
#define KNOWN_MS 1000u
/* So is one that was not found. */
#define UNKNOWN_MS 20u
#define SMALL_FILE 4096

/* The kernel's answer to a request that has to wait */
#define DEFERRED 1

typedef enum
{
  LOCK_DEVICE,
  LOCK_INODE,
  LOCK_OWNER,
  LOCK_TYPE,
  LOCK_FROM,
  LOCK_TO,
  LOCK_RESULT,
} LockField;

static int
read_text (int folder, const char *name, char *text, size_t size)
{
  int file = openat (folder, name, O_RDONLY | O_CLOEXEC);
  ssize_t length;

  if (file < 0)
    return 0;
  length = read (file, text, size - 1);
  close (file);
  text[length > 0 ? length : 0] = '\0';
  return length > 0;
}

/* Finds the number behind a word at the begin of a line. */
static int
find_number (const char *text, const char *word, uint64_t *value)
{
  size_t length = strlen (word);

  for (; *text != '\0'; text += *text == '\n')
    {
      if (strncmp (text, word, length) == 0)
        return sscanf (text + length, "%" SCNu64, value) == 1;
      text += strcspn (text, "\n");
    }
  return 0;
}

/* The device of the file system that is mounted under a number, as tracepoints have it */
static int
find_device (int process, uint64_t mount, uint32_t *device)
{
  FILE *file;
  char line[SMALL_FILE];
  int descriptor = openat (process, "mountinfo", O_RDONLY | O_CLOEXEC), found = 0;

  file = descriptor >= 0 ? fdopen (descriptor, "r") : NULL;
  if (file == NULL)
    {
      if (descriptor >= 0)
        close (descriptor);
      return 0;
    }
  while (!found && fgets (line, sizeof line, file) != NULL)
    {
      uint64_t number;
      unsigned major, minor;

      found
          = sscanf (line, "%" SCNu64 " %*d %u:%u", &number, &major, &minor) == 3 && number == mount;
      if (found)
        *device = major << MINOR_BITS | minor;
    }
  fclose (file);
  return found;
}

/* Some file systems show programs another device and other inodes than those of the kernel. */
static int
matches_info (int process, const char *name, uint32_t device, uint64_t inode)
{
  char path[300], text[SMALL_FILE];
  uint64_t number, mount;
  uint32_t found;

  snprintf (path, sizeof path, "fdinfo/%s", name);
  return read_text (process, path, text, sizeof text) && find_number (text, "ino:", &number)
         && number == inode && find_number (text, "mnt_id:", &mount)
         && find_device (process, mount, &found) && found == device;
}

static int
matches_status (int descriptors, const char *name, uint32_t device, uint64_t inode)
{
  struct stat status;

  return fstatat (descriptors, name, &status, 0) == 0 && status.st_ino == inode
         && (major (status.st_dev) << MINOR_BITS | minor (status.st_dev)) == device;
}

/* Returns the length of the path of the first descriptor that matches, 0 if none does. */
static size_t
search (int process,
        DIR *descriptors,
        int by_info,
        uint32_t device,
        uint64_t inode,
        char *path,
        size_t size)
{
  const struct dirent *entry;

  rewinddir (descriptors);
  for (int i = 0; i < MAX_DESCRIPTORS && (entry = readdir (descriptors)) != NULL; i++)
    {
      ssize_t length;

      if (entry->d_name[0] < '0' || entry->d_name[0] > '9'
          || !(by_info ? matches_info (process, entry->d_name, device, inode)
                       : matches_status (dirfd (descriptors), entry->d_name, device, inode)))
        continue;
      length = readlinkat (dirfd (descriptors), entry->d_name, path, size);
      if (length > 0 && (size_t) length < size && path[0] == '/')
        return (size_t) length;
    }
  return 0;
}

size_t
tb_agent_file_locks_find_path (const char *folder,
                               uint32_t device,
                               uint64_t inode,
                               char *path,
                               size_t size)
{
  int process = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), list;
  DIR *descriptors;
  size_t length;

  if (process < 0)
    return 0;
  list = openat (process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  descriptors = list >= 0 ? fdopendir (list) : NULL;
  if (descriptors == NULL)
    {
      if (list >= 0)
        close (list);
      close (process);
      return 0;
    }
  length = search (process, descriptors, 0, device, inode, path, size);
  if (length == 0)
    length = search (process, descriptors, 1, device, inode, path, size);
  closedir (descriptors);
  close (process);
  return length;
}

/* The file by its numbers, where its path is not known */
static uint32_t
intern_numbers (TbAgent *self, uint32_t device, uint64_t inode)
{
  char text[64];
  int length = snprintf (text, sizeof text, "file:[%u:%u:%" PRIu64 "]", device >> MINOR_BITS,
                         device & ((1u << MINOR_BITS) - 1), inode);

  return tb_agent_output_intern_string (self->output, text, (size_t) length);
}

static uint32_t
intern_file (TbAgent *self, int32_t pid, uint32_t device, uint64_t inode, uint64_t time)
{
  uint64_t key = tb_agent_hash (tb_agent_hash (inode + 1) ^ device) | 1;
  uint32_t ms = (uint32_t) (time / 1000000u);
  const uint64_t *known = tb_agent_map_get (&self->perf.locked_files, key);
  uint32_t string = known != NULL ? (uint32_t) *known : 0;
  char folder[32], path[4096];
  size_t length;

  if (inode == 0)
    return 0;
  if (known == NULL || ms - (uint32_t) (*known >> 32) >= (string != 0 ? KNOWN_MS : UNKNOWN_MS))
    {
      snprintf (folder, sizeof folder, "/proc/%d", pid);
      length
          = pid > 0 ? tb_agent_file_locks_find_path (folder, device, inode, path, sizeof path) : 0;
      if (length > 0)
        string = tb_agent_output_intern_string (self->output, path, length);
      if (self->perf.locked_files.n_used >= MAX_FILES)
        tb_agent_map_clear (&self->perf.locked_files);
      tb_agent_map_put (&self->perf.locked_files, key, (uint64_t) ms << 32 | string);
    }
  return string != 0 ? string : intern_numbers (self, device, inode);
}

/* Before Linux 6.9 all fields of the lock have a prefix. */
TbAgentField
tb_agent_file_locks_find_field (const char *format, const char *name)
{
  TbAgentField field = tb_agent_format_get_field (format, name);
  char old_name[32];

  if (field.size != 0)
    return field;
  snprintf (old_name, sizeof old_name, "fl_%s", name);
  return tb_agent_format_get_field (format, old_name);
}

int
tb_agent_file_locks_translate (TbAgent *self,
                               TbAgentEvent event,
                               TbCaptureRecord *record,
                               const uint8_t *raw,
                               size_t size,
                               int32_t pid)
{
  uint64_t value[LOCK_RESULT + 1];
  int32_t result;

  for (int i = 0; i <= LOCK_RESULT; i++)
    {
      const TbAgentField *field = &self->perf.setup[event].fields[i];

      if (field->size == 0 || (size_t) field->offset + field->size > size)
        return 0;
      value[i] = tb_agent_field_read (field, raw, size);
    }
  if (value[LOCK_TYPE] >= TB_CAPTURE_N_LOCK_MODES)
    return 0;
  result = (int32_t) value[LOCK_RESULT];
  record->type = TB_CAPTURE_FILE_LOCK;
  record->file_lock.owner = value[LOCK_OWNER];
  record->file_lock.from = value[LOCK_FROM];
  record->file_lock.to = value[LOCK_TO];
  record->file_lock.file
      = intern_file (self, pid, (uint32_t) value[LOCK_DEVICE], value[LOCK_INODE], record->time);
  record->file_lock.call = event == TB_AGENT_FLOCK ? TB_CAPTURE_LOCK_FLOCK : TB_CAPTURE_LOCK_FCNTL;
  record->file_lock.mode = (uint16_t) value[LOCK_TYPE];
  record->file_lock.result = result == 0          ? TB_CAPTURE_LOCK_DONE
                             : result == DEFERRED ? TB_CAPTURE_LOCK_WAITS
                             : result == -EAGAIN  ? TB_CAPTURE_LOCK_REFUSED
                                                  : TB_CAPTURE_LOCK_FAILED;
  return 1;
}
