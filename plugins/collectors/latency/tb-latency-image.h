/* tb-latency-image.h: symbols and machine code, in which a drill-down finds functions by name or
 * address: of a program or library, read from its file, or of kernel functions, added one by one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 address; /* in terms of the file */
  guint64 size;
  char *name;
} TbLatencySymbol;

/* This process has the file mapped, so that the agent can verify its identity. */
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
  GArray *segments;     /* executable segments */
  GArray *symbols;      /* TbLatencySymbol, ascending by address */
  GPtrArray *functions; /* of the kernel, ascending; NULL: a file */
} TbLatencyImage;

TbLatencyImage *tb_latency_image_open (const char *path, GError **error);
/* The running kernel. Functions are added as they become known; symbols keep their addresses in
 * memory. */
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

/* Finds a function by name; NULL with error if there is none, or several with that name. */
const TbLatencySymbol *
tb_latency_image_find (const TbLatencyImage *self, const char *name, GError **error);
/* The function that contains an address; NULL: none */
const TbLatencySymbol *tb_latency_image_find_at (const TbLatencyImage *self, guint64 address);
/* Executable code and its available length; NULL: the file has none there */
const guint8 *
tb_latency_image_get_code (const TbLatencyImage *self, guint64 address, gsize *length);
/* The offset in the file; for the kernel, the address itself */
gboolean tb_latency_image_get_offset (const TbLatencyImage *self, guint64 address, guint64 *offset);
gboolean
tb_latency_image_get_address (const TbLatencyImage *self, guint64 offset, guint64 *address);
/* The name of "/usr/lib/libc.so.6" is libc.so.6. */
const char *tb_latency_image_get_name (const TbLatencyImage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLatencyImage, tb_latency_image_unref)

G_END_DECLS
