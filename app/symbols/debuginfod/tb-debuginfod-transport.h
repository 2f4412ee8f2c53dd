/* tb-debuginfod-transport.h: interface of the transport that a program installs to receive files
 * from debuginfod servers
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/* Errors of encrypted connections, each of which has a remedy of its own. */
#define TB_DEBUGINFOD_TLS_ERROR (tb_debuginfod_tls_error_quark ())
typedef enum
{
  TB_DEBUGINFOD_TLS_ERROR_UNKNOWN_AUTHORITY,
  TB_DEBUGINFOD_TLS_ERROR_OTHER_HOST,
  TB_DEBUGINFOD_TLS_ERROR_EXPIRED, /* or not valid yet */
  TB_DEBUGINFOD_TLS_ERROR_INVALID, /* certificate with other faults */
  TB_DEBUGINFOD_TLS_ERROR_FILE,    /* the file of trusted certificates cannot be used */
  TB_DEBUGINFOD_TLS_ERROR_UNAVAILABLE,
} TbDebuginfodTlsError;
TB_EXPORT GQuark tb_debuginfod_tls_error_quark (void);

/* One request. begin is called once, before the first write, when the server has the file: size is
 * 0 and modified is 0 if unknown. begin and write return FALSE to end the transfer. */
typedef struct
{
  const char *url;
  guint stall_seconds; /* fail if 100 KiB did not come within this time; 0: never */
  guint max_seconds;   /* fail if the transfer takes longer; 0: never */
  gboolean (*begin) (guint64 size, gint64 modified, gpointer data, GError **error);
  gboolean (*write) (const guint8 *bytes, gsize length, gpointer data, GError **error);
  gpointer data;
} TbDebuginfodRequest;

/* The programs have a transport, the libraries do not, so that plug-ins do not load the code of
 * networks. A connection is used by one thread. get fails with G_IO_ERROR_NOT_FOUND if the server
 * does not have the file, with the error of begin or write, or with the reason in a few words. */
typedef struct
{
  gpointer (*open) (void);
  gboolean (*get) (gpointer connection,
                   const TbDebuginfodRequest *request,
                   GCancellable *cancellable,
                   GError **error);
  void (*close) (gpointer connection);
} TbDebuginfodTransport;

/* Called once, when a program starts. Without it nothing is received. */
TB_EXPORT void tb_debuginfod_set_transport (const TbDebuginfodTransport *transport);

G_END_DECLS
