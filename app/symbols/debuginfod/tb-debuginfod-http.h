/* tb-debuginfod-http.h: requests to debuginfod servers by libsoup, with limits of time: the
 * transport that the programs install
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes debuginfod clients of this program use libsoup. Called once, when a program starts. */
void tb_debuginfod_http_install (void);

G_END_DECLS
