/* tb-latency-image.h: a program or library whose functions are looked into
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 address; /* as the file has it */
  guint64 size;
  char *name;
} TbLatencySymbol;

/* This process has it mapped, so that the agent can see that it is the one that is meant. */
typedef struct
{
  int ref_count;
  char *path;
  guint64 device;
  guint64 inode;
  guint8 *data;
  gsize size;
  guint8 build_id[64];
  gsize build_id_length;
  GArray *segments;     /* what is executable */
  GArray *symbols;      /* TbLatencySymbol, ascending by address */
  GPtrArray *functions; /* of the kernel, ascending; NULL: it is a file */
} TbLatencyImage;

TbLatencyImage *tb_latency_image_open (const char *path, GError **error);
/* The running kernel, whose functions are added as they become known. Symbols stay where they are. */
TbLatencyImage *tb_latency_image_new_kernel (void);
void tb_latency_image_add_function (TbLatencyImage *self,
                                    const char *name,
                                    guint64 address,
                                    guint64 size,
                                    const guint8 *code,
                                    gsize length);
gboolean tb_latency_image_is_kernel (const TbLatencyImage *self);
TbLatencyImage *tb_latency_image_ref (TbLatencyImage *self);
void tb_latency_image_unref (TbLatencyImage *self);

/* A function by its name; NULL with error: none, or several of that name. */
const TbLatencySymbol *tb_latency_image_find (const TbLatencyImage *self, const char *name, GError **error);
/* That an address lies in; NULL none. */
const TbLatencySymbol *tb_latency_image_find_at (const TbLatencyImage *self, guint64 address);
/* Executable code; how much of it there is. NULL: the file has none there. */
const guint8 *tb_latency_image_get_code (const TbLatencyImage *self, guint64 address, gsize *length);
/* Where in the file, of the kernel the address itself. */
gboolean tb_latency_image_get_offset (const TbLatencyImage *self, guint64 address, guint64 *offset);
gboolean tb_latency_image_get_address (const TbLatencyImage *self, guint64 offset, guint64 *address);
/* "/usr/lib/libc.so.6" is libc.so.6. */
const char *tb_latency_image_get_name (const TbLatencyImage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyImage, tb_latency_image_unref)

G_END_DECLS
