/* tb-agent-files.c: table of file paths by device and inode: made from the names that BPF programs
 * send and from the mounts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/core/tb-agent-files.h"

#define MINOR_BITS 20
#define MAX_PATH 4096u
#define MAX_MOUNTINFO (4u << 20)
#define MAX_FILES (1u << 20)
/* Mounts change rarely. A lookup that fails reads them again, but not more often than this. */
#define READ_INTERVAL_NS 1000000000u

/* Content of one mountinfo file */
struct TbAgentMount
{
  char *text;
};

static uint64_t
make_key (const TbBpfFileId *id)
{
  uint64_t key = tb_agent_hash (id->inode + 1);

  return tb_agent_hash (key ^ ((uint64_t) id->device << 32 | id->generation)) | 1;
}

/* Changes where a file is renamed or deleted. */
static uint32_t
hash_names (const char *path, int deleted)
{
  uint64_t hash = (uint64_t) deleted + 1;

  for (const char *at = path; *at != '\0'; at++)
    hash = tb_agent_hash (hash ^ (unsigned char) *at);
  return (uint32_t) hash;
}

/* Spaces and similar characters are escaped as octal numbers. */
static void
unescape (const char *from, size_t length, char *to, size_t size)
{
  size_t at = 0;

  for (size_t i = 0; i < length && at + 1 < size; i++)
    {
      if (from[i] == '\\' && i + 3 < length && from[i + 1] >= '0' && from[i + 1] <= '3')
        {
          to[at++]
              = (char) ((from[i + 1] - '0') << 6 | (from[i + 2] - '0') << 3 | (from[i + 3] - '0'));
          i += 3;
        }
      else
        to[at++] = from[i];
    }
  to[at] = '\0';
}

/* The length of root if the path is root or lies below it, else -1. */
static int
match_root (const char *root, const char *path)
{
  size_t length = strlen (root);

  if (strcmp (root, "/") == 0)
    return 0;
  if (strncmp (path, root, length) != 0 || (path[length] != '/' && path[length] != '\0'))
    return -1;
  return (int) length;
}

int
tb_agent_files_locate (const char *mountinfo,
                       uint32_t device,
                       const char *path,
                       char *place,
                       size_t size)
{
  static char root[MAX_PATH], point[MAX_PATH];
  int best = -1;

  for (const char *line = mountinfo; *line != '\0';)
    {
      size_t length = strcspn (line, "\n");
      unsigned major, minor;
      int from_root = 0, to_root = 0, from_point = 0, to_point = 0, matched;

      /* "36 35 98:0 /root /point options …" */
      if (sscanf (line, "%*d %*d %u:%u %n%*s%n %n%*s%n", &major, &minor, &from_root, &to_root,
                  &from_point, &to_point)
              == 2
          && to_point > 0 && (size_t) to_point <= length && (major << MINOR_BITS | minor) == device)
        {
          unescape (line + from_root, (size_t) (to_root - from_root), root, sizeof root);
          matched = match_root (root, path);
          /* Prefer the mount that exposes the smallest part of the file system. Whether a later
           * mount hides it is unknown. */
          if (matched > best)
            {
              best = matched;
              unescape (line + from_point, (size_t) (to_point - from_point), point, sizeof point);
              snprintf (place, size, "%s%s", strcmp (point, "/") == 0 ? "" : point, path + matched);
              if (place[0] == '\0')
                snprintf (place, size, "/");
            }
        }
      line += length + (line[length] != '\0');
    }
  return best >= 0;
}

static char *
read_mounts (const char *path)
{
  FILE *file = fopen (path, "re");
  size_t size = 0, length = 0;
  char *text = NULL;

  if (file == NULL)
    return NULL;
  while (size < MAX_MOUNTINFO)
    {
      size_t got;

      size = size == 0 ? 16384 : size * 2;
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

static void
forget_mounts (TbAgentFiles *self)
{
  for (size_t i = 0; i < self->n_mounts; i++)
    free (self->mounts[i].text);
  free (self->mounts);
  self->mounts = NULL;
  self->n_mounts = 0;
}

/* The mounts of the agent and those of process 1, which may be more. */
static void
note_mounts (TbAgentFiles *self)
{
  static const char *const paths[] = { "/proc/self/mountinfo", "/proc/1/mountinfo" };

  forget_mounts (self);
  self->mounts = tb_agent_allocate (NULL, 2 * sizeof *self->mounts);
  for (int i = 0; i < 2; i++)
    {
      char *text = read_mounts (paths[i]);

      if (text != NULL)
        self->mounts[self->n_mounts++].text = text;
    }
  self->read_time = tb_agent_now ();
}

static int
locate (const TbAgentFiles *self, uint32_t device, const char *path, char *place, size_t size)
{
  for (size_t i = 0; i < self->n_mounts; i++)
    if (tb_agent_files_locate (self->mounts[i].text, device, path, place, size))
      return 1;
  return 0;
}

/* The target of a link below /proc/PID, "" if it cannot be read. */
static void
read_process_link (int32_t pid, const char *what, char *target, size_t size)
{
  char name[48];
  ssize_t length;

  snprintf (name, sizeof name, "/proc/%d/%s", pid, what);
  length = readlink (name, target, size - 1);
  target[length > 0 ? length : 0] = '\0';
}

/* Whether it is a process that opens files by their paths; not a kernel thread, nor one that
 * ended. */
static int
has_paths (int32_t pid)
{
  char program[MAX_PATH];

  if (pid <= 0)
    return 0;
  read_process_link (pid, "exe", program, sizeof program);
  return program[0] != '\0';
}

/* Whether the process may see a file at another path than the agent: in a container, or below
 * another root. */
static int
has_own_mounts (int32_t pid)
{
  static const char *const links[] = { "ns/mnt", "root" };
  char of_process[MAX_PATH], of_agent[MAX_PATH];

  for (int i = 0; i < 2; i++)
    {
      read_process_link (pid, links[i], of_process, sizeof of_process);
      read_process_link ((int32_t) getpid (), links[i], of_agent, sizeof of_agent);
      if (of_process[0] != '\0' && strcmp (of_process, of_agent) != 0)
        return 1;
    }
  return 0;
}

/* A file as a process in a container sees it, whose mounts are visible only to its own
 * processes. */
static int
locate_in_mounts_of (int32_t pid, uint32_t device, const char *path, char *place, size_t size)
{
  char name[48], *text;
  int found;

  snprintf (name, sizeof name, "/proc/%d/mountinfo", pid);
  text = read_mounts (name);
  found = text != NULL && tb_agent_files_locate (text, device, path, place, size);
  free (text);
  return found;
}

/* The path as the process sees the file, else as the agent or process 1 does. */
static int
locate_for (TbAgentFiles *self,
            int32_t pid,
            uint32_t device,
            const char *path,
            char *place,
            size_t size)
{
  if (pid > 0 && has_own_mounts (pid) && locate_in_mounts_of (pid, device, path, place, size))
    return 1;
  if (locate (self, device, path, place, size))
    return 1;
  if (tb_agent_now () - self->read_time > READ_INTERVAL_NS)
    note_mounts (self);
  return locate (self, device, path, place, size);
}

/* Joins the names, innermost first, to a path in the file system; 0 if they are invalid. */
static int
join (const char *names, size_t length, char *path, size_t size)
{
  size_t end = length, at = 0;

  if (length == 0 || names[length - 1] != '\0')
    return 0;
  while (end > 0)
    {
      size_t start = end - 1, n;

      while (start > 0 && names[start - 1] != '\0')
        start--;
      n = end - 1 - start;
      if (n == 0 || memchr (names + start, '/', n) != NULL || at + n + 2 > size)
        return 0;
      path[at++] = '/';
      memcpy (path + at, names + start, n);
      at += n;
      end = start;
    }
  path[at] = '\0';
  return 1;
}

void
tb_agent_files_add (TbAgentFiles *self,
                    TbAgentOutput *output,
                    const TbBpfFileId *id,
                    const char *names,
                    size_t length,
                    int deleted,
                    int32_t pid)
{
  char path[MAX_PATH], place[2 * MAX_PATH];
  const uint64_t *known;
  uint32_t string = 0, hash;

  if (id->inode == 0 || self->paths.n_used >= MAX_FILES || !join (names, length, path, sizeof path))
    return;
  /* The first process decides where the file is: processes may see it at different paths. The
   * lowest bit of the hash is set if one did. */
  hash = hash_names (path, deleted) | 1;
  known = tb_agent_map_get (&self->paths, make_key (id));
  if (known != NULL && *known >> 32 == hash)
    return;
  if (!has_paths (pid))
    {
      pid = 0;
      hash &= ~1u;
      if (known != NULL && *known >> 32 == hash)
        return;
    }
  if (self->n_mounts == 0)
    note_mounts (self);
  if (!locate_for (self, pid, id->device, path, place, sizeof place - 16))
    return;
  if (deleted)
    strcat (place, " (deleted)");
  string = tb_agent_output_intern_string (output, place, strlen (place));
  if (string != 0)
    tb_agent_map_put (&self->paths, make_key (id), (uint64_t) hash << 32 | string);
}

uint32_t
tb_agent_files_get (const TbAgentFiles *self, const TbBpfFileId *id)
{
  const uint64_t *string = id->inode != 0 ? tb_agent_map_get (&self->paths, make_key (id)) : NULL;

  return string != NULL ? (uint32_t) *string : 0;
}

void
tb_agent_files_clear (TbAgentFiles *self)
{
  forget_mounts (self);
  tb_agent_map_clear (&self->paths);
}
