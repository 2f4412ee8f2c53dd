/* tb-debuginfod-http.h: requests to debuginfod servers by libsoup, with limits of time: the
 * transport that the programs install
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "symbols/debuginfod/tb-debuginfod-transport.h"

G_BEGIN_DECLS

/* The transport that uses libsoup. */
const TbDebuginfodTransport *tb_debuginfod_http_get (void);

/* Makes debuginfod clients of this program use libsoup. Called once, when a program starts. */
void tb_debuginfod_http_install (void);

G_END_DECLS
