/* tb-agent-tracefs.c: tracefs, found where it is mounted or else mounted at no path, for the agent
 * alone: ids, field layouts and state letters of tracepoints, from their format files; values of
 * the fields in a record
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/base/tb-agent-tracefs.h"

static int
open_mounted (void)
{
  static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
  int saved = ENOENT;

  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    {
      int folder = open (places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

      if (folder < 0)
        {
          if (errno == EACCES || errno == EPERM)
            saved = errno;
          continue;
        }
      /* By the capabilities of the program, not those of the user that started it */
      if (faccessat (folder, "events", R_OK, AT_EACCESS) == 0)
        return folder;
      if (errno == EACCES || errno == EPERM)
        saved = errno;
      close (folder);
    }
  errno = saved;
  return -1;
}

/* A detached mount disappears with its last descriptor, so a killed agent leaves nothing behind. */
static int
open_detached (void)
{
#if defined(SYS_fsopen) && defined(SYS_fsconfig) && defined(SYS_fsmount)
  int context = (int) syscall (SYS_fsopen, "tracefs", 1 /* FSOPEN_CLOEXEC */);
  int folder = -1;

  if (context < 0)
    return -1;
  if (syscall (SYS_fsconfig, context, 6 /* FSCONFIG_CMD_CREATE */, NULL, NULL, 0) == 0)
    folder = (int) syscall (SYS_fsmount, context, 1 /* FSMOUNT_CLOEXEC */, 0);
  close (context);
  return folder;
#else
  errno = ENOSYS;
  return -1;
#endif
}

int
tb_agent_tracefs_open (TbCaptureMessage *why)
{
  int folder = open_mounted ();
  int saved = errno;

  if (folder >= 0)
    return folder;
  folder = open_detached ();
  if (folder >= 0)
    return folder;
  if (saved == ENOENT)
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_TRACEFS_NOT_MOUNTED, errno);
  else
    TB_CAPTURE_SET_MESSAGE (why, TB_CAPTURE_CODE_TRACEFS_NOT_READABLE, saved);
  return -1;
}

int
tb_agent_tracefs_read_format (int tracefs,
                              const char *group,
                              const char *name,
                              char *text,
                              size_t size)
{
  char path[256];
  size_t length = 0;
  int file;

  snprintf (path, sizeof path, "events/%s/%s/format", group, name);
  file = openat (tracefs, path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return -1;
  while (length < size - 1)
    {
      ssize_t got = read (file, text + length, size - 1 - length);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        break;
      length += got;
    }
  close (file);
  text[length] = '\0';
  return length > 0 ? 0 : -1;
}

int64_t
tb_agent_format_get_id (const char *text)
{
  const char *line = strstr (text, "\nID:");
  char *end;
  long long id;

  if (line == NULL)
    return -1;
  id = strtoll (line + 4, &end, 10);
  return end == line + 4 ? -1 : id;
}

/* Reads the number after a key such as "offset:" in one line. */
static int
get_number (const char *line, const char *line_end, const char *key, long *number)
{
  const char *at = strstr (line, key);
  char *end;

  if (at == NULL || at >= line_end)
    return 0;
  at += strlen (key);
  *number = strtol (at, &end, 10);
  return end != at;
}

/* Whether the declaration between from and to ("unsigned long args[6]") declares name. */
static int
declares (const char *from, const char *to, const char *name)
{
  size_t length = strlen (name);
  const char *end = memchr (from, '[', to - from);

  /* In "__data_loc char[] name" the brackets belong to the type. */
  if (end != NULL && end + 1 < to && end[1] == ']' && end + 2 < to)
    end = to;
  else if (end == NULL)
    end = to;
  if ((size_t) (end - from) <= length || memcmp (end - length, name, length) != 0)
    return 0;
  return end[-(ptrdiff_t) length - 1] == ' ' || end[-(ptrdiff_t) length - 1] == '*';
}

TbAgentField
tb_agent_format_get_field (const char *text, const char *name)
{
  TbAgentField field = { 0 };
  const char *line = text;

  while ((line = strstr (line, "field:")) != NULL)
    {
      const char *from = line + strlen ("field:");
      const char *line_end = strchr (line, '\n');
      const char *to = strchr (from, ';');
      long offset, size, is_signed = 0;

      if (line_end == NULL)
        line_end = line + strlen (line);
      if (to != NULL && to < line_end && declares (from, to, name)
          && get_number (to, line_end, "offset:", &offset)
          && get_number (to, line_end, "size:", &size) && offset >= 0 && offset < 65536 && size > 0
          && size < 65536)
        {
          get_number (to, line_end, "signed:", &is_signed);
          field.offset = (uint16_t) offset;
          field.size = (uint16_t) size;
          field.is_signed = is_signed != 0;
          field.is_located = strncmp (from, "__data_loc ", 11) == 0;
          return field;
        }
      line = line_end;
    }
  return field;
}

uint64_t
tb_agent_format_get_state_letters (const char *text, char letters[64])
{
  const char *at = strstr (text, "__print_flags(REC->prev_state");
  uint64_t highest = 0;

  memset (letters, 0, 64);
  if (at == NULL)
    return 0;
  while ((at = strstr (at, "{ ")) != NULL)
    {
      char *end;
      uint64_t bit = strtoull (at + 2, &end, 0);

      if (end != at + 2 && bit != 0 && strncmp (end, ", \"", 3) == 0 && end[3] != '\0')
        {
          letters[__builtin_ctzll (bit)] = end[3];
          if (bit > highest)
            highest = bit;
        }
      at += 2;
    }
  return highest << 1;
}

uint64_t
tb_agent_field_read (const TbAgentField *field, const uint8_t *raw, size_t size)
{
  const uint8_t *at = raw + field->offset;

  if ((size_t) field->offset + field->size > size)
    return 0;
  switch (field->size)
    {
    case 1:
      return field->is_signed ? (uint64_t) (int64_t) (int8_t) *at : *at;
    case 2:
      {
        uint16_t value;

        memcpy (&value, at, sizeof value);
        return field->is_signed ? (uint64_t) (int64_t) (int16_t) value : value;
      }
    case 4:
      {
        uint32_t value;

        memcpy (&value, at, sizeof value);
        return field->is_signed ? (uint64_t) (int64_t) (int32_t) value : value;
      }
    case 8:
      {
        uint64_t value;

        memcpy (&value, at, sizeof value);
        return value;
      }
    default:
      return 0;
    }
}

const char *
tb_agent_field_read_text (const TbAgentField *field,
                          const uint8_t *raw,
                          size_t size,
                          size_t *length)
{
  size_t offset = field->offset, limit = field->size;

  *length = 0;
  if (field->size == 0 || offset + limit > size)
    return "";
  if (field->is_located)
    {
      uint32_t place;

      memcpy (&place, raw + offset, sizeof place);
      offset = place & 0xffff;
      limit = place >> 16;
      if (offset > size || limit > size - offset)
        return "";
    }
  *length = strnlen ((const char *) raw + offset, limit);
  return (const char *) raw + offset;
}
