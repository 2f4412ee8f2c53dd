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

/**
 * TbDebuginfodTlsError:
 * @TB_DEBUGINFOD_TLS_ERROR_UNKNOWN_AUTHORITY: the authority that signed the certificate is not
 *   trusted here
 * @TB_DEBUGINFOD_TLS_ERROR_OTHER_HOST: the certificate is of another host
 * @TB_DEBUGINFOD_TLS_ERROR_EXPIRED: the certificate is expired or not valid yet
 * @TB_DEBUGINFOD_TLS_ERROR_INVALID: certificate with other faults
 * @TB_DEBUGINFOD_TLS_ERROR_FILE: the file of trusted certificates cannot be used
 * @TB_DEBUGINFOD_TLS_ERROR_UNAVAILABLE: no code for encrypted connections is installed
 *
 * Errors of encrypted connections, each of which has a remedy of its own.
 */
typedef enum
{
  TB_DEBUGINFOD_TLS_ERROR_UNKNOWN_AUTHORITY,
  TB_DEBUGINFOD_TLS_ERROR_OTHER_HOST,
  TB_DEBUGINFOD_TLS_ERROR_EXPIRED,
  TB_DEBUGINFOD_TLS_ERROR_INVALID,
  TB_DEBUGINFOD_TLS_ERROR_FILE,
  TB_DEBUGINFOD_TLS_ERROR_UNAVAILABLE,
} TbDebuginfodTlsError;
TB_EXPORT GQuark tb_debuginfod_tls_error_quark (void);

/**
 * TbDebuginfodRequest:
 * @url: address of the file
 * @stall_seconds: fail if 100 KiB did not come within this time; 0: never
 * @max_seconds: fail if the transfer takes longer; 0: never
 * @begin: called once, before the first write, when the server has the file: the size is 0 and the
 *   time of modification 0 if unknown; returns %FALSE to end the transfer
 * @write: receives the next bytes; returns %FALSE to end the transfer
 * @data: user data of the functions
 *
 * A request for a file.
 */
typedef struct
{
  const char *url;
  guint stall_seconds;
  guint max_seconds;
  gboolean (*begin) (guint64 size, gint64 modified, gpointer data, GError **error);
  gboolean (*write) (const guint8 *bytes, gsize length, gpointer data, GError **error);
  gpointer data;
} TbDebuginfodRequest;

/**
 * TbDebuginfodTransport:
 * @open: opens a connection, which one thread uses
 * @get: receives a file; fails with %G_IO_ERROR_NOT_FOUND if the server does not have it, with the
 *   error of a function of the request, or with the reason in a few words
 * @close: closes a connection
 *
 * The functions by which files are received. The programs have a transport, the libraries do not,
 * so that plug-ins do not load the code of networks.
 */
typedef struct
{
  gpointer (*open) (void);
  gboolean (*get) (gpointer connection,
                   const TbDebuginfodRequest *request,
                   GCancellable *cancellable,
                   GError **error);
  void (*close) (gpointer connection);
} TbDebuginfodTransport;

TB_EXPORT void tb_debuginfod_set_transport (const TbDebuginfodTransport *transport);

G_END_DECLS
