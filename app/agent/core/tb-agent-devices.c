/* tb-agent-devices.c: block devices by number, and the disk or network card that each interrupt
 * handler of /proc/interrupts belongs to, found by its name in /sys; sent as DEVICE records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/core/tb-agent-private.h"

/* The kernel's internal device number, as tracepoints use it */
#define MINOR_BITS 20
#define MAX_INTERRUPT_NAME 64

static uint32_t
put_device (TbAgent *self, const char *name, uint32_t major, uint32_t minor, unsigned kind)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_DEVICE, .cpu = TB_CAPTURE_CPU_NONE };

  record.device.id = ++self->n_devices;
  record.device.name = tb_agent_output_intern_string (self->output, name, strlen (name));
  record.device.major = major;
  record.device.minor = minor;
  record.device.kind = (uint16_t) kind;
  tb_agent_output_put (self->output, &record);
  return record.device.id;
}

uint32_t
tb_agent_devices_get_block (TbAgent *self, uint32_t device)
{
  uint64_t *known = tb_agent_map_get (&self->block_devices, (uint64_t) device + 1);
  uint32_t major = device >> MINOR_BITS, minor = device & ((1u << MINOR_BITS) - 1), id;
  char path[64], target[PATH_MAX], name[64];
  const char *base;
  ssize_t length;

  if (known != NULL)
    return (uint32_t) *known;
  if (device == 0)
    return 0;
  snprintf (path, sizeof path, "/sys/dev/block/%u:%u", major, minor);
  length = readlink (path, target, sizeof target - 1);
  if (length > 0)
    {
      target[length] = '\0';
      base = strrchr (target, '/');
      snprintf (name, sizeof name, "%.63s", base != NULL ? base + 1 : target);
    }
  else
    snprintf (name, sizeof name, "%u:%u", major, minor);
  id = put_device (self, name, major, minor, TB_CAPTURE_DEVICE_BLOCK);
  tb_agent_map_put (&self->block_devices, (uint64_t) device + 1, id);
  return id;
}

typedef struct
{
  char name[64];
  char path[512]; /* relative to /sys/devices */
  uint32_t major;
  uint32_t minor;
  unsigned kind;
  uint32_t id;
} Device;

/* Whether a component of the path between the bus and the device occurs in the handler's name as a
 * separate word: "virtio1" in "virtio1-req.0", "nvme0" in "nvme0q2", "eth0" in "eth0-rx-1". */
static int
is_handler_of (const Device *device, const char *handler)
{
  char path[sizeof device->path], *part, *rest = path;

  snprintf (path, sizeof path, "%s", device->path);
  while ((part = strsep (&rest, "/")) != NULL)
    {
      size_t length = strlen (part);
      const char *at = handler;

      if (length < 3 || strpbrk (part, "0123456789") == NULL || strncmp (part, "pci", 3) == 0)
        continue;
      while ((at = strstr (at, part)) != NULL)
        {
          if ((at == handler || !isalnum ((unsigned char) at[-1]))
              && !isdigit ((unsigned char) at[length]))
            return 1;
          at++;
        }
    }
  return 0;
}

static Device *
list_devices (size_t *n_devices)
{
  static const char *const classes[] = { "/sys/block", "/sys/class/net" };
  Device *devices = NULL;
  size_t n = 0;

  for (unsigned kind = 0; kind < 2; kind++)
    {
      DIR *folder = opendir (classes[kind]);
      struct dirent *entry;

      while (folder != NULL && (entry = readdir (folder)) != NULL)
        {
          char link[320], target[PATH_MAX], number[32] = "";
          Device *device;
          ssize_t length;
          FILE *file;
          char *place;

          snprintf (link, sizeof link, "%s/%s", classes[kind], entry->d_name);
          length = readlink (link, target, sizeof target - 1);
          if (length <= 0)
            continue;
          target[length] = '\0';
          place = strstr (target, "devices/");
          if (place == NULL || strstr (place, "/virtual/") != NULL
              || strlen (place) >= sizeof device->path
              || strlen (entry->d_name) >= sizeof device->name)
            continue;
          if ((n & (n + 1)) == 0)
            devices = tb_agent_allocate (devices, (n + 1) * 2 * sizeof *devices);
          device = &devices[n++];
          memset (device, 0, sizeof *device);
          memcpy (device->name, entry->d_name, strlen (entry->d_name) + 1);
          memcpy (device->path, place, strlen (place) + 1);
          device->kind = kind == 0 ? TB_CAPTURE_DEVICE_BLOCK : TB_CAPTURE_DEVICE_NETWORK;
          snprintf (link, sizeof link, "%s/%s/dev", classes[kind], entry->d_name);
          file = kind == 0 ? fopen (link, "re") : NULL;
          if (file != NULL)
            {
              if (fgets (number, sizeof number, file) != NULL)
                sscanf (number, "%u:%u", &device->major, &device->minor);
              fclose (file);
            }
        }
      if (folder != NULL)
        closedir (folder);
    }
  *n_devices = n;
  return devices;
}

static uint64_t
hash_name (const char *name, size_t length)
{
  uint64_t hash = 0xcbf29ce484222325u;

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char) name[i]) * 0x100000001b3u;
  return hash | 1;
}

uint32_t
tb_agent_devices_get_irq (TbAgent *self, const char *handler, size_t length)
{
  uint64_t *known = tb_agent_map_get (&self->irq_devices, hash_name (handler, length));

  return known != NULL ? (uint32_t) *known : 0;
}

static void
note_handler (TbAgent *self, const char *handler, Device *devices, size_t n_devices)
{
  Device *found = NULL;

  for (size_t i = 0; i < n_devices; i++)
    if (is_handler_of (&devices[i], handler))
      {
        /* One controller serves several disks, so the disk is unknown. */
        if (found != NULL)
          return;
        found = &devices[i];
      }
  if (found == NULL)
    return;
  if (found->id == 0 && found->kind == TB_CAPTURE_DEVICE_BLOCK)
    found->id = tb_agent_devices_get_block (self, found->major << MINOR_BITS | found->minor);
  else if (found->id == 0)
    found->id = put_device (self, found->name, 0, 0, found->kind);
  tb_agent_map_put (&self->irq_devices, hash_name (handler, strlen (handler)), found->id);
}

/* Reads the handler names of /proc/interrupts. They end each line, separated by commas if there are
 * several. */
void
tb_agent_devices_list (TbAgent *self)
{
  size_t n_devices = 0, capacity = 0;
  Device *devices = list_devices (&n_devices);
  FILE *file = fopen ("/proc/interrupts", "re");
  char *line = NULL;

  while (file != NULL && getline (&line, &capacity, file) > 0)
    {
      char *rest, *word;
      char *start = line + strspn (line, " ");

      line[strcspn (line, "\n")] = '\0';
      if (!isdigit ((unsigned char) *start))
        continue;
      rest = start;
      while ((word = strsep (&rest, " ,")) != NULL)
        if (word[0] != '\0' && !isdigit ((unsigned char) word[0])
            && strlen (word) < MAX_INTERRUPT_NAME)
          note_handler (self, word, devices, n_devices);
    }
  if (file != NULL)
    fclose (file);
  free (line);
  free (devices);
}
