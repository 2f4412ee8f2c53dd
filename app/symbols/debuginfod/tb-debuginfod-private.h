/* tb-debuginfod-private.h: members of the debuginfod client (TbDebuginfod), for the files that
 * implement it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/debuginfod/tb-debuginfod-transport.h"
#include "symbols/debuginfod/tb-debuginfod.h"

G_BEGIN_DECLS

typedef struct
{
  char *url;
  char *problem;      /* the first failure, a part of a sentence; NULL: none */
  const char *remedy; /* of that failure, likewise */
  guint n_failures;
  gboolean is_skipped; /* in this run, after failures that would repeat */
} TbDebuginfodServer;

struct _TbDebuginfod
{
  GObject parent_instance;

  GPtrArray *servers; /* TbDebuginfodServer, in the order in which they are asked */
  GPtrArray *files;   /* TbDebuginfodFile, in the order in which they are requested */
  GHashTable *known;  /* "KIND/BUILD-ID" */
  guint64 limit;

  GMutex lock;   /* of all below, of the servers' states and the files' states */
  guint64 bytes; /* received or being received */
};

/* Adds the supplementary debug file to which the file refers, if it is not on this machine, to be
 * requested before the files at an index. path is that of the file. With the client's lock. */
void tb_debuginfod_add_supplement (TbDebuginfod *self,
                                   int fd,
                                   const char *path,
                                   const char *name,
                                   guint index);

/* Returns the transport of the program, NULL if it has none. */
const TbDebuginfodTransport *tb_debuginfod_get_transport (void);

G_END_DECLS
